const HALF = /\p{Surrogate}/u;

/** The text with U+FFFD for each half of a character, as UTF-8 has it. */
export const wholeCharacters = (text: string): string =>
  HALF.test(text) ? Buffer.from(text).toString() : text;
