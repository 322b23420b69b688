/** Dollars as a person writes them, in micro-dollars; null for an empty text, undefined where it is no amount. */
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

/** Micro-dollars as they are written into a field; empty for null. */
export const inDollars = (amount: number | null): string =>
  amount === null ? '' : String(amount / 1_000_000);

/** Tokens as a person writes them; null for an empty text, undefined where it is no whole number. */
export function wholeNumber(text: string): number | null | undefined {
  const written = text.replaceAll(/[\s,_]/gu, '');
  if (written === '') return null;
  return /^\d{1,9}$/u.test(written) ? Number(written) : undefined;
}
