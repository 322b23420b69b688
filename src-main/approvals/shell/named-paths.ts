import { posix } from 'node:path';
import { parseLine } from './commands';

/** Paths looked at of one line: beyond that it is a list, and what it changes is found by looking at the folder. */
const MAX_PATHS = 200;

/**
 * Absolute paths that a line of Bash names as they stand: its words, what follows `=` in one, and the targets of its
 * redirections, from `cwd` on and after a `cd` at the beginning. More than it changes, and less where words are made by
 * the shell: a help for finding what a command may touch, never a judgement about it.
 */
export function namedPaths(source: string, cwd: string): string[] {
  const named = new Set<string>();
  let at = cwd;
  for (const { words, redirects } of parseLine(source).commands) {
    const [name, target] = words;
    if (name?.value === 'cd' && target?.literal) {
      at = posix.resolve(at, target.value);
      continue;
    }
    const values = words.slice(1).flatMap(({ value, literal, text }) => {
      if (!literal) return [beforePattern(value)];
      if (text.startsWith('-')) return value.includes('=') ? [value.slice(value.indexOf('=') + 1)] : [];
      return [value];
    });
    for (const { target: file, isDescriptor } of redirects)
      if (file?.literal && !isDescriptor) values.push(file.value);
    for (const value of values) {
      if (value === '' || value.includes('\0') || value.includes('\n')) continue;
      named.add(posix.resolve(at, value));
      if (named.size >= MAX_PATHS) return [...named];
    }
  }
  return [...named];
}

/** The folder of a pattern such as `dist/*.js`; '' where it begins with what is not known. */
function beforePattern(value: string): string {
  const [start = ''] = value.split(/[*?[{$`~]/);
  const cut = start.lastIndexOf('/');
  return cut <= 0 ? '' : start.slice(0, cut);
}
