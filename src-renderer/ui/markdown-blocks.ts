/**
 * Splits Markdown at blank lines between top-level blocks, so that each can be drawn on its own. Never splits inside a
 * fence, a formula, a list, a quote, a table or indented text. Definitions of links are put behind each block that may
 * mean them; a text with footnotes stays whole, because those are numbered over all of it.
 */
export function markdownBlocks(text: string): string[] {
  if (/^ {0,3}\[\^[^\]]+\]:/m.test(text)) return [text];
  const blocks: string[] = [];
  const definitions: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const close = () => {
    if (lines.some((line) => line.trim() !== '')) blocks.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,}|\${2,}(?=\s*$))/.exec(line)?.[1];
    if (fence !== undefined) {
      lines.push(line);
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
      continue;
    }
    if (/^ {0,3}\[[^\]^][^\]]*\]:\s*\S/.test(line)) {
      definitions.push(line);
      continue;
    }
    const afterBlank = lines.at(-1)?.trim() === '';
    if (afterBlank && line.trim() !== '' && !goesOn(line, lines)) close();
    lines.push(line);
    if (mark !== undefined) fence = mark;
  }
  close();
  if (definitions.length === 0) return blocks;
  const all = definitions.join('\n');
  return blocks.map((block) => (block.includes(']') ? `${block}\n\n${all}` : block));
}

/** Whether a line behind a blank one may still belong to the block before: indented text, or the next item of a list. */
function goesOn(line: string, before: readonly string[]): boolean {
  if (/^\s{2,}\S|^\t/.test(line)) return true;
  const item = /^ {0,3}([-*+]|\d{1,9}[.)])\s/;
  return item.test(line) && before.some((other) => item.test(other));
}
