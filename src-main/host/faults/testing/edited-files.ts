/** The files that the fault tests edit. */
export const FILES = 4;
const LINES = 1_500;

/** What an edit replaces on every line. */
export const roundMark = (round: number): string => `round ${round};`;

/** The whole content of a file after a round. */
export const contentAfter = (file: number, round: number): string =>
  Array.from(
    { length: LINES },
    (_, line) => `${file} ${line} ${roundMark(round)} some text to fill the line\n`,
  ).join('');
