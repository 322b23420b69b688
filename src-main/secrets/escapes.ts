const ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are steered by is made of them.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b(?:\][^\u0007\u001b]{0,2048}(?:\u0007|\u001b\\)|[PX^_][^\u001b]{0,2048}\u001b\\|[ -/]+[0-~]|[@-Z\\-_])/g;

/** The end of a line, with the number that a tool puts before the next one. */
const LINE_END = /\r?\n(?: {0,6}\d+(?:\.\d+)?\t| {2}\d+[:-] )?/g;

/** A text from which something is left out. */
export interface Shortened {
  text: string;
  /** The original index of a unit. */
  at: (index: number) => number;
}

/** A text without escape sequences for colors and cursor movement. Null if it has none. */
export const withoutEscapes = (text: string): Shortened | null =>
  text.includes('\u001b') || text.includes('\u009b') ? without(text, ESCAPE) : null;

/** A text in one line, because programs such as base64 break long values. Null if it is one already. */
export const inOneLine = (text: string): Shortened | null =>
  text.includes('\n') ? without(text, LINE_END) : null;

function without(text: string, pattern: RegExp): Shortened {
  const parts: { from: number; to: number; length: number }[] = [];
  let plain = '';
  let last = 0;
  for (const { index, 0: whole } of text.matchAll(pattern)) {
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
