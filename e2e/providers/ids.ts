import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A fresh id in the provider's format: prefix and `length` letters or digits. Never repeats, even after a restart of the
 * server: LangGraph replaces a message with another one that has the same id.
 */
export function freshId(prefix: string, length = 24): string {
  return prefix + [...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** A rough token count, four characters each, for the usage numbers. */
export function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}
