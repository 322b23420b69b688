import type { RuleMatch } from '../contract/control';
import { commandsAfter, formsOf, mayBeDefined, mayDo, sameCommand } from './bash/subcommands';

type CommandMatch = Extract<RuleMatch, { kind: 'command' }>;

/** Maximum depth of programs that run one another. */
const MAX_DEPTH = 4;

/**
 * Whether a rule that forbids these words covers a command, under any name of its program and subcommand, and if another
 * program runs it. Options with values may come between the words; before a word that is itself an option, operands may
 * too.
 */
export const isForbidden = (match: CommandMatch, given: readonly string[], depth = 0): boolean => {
  const same = withVerb(sameCommand(given));
  const rules = formsOf(sameCommand(match.words));
  if (rules.some((words) => isMeant(words, match.exact, same))) return true;
  return depth < MAX_DEPTH && commandsAfter(same).some((inner) => isForbidden(match, inner, depth + 1));
};

/** `yarn` without arguments installs. */
const withVerb = (words: string[]): string[] =>
  words[0] === 'yarn' && words.slice(1).every((word) => word.startsWith('-'))
    ? ['yarn', 'install', ...words.slice(1)]
    : words;

function isMeant(words: readonly string[], exact: boolean, given: readonly string[]): boolean {
  const [first = '', ...rest] = words;
  if (given[0] !== first) return false;
  if (rest.length > 0 && mayBeDefined(given)) return true;
  const isWord = (at: number, index: number) =>
    index === 0 ? mayDo(first, given[at] ?? '', rest[0] ?? '') : given[at] === rest[index];
  if (exact) return given.length === words.length && rest.every((_, index) => isWord(index + 1, index));
  /** Positions after the last matched word. */
  let ends = new Set([0]);
  for (const [index, word] of rest.entries()) {
    const reached = reachable(given, ends, word.startsWith('-'));
    ends = new Set(reached.filter((at) => isWord(at, index)));
  }
  return ends.size > 0;
}

/** Positions that can follow one of `ends` with only options and their values in between. */
function reachable(given: readonly string[], ends: ReadonlySet<number>, overOperands: boolean): number[] {
  const reached = new Set<number>();
  const isPassed = (at: number) => reached.has(at) && (overOperands || given[at]?.startsWith('-') === true);
  for (let at = 1; at < given.length; at++)
    if (ends.has(at - 1) || isPassed(at - 1) || isPassed(at - 2)) reached.add(at);
  return [...reached];
}
