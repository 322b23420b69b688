// How the tables of the store write namespaces.

let last: { labels: readonly string[]; text: string } = { labels: [], text: '[]' };

/** Namespaces are stored as JSON lists, which no label can imitate. */
export function encodeNamespace(namespace: readonly string[]): string {
  // The same namespace is often encoded many times in a row.
  const { labels, text } = last;
  if (labels.length === namespace.length && labels.every((label, index) => label === namespace[index]))
    return text;
  last = { labels: [...namespace], text: JSON.stringify(namespace) };
  return last.text;
}

export const decodeNamespace = (text: string): string[] => JSON.parse(text);

/**
 * The range of column values below the namespace, from `from` up to but excluding `to`. It excludes the namespace itself.
 */
export function namespacesBelow(namespace: readonly string[]): { from: string; to: string } {
  if (namespace.length === 0) return { from: '[', to: ']' };
  const stem = encodeNamespace(namespace).slice(0, -1);
  // Every further label starts with a comma; a hyphen is the next character after it.
  return { from: `${stem},`, to: `${stem}-` };
}
