import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { isBelow } from '../base/is-below';
import { isObeyed } from '../base/protected-paths';
import { isSecretPath } from '../base/secret-paths';
import type { Rule } from '../contract/control';
import { because, type Reason, type Reasons } from '../contract/shared/reasons';
import { pathsNamed } from './bash/changes/named-paths';
import { isWorthRehearsing, isWorthTrying } from './bash/changes/worth-trying';
import { whySweeping } from './bash/deleting/sweeping';
import { isOwnData, type PlacesOnDisk, pathNamed, type ShellPlaces } from './bash/paths/places';
import { likelyProgram, withPrograms } from './bash/paths/programs';
import { realPathOf } from './bash/paths/real-path';
import { leadsElsewhere } from './bash/reading/links';
import { isUnknownProgram } from './bash/reading/rule-options';
import { secretsBelow } from './bash/reading/secrets-below';
import { analyzeShell, mayHoldSecrets, type ShellAnalysis } from './bash/verdict/analyze';
import type { ShellPart } from './bash/verdict/shell-part';
import { letsRun } from './rules';

export interface CommandJudgement extends Pick<ShellAnalysis, 'verdict' | 'risk' | 'parts'> {
  reason: Reasons;
  /** The person's rules that allow all parts that would need approval; empty if they allow only some. */
  rules: Rule[];
  /** The whole line was understood: nothing is hidden behind the listed parts. */
  understood: boolean;
  /**
   * Not proven to be read-only, but worth trying without asking where it can do no harm: in a sandbox with a read-only
   * folder, no network, and a hidden home folder. The person is asked only if the sandbox blocks it. False for commands that
   * do not need approval, for jobs, and for commands that would only fail or wait there or that name a secret or a place outside
   * the folder.
   */
  tryReadOnly: boolean;
  /**
   * Worth running without asking in a throwaway layer, where it may change files but has no network. False for jobs, and for
   * commands that would only fail or wait there or that name a secret or a place outside the folder.
   */
  mayRehearse: boolean;
  /** Exit code 1 is an answer of one of its programs, such as "nothing found", not a failure. */
  exitOneAnswers: boolean;
  /** It discards at least some error output, so a refusal by the sandbox may go unnoticed. */
  hidesErrors: boolean;
  /** Why it needs approval whatever allows it: it names a file that may hold secrets. */
  secret: Reason | null;
  /**
   * Why it needs approval even if changes in the folder do not: it may delete the whole folder, a repository or something
   * known only at run time, or it names something that other programs run or load.
   */
  sweeping: Reason | null;
}

const GOES_ON = because('goes_on');
const ANYTHING = because('changes_anything');

/**
 * Judges an `execute` call by what the shell would do, with links followed. If `places` is null, Deepdesk cannot read the
 * system's shell, and every command needs approval. A job always needs at least approval.
 */
export async function judgeCommand(
  args: Record<string, unknown>,
  places: PlacesOnDisk | null,
  rules: readonly Rule[],
): Promise<CommandJudgement> {
  const background = args.background === true;
  const plain = background ? [ANYTHING, GOES_ON] : [ANYTHING];
  if (places === null || typeof args.command !== 'string')
    return { ...NOT_READ, risk: 'medium', reason: plain };
  const { command } = args;
  const found = await withPrograms(places, likelyProgram(command), (known) => analyzeShell(command, known));
  const { parts, risk } = found;
  const understood = found.problem === null;
  const named = await namedFacts(command, places);
  const { secret } = named;
  const exitOneAnswers = parts.some(({ written }) => answersByExitCode(written ?? []));
  const hidesErrors = HIDES_ERRORS.test(command);
  const common = {
    ...NOT_READ,
    parts,
    understood,
    secret,
    sweeping: named.obeyed,
    exitOneAnswers,
    hidesErrors,
  };
  if (found.verdict === 'deny') return { ...common, verdict: 'deny', risk, reason: [found.reason] };
  if (named.own !== null) return { ...common, verdict: 'deny', risk: 'high', reason: [named.own] };
  if (found.verdict === 'ask') common.sweeping ??= await whySweeping(command, places);
  if (common.secret !== null) return { ...common, risk: 'high', reason: [common.secret] };
  const elsewhere = await leadsElsewhere(found.reads, found.files, places);
  if (elsewhere !== null) return { ...common, risk: atLeastMedium(risk), reason: [elsewhere] };
  const searched = await secretsBelow(found.searched, places.home);
  if (searched !== null) {
    // The sandbox hides secrets from a search.
    const tryReadOnly = !background && isWorthTrying(command, places);
    const mayRehearse = !background && isWorthRehearsing(command, places);
    return { ...common, risk: 'high', reason: [searched], tryReadOnly, mayRehearse };
  }
  if (background)
    return {
      ...common,
      risk: atLeastMedium(risk),
      reason: found.verdict === 'allow' ? [GOES_ON] : [found.reason, GOES_ON],
    };
  return {
    ...common,
    verdict: found.verdict,
    risk,
    reason: [found.reason],
    tryReadOnly: found.verdict === 'ask' && isWorthTrying(command, places),
    mayRehearse: found.verdict === 'ask' && isWorthRehearsing(command, places),
    rules: found.verdict === 'ask' && understood ? await rulesFor(found, rules, places) : [],
  };
}

