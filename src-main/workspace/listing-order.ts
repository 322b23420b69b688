import { textOfLatin1 } from '../base/path-names';
import type { FileEntry } from '../contract/app';
import { compareNames, NATURAL_UP_TO } from '../contract/shared/path-order';

export interface Named {
  name: string;
  kind: FileEntry['kind'];
}

/** Git's folder has thousands of files that nobody reads and that are easily damaged. */
export const isShown = (name: string): boolean => name !== '.git';

/** Names an entry from the `latin1` form of its name, which preserves every byte. */
export function named(entry: {
  name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): Named {
  const name = textOfLatin1(entry.name);
  if (entry.isDirectory()) return { name, kind: 'directory' };
  if (entry.isFile()) return { name, kind: 'file' };
  return { name, kind: entry.isSymbolicLink() ? 'link' : 'other' };
}

/** Directories first, then by name in natural order: `file2` before `file10`. */
export function inOrder(names: readonly Named[]): Named[] {
  const directories = names.filter(({ kind }) => kind === 'directory');
  const others = names.filter(({ kind }) => kind !== 'directory');
  const ordered = names.length > NATURAL_UP_TO ? byUnit : byName;
  return [...ordered(directories), ...ordered(others)];
}

function byName(names: Named[]): Named[] {
  return names.sort((a, b) => compareNames(a.name, b.name));
}

/** Sorting plain strings takes half the time of sorting objects. */
function byUnit(names: readonly Named[]): Named[] {
  const kinds = new Map<string, Named['kind']>();
  for (const { name, kind } of names) if (kind !== 'file') kinds.set(name, kind);
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => ({ name, kind: kinds.get(name) ?? 'file' }));
}
