// Loaded with the first formula: KaTeX with the styles and fonts that the app ships.
import 'katex/dist/katex.min.css';
import katex from 'katex';
import remarkMath from 'remark-math';

/** Reads `$$…$$` as formulas. `mathMarks` has already doubled each single dollar sign that counts. */
export const remarkPlugin: [typeof remarkMath, { singleDollarTextMath: boolean }] = [
  remarkMath,
  { singleDollarTextMath: false },
];

/** Maximum UTF-16 units of a formula, and maximum nesting of its groups: KaTeX recurses once per level. */
const MAX_FORMULA = 4_000;
const MAX_DEPTH = 50;
/** Maximum number of commands that nest without a brace: `\sqrt\sqrt x`. */
const MAX_CHAINED = 300;
const CHAINED = /\\(?:sqrt|left|begin|over|under|hat|bar|vec|tilde|dot|math|text)/g;

function depthOf(tex: string): number {
  let depth = 0;
  let most = 0;
  for (const sign of tex) {
    if (sign === '{' || sign === '[' || sign === '(') depth += 1;
    else if (sign === '}' || sign === ']' || sign === ')') depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

/**
 * Renders a formula into an element, with MathML for screen readers. A formula may not contain URLs, set classes or grow
 * without limit. An invalid one is shown as its source: in red, or while more of it may come, as text.
 */
export function drawFormula(
  tex: string,
  { display, settled }: { display: boolean; settled: boolean },
  into: HTMLElement,
): void {
  const chained = tex.match(CHAINED)?.length ?? 0;
  if (tex.length > MAX_FORMULA || depthOf(tex) > MAX_DEPTH || chained > MAX_CHAINED) {
    into.textContent = tex;
    return;
  }
  katex.render(tex, into, {
    displayMode: display,
    trust: false,
    strict: 'ignore',
    throwOnError: false,
    errorColor: settled ? 'var(--deny)' : 'inherit',
    maxExpand: 500,
    maxSize: 40,
  });
}
