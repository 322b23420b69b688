import { dirname, join } from 'node:path';
import { readRegularText } from '../../../base/open-regular';
import { openNames, systemPath, textOfLatin1 } from '../../../base/path-names';
import { isRefused } from '../../../base/regular-file';
import { isSecretFolder, isSecretPath } from '../../../base/secret-paths';
import { because, type Reason } from '../../../contract/shared/reasons';
import { nameMatcher } from '../parsing/glob';

/** Maximum entries to check. A larger folder may contain anything. */
const MAX_ENTRIES = 50_000;
/** Entries read per system call. */
const BATCH_SIZE = 512;
/** Time limit for checking all entries, in milliseconds. */
const WITHIN = 1_500;

/** Files with gitignore patterns. A pattern that starts with `!` includes a hidden name in a search again. */
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore', '.git/info/exclude'];
const MAX_IGNORE_BYTES = 256 * 1024;

/** A folder to search, and whether an option selects names, which includes hidden ones. */
export interface Searched {
  path: string;
  picksNames: boolean;
}

/** Whether a hidden name may be searched. */
type BringsIn = (name: string) => boolean;

/**
 * Why a search through these folders needs approval: it would print lines of a file that may hold secrets. It skips hidden
 * names as `rg` does, unless an option selects names or a pattern in an ignore file, here or above, may include them again.
 * Null if there is no such file.
 */
export async function secretsBelow(searched: readonly Searched[], home: string): Promise<Reason | null> {
  const until = performance.now() + WITHIN;
  let left = MAX_ENTRIES;
  const open = await Promise.all(
    searched.map(async ({ path, picksNames }) => ({
      folder: path,
      bringsIn: picksNames ? () => true : anyOf(await Promise.all(foldersAbove(path).map(broughtBackIn))),
    })),
  );
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder } = next;
    const entries = await openNames(systemPath(folder), BATCH_SIZE).catch(() => null);
    // A file named directly is judged by its name, and an unreadable folder cannot be searched.
    if (entries === null) continue;
    const own = await broughtBackIn(folder);
    const bringsIn = own === null ? next.bringsIn : anyOf([next.bringsIn, own]);
    for await (const entry of entries) {
      if (--left < 0 || performance.now() > until) return because('searches_too_much');
      const name = textOfLatin1(entry.name);
      if (name.startsWith('.') && (name === '.git' || !bringsIn(name))) continue;
      const path = join(folder, name);
      if (entry.isDirectory() ? isSecretFolder(path, home) : entry.isFile() && isSecretPath(path, home))
        return because('searches_secrets', { path });
      if (entry.isDirectory()) open.push({ folder: path, bringsIn });
    }
  }
  return null;
}

const anyOf = (all: readonly (BringsIn | null)[]): BringsIn => {
  const known = all.filter((one) => one !== null);
  return (name) => known.some((bringsIn) => bringsIn(name));
};

function foldersAbove(path: string): string[] {
  const above: string[] = [];
  for (let at = path; dirname(at) !== at; at = dirname(at)) above.push(dirname(at));
  return above;
}

/** The hidden names that a folder's ignore files may include again: a superset. Null if none. */
async function broughtBackIn(folder: string): Promise<BringsIn | null> {
  const found = await Promise.all(IGNORE_FILES.map((name) => broughtBackBy(join(folder, name))));
  return found.every((one) => one === null) ? null : anyOf(found);
}

async function broughtBackBy(file: string): Promise<BringsIn | null> {
  const read = await readRegularText(file, { root: null, maxBytes: MAX_IGNORE_BYTES });
  // Anything but a regular file may have any content.
  if (isRefused(read)) return read.refused === 'missing' ? null : () => true;
  const patterns = read.text.split('\n').filter((line) => line.startsWith('!'));
  if (patterns.length === 0) return null;
  const names = patterns.flatMap((line) => line.slice(1).trim().split('/'));
  if (names.some((name) => /^\*\*|\\/.test(name))) return () => true;
  const matchers = names.filter((name) => name !== '').map(nameMatcher);
  return (name) => matchers.some((matches) => matches(name));
}
