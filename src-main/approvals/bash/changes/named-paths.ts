import { posix } from 'node:path';
import { commandsIn } from '../commands/walk';
import { pathNamed, type ShellPlaces } from '../paths/places';
import { realPathOf } from '../paths/real-path';
import { isPattern } from './worth-trying-programs';

/** Maximum paths of one line. A longer line is just a list, and scanning the folder finds its changes. */
const MAX_PATHS = 200;
/** The same for `forVerdict`: a line that is short enough to be approved has no more. */
const MAX_JUDGED = 5_000;

/**
 * Absolute paths that a line of Bash names literally: its words, the text after `=` or `@` in a word and after `:` in a revision
 * of git, and redirection targets, resolved from `cwd` and every earlier `cd`. They include paths that it does not change, and
 * miss words that the shell computes, so they help to find affected files but never allow anything. Each `..` stays for
 * `realPathOf`, since the kernel follows a link before it goes up. `forVerdict` leaves out search patterns and programs for
 * `sed` and the like, and no path after many others.
 */
export function pathsNamed(
  source: string,
  { cwd, home }: Pick<ShellPlaces, 'cwd' | 'home'>,
  { forVerdict = false } = {},
): string[] {
  const named = new Set<string>();
  for (const { name, rest, redirects, directory } of commandsIn(source, { cwd, home })) {
    if (/^(cd|chdir|pushd)$/.test(name)) continue;
    const all = rest.map(({ value }) => value);
    const values = rest.flatMap(({ value, literal, text }, index) => {
      if (forVerdict && isPattern(name, all, index)) return [];
      if (!literal) return [knownStart(value, { cwd: directory ?? cwd, home }) ?? beforePattern(value)];
      if (text.startsWith('-')) return valuesOfOption(value);
      // `HEAD:.npmrc` and `:0:.npmrc` are git's stored versions of the file.
      return name === 'git' && value.includes(':')
        ? [value, value.slice(value.lastIndexOf(':') + 1)]
        : filesInWord(value);
    });
    for (const { target: file, isDescriptor } of redirects)
      if (file?.literal && !isDescriptor) values.push(file.value);
    for (const value of values) {
      if (value === '' || value.includes('\0') || value.includes('\n')) continue;
      named.add(value.startsWith('/') ? value : `${directory ?? cwd}/${value}`);
      if (named.size >= (forVerdict ? MAX_JUDGED : MAX_PATHS)) return [...named];
    }
  }
  return [...named];
}

/**
 * Paths in `folder` that a line there names, relative to it: both as written and as the kernel resolves them, which differs
 * for `link/..`.
 */
export async function namedInside(source: string, folder: string): Promise<string[]> {
  const real = (await realPathOf(folder)) ?? folder;
  const inside = new Set<string>();
  for (const path of pathsNamed(source, { cwd: folder, home: folder })) {
    const written = posix.relative(folder, posix.resolve(path));
    const led = path.split('/').includes('..') ? await realPathOf(path, { keepLast: true }) : null;
    for (const own of [written, led === null ? '' : posix.relative(real, led)])
      if (own !== '' && own !== '..' && !own.startsWith('../')) inside.add(own);
  }
  return [...inside];
}

/** `--file=x`, `-fdir/x`, and `--data=@x`. */
function valuesOfOption(option: string): string[] {
  if (option.includes('=')) return filesInWord(option.slice(option.indexOf('=') + 1));
  return /^-[A-Za-z]@?.*[./]/.test(option) ? filesInWord(option.slice(2)) : [];
}

/** `dd of=x`, `curl -d @x` and `curl -F file=@x` name the file, too. */
const filesInWord = (value: string): string[] => {
  const file = /^(?:[\w.-]+=@?|@)(.+)$/s.exec(value)?.[1];
  return file === undefined ? [value] : [value, file];
};

/** `~/x`, `$HOME/x` and `$PWD/x` without patterns or other variables; null for anything else. */
function knownStart(value: string, places: Pick<ShellPlaces, 'cwd' | 'home'>): string | null {
  const [, start, rest] = /^(~|\$HOME|\$\{HOME\}|\$PWD|\$\{PWD\})(\/[^*?[{$`]*)$/.exec(value) ?? [];
  if (start === undefined || rest === undefined) return null;
  return /PWD/.test(start) ? `${places.cwd}${rest}` : pathNamed(value, places);
}

/** The folder of a pattern such as `dist/*.js`; '' if its beginning is unknown. */
function beforePattern(value: string): string {
  const [start = ''] = value.split(/[*?[{$`~]/);
  const cut = start.lastIndexOf('/');
  return cut <= 0 ? '' : start.slice(0, cut);
}
