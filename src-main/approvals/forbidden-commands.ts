import type { RuleMatch } from '../contract/control';
import { commandsIn } from './bash/commands/walk';
import { mayStandFor } from './bash/parsing/name-patterns';
import {
  formsOf,
  innerStarts,
  isSubcommand,
  mayBeDefined,
  mayDo,
  mayRunOthers,
  programOf,
  runsInner,
  sameCommand,
} from './bash/parsing/subcommands';
import { isUnknownProgram } from './bash/reading/rule-options';
import type { ShellPart } from './bash/verdict/shell-part';

type CommandMatch = Extract<RuleMatch, { kind: 'command' }>;
type CommandWords = { words: readonly string[]; exact: boolean };

/** A command in which more programs may run one another is refused: the ways through them multiply. */
const MAX_RUNNERS = 8;
/** A command with more places where the forbidden one may begin is refused. */
const MAX_STARTS = 100;

/**
 * Whether a rule that forbids these words covers a command, under any name of its program and subcommand, and if another
 * program runs it. Options with values may come between the words; before a word that is itself an option, operands may
 * too.
 */
export function isForbidden(
  match: CommandMatch,
  { written, hides, isOpen, alsoRuns = [] }: ShellPart,
): boolean {
  if (written === undefined) return false;
  if (covers(match, written, isOpen)) return true;
  if (alsoRuns.flatMap(commandsOf).some((words) => covers(match, words, isOpen))) return true;
  if (hides !== 'certain' && hides !== 'possible' && !mayRunWords(written)) return false;
  const starts = startsIn(written, match, hides !== 'certain' && match.words.length < 2);
  const compared = { left: MAX_STARTS };
  return starts.length > MAX_STARTS || starts.some((words) => covers(match, words, isOpen, compared));
}

/** Programs that run some of their words, in a container or on another computer, too. */
const RUNS_WORDS = /^(docker|podman|nerdctl|kubectl|ssh)$/;

const mayRunWords = (written: readonly string[]): boolean =>
  RUNS_WORDS.test(written[0] ?? '') || runsInner(sameCommand(written));

/** Programs whose operands are names of packages or files. */
const TAKES_NAMES =
  /^(apt|apt-get|aptitude|apk|dnf|yum|pacman|zypper|brew|snap|flatpak|port|nix-env|zip|7z|code|subl|open)$/;
const CONTAINERS = /^(docker|podman|nerdctl|kubectl)$/;

/**
 * Everything among a program's words that begins like the command of a rule: the words after it, or a command in one word.
 * `isGuess`: it is unknown whether the program runs any word, so a single word of a rule may also be a file or a subcommand,
 * as in `docker rm`.
 */
function startsIn([program = '', ...words]: readonly string[], match: CommandMatch, isGuess: boolean) {
  const [wanted = ''] = sameCommand(match.words);
  const isNone =
    isGuess &&
    (!isUnknownProgram(program) ||
      TAKES_NAMES.test(program) ||
      (CONTAINERS.test(program) && !words.some((word) => /^(run|exec)$/.test(word))));
  if (isNone) return [];
  const isName = isGuess && isSubcommand(wanted);
  const isCommand = (at: number) =>
    !isGuess ||
    words[at - 1] === '--' ||
    words[at]?.startsWith('/') === true ||
    (!isName && at + 1 < words.length);
  const begins = (word: string) => startsProgram(word, wanted);
  /** `-Sgit` */
  const isInOption = (word: string) => /^-[A-Za-z]/.test(word) && word.toLowerCase().endsWith(wanted);
  const starts: string[][] = [];
  for (const [at, word] of words.entries()) {
    if (starts.length > MAX_STARTS) break;
    if (begins(word) && isCommand(at)) starts.push(words.slice(at));
    if (isName || !/\s/.test(word.trim())) continue;
    for (const [name = '', ...rest] of commandsOf(word))
      if (begins(name)) starts.push([name, ...rest]);
      else if (isInOption(name)) starts.push([wanted, ...rest]);
  }
  return starts;
}

/**
 * The commands of a line in one word, also as the value of an option (`-SX=1 git push`, `--checkpoint-action=exec=git push`) or
 * of an alias, which keeps its quotes.
 */
