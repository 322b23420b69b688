/** Maximum length rendered as Markdown; the rest is shown as plain text. */
const MAX_TEXT = 2_000_000;
const MAX_BLOCKS = 3_000;
/** Maximum definitions added to one block. */
const MAX_DEFINITIONS = 200;

const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;
const DEFINITION = /^ {0,3}\[([^\]^][^\]]*)\]:\s*\S/;

/**
 * Splits Markdown at blank lines between top-level blocks, so that each can be rendered separately. Never splits inside a
 * fence, a formula, a list, a quote, a table or indented text. Appends link definitions to each block that refers to them. A
 * text with footnotes stays whole, because they are numbered across all of it. `rest`: the text beyond all limits, as plain
 * text.
 */
export function markdownBlocks(text: string): { blocks: string[]; rest: string } {
  if (text.length > MAX_TEXT) return { blocks: [], rest: text };
  if (/^ {0,3}\[\^[^\]\n]+\]:/m.test(text)) return { blocks: [text], rest: '' };
  const blocks: string[] = [];
  const definitions = new Map<string, string>();
  let lines: string[] = [];
  let hasItem = false;
  let fence: string | undefined;
  const close = () => {
    if (lines.some((line) => line.trim() !== '')) blocks.push(lines.join('\n'));
    lines = [];
    hasItem = false;
  };
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,}|\${2,}(?=\s*$))/.exec(line)?.[1];
    if (fence !== undefined) {
      lines.push(line);
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
      continue;
    }
    const defined = DEFINITION.exec(line)?.[1];
    if (defined !== undefined) {
      const label = labelOf(defined);
      if (!definitions.has(label)) definitions.set(label, line);
      continue;
    }
    const isBlank = line.trim() === '';
    const afterBlank = lines.at(-1)?.trim() === '';
    if (afterBlank && !isBlank && !continuesBlock(line, hasItem)) close();
    lines.push(line);
    hasItem ||= ITEM.test(line);
    if (mark !== undefined) fence = mark;
  }
  close();
  const rest = blocks.splice(MAX_BLOCKS).join('\n\n');
  return { blocks: definitions.size === 0 ? blocks : blocks.map((one) => defining(one, definitions)), rest };
}

/** Whether a line after a blank one may still belong to the previous block: indented text, or the next list item. */
const continuesBlock = (line: string, hasItem: boolean): boolean =>
  /^\s{2,}\S|^\t/.test(line) || (hasItem && ITEM.test(line));

const labelOf = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

/** A block with the definitions that it refers to. */
function defining(block: string, definitions: ReadonlyMap<string, string>): string {
  const meant = new Set<string>();
  for (const [, label = ''] of block.matchAll(/\[([^[\]]{1,999})\]/g)) {
    const line = definitions.get(labelOf(label));
    if (line !== undefined) meant.add(line);
    if (meant.size === MAX_DEFINITIONS) break;
  }
  return meant.size === 0 ? block : `${block}\n\n${[...meant].join('\n')}`;
}
