import { isInterpreter } from '../../parsing/interpreters';
import { filledIn, MAX_SHIFTS, newBudget, positional, type Values } from '../../parsing/variables';
import type { ShellWord } from '../../parsing/words';
import { APPENDS, innerOf, SHELLS } from '../../parsing/wrappers';
import { commandsInCode, MAX_CODE, MAX_FOUND } from './in-code';
import { EDITOR, givenToEditor, givenToSed, SED } from './in-editor';
import { heldBy, SETTING_OF_NPM } from './in-variable';

/** Options of git whose value is a command. */
const GIT_OPTION = /^--(upload-pack|receive-pack|exec|open-files-in-pager|extcmd)=(.+)$|^-O(.+)$/s;
/** Settings of git that are only text. */
const GIT_TEXT = /^(user|author|committer|commit|color|column|format|log|i18n|advice)\./i;
const AWK = /^[gmn]?awk$/;
/** Programs that run some words with blanks, most of them the values of options. */
const RUNS_LINES =
  /^(rsync|ssh|scp|sftp|sort|zip|less|more|man|lldb|sqlite3|psql|mysql|mariadb|watch|parallel|tclsh|wish|expect)$/;
/** Those of them that also read such lines as their input. */
const READS_LINES = /^(lldb|sqlite3|psql|mysql|mariadb|tclsh|wish|expect|make|gmake|sftp)$/;
const MAKES = /^g?make$/;
const PACKAGE_MANAGER = /^(npm|npx|pnpm|pnpx|yarn|bun|bunx)$/;

/**
 * The commands that a simple command gives to a program as text: `GIT_EDITOR='…' git commit`, `git -c core.pager='…' log`,
 * `python -c 'os.system("…")'`.
 */
export function givenCommands(
  words: readonly ShellWord[],
  { assigned, typed }: { assigned: readonly string[]; typed: readonly string[] },
): string[] {
  const values = words.map(({ value }) => value);
  const names = values.map((value) => value.split('/').at(-1) ?? '');
  const found = [...assigned, ...values].flatMap((word) => {
    const [, name = '', value] = /^([A-Za-z_]\w*)=(.+)$/s.exec(word) ?? [];
    return value === undefined ? [] : heldBy(name, value);
  });
  const git = names.indexOf('git');
  if (git !== -1) found.push(...givenToGit(values.slice(git + 1)));
  const interpreter = names.find((name) => isInterpreter(name) || AWK.test(name));
  if (interpreter !== undefined)
    for (const code of [...values, ...typed]) found.push(...commandsInCode(interpreter, code));
  if (names.some((name) => RUNS_LINES.test(name)))
    found.push(...values.filter((value) => /\s/.test(value.trim())).flatMap(linesOf));
  found.push(...surelyGiven(words, typed));
  if (names.some((name) => MAKES.test(name)))
    found.push(
      ...values.filter((value, at) => values[at - 1] === '--eval' || ofMakefile(value)).flatMap(linesOf),
    );
  if (names.some((name) => READS_LINES.test(name))) found.push(...typed.flatMap(linesOf));
  if (names.some((name) => SED.test(name))) found.push(...[...values, ...typed].flatMap(givenToSed));
  if (names.some((name) => EDITOR.test(name)))
    found.push(...[...values, ...typed].flatMap(givenToEditor).flatMap(linesOf));
  if (names.some((name) => PACKAGE_MANAGER.test(name))) found.push(...givenToPackageManager(values));
  return found.slice(0, MAX_FOUND);
}

/** The commands that a shell, `xargs` or the like runs for it, with their arguments and what they read from the line. */
export function surelyGiven(words: readonly ShellWord[], typed: readonly string[]): string[] {
  const found = givenToShell(words);
  for (const text of typed.slice(0, MAX_FOUND)) found.push(...givenToXargs(text, words));
  return found.slice(0, MAX_FOUND);
}

/** `bash -c '$0 "$@"' git push`: the line of a shell with its arguments. */
function givenToShell(words: readonly ShellWord[]): string[] {
  const names = words.map(({ value }) => value.split('/').at(-1) ?? '');
  const at = names.findIndex((name) => SHELLS.has(name));
  const inner = at === -1 ? null : innerOf(names[at] ?? '', words.slice(at + 1));
  if (inner === null || !('line' in inner)) return [];
  const [own = '', ...others] = words
    .slice(words.findIndex(({ value }, index) => index > at && value === inner.line) + 1)
    .map(({ value }) => value);
  const values: Values = new Map([['0', [own]]]);
  const dropped = /\bshift\b/.test(inner.line) ? others.slice(0, MAX_SHIFTS).map((_, first) => first) : [0];
  for (const [name, text] of dropped.flatMap((first) => positional(others.slice(first), 1)))
    values.set(name, [...(values.get(name) ?? []), text]);
  return filledIn(inner.line, values, newBudget());
}

