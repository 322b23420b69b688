const ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are steered by is made of them.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b(?:\][^\u0007\u001b]{0,2048}(?:\u0007|\u001b\\)|[PX^_][^\u001b]{0,2048}\u001b\\|[ -/]+[0-~]|[@-Z\\-_])/g;

/**
 * A text without escape sequences for colors and cursor movement, with the original index of each unit. Null if it has none.
 */
export function withoutEscapes(text: string): { text: string; at: (index: number) => number } | null {
  if (!text.includes('\u001b') && !text.includes('\u009b')) return null;
  const parts: { from: number; to: number; length: number }[] = [];
  let plain = '';
  let last = 0;
  for (const { index, 0: whole } of text.matchAll(ESCAPE)) {
    parts.push({ from: plain.length, to: last, length: index - last });
    plain += text.slice(last, index);
    last = index + whole.length;
  }
  parts.push({ from: plain.length, to: last, length: text.length - last });
  plain += text.slice(last);
  return {
    text: plain,
    at: (index) => {
      let low = 0;
      let high = parts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((parts[middle]?.from ?? 0) <= index) low = middle;
        else high = middle - 1;
      }
      const part = parts[low];
      return part === undefined ? index : part.to + (index - part.from);
    },
  };
}