/** Programs that exit with 1 for "no", as POSIX and their manuals say, and with a higher code on failure. */
const SAYS_NO = /^([efz]?grep|rg|ag|ack|diff|cmp|test|\[|expr|which|type|command|pgrep|false|jq)$/;
/** The git commands that do so: searches, and comparisons, but the latter only with `--exit-code` or `--quiet`. */
const GIT_SAYS_NO =
  /^(grep|diff|diff-index|diff-files|diff-tree|check-ignore|check-attr|merge-base|show-ref|config)$/;

const answersByExitCode = ([program = '', ...words]: readonly string[]): boolean =>
  SAYS_NO.test(program) || (program === 'git' && words.some((word) => GIT_SAYS_NO.test(word)));

/** Errors go anywhere but to the other output. Quoted text may match too, which costs only one extra question. */
const HIDES_ERRORS = /2>(?!&1)|&>|>&(?![12])|>\s*\/dev\/null\s+2>&1/;

const NOT_READ = {
  verdict: 'ask' as const,
  parts: [],
  rules: [],
  understood: false,
  tryReadOnly: false,
  mayRehearse: false,
  exitOneAnswers: false,
  hidesErrors: false,
  secret: null,
  sweeping: null,
};

const atLeastMedium = (risk: ShellAnalysis['risk']) => (risk === 'low' ? ('medium' as const) : risk);

/** Facts about the paths that a line names, with links followed as the kernel does. */
interface Named {
  /** A path may hold secrets. */
  secret: Reason | null;
  /** A path belongs to the app. */
  own: Reason | null;
  /** Other programs run or load a path. */
  obeyed: Reason | null;
}

async function namedFacts(command: string, places: ShellPlaces): Promise<Named> {
  const found: Named = { secret: null, own: null, obeyed: null };
  const folder = (await realPathOf(places.folder)) ?? places.folder;
  const paths = pathsNamed(command, places, { forVerdict: true });
  const reals = await Promise.all(paths.map((path) => realPathOf(path)));
  for (const [at, path] of paths.entries()) {
    const text = posix.resolve(path);
    const real = reals[at] ?? text;
    if (isSecretPath(text, places.home)) found.secret ??= mayHoldSecrets(text);
    else if (real !== text && isSecretPath(real, places.home))
      found.secret ??= because('link_may_hold_secrets', { path: text, name: posix.basename(real) });
    if (isOwnData(real, places)) found.own ??= because('leads_to_own_data', { path });
    const inside = [text, real].find(
      (place) => isBelow(place, folder) && isObeyed(posix.relative(folder, place)),
    );
    if (inside !== undefined)
      found.obeyed ??= because('names_obeyed', { path: posix.relative(folder, inside) });
  }
  return found;
}

/** The rules under which the whole line may run; empty if a part has none. */
async function rulesFor(
  { parts }: ShellAnalysis,
  rules: readonly Rule[],
  places: ShellPlaces,
): Promise<Rule[]> {
  const used: Rule[] = [];
  for (const part of parts) {
    if (part.verdict === 'allow') continue;
    const rule = letsRun(rules, part, places.folder);
    if (rule === undefined || !(await staysInside(part, places))) return [];
    if (!(await addsOnlyFiles(part, rule.match, places))) return [];
    if (!used.includes(rule)) used.push(rule);
  }
  return used;
}

/** A script with such a name takes names of tests. */
const TESTS = /test|spec|e2e/i;

/** Whether a rule's words name a script of package.json, whose program may be any. */
const runsScript = ([name = '', verb = '', script = '']: readonly string[]): boolean =>
  /^(npm|pnpm|yarn)$/.test(name) && /^run(-script)?$/.test(verb) && !TESTS.test(script);

/**
 * Whether the plain words after those of a rule are files or folders, if the rule's program is unknown: to that program they
 * may be subcommands, as in `prisma migrate reset`.
 */
async function addsOnlyFiles(
  { words = [], directory }: ShellPart,
  match: Rule['match'],
  places: ShellPlaces,
): Promise<boolean> {
  if (match.kind !== 'command') return true;
  const isScript = runsScript(match.words);
  if (!isScript && !isUnknownProgram(match.words[0] ?? '')) return true;
  // The options that may follow a script were checked, and a number is the value of one.
  const isKnown = isScript ? /[./]|^-|^\d+$/ : /[./]/;
  const plain = words.slice(match.words.length).filter((word) => !isKnown.test(word));
  const found = await Promise.all(
    plain.map((word) => stat(posix.join(directory ?? places.cwd, word)).catch(() => null)),
  );
  return found.every((one) => one !== null);
}

/** Whether no word of a command is a link out of the folder. */
async function staysInside(
  { words = [], input = [], directory }: ShellPart,
  places: ShellPlaces,
): Promise<boolean> {
  if (directory === null) return false;
  const folder = (await realPathOf(places.folder)) ?? places.folder;
  const here = { home: places.home, cwd: directory ?? places.cwd };
  for (const word of [...words.slice(1), ...input])
    for (const value of [word, word.replace(/^-{0,2}[\w-]+=/, '')]) {
      const path = pathNamed(value, here);
      const real = await realPathOf(path);
      const isNamedInside = isBelow(posix.resolve(path), places.folder);
      if (real === null || (isNamedInside && !isBelow(real, folder))) return false;
    }
  return true;
}
