import { isInterpreter } from './interpreters';
import { filledIn, MAX_SHIFTS, newBudget, positional, type Values } from './variables';
import type { ShellWord } from './words';
import { APPENDS, innerOf, SHELLS } from './wrappers';

/** Maximum UTF-16 units of code that is searched, and of commands that are found in one command. */
const MAX_CODE = 20_000;
const MAX_FOUND = 50;

/** Variables whose value is a command: `GIT_EDITOR`, `PAGER`, `GIT_SSH_COMMAND`. */
const HOLDS_COMMAND =
  /(EDITOR|VISUAL|PAGER|BROWSER|ASKPASS|COMMAND|CMD|GIT_SSH|RSH|EXTERNAL_DIFF|LESSOPEN|LESSCLOSE|WRAPPER|RUNNER|PREEXEC|OPENER|CONFIG_VALUE_\d+)$/;
/** Options of git whose value is a command. */
const GIT_OPTION = /^--(upload-pack|receive-pack|exec|open-files-in-pager|extcmd)=(.+)$|^-O(.+)$/s;
/** Settings of git that are only text. */
const GIT_TEXT = /^(user|author|committer|commit|color|column|format|log|i18n|advice)\./i;
const AWK = /^[gmn]?awk$/;
/** Programs that run some words with blanks, most of them the values of options. */
const RUNS_LINES =
  /^(rsync|ssh|scp|sftp|sort|zip|less|more|man|vi|vim|nvim|view|ex|ed|gdb|lldb|sqlite3|psql|mysql|mariadb|watch|parallel|tclsh|wish|expect)$/;
/** Those of them that also read such lines as their input. */
const READS_LINES =
  /^(ed|ex|vi|vim|nvim|gdb|lldb|sqlite3|psql|mysql|mariadb|tclsh|wish|expect|make|gmake|sftp)$/;
const MAKES = /^g?make$/;

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
    // `LESSOPEN='|command %s'`
    return value !== undefined && HOLDS_COMMAND.test(name) ? [value.replace(/^\|+-?/, '')] : [];
  });
  const git = names.indexOf('git');
  if (git !== -1) found.push(...givenToGit(values.slice(git + 1)));
  const interpreter = names.find((name) => isInterpreter(name) || AWK.test(name));
  if (interpreter !== undefined)
    for (const code of [...values, ...typed])
      found.push(...commandsInCode(code, BACKQUOTES.test(interpreter)));
  if (names.some((name) => RUNS_LINES.test(name)))
    found.push(...values.filter((value) => /\s/.test(value.trim())).flatMap(linesOf));
  found.push(...surelyGiven(words, typed));
  if (names.some((name) => MAKES.test(name)))
    found.push(
      ...values.filter((value, at) => values[at - 1] === '--eval' || ofMakefile(value)).flatMap(linesOf),
    );
  if (names.some((name) => READS_LINES.test(name))) found.push(...typed.flatMap(linesOf));
  if (names.some((name) => /^g?sed$/.test(name))) found.push(...values.flatMap(givenToSed));
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

const MAX_SCRIPT = 500;

/** `1e command`, `/x/e command`, `s/x/command/e`. */
function givenToSed(word: string): string[] {
  const script = word.slice(0, MAX_SCRIPT);
  const line = /^[^a-zA-Z]*(?:\/[^/]*\/[!\s]*)?e\s+(.+)/s.exec(script)?.[1];
  const [, , replacement] = /(?<!\w)s([^\w\s])(?:(?!\1).)*\1((?:(?!\1).)+)\1[gpIiMm\d]*e/s.exec(script) ?? [];
  return [line, replacement].filter((one) => one !== undefined);
}

