/** A possible file position in a line of output. */
export interface Position {
  /** UTF-16 index in the line, and the index after the last unit. */
  start: number;
  end: number;
  /** As written in the output. */
  path: string;
  /** 1-based. */
  line?: number;
}

/** The format of Python and some others. */
const QUOTED = /File "([^"\n]{1,1000})", line (\d{1,9})/g;
/** A word that may be a path, followed by `:12`, `:12:5`, `(12,5)` or nothing. */
const WORD =
  /((?:[A-Za-z]:(?=[\\/]))?[\p{L}\p{N}@%+~_.\\/#$-]{2,1000})(?::(\d{1,9})(?::\d{1,9})?|\((\d{1,9})(?:,\s?\d{1,9})?\))?/gu;
/** Each path that does not exist costs a lookup. */
const MAX_PATHS = 20;

/** Possible file names in a line of output, with their line numbers. The caller checks whether the files exist. */
export function positionsIn(text: string): Position[] {
  const found: Position[] = [];
  for (const match of text.matchAll(QUOTED)) {
    const [whole, path = '', line] = match;
    found.push({ start: match.index, end: match.index + whole.length, path, line: Number(line) });
  }
  for (const match of text.matchAll(WORD)) {
    const [whole, word = '', afterColon, inBrackets] = match;
    const number = afterColon ?? inBrackets;
    // A period that ends a sentence is not part of the name.
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
