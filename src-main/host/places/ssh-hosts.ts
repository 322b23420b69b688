import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { listRegular, readRegular } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';

const MAX_BYTES = 1_000_000;
/** Maximum number of files that include one another, and of names. */
const MAX_FILES = 100;
const MAX_NAMES = 1_000;
const LINE = /^\s*(Host|Include)(?:\s*=\s*|\s+)(.+)$/i;
/** Words, each of which may be quoted. */
const WORDS = /"([^"]*)"|(\S+)/g;

/**
 * The names of the person's OpenSSH configuration that `Host` lists, with those of included files, sorted. Patterns such as
 * `*.example.org` are no names. A file that cannot be read has none.
 */
export async function sshHosts(home: string = homedir()): Promise<string[]> {
  const folder = join(home, '.ssh');
  const names = new Set<string>();
  const files = [join(folder, 'config')];
  const seen = new Set<string>();
  for (let file = files.shift(); file !== undefined && seen.size < MAX_FILES; file = files.shift()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { keyword, words } of await linesOf(file)) {
      if (keyword === 'include')
        for (const word of words) files.push(...(await filesOf(included(word, home, folder))));
      else for (const word of words) if (!/[*?!]/.test(word)) names.add(word);
    }
  }
  return [...names].toSorted().slice(0, MAX_NAMES);
}

async function linesOf(file: string): Promise<{ keyword: string; words: string[] }[]> {
  // The configuration of a person may be a link, for example into a repository of settings.
  const bytes = await readRegular(file, { root: null, maxBytes: MAX_BYTES });
  if (isRefused(bytes)) return [];
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [, keyword, rest = ''] = LINE.exec(line) ?? [];
      if (keyword === undefined) return [];
      const words = [...rest.replace(/\s#.*$/, '').matchAll(WORDS)].map(
        ([, quoted, bare]) => quoted ?? bare ?? '',
      );
      return [{ keyword: keyword.toLowerCase(), words }];
    });
}

function included(word: string, home: string, folder: string): string {
  if (word.startsWith('~/')) return join(home, word.slice(2));
  return isAbsolute(word) ? word : join(folder, word);
}

/** The last part of a path may be a pattern. */
async function filesOf(path: string): Promise<string[]> {
  const name = basename(path);
  if (!/[*?]/.test(name)) return [path];
  const folder = dirname(path);
  const listed = await listRegular(folder, { root: null, maxEntries: MAX_FILES });
  if (isRefused(listed)) return [];
  const pattern = new RegExp(
    `^${name
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );
  const names = listed.entries.map((entry) => entry.name).filter((one) => pattern.test(one));
  return names.toSorted().map((one) => join(folder, one));
}
