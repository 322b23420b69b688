/** Parses dollars as a user writes them, to micro-dollars; null for an empty text, undefined if it is not an amount. */
export function microDollars(text: string): number | null | undefined {
  const written = text
    .trim()
    .replace(/^\$\s*/u, '')
    .replace(',', '.');
  if (written === '') return null;
  if (!/^\d+(?:\.\d+)?$/u.test(written)) return undefined;
  const amount = Math.round(Number(written) * 1_000_000);
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** Formats micro-dollars for a field; empty for null. */
export const inDollars = (amount: number | null): string =>
  amount === null ? '' : String(amount / 1_000_000);

/** Parses a number of tokens as a user writes it; null for an empty text, undefined if it is not a whole number. */
export function wholeNumber(text: string): number | null | undefined {
  const written = text.replaceAll(/[\s,_]/gu, '');
  if (written === '') return null;
  return /^\d{1,9}$/u.test(written) ? Number(written) : undefined;
}
