import { foldText } from '@contract/shared/fold-text';

/** The text to complete: from its `@` or `/` to the caret. */
export interface Token {
  kind: '@' | '/';
  /** Without the prefix and the quotation mark. */
  query: string;
  /** In UTF-16 units of the text. */
  from: number;
  to: number;
}

/** UTF-16 units; a longer word is not a name. */
const MAX_NAME_LENGTH = 400;
const NAME = /(?:^|[\s([{"'“‘（【「,，。；;:：])(@(?:"[^"\n]*|[^\s"@]*))$/u;
const COMMAND = /^\/\S*$/u;

/** The token that ends at the caret, or null. */
export function tokenAt(text: string, caret: number): Token | null {
  const before = text.slice(Math.max(0, caret - MAX_NAME_LENGTH), caret);
  if (caret <= MAX_NAME_LENGTH && COMMAND.test(before))
    return { kind: '/', query: before.slice(1), from: 0, to: caret };
  const name = NAME.exec(before)?.[1];
  if (name === undefined) return null;
  return { kind: '@', query: name.replace(/^@"?/u, ''), from: caret - name.length, to: caret };
}

/** The text with the token replaced, and the new caret position. */
export function replaced(text: string, { from, to }: Token, words: string): { text: string; caret: number } {
  const after = text.slice(to);
  // If the word continues after the caret, the rest is replaced too.
  const rest = after.replace(/^[^\s"@]+"?/u, '');
  const gap = words.endsWith(' ') && /^[ \n]/u.test(rest);
  const put = gap ? words.slice(0, -1) : words;
  return { text: text.slice(0, from) + put + rest, caret: from + put.length + (gap ? 1 : 0) };
}

/** Folders that contain some of these files and match the query in their own name, the nearest to the root first. */
export function foldersAmong(files: readonly string[], query: string): string[] {
  const wanted = foldText(query).replace(/\/+$/u, '');
  if (wanted === '') return [];
  const folders = new Set<string>();
  for (const file of files) {
    const parts = file.split('/').slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/');
      const own = wanted.includes('/') ? folder : (parts[depth - 1] ?? '');
      if (foldText(own).includes(wanted)) folders.add(folder);
    }
  }
  return [...folders].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
}

/** Items that match the query in their name, prefix matches first; all items if the query is empty. */
export function ranked<T>(items: readonly T[], query: string, nameOf: (item: T) => string): T[] {
  const wanted = foldText(query);
  if (wanted === '') return [...items];
  const begins: T[] = [];
  const holds: T[] = [];
  for (const item of items) {
    const name = foldText(nameOf(item));
    if (name.startsWith(wanted)) begins.push(item);
    else if (name.includes(wanted)) holds.push(item);
  }
  return [...begins, ...holds];
}
