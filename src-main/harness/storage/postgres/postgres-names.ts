/** Characters that the official store accepts in a label without a special meaning. */
const PLAIN = /[^A-Za-z0-9@+~-]/gu;
const ENCODED = /=([0-9a-f]+)=/g;

/**
 * Encodes labels for the official store, which joins them with colons, refuses dots and LIKE wildcards, and reserves the
 * root `langgraph`. Plain labels stay unchanged, so both stores use the same plain namespaces.
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

/** The column value of a namespace. */
export const namespacePath = (namespace: readonly string[]): string => encodeLabels(namespace).join(':');

/** A LIKE pattern for keys that start with `prefix` and then contain the pieces. */
export function likeOf(prefix: string, pieces: readonly string[] = []): string {
  const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');
  return [prefix, ...(pieces.length === 0 ? [''] : pieces)].map(literal).join('%');
}

const encodeCharacter = (character: string): string => `=${(character.codePointAt(0) ?? 0).toString(16)}=`;
