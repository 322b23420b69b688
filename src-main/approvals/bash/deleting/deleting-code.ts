import type { FoundCommand } from '../commands/walk';
import { hasKnownCodeOptions, isCodeOption, isInterpreter, scriptWords } from '../parsing/interpreters';
import { innerStarts, sameCommand } from '../parsing/subcommands';
import type { ShellWord } from '../parsing/words';
import { SHELLS } from '../parsing/wrappers';

/** Maximum UTF-16 units of code that is searched. Longer code counts as unknown. */
const MAX_CODE = 20_000;

/**
 * Whether a command gives an interpreter code that may delete files, or start programs that do: in its words, a here-document,
 * or a pipe. What the code hits is known only at run time. Scripts in files do not count.
 */
export function runsDeletingCode({ name, rest, typed, inputFrom }: FoundCommand): boolean {
  if (RENAMES.test(name)) return rest.some(({ value, literal }) => !literal || mayDelete('perl', value));
  const [program, words] = interpreterIn(name, rest);
  if (program === undefined || SHELLS.has(program)) return false;
  const given = codeWords(program, words);
  if (given.length > 0) return given.some(({ value, literal }) => !literal || mayDelete(program, value));
  const values = words.map(({ value }) => value);
  const [script = '-'] = scriptWords(program, values);
  if (!/^(-|\/dev\/stdin)$/.test(script)) return false;
  const isUnseen = inputFrom.length > 0 && typed.length === 0 && !values.some((value) => SHOWS.test(value));
  return isUnseen || typed.some((code) => mayDelete(program, code));
}

/** Programs that run Perl code for each of their files. */
const RENAMES = /^(p|file-|perl-)?rename$/;
/** Options that only print something. */
const SHOWS = /^(-V|-v|-h|--version|--help)$/;

/** The interpreter that a command is, or that `npx`, `uv run` and the like start, and its words. */
function interpreterIn(name: string, rest: readonly ShellWord[]): [string | undefined, readonly ShellWord[]] {
  if (isInterpreter(name)) return [name, rest];
  const values = rest.map(({ value }) => value);
  const words = sameCommand([name, ...values]);
  for (const at of innerStarts(words))
    if (isInterpreter(words[at] ?? '')) return [words[at], rest.slice(rest.length - words.length + at + 1)];
  return [undefined, []];
}

/** How interpreters without an own list take code. */
const CODE = /^(eval|-e|-E|-c|-g|-eval|-?-eval|-?-exec|-?-execute|-?-command|-EncodedCommand)$/i;

/** The words that are code. */
const codeWords = (program: string, words: readonly ShellWord[]): ShellWord[] =>
  words.flatMap((word, at) => {
    const { value } = word;
    const next = words.slice(at + 1, at + 2);
    if (program === 'deno' && value === 'eval') return words.slice(at + 1);
    const isCode = isCodeOption(program, value);
    // The code may be in the same word.
    if (isCode) return [word, ...next];
    return !hasKnownCodeOptions(program) && CODE.test(value) ? next : [];
  });

/** Names of functions that delete or move files, and of nothing else. */
const DELETES =
  /(?<![\w/|#$])(rmtree|rmSync|rmdir\w*|unlink\w*|removedirs|rimraf|removeSync|rename(s|Sync)|moveSync|empty_?[dD]ir\w*|remove_(tree|dir|file|entry)\w*|rm_r?f?|FileUtils)(?![\w/|#])|\b(os|shutil|fs|fsp|promises|Deno|File|Files|Pathname)\s*\.\s*(rm|remove|delete|move|rename|replace)\b/;
/** The same, in code that may have imported them under their short names. */
const MODULES =
  /(?<![\w/])(from\s+(os|shutil|pathlib)\s+import|import\s+(os|shutil|pathlib)\s+as|pathlib|Bun|(node:)?fs(\/promises|-extra)?["'])/;
const SHORT = /(?<!\w)(rm|remove|delete|move|rename|replace_file)\s*(\(|\}|,|:|\bas\b)/;
/** Ways to start a program, and to run or find something by a computed name. */
const HIDES =
  /(?<![.\w])(eval|exec|compile|Function)\s*\(|\b(__import__|getattr|importlib|ctypes|subprocess|child_process|popen\w*|system|spawn\w*|exec(v|l|Sync|File)\w*|shell_exec|passthru|proc_open|b64decode|fromhex|atob|process\.binding)\b|\[\s*["'`][^\]]{0,100}["'`]\s*\+|\bDeno\.Command\b|\bimport\s*\(\s*[^"'\s]|\brequire\s*\(\s*[^"'\s]/;
/** Perl, Ruby and PHP. */
const RUNS = /`[^`]+`|\b(qx|%x|exec|fork|rename|move)\b\s*[({["'$@]/;
/** Words of other languages, where any mention counts. */
const OTHER =
  /(?<![a-z])((rm|rmdir|remove|delete|del|erase|rename|move|unlink|trash|run|exec|execute|popen|eval|cmd|call-process|os:cmd|invoke-\w+|ri)(?![a-z])|system|shell|spawn|process|command|runtime|open_port|port\.open)|callCommand/i;

function mayDelete(program: string, code: string): boolean {
  if (code.length > MAX_CODE || DELETES.test(code) || HIDES.test(code)) return true;
  if (MODULES.test(code) && SHORT.test(code)) return true;
  if (/^(perl|ruby|php)/.test(program)) return RUNS.test(code);
  return !hasKnownCodeOptions(program) && OTHER.test(code);
}