const commandsOf = (word: string): string[][] =>
  [...new Set([word.replace(/^-\w*?S/, ''), word.replace(/^(?:[-\w]+=)+(['"]?)(.*)\1$/s, '$2')])].flatMap(
    (line) =>
      [...commandsIn(line, { cwd: '/', home: '/' })].map(({ name, rest }) => [
        name,
        ...rest.map(({ value }) => value),
      ]),
  );

/** Whether a word names this program, or is a pattern that may: `/usr/bin/gi?`. */
const startsProgram = (word: string, program: string): boolean =>
  programOf(bareName(word))[0] === program || mayStandFor(bareName(word), program);

const bareName = (program: string) => program.split('/').at(-1) ?? '';

/** What was already compared with a rule in one command. */
interface Seen {
  starts: Set<string>;
  runners: number;
}

/** `isOpen`: more words follow when it runs. `compared`: how many more commands may be among its words. */
function covers(
  match: CommandMatch,
  given: readonly string[],
  isOpen?: true,
  compared = { left: MAX_STARTS },
  seen: Seen = { starts: new Set(), runners: 0 },
): boolean {
  const [program = '', ...operands] = given;
  const rule = sameCommand(match.words);
  const [wanted = ''] = rule;
  const name = mayStandFor(bareName(program), wanted) ? wanted : bareName(program);
  const same = withVerb(sameCommand([name, ...operands]));
  if (formsOf(rule).some((words) => isMeant({ words, exact: match.exact }, same, isOpen))) return true;
  if (runsInner(same) && ++seen.runners > MAX_RUNNERS) return true;
  for (const at of innerStarts(same)) {
    const inner = same[at] ?? '';
    if (!startsProgram(inner, wanted) && !mayRunOthers(programOf(bareName(inner))[0] ?? '')) continue;
    // All of them end alike, so that these two identify one.
    const start = `${same.length - at} ${inner}`;
    if (seen.starts.has(start)) continue;
    seen.starts.add(start);
    if (--compared.left < 0 || covers(match, same.slice(at), isOpen, compared, seen)) return true;
  }
  return false;
}

/** `yarn` without arguments installs. */
const withVerb = (words: string[]): string[] =>
  words[0] === 'yarn' && words.slice(1).every((word) => word.startsWith('-'))
    ? ['yarn', 'install', ...words.slice(1)]
    : words;

function isMeant({ words, exact }: CommandWords, given: readonly string[], isOpen?: true): boolean {
  const [first = '', ...rest] = words;
  if (given[0] !== first) return false;
  if (rest.length > 0 && mayBeDefined(given)) return true;
  const isWord = (at: number, index: number) =>
    (index === 0 ? mayDo(first, given[at] ?? '', rest[0] ?? '') : given[at] === rest[index]) ||
    mayStandFor(given[at] ?? '', rest[index] ?? '');
  if (exact && !isOpen)
    return given.length === words.length && rest.every((_, index) => isWord(index + 1, index));
  /** Positions after the last matched word. */
  let ends = new Set([0]);
  for (const [index, word] of rest.entries()) {
    const reached = reachable(given, ends, word.startsWith('-'));
    if (isOpen && reached.includes(given.length)) return true;
    ends = new Set(reached.filter((at) => at < given.length && isWord(at, index)));
  }
  return ends.size > 0;
}

/** Positions that can follow one of `ends` with only options and their values in between, also the end. */
function reachable(given: readonly string[], ends: ReadonlySet<number>, overOperands: boolean): number[] {
  const reached: number[] = [];
  let left = ends.size;
  let isLastPassed = false;
  let isPassed = false;
  for (let at = 1; at <= given.length && (left > 0 || isPassed || isLastPassed); at++) {
    const isAfterEnd = ends.has(at - 1);
    if (isAfterEnd) left--;
    const isReached: boolean = isAfterEnd || isPassed || isLastPassed;
    if (isReached) reached.push(at);
    isLastPassed = isPassed;
    isPassed = isReached && (overOperands || given[at]?.startsWith('-') === true);
  }
  return reached;
}
