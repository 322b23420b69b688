import { isHidden } from './hiding-styles';
import { isElement, type PageElement, type PageNode } from './page-element';

const LINES: ReadonlySet<string> = new Set(['DIV', 'P', 'LI', 'TR']);
/** How sites name the language of a block: on it, its `code`, or around it (Sphinx, GitHub). */
const LANGUAGE = /(?:^|\s)(?:language-|lang-|highlight-(?:source-)?)([\w+#.-]+)/;
const NO_LANGUAGE = /^(?:default|none|notranslate|plaintext|text)$/;
/** Elements around a block that may name its language. */
const MAX_AROUND = 2;

/** A `pre` element as a fenced block. */
export function codeBlock(pre: PageElement): string {
  const code = codeIn(pre).replace(/\n$/, '').replace(/^\n/, '');
  if (code.trim() === '') return '';
  const longest = Math.max(2, ...(code.match(/^`{3,}/gm) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}${languageOf(pre)}\n${code}\n${fence}\n\n`;
}

/** The text with its line breaks, which some pages make with elements. */
function codeIn(node: PageNode): string {
  let text = '';
  for (const child of Array.from(node.childNodes)) {
    if (!isElement(child)) text += child.textContent ?? '';
    else if (child.nodeName === 'BR') text += '\n';
    else if (!isHidden(child)) {
      const isLine = LINES.has(child.nodeName);
      if (isLine && text !== '' && !text.endsWith('\n')) text += '\n';
      text += codeIn(child);
      if (isLine && !text.endsWith('\n')) text += '\n';
    }
  }
  return text;
}

function languageOf(pre: PageElement): string {
  const inside = Array.from(pre.childNodes).find((child) => child.nodeName === 'CODE');
  const candidates: PageElement[] = inside !== undefined && isElement(inside) ? [inside, pre] : [pre];
  for (let at = pre.parentElement, i = 0; at !== null && i < MAX_AROUND; at = at.parentElement, i++)
    candidates.push(at);
  for (const one of candidates) {
    const [, name = ''] = LANGUAGE.exec(one.getAttribute('class') ?? '') ?? [];
    if (name !== '') return NO_LANGUAGE.test(name) ? '' : name;
  }
  return '';
}
