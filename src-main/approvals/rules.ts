import { posix } from 'node:path';
import { isBelow } from '../base/is-below';
import { foldName } from '../base/names';
import { hostMatches } from '../base/network/host-matches';
import { pageAddress } from '../base/network/page-address';
import type { Rule, RuleMatch } from '../contract/control';
import { because, type Reason } from '../contract/shared/reasons';
import { displayOf, fetchesPage } from '../harness/tools/catalogue';
import { pathMatcher } from './bash/parsing/glob';
import { mayRunInput, turningOption } from './bash/reading/rule-options';
import type { ShellPart } from './bash/verdict/shell-part';
import type { GateCall } from './call';
import type { Places } from './effects';
import { isForbidden } from './forbidden-commands';

type CommandMatch = Extract<RuleMatch, { kind: 'command' }>;

/** Why the words after the first `from`, the rule's own, exclude the command from it; null if they do not. */
export function turnedBy(words: readonly string[], from: number, folder: string): Reason | null {
  const turning = turningOption(words, from);
  if (turning !== null) return turning;
  for (const word of words.slice(from)) {
    if (/:\/\/|^[\w.-]+(?:@[\w.-]*)?:(?!\d*$)/.test(word))
      return because('may_name_computer', { text: word });
    if (isOutside(word.replace(/^-{0,2}[\w-]+=/, ''), folder))
      return because('names_place_outside', { text: word });
  }
  return null;
}

function isOutside(value: string, folder: string): boolean {
  const named = value.startsWith('~') || value.startsWith('$') ? '/' : posix.resolve(folder, value);
  return (/^[~$/]/.test(value) || value.split('/').includes('..')) && !isBelow(named, folder);
}

/** Why what a command reads as its standard input excludes it from every rule; null if it does not. */
export function fedBy({ words, input }: ShellPart, folder: string): Reason | null {
  const [name = ''] = words ?? [];
  if (input === undefined) return null;
  if (mayRunInput(name)) return because('may_run_input', { name });
  const outside = input.find((file) => isOutside(file, folder));
  return outside === undefined ? null : because('names_place_outside', { text: outside });
}

/** Whether the words start with the rule's words, or equal them. */
export const beginsWith = ({ words, exact }: CommandMatch, given: readonly string[]): boolean =>
  (exact ? given.length === words.length : given.length >= words.length) &&
  words.every((word, index) => given[index] === word);

/** The newest rule that allows one command. Its words must be certain, and none of the later ones may exclude it. */
export const letsRun = (rules: readonly Rule[], part: ShellPart, folder: string): Rule | undefined => {
  const { words } = part;
  if (words === undefined || part.verdict === 'deny' || fedBy(part, folder) !== null) return undefined;
  return rules.findLast(
    ({ effect, match }) =>
      effect === 'allow' &&
      match.kind === 'command' &&
      beginsWith(match, words) &&
      turnedBy(words, match.words.length, folder) === null,
  );
};

/** The rule that forbids one command, however it is wrapped or written. */
const forbidsCommand = (rules: readonly Rule[], part: ShellPart): Rule | undefined =>
  rules.find(
    ({ effect, match }) => effect === 'deny' && match.kind === 'command' && isForbidden(match, part),
  );

/** The rule that forbids a call. `paths`: its path as given, and with links followed. */
export function forbiddenBy(
  call: GateCall,
  rules: readonly Rule[],
  context: { parts: readonly ShellPart[]; paths: readonly string[]; places: Places },
): Rule | undefined {
  const { parts, paths, places } = context;
  for (const part of parts) {
    const rule = forbidsCommand(rules, part);
    if (rule !== undefined) return rule;
  }
  return rules.find(
    ({ effect, match }) =>
      effect === 'deny' &&
      ((match.kind === 'tool' && match.tool === call.tool) ||
        (match.kind === 'web' && fetchesPage(call.tool) && coversPage(match, call.args.url)) ||
        (match.kind === 'path' &&
          coversTool(match, call.tool) &&
          paths.some((path) => pathMatches(match.glob, path, places.folder, { effect })))),
  );
}

/** The rule that allows a call of a file tool or an unknown tool. */
export function allowedBy(
  call: GateCall,
  rules: readonly Rule[],
  context: { paths: readonly string[]; places: Places },
): Rule | undefined {
  const { paths, places } = context;
  return rules.find(
    ({ effect, match }) =>
      effect === 'allow' &&
      ((match.kind === 'tool' && match.tool === call.tool) ||
        (match.kind === 'path' &&
          coversTool(match, call.tool) &&
          paths.length > 0 &&
          paths.every((path) => pathMatches(match.glob, path, places.folder, { effect })))),
  );
}

/** The rule that lets a page be read. */
export const letsFetch = (rules: readonly Rule[], url: unknown): Rule | undefined =>
  rules.find(({ effect, match }) => effect === 'allow' && match.kind === 'web' && coversPage(match, url));

/** Whether a rule about web pages covers an address. */
export function coversPage({ host }: Extract<RuleMatch, { kind: 'web' }>, url: unknown): boolean {
  const page = pageAddress(url);
  if (!(page instanceof URL)) return false;
  const port = page.port === '' ? (page.protocol === 'https:' ? 443 : 80) : Number(page.port);
  return hostMatches(host, page.hostname, port);
}

/** Whether a path rule covers a tool's effect on a file. */
export const coversTool = ({ changes }: Extract<RuleMatch, { kind: 'path' }>, tool: string): boolean => {
  const display = displayOf(tool);
  return changes.some((change) => change === display);
};

/**
 * Whether a glob relative to the project folder matches an absolute path. `*` stays within one name and matches hidden
 * ones. A rule that forbids covers every spelling that a file system may take for the same name.
 */
export function pathMatches(
  glob: string,
  path: string,
  folder: string,
  { effect }: Pick<Rule, 'effect'>,
): boolean {
  const fold = (text: string) => (effect === 'deny' ? foldName(text) : text);
  const normal = posix.normalize(path);
  if (!isBelow(normal, folder)) return false;
  const inside = posix.relative(folder, normal);
  return inside !== '' && pathMatcher(fold(glob.replace(/^\.?\/+/, '')))(fold(inside));
}
