import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileRule } from './glob';

/** Git's own for one clone. It counts for the folder that is searched and those above it, after all ignore files inside. */
export const EXCLUDE_FILE = '.git/info/exclude';

interface Rule {
  /** Brings back what an earlier rule ignores. */
  negated: boolean;
  onlyFolders: boolean;
  matches: (path: string) => boolean;
}

/** What the rules say of a path; null where they do not name it. */
export type Verdict = 'ignored' | 'kept' | null;

/** `path` is relative to the folder of the ignore file, as bytes (`asBytes`). */
export type IgnoreRules = (path: string, isFolder: boolean) => Verdict;

/** Globs of ignore files go by bytes: each becomes a character, so that `?` is a byte of a longer character. */
export const asBytes = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text).toString('latin1');

/**
 * The rules of an ignore file as ripgrep reads it, which is git's language with braces; lines that are no pattern are
 * left out. Null where nothing is left. The last rule that names a path decides.
 */
export function parseIgnoreFile(text: string): IgnoreRules | null {
  const rules = linesOf(text).flatMap((line) => parseRule(line) ?? []);
  if (rules.length === 0) return null;
  rules.reverse();
  return (path, isFolder) => {
    const rule = rules.find((one) => (isFolder || !one.onlyFolders) && one.matches(path));
    if (rule === undefined) return null;
    return rule.negated ? 'kept' : 'ignored';
  };
}

interface Line {
  negated: boolean;
  onlyFolders: boolean;
  /** From the ignore file's folder on. */
  glob: string;
}

function parseRule(line: string): Rule | null {
  const parsed = parseLine(line);
  if (parsed === null) return null;
  const { negated, onlyFolders, glob } = parsed;
  const matches = compileRule(asBytes(glob.endsWith('/**') ? `${glob}/*` : glob));
  return typeof matches === 'function' ? { negated, onlyFolders, matches } : null;
}

function parseLine(line: string): Line | null {
  if (line.startsWith('#')) return null;
  let glob = line.endsWith('\\ ') ? line : line.trimEnd();
  if (glob === '') return null;
  let negated = false;
  let anchored = false;
  if (glob.startsWith('\\!') || glob.startsWith('\\#')) glob = glob.slice(1);
  else {
    negated = glob.startsWith('!');
    if (negated) glob = glob.slice(1);
    anchored = glob.startsWith('/');
    if (anchored) glob = glob.slice(1);
  }
  const onlyFolders = glob.endsWith('/');
  if (onlyFolders) glob = glob.slice(0, glob.endsWith('\\/') ? -2 : -1);
  if (!anchored && !glob.includes('/') && glob !== '**') glob = `**/${glob}`;
  return { negated, onlyFolders, glob };
}

function linesOf(text: string): string[] {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split('\n');
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Lines after which others have the thread. */
const SLICE = 200;
/** Rests of one pattern, which `**` makes several of; a pattern with more is left out. */
const MAX_RESTS = 64;

/**
 * An ignore file for a folder below the one it was written for: what its rules say of paths in there. `names` lead from
 * one to the other. Patterns are taken apart at their slashes; one with a slash in braces cannot be, and is left out.
 */
export async function rulesWithin(text: string, names: readonly string[]): Promise<string> {
  if (names.length === 0) return `${linesOf(text).join('\n')}\n`;
  const lines: string[] = [];
  for (const [index, line] of linesOf(text).entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const parsed = parseLine(line);
    if (parsed === null || /\{[^}]*\//.test(parsed.glob)) continue;
    for (const glob of restsOf(parsed.glob, names))
      lines.push(`${parsed.negated ? '!' : ''}/${glob}${parsed.onlyFolders ? '/' : ''}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function restsOf(glob: string, names: readonly string[]): string[] {
  let rests = [glob];
  for (const name of names) {
    const next = rests.flatMap((rest) =>
      after(rest.split('/'), asBytes(name)).map((parts) => parts.join('/')),
    );
    rests = [...new Set(next)];
    if (rests.length > MAX_RESTS) return [];
  }
  return rests;
}

/** What is left of a pattern once its way went into a folder called `name`; several, since `**` may stay or end. */
function after(parts: string[], name: string): string[][] {
  const [first, ...rest] = parts;
  if (first === undefined) return [];
  if (first === '**') {
    // At the end it takes all there is below.
    if (rest.length === 0) return [parts];
    // Twice says no more than once.
    if (rest[0] === '**') return after(rest, name);
    return [parts, ...after(rest, name)];
  }
  if (rest.length === 0) return [];
  const matches = compileRule(asBytes(first));
  return typeof matches === 'function' && matches(name) ? [rest] : [];
}