/** What `xargs -I{} sh -c {}`, `xargs env` and `parallel` run if they read this text. */
function givenToXargs(text: string, words: readonly ShellWord[]): string[] {
  const at = words.findIndex(({ value }) => APPENDS.test(value));
  const inner = at === -1 ? null : innerOf(words[at]?.value ?? '', words.slice(at + 1));
  if (inner === null || 'unknown' in inner) return [];
  const own = 'words' in inner ? inner.words.map(({ value }) => value) : [inner.line];
  const quote = 'words' in inner ? quoted : (value: string) => value;
  const input = text.slice(0, MAX_CODE).trim();
  const mark = markOf(words.slice(at + 1));
  if (own.some((value) => value.includes(mark)))
    return [own.map((value) => quote(value.replaceAll(mark, () => input))).join(' ')];
  // All at once, each line, and each word.
  const lines = [input, ...input.split('\n', MAX_FOUND), ...input.split(/\s+/, MAX_FOUND)];
  const start = own.map(quote);
  return [...new Set(lines)].map((line) =>
    [...start, ...line.split(/\s+/).map((word) => quoted(word.replaceAll(/["'\\]/g, '')))].join(' '),
  );
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

/** Functions that run a command, in any language: `os.system`, `execSync`, `subprocess.run`. */
const RUNS =
  /\b(?:system|popen\w*|exec\w*|spawn\w*|run|call|check_call|check_output|getoutput|getstatusoutput|shell_exec|passthru|proc_open|pcntl_exec|capture[23]e?|pipe\w*|shell script|sh|cmd|Command)\b[\s([{]{0,10}|["'](?:-\||\|-)["'],/gi;
/** Between the texts of a list. */
const LITERAL = /[\s,([]{0,10}(["'`])((?:\\.|(?!\1)[^\\]){0,1000})\1/sy;
const MAX_LITERALS = 20;
/** Languages that run text in backquotes. */
const BACKQUOTES = /^(perl|ruby|php|julia)/;
/** Lists of words: Perl's `qw(a b)`, Ruby's `%w[a b]`. */
const WORD_LIST = /[\s,([]{0,10}(?:qw|%w)\s?[([{<|/]([^)\]}>|/\n]{1,1000})/y;
/** `` `x` ``, `qx(x)`, `%x{x}`, and awk's `| "x"` and `"x" | getline`, and Perl's `open(F, "x|")`. */
const BACKQUOTED = /`([^`\n]{1,1000})`/g;
const QUOTED =
  /(?:\bqx|%x)\s?[^\w\s]([^\n)}\]/|!]{1,1000})|\|&?\s?"([^"\n]{1,1000})"|"([^"\n]{1,1000})"\s?\||"\|([^"|\n]{1,1000})"|"([^"|\n]{1,1000})\|"/g;

/** The commands that code runs, as far as they are literal. */
function commandsInCode(text: string, inBackquotes: boolean): string[] {
  const code = text.slice(0, MAX_CODE);
  const quoted = [...code.matchAll(QUOTED), ...(inBackquotes ? code.matchAll(BACKQUOTED) : [])];
  const found = quoted.flatMap((one) => one.slice(1).filter((line) => line !== undefined));
  for (const { index, 0: name } of code.matchAll(RUNS)) {
    if (found.length > MAX_FOUND) break;
    const texts = literalsAt(code, index + name.length);
    // `execvp("git", ["git", "push"])` names the program twice.
    for (const words of [texts.slice(0, 1), texts, texts.slice(1)])
      if (words.length > 0) found.push(words.join(' '));
  }
  return [...new Set(found)];
}

function literalsAt(code: string, at: number): string[] {
  const list = new RegExp(WORD_LIST);
  list.lastIndex = at;
  const words = list.exec(code)?.[1];
  if (words !== undefined) return words.trim().split(/\s+/);
  const found: string[] = [];
  const next = new RegExp(LITERAL);
  next.lastIndex = at;
  while (found.length < MAX_LITERALS) {
    const literal = next.exec(code);
    if (literal === null) break;
    found.push(literal[2] ?? '');
    // The end of a list.
    if (/^\s*\]?\s*\)/.test(code.slice(next.lastIndex, next.lastIndex + 10))) break;
  }
  return found;
}
