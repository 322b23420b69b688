/** What the official store takes in a label and does not use for anything else. */
const PLAIN = /[^A-Za-z0-9@+~-]/gu;
const ENCODED = /=([0-9a-f]+)=/g;

/**
 * Labels as the official store takes them: it joins them by colons, refuses dots and the wildcards of LIKE, and keeps the
 * root `langgraph` for itself. What is plain stays as it is, so plain namespaces are the same ones for both.
 */
export function encodeLabels(namespace: readonly string[]): string[] {
  return namespace.map((label, index) => {
    if (index === 0 && label === 'langgraph') return `${encodeCharacter('l')}anggraph`;
    return label.replace(PLAIN, encodeCharacter);
  });
}

export const decodeLabels = (labels: readonly string[]): string[] =>
  labels.map((label) =>
    label.replace(ENCODED, (whole, hex: string) => {
      const code = Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    }),
  );

/** The column that names a namespace. */
export const namespacePath = (namespace: readonly string[]): string => encodeLabels(namespace).join(':');

/** A LIKE pattern for keys that begin with `prefix` and then have the pieces. */
export function likeOf(prefix: string, pieces: readonly string[] = []): string {
  const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');
  return [prefix, ...(pieces.length === 0 ? [''] : pieces)].map(literal).join('%');
}

const encodeCharacter = (character: string): string => `=${(character.codePointAt(0) ?? 0).toString(16)}=`;
