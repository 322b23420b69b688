interface TextNode {
  value?: unknown;
  children?: readonly object[];
}

/** Letters of a cell that stand on one line whatever the other columns need. */
const ONE_LINE = 16;
/** Lines that more than those are given, as long as the column does not get wider than `WIDEST` letters for it. */
const LINES = 4;
const WIDEST = 40;
/** Each as wide as two letters of Latin. */
const WIDE_LETTERS = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/gu;

/**
 * The least width of a table's cell, in CSS, by the text in it: short ones are not broken, long ones are no towers of one
 * word a line. Where columns need more than there is, the table is wider than its place.
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
