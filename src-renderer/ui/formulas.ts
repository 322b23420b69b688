// Loaded with the first formula: KaTeX with its styles and fonts, which the app ships.
import 'katex/dist/katex.min.css';
import katex from 'katex';
import remarkMath from 'remark-math';

/** Reads `$$…$$` as formulas; where one dollar counts, `mathMarks` has made two of it. */
export const remarkPlugin: [typeof remarkMath, { singleDollarTextMath: boolean }] = [
  remarkMath,
  { singleDollarTextMath: false },
];

/**
 * Puts a formula into an element, with its MathML for screen readers. It may not name addresses, set classes or grow
 * without end; what is wrong in it is shown as its source, in red.
 */
export function drawFormula(tex: string, display: boolean, into: HTMLElement): void {
  katex.render(tex, into, {
    displayMode: display,
    trust: false,
    strict: 'ignore',
    throwOnError: false,
    errorColor: 'var(--deny)',
    maxExpand: 500,
    maxSize: 40,
  });
}
