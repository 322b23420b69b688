import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileRule, MAX_PATTERN } from './glob';

/** Git's rules for a single clone. They apply to the searched folder and its parents, after all ignore files inside. */
export const EXCLUDE_FILE = '.git/info/exclude';

interface Rule {
  /** Includes again what an earlier rule ignores. */
  negated: boolean;
  onlyFolders: boolean;
  matches: (path: string) => boolean;
}

/** The rules' verdict on a path. Null if they do not name it. */
export type Verdict = 'ignored' | 'kept' | null;

/** `path` is relative to the folder of the ignore file, as bytes (`asBytes`). */
export type IgnoreRules = (path: string, isFolder: boolean) => Verdict;

/** Globs of ignore files match bytes: each becomes a character, so that `?` matches one byte of a longer character. */
export const asBytes = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text).toString('latin1');

/**
 * Parses an ignore file as ripgrep does: git's syntax with braces. Invalid lines are skipped. Null if nothing is left. The
 * last rule that names a path decides.
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
  /** Relative to the ignore file's folder. */
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
  return glob.length > MAX_PATTERN ? null : { negated, onlyFolders, glob };
}

function linesOf(text: string): string[] {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split('\n');
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Lines between two yields to the event loop. */
const SLICE = 200;
/** Maximum remainders of one pattern, since `**` creates several. A pattern with more is skipped. */
const MAX_RESTS = 64;

/**
 * Rewrites an ignore file for a folder below its own, keeping the rules for paths in there. `names` lead from one to the
 * other. Patterns are split at their slashes. A pattern with a slash in braces cannot be split, and is skipped.
 */
export async function rulesWithin(text: string, names: readonly string[]): Promise<string> {
  if (names.length === 0) return `${linesOf(text).join('\n')}\n`;
  const lines: string[] = [];
  for (const [index, line] of linesOf(text).entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const parsed = parseLine(line);
    if (parsed === null || /\{[^{}]*\//.test(parsed.glob)) continue;
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

/** The remainders of a pattern after it has entered a folder called `name`. Several, since `**` may continue or end. */
function after(parts: string[], name: string): string[][] {
  const [first, ...rest] = parts;
  if (first === undefined) return [];
  if (first === '**') {
    // At the end it matches everything below.
    if (rest.length === 0) return [parts];
    // Two in a row mean the same as one.
    if (rest[0] === '**') return after(rest, name);
    return [parts, ...after(rest, name)];
  }
  if (rest.length === 0) return [];
  const matches = compileRule(asBytes(first));
  return typeof matches === 'function' && matches(name) ? [rest] : [];
}
