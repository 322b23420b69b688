/**
 * The form in which searches compare texts: the same for upper and lower case, for composed and decomposed characters, for
 * `İ`, `I`, `ı` and `i`, and for both forms of the small sigma. Every other difference counts. A text may change its length.
 */
export const foldText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFC')
        .toLowerCase()
        .normalize('NFC')
        .replaceAll(/i\u0307|ı/gu, 'i')
        .replaceAll('ς', 'σ');

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII.
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);
