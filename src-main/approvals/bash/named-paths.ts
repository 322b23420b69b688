import { posix } from 'node:path';
import type { ShellPlaces } from './places';
import { realPathOf } from './real-path';
import { commandsIn } from './walk';
import { isPattern } from './worth-trying-programs';

/** Paths looked at of one line: beyond that it is a list, and what it changes is found by looking at the folder. */
const MAX_PATHS = 200;

/**
 * Absolute paths that a line of Bash names as they stand: its words, what follows `=` in one, and the targets of its
 * redirections, from `cwd` on and after each `cd` before it. More than it changes, and less where words are made by
 * the shell: a help for finding what a command may touch, never a judgement about it. Each `..` is left in for
 * `realPathOf`: the kernel follows a link before it goes up. `withoutPatterns`: what a search looks for, and the program
 * of `sed` and the like, are no paths.
 */
export function pathsNamed(
  source: string,
  { cwd, home }: Pick<ShellPlaces, 'cwd' | 'home'>,
  { withoutPatterns = false } = {},
): string[] {
  const named = new Set<string>();
  for (const { name, rest, redirects, directory } of commandsIn(source, { cwd, home })) {
    if (/^(cd|chdir|pushd)$/.test(name)) continue;
    const all = rest.map(({ value }) => value);
    const values = rest.flatMap(({ value, literal, text }, index) => {
      if (withoutPatterns && isPattern(name, all, index)) return [];
      if (!literal) return [beforePattern(value)];
      if (text.startsWith('-')) return value.includes('=') ? [value.slice(value.indexOf('=') + 1)] : [];
      return [value];
    });
    for (const { target: file, isDescriptor } of redirects)
      if (file?.literal && !isDescriptor) values.push(file.value);
    for (const value of values) {
      if (value === '' || value.includes('\0') || value.includes('\n')) continue;
      named.add(value.startsWith('/') ? value : `${directory ?? cwd}/${value}`);
      if (named.size >= MAX_PATHS) return [...named];
    }
  }
  return [...named];
}

/**
 * Paths of `folder` that a line run there names, relative to it: as they are written, and where the kernel goes, which is
 * another place behind `link/..`.
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

/** The folder of a pattern such as `dist/*.js`; '' where it begins with what is not known. */
function beforePattern(value: string): string {
  const [start = ''] = value.split(/[*?[{$`~]/);
  const cut = start.lastIndexOf('/');
  return cut <= 0 ? '' : start.slice(0, cut);
}
