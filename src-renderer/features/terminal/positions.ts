/** A place in a file that a line of output seems to name. */
export interface Position {
  /** UTF-16 index in the line, and behind the last unit. */
  start: number;
  end: number;
  /** As it is written. */
  path: string;
  /** 1-based. */
  line?: number;
}

/** As Python and some others write it. */
const QUOTED = /File "([^"\n]{1,1000})", line (\d{1,9})/g;
/** A word that may be a path, with `:12`, `:12:5`, `(12,5)` or nothing behind. */
const WORD =
  /((?:[A-Za-z]:(?=[\\/]))?[\p{L}\p{N}@%+~_.\\/#$-]{2,1000})(?::(\d{1,9})(?::\d{1,9})?|\((\d{1,9})(?:,\s?\d{1,9})?\))?/gu;
/** What does not exist costs a look each. */
const MAX_PATHS = 20;

/** What in a line of output looks like a file, with its line; whether there is such a file is for others to say. */
export function positionsIn(text: string): Position[] {
  const found: Position[] = [];
  for (const match of text.matchAll(QUOTED)) {
    const [whole, path = '', line] = match;
    found.push({ start: match.index, end: match.index + whole.length, path, line: Number(line) });
  }
  for (const match of text.matchAll(WORD)) {
    const [whole, word = '', afterColon, inBrackets] = match;
    const number = afterColon ?? inBrackets;
    // The full stop at the end of a sentence is not of the name.
    const path = number === undefined ? word.replace(/[.]+$/u, '') : word;
    const start = match.index;
    const end = start + (number === undefined ? path.length : whole.length);
    const isPath = /[\\/]/u.test(path) || /[^.]\.[\p{L}\p{N}_]{1,12}$/u.test(path);
    // `//host` is the rest of a web address.
    if (!isPath || path.startsWith('//') || /^[\d.]+$/u.test(path)) continue;
    if (found.some((one) => start < one.end && end > one.start)) continue;
    found.push({ start, end, path, ...(number === undefined ? {} : { line: Number(number) }) });
  }
  return found.slice(0, MAX_PATHS);
}
