/** Characters that nobody sees, and that copying from a web page or a chat adds. */
const INVISIBLE = /[\p{Cf}\p{Cc}]/gu;
const QUOTED = /^(["'`])(.*)\1$/u;

/** A key as its provider wrote it: without what was copied along, such as spaces, invisible characters or quotation marks. */
export function pastedKey(text: string): string {
  const plain = text.replace(INVISIBLE, '').trim();
  return QUOTED.exec(plain)?.[2]?.trim() ?? plain;
}

/** The first character of a key that no HTTP header can carry; null if all can be sent. */
export const unsendable = (key: string): string | null => /[^\x20-\x7e]/u.exec(key)?.[0] ?? null;