/** What comes before a command: `Option=`, an editor's `:!`, `.shell`, Tcl's `exec`, a make rule's `target:`. */
const BEFORE_COMMAND =
  /^(?:[-\w.]+=|\+(?=[:!]))?(?:[:\\]?[\d,]*!|\.(?:shell|system)\s|(?:shell|exec|spawn|system)\s|@\s?|[\w.%-]+\s?::?[\s;]+|\$\(shell\s)?\s*/;

const linesOf = (text: string): string[] =>
  text
    .slice(0, MAX_CODE)
    .split('\n', MAX_FOUND)
    .map((line) => line.trim().replace(BEFORE_COMMAND, ''));

/** The words of `make` that it reads as part of a makefile. */
const ofMakefile = (word: string): boolean => /^(--eval|SHELL=)|\$\(shell\s/.test(word);

/** What `xargs -I{} sh -c {}`, `xargs env` and `parallel` run if they read this text. */
function givenToXargs(text: string, words: readonly ShellWord[]): string[] {
  const at = words.findIndex(({ value }) => APPENDS.test(value));
  const inner = at === -1 ? null : innerOf(words[at]?.value ?? '', words.slice(at + 1));
  const input = text.slice(0, MAX_CODE).trim();
  // Without a command, the lines are commands.
  if (inner === null)
    return words[at]?.value.endsWith('parallel') === true ? input.split('\n', MAX_FOUND) : [];
  if ('unknown' in inner) return [];
  const own = 'words' in inner ? inner.words.map(({ value }) => value) : [inner.line];
  const quote = 'words' in inner ? quoted : (value: string) => value;
  const mark = markOf(words.slice(at + 1));
  const inWords = input.split(/\s+/).map(quoted).join(' ');
  if (own.some((value) => value.includes(mark)))
    return [quote(input), inWords].map((marked) =>
      own.map((value) => (value === mark ? marked : quote(value.replaceAll(mark, () => input)))).join(' '),
    );
  // All at once, each line, and each word.
  const lines = [input, ...input.split('\n', MAX_FOUND), ...input.split(/\s+/, MAX_FOUND)];
  const start = own.map(quote);
  return [...new Set(lines)].flatMap((line) => {
    const added = line.split(/\s+/).map((word) => word.replaceAll(/["'\\]/g, ''));
    const whole = [...own, ...added].map((value) => ({ text: value, value, literal: true, bare: true }));
    return [[...start, ...added.map(quoted)].join(' '), ...givenToShell(whole)];
  });
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** What `xargs -I` replaces. */
function markOf(words: readonly ShellWord[]): string {
  const at = words.findIndex(({ value }) => /^-[IJ]/.test(value));
  const joined = words[at]?.value.slice(2) ?? '';
  return at === -1 ? '{}' : joined || (words[at + 1]?.value ?? '{}');
}

function givenToGit(words: readonly string[]): string[] {
  const found: string[] = [];
  for (const [at, word] of words.entries()) {
    const before = words[at - 1] ?? '';
    const setting = before === '-c' || before === '--config' ? word : /^--config=(.+)$/s.exec(word)?.[1];
    const [, , option, pager] = GIT_OPTION.exec(word) ?? [];
    const isConfigured = words[0] === 'config' && at > 1 && before.includes('.');
    const value = setting?.replace(/^[^=]*=/, '') ?? option ?? pager ?? (isConfigured ? word : undefined);
    if (value !== undefined && !GIT_TEXT.test(isConfigured ? before : (setting ?? '')))
      found.push(value.replace(/^!/, ''));
    if (word.startsWith('ext::')) found.push(word.slice('ext::'.length));
  }
  return found;
}

/** `npm --script-shell=x`, `npm config set script-shell x`, `npm set editor=x`. */
const givenToPackageManager = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    const [name = '', value] = word.replace(/^--?/, '').split(/=(.*)/s);
    const isSetting = SETTING_OF_NPM.test(name) && (word.startsWith('-') || words.includes('set'));
    return isSetting ? [value ?? words[at + 1] ?? ''] : [];
  });
