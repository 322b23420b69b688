/** Splits input into words as a shell would, without expanding anything: quotes keep spaces. */
export function splitWords(typed: string): string[] {
  const words: string[] = [];
  for (const [, double, single, bare] of typed.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g))
    words.push(double?.replace(/\\(.)/g, '$1') ?? single ?? bare ?? '');
  return words;
}

/** The inverse of `splitWords`. */
export const joinWords = (words: readonly string[]): string =>
  words.map((word) => (/^[^\s"'\\]+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`)).join(' ');
