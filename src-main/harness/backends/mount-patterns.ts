import { compileGlob } from '../../base/globs/glob';
import { isBelow } from '../../base/is-below';
import type { Mount } from './mounts';

/** Alternatives of one pattern. One with more is passed on as it is. */
const MAX_CHOICES = 32;

/**
 * The pattern as a backend mounted at `prefix` should see it, or null if it can match nothing there. Models write full paths
 * as patterns, so a pattern that starts with the searched folder or with the mount is taken as relative to it.
 */
export function patternWithin(pattern: string, searched: string, target: Mount): string | null {
  const mount = target.prefix === '/' ? '' : target.prefix.slice(0, -1);
  const place = target.inner === '/' ? mount : `${mount}${target.inner}`;
  for (const folder of [place, searched === '/' ? '' : searched])
    if (folder !== '' && pattern.startsWith(`${folder}/`)) return pattern.slice(folder.length);
  if (!pattern.includes('/') || isBelow(searched, place) || place === '') return pattern;
  // The search starts above the mount, whose folders are the first that the pattern has to match.
  const between = place
    .slice(searched === '/' ? 0 : searched.length)
    .split('/')
    .filter((name) => name !== '');
  const choices = choicesOf(pattern.replace(/^(\.\/|\/)+/, ''));
  if (choices === null) return pattern;
  let left = new Set(choices);
  for (const name of between) left = new Set([...left].flatMap((choice) => after(choice, name)));
  return left.size === 0 ? null : joined([...left]);
}

/** What is left of a pattern to match below a folder of that name, in several ways if it starts with `**`. */
function after(pattern: string, name: string): string[] {
  const [first = '', ...rest] = pieces(pattern, '/');
  const below = rest.join('/');
  if (first === '**') return below === '' ? [pattern] : [pattern, ...after(below, name)];
  if (below === '') return [];
  const matcher = compileGlob(first);
  // The backend says what is wrong with it.
  if ('error' in matcher) return [pattern];
  return matcher.matches(name) ? [below] : [];
}

/** With a slash, even for a single name: without one, it would match at any depth. */
function joined(choices: readonly string[]): string {
  const [only = ''] = choices;
  if (choices.length === 1) return only.includes('/') ? only : `/${only}`;
  return `/{${choices.map((choice) => pieces(choice, ',').join('\\,')).join(',')}}`;
}

/** The pattern without braces that contain a slash. Null if it has too many choices. */
function choicesOf(pattern: string): string[] | null {
  const from = bracesAcrossNames(pattern);
  if (from === null) return [pattern];
  const { open, close } = from;
  const all: string[] = [];
  for (const choice of pieces(pattern.slice(open + 1, close), ',')) {
    const more = choicesOf(pattern.slice(0, open) + choice + pattern.slice(close + 1));
    if (more === null || all.length + more.length > MAX_CHOICES) return null;
    all.push(...more);
  }
  return all;
}

function bracesAcrossNames(pattern: string): { open: number; close: number } | null {
  const opened: number[] = [];
  for (const { at, char } of symbols(pattern)) {
    if (char === '{') opened.push(at);
    if (char !== '}') continue;
    const open = opened.pop();
    if (open === undefined || opened.length > 0) continue;
    if (pattern.slice(open, at).includes('/')) return { open, close: at };
  }
  return null;
}

/** The parts of a pattern between separators outside of braces and sets. */
function pieces(pattern: string, separator: ',' | '/'): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { at, char } of symbols(pattern)) {
    if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    else if (char === separator && depth === 0) {
      found.push(pattern.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, pattern.slice(from)];
}

/** The characters that are neither escaped nor in a set. */
function* symbols(pattern: string): Generator<{ at: number; char: string }> {
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '[') {
      // A bracket at its start is part of the set.
      const first = /[!^]/.test(pattern.charAt(at + 1)) ? at + 3 : at + 2;
      const end = pattern.indexOf(']', first);
      if (end === -1) return;
      at = end;
    } else yield { at, char };
  }
}
