import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A fresh id of the provider's form: prefix and `length` letters or digits. Never repeats, also not after a restart
 * of the server: LangGraph replaces a message when another comes with the same id.
 */
export function freshId(prefix: string, length = 24): string {
  return prefix + [...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** Rough token count, four characters each, for the usage figures. */
export function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}
