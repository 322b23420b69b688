interface TextNode {
  value?: unknown;
  children?: readonly object[];
}

/** Characters of a cell that stay on one line, whatever the other columns need. */
const ONE_LINE = 16;
/** Maximum lines for a longer cell, as long as that does not make the column wider than `WIDEST` characters. */
const LINES = 4;
const WIDEST = 40;
/** Each is as wide as two Latin letters. */
const WIDE_LETTERS = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/gu;

/**
 * The minimum width of a table cell, in CSS, computed from its text. Short cells do not wrap, and long ones do not become
 * towers of one word per line. If the columns need more than the available width, the table overflows.
 */
export function leastWidth(cell: TextNode | undefined): string {
  const text = textOf(cell).trim();
  const letters = text.length + (text.match(WIDE_LETTERS)?.length ?? 0);
  const least =
    letters <= ONE_LINE ? letters : Math.min(WIDEST, Math.max(ONE_LINE, Math.ceil(letters / LINES)));
  return `${least}ch`;
}

const textOf = ({ value, children = [] }: TextNode = {}): string =>
  typeof value === 'string' ? value : children.map(textOf).join('');
