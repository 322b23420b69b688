import { posix } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { isSecretPath } from '../../../base/secret-paths';
import type { Approval } from '../../../contract/approvals';
import { because, type Reason } from '../../../contract/shared/reasons';
import { higherRisk, RISKS } from '../../risk';
import { parseLine, type ShellCommand } from '../commands/commands';
import { directoryAfter } from '../commands/directories';
import { isReadAlike } from '../commands/read-alike';
import type { ShellWord } from '../parsing/words';
import { APPENDS, type Inner, innerOf, LOOSE } from '../parsing/wrappers';
import { absolute, isSystemProgram, type KnownPlaces, pathNamed, type ShellPlaces } from '../paths/places';
import { type Reading, readOnly } from '../reading/read-only';
import type { Searched } from '../reading/secrets-below';
import { dangerOf, redirectDanger } from './danger';
import { deceptionIn, falseBlankIn, isLookAlike } from './deceptive';
import { reasonFor } from './reasons';
import { makeOpen, makeUncertain, type ShellPart } from './shell-part';

type Risk = Approval['risk'];

export interface ShellAnalysis {
  /** The strictest verdict of the parts. `allow` applies only if all `reads` are inside the folder, with links followed. */
  verdict: 'allow' | 'ask' | 'deny';
  risk: Risk;
  /** The reason for the verdict, from the riskiest part. */
  reason: Reason;
  parts: ShellPart[];
  /** Absolute paths that the harmless parts read. */
  reads: string[];
  /** Those of `reads` that must be files, because a folder's links would be followed. */
  files: string[];
  /** Those of `reads` that are searched recursively. */
  searched: Searched[];
  /** The part that the parser could not understand. */
  problem: Reason | null;
}

/** Maximum nesting of commands that are analyzed. */
const MAX_DEPTH = 8;
const BUILTINS = new Set([':', 'echo', 'exit', 'false', 'printf', 'pwd', 'true', 'type']);

/**
 * Judges a line of Bash by its effect. A line is harmless only if it is known to be: every simple command only reads files
 * in the folder, every word is literal, and nothing is expanded, grouped or run in the background. A line that cannot be
 * understood needs approval. A line that hides its effect, or does something that the agent must never do, is refused.
 */
export function analyzeShell(source: string, places: KnownPlaces): ShellAnalysis {
  const deception = deceptionIn(source);
  if (deception !== null)
    return whole('deny', 'high', because('not_shown_as_is', { why: deception.reason }), source);
  if (source.trim() === '') return whole('ask', 'low', because('empty'), source);
  const found = judgeLine(source, { places, start: places.cwd, directory: places.cwd, depth: 0 });
  const { problem } = found;
  const denied = found.parts.find((part) => part.verdict === 'deny');
  if (denied !== undefined) return { ...found, verdict: 'deny', reason: withCommand(denied) };
  if (problem !== null) {
    const reason = because('not_understood', { why: problem });
    return { ...found, verdict: 'ask', risk: 'high', reason };
  }
  const asked = worstOf(found.parts.filter((part) => part.verdict === 'ask'));
  if (asked !== undefined) return { ...found, verdict: 'ask', reason: withCommand(asked) };
  return { ...found, verdict: 'allow', reason: because('only_reads_folder') };
}

const whole = (verdict: 'ask' | 'deny', risk: Risk, reason: Reason, text: string): ShellAnalysis => ({
  verdict,
  risk,
  reason,
  parts: [{ text, verdict, reason, risk }],
  reads: [],
  files: [],
  searched: [],
  problem: reason,
});

/** `rm -r build: it deletes files` */
function withCommand({ text, reason }: ShellPart): Reason {
  const [line = ''] = text.split('\n');
  const short = line.length > 60 ? `${line.slice(0, 59)}…` : line;
  return because('part', { text: short, why: reason });
}

/** The first of the riskiest parts. */
const worstOf = (parts: readonly ShellPart[]): ShellPart | undefined =>
  RISKS.toReversed().flatMap((risk) => parts.filter((part) => part.risk === risk))[0];

interface Judged {
  parts: ShellPart[];
  reads: string[];
  files: string[];
  searched: Searched[];
  risk: Risk;
  problem: Reason | null;
}

/** The context of a line or a command. */
interface Standing {
  /** `cwd` is the directory that it runs in, as far as known. */
  places: KnownPlaces;
  /** The directory that the whole line starts in. */
  start: string;
  /** The directory that it runs in; null if unknown. */
  directory: string | null;
  /** Number of commands around it. */
  depth: number;
}

function judgeLine(source: string, standing: Standing): Judged {
  const { places, start, depth } = standing;
  const { commands, constructs, problem } = parseLine(source);
  const judged: Judged = { parts: [], reads: [], files: [], searched: [], risk: 'low', problem };
  for (const { text, reason, isForkBomb } of constructs) {
    if (isForkBomb === true)
      add(judged, { text, verdict: 'deny', reason: because('fills_computer') }, 'high');
    else add(judged, { text, verdict: 'ask', reason }, 'medium');
  }
  // A nested line never runs without its outer command, which needs approval.
  const isCertain = depth > 0 || (constructs.length === 0 && isReadAlike(source, commands));
  for (const command of commands) {
    const directory = directoryAfter(command.moves, standing.directory, places.home);
    const here = { ...places, cwd: directory ?? places.cwd };
    const at = judged.parts.length;
    judgeCommand(command, command.words, { ...standing, places: here, directory }, judged);
    for (const part of judged.parts.slice(at)) {
      if (!isCertain) makeUncertain(part);
      if (directory !== start && part.directory === undefined) part.directory = directory;
    }
  }
  return judged;
}

function add(judged: Judged, part: Omit<ShellPart, 'risk'>, risk: Risk): void {
  judged.parts.push({ ...part, risk });
  if (part.verdict !== 'allow') judged.risk = higherRisk(judged.risk, risk);
}

function judgeCommand(
  command: ShellCommand,
  words: readonly ShellWord[],
  standing: Standing,
  judged: Judged,
): void {
  const { text, alsoRuns } = command;
  const also = alsoRuns.length === 0 ? {} : { alsoRuns };
  const { places, depth } = standing;
  const refused = refusedWithValues(command, standing);
  if (refused !== null) {
    const run = runOf(command, words, places, depth);
    add(judged, { text, verdict: 'deny', reason: refused, ...also, ...run }, 'high');
    return;
  }
  const decided = decide(command, words, places);
  if (!('inner' in decided)) {
    const { verdict, reason, hides } = decided;
    const hidden = { ...(hides === undefined ? {} : { hides }), ...also };
    add(judged, { text, verdict, reason, ...hidden, ...runOf(command, words, places, depth) }, decided.risk);
    judged.reads.push(...(decided.reads ?? []));
    judged.files.push(...(decided.files ?? []));
    judged.searched.push(...(decided.searched ?? []));
    return;
  }
  const { inner, name } = decided;
  const isDeep = depth >= MAX_DEPTH;
  const loose = LOOSE.has(name) ? { hides: 'certain' as const } : {};
  const runs = {
    text,
    verdict: 'ask' as const,
    reason: because('runs_another', { name }),
    ...loose,
    ...also,
  };
  add(
    judged,
    { ...runs, written: [name, ...words.slice(1).map((word) => word.value)] },
    isDeep ? 'high' : 'medium',
  );
  if (isDeep) return;
  const first = judged.parts.length;
  if ('line' in inner) {
    const below = judgeLine(inner.line, { ...standing, depth: depth + 1 });
    judged.parts.push(...below.parts);
    judged.risk = higherRisk(judged.risk, below.risk);
    judged.problem ??= below.problem;
  } else {
    const innerText = inner.words.map((word) => word.text).join(' ');
    const at = judged.parts.length;
    const directory = directoryInside(inner, standing);
    const here = { ...places, cwd: directory ?? places.cwd };
    const inside = { ...standing, places: here, directory, depth: depth + 1 };
    judgeCommand({ ...command, text: innerText, redirects: [], filled: [] }, inner.words, inside, judged);
    const { input } = runOf(command, words, places, depth);
    for (const part of judged.parts.slice(at)) {
      if (directory !== standing.directory && part.directory === undefined) part.directory = directory;
      if (input !== undefined && !APPENDS.test(name)) part.input ??= input;
    }
  }
  if (APPENDS.test(name)) for (const part of judged.parts.slice(first)) makeOpen(part);
}

/** Why a command never runs once the values that the line gives to its variables are known: `x=sudo; $x id`. */
function refusedWithValues({ filled, inputFrom }: ShellCommand, standing: Standing): Reason | null {
  const judged: Judged = { parts: [], reads: [], files: [], searched: [], risk: 'low', problem: null };
  for (const found of filled.flatMap((text) => parseLine(text).commands))
    judgeCommand({ ...found, inputFrom, filled: [] }, found.words, standing, judged);
  return judged.parts.find(({ verdict }) => verdict === 'deny')?.reason ?? null;
}

/** The directory of a command that another one runs: `env -C sub`, or each folder that `find -execdir` finds. */
function directoryInside(
  { directory }: { directory?: ShellWord | null },
  { directory: around, places }: Pick<Standing, 'directory' | 'places'>,
): string | null {
  if (directory === undefined) return around;
  return directory?.literal === true ? directoryAfter([directory.value], around, places.home) : null;
}

/** The program and the words of a command, as far as they are certain. */
function runOf(
  { assignments, redirects, inputFrom }: ShellCommand,
  words: readonly ShellWord[],
  places: KnownPlaces,
  depth: number,
): Pick<ShellPart, 'program' | 'words' | 'written' | 'named' | 'input'> {
  const [first, ...rest] = words;
  if (first === undefined) return {};
  const written = [first.value.split('/').at(-1) ?? '', ...rest.map((word) => word.value)];
  const files = redirects.flatMap(({ operator, target }) =>
    operator === '<' && target !== null ? [target.value] : [],
  );
  const input = files.length > 0 || inputFrom.length > 0 ? { input: files } : {};
  if (first.value.includes('/')) return { written, named: first.value, ...input };
  if (!first.literal || !first.bare) return { written, ...input };
  const program = BUILTINS.has(first.value) ? null : places.resolveBinary(first.value);
  if (program === null) return { written, ...input };
  const isPlain =
    depth === 0 &&
    assignments.length === 0 &&
    !isBelow(program, places.folder) &&
    words.every((word) => word.literal) &&
    redirects.every((redirect) => isHarmless(redirect, places));
  const certain = isPlain ? { words: words.map((word) => word.value) } : {};
  return { written, program, ...certain, ...input };
}

type Decided =
  | {
      verdict: ShellPart['verdict'];
      reason: Reason;
      risk: Risk;
      reads?: string[];
      files?: string[];
      searched?: Searched[];
      hides?: ShellPart['hides'];
    }
  | { inner: Exclude<Inner, null | { unknown: true }>; name: string };

const ask = (reason: Reason, risk: Risk): Decided => ({ verdict: 'ask', reason, risk });
const deny = (reason: Reason): Decided => ({ verdict: 'deny', reason, risk: 'high' });

function decide(command: ShellCommand, words: readonly ShellWord[], places: KnownPlaces): Decided {
  const [first, ...rest] = words;
  if (first === undefined) return decideBare(command, places);
  const name = first.value.split('/').at(-1) ?? '';
  if (isLookAlike(first.value)) return deny(because('look_alike_name'));
  const danger = dangerOf(name, rest, command, places);
  if (danger !== null) return deny(danger);
  const inner = innerOf(name, rest);
  if (inner !== null)
    return 'unknown' in inner
      ? { ...ask(because('runs_unknown', { name }), 'high'), hides: 'certain' }
      : { inner, name };

  const blank = words.map(({ text }) => falseBlankIn(text)).find((found) => found !== null);
  if (blank !== undefined) return ask(because('false_blank', { blank }), 'high');

  const known = reasonFor(name, rest);
  if (!first.literal) return { ...ask(because('name_unknown'), 'high'), hides: 'possible' };
  if (!first.bare) return ask(because('name_in_pieces'), 'high');
  const reading = readOnly(name, rest);
  if ('reason' in reading) {
    const isUnknown = known.isUnknown === true;
    const isBetter = isUnknown && reading.isGeneral !== true;
    const asked = ask(isBetter ? reading.reason : known.reason, known.risk);
    return isUnknown && !isBetter ? { ...asked, hides: 'possible' } : asked;
  }
  return decideReading(command, first, rest, reading, places);
}

/** Only redirections or assignments. */
function decideBare(command: ShellCommand, places: ShellPlaces): Decided {
  const danger = redirectDanger(command, places);
  if (danger !== null) return deny(danger);
  return command.redirects.length > 0
    ? ask(because('writes_a_file'), 'medium')
    : ask(because('sets_variable'), 'medium');
}

/** A command whose name and options say that it only reads. Checks the rest. */
function decideReading(
  command: ShellCommand,
  first: ShellWord,
  rest: readonly ShellWord[],
  { paths, filesOnly, picksNames = false }: Reading,
  places: KnownPlaces,
): Decided {
  const { assignments, redirects } = command;
  if (assignments.length > 0)
    return ask(because('sets_variables', { names: assignments.join(', ') }), 'medium');
  const redirected = redirects.find((redirect) => !isHarmless(redirect, places));
  if (redirected !== undefined) return ask(whyRedirectAsks(redirected), 'medium');
  const vague = rest.find((word) => !word.literal);
  if (vague !== undefined) return ask(because('stands_for', { text: vague.text }), 'low');
  if (first.value.includes('/')) return ask(because('program_by_path'), 'medium');
  const binary = BUILTINS.has(first.value) ? first.value : places.resolveBinary(first.value);
  if (binary === null) return ask(because('no_program', { name: first.value }), 'low');
  if (isBelow(binary, places.folder)) return ask(because('program_of_folder'), 'high');
  if (!BUILTINS.has(first.value)) {
    if (!isSystemProgram(binary)) return ask(because('not_system_program', { path: binary }), 'low');
    if (places.isTrusted?.(first.value) === false) return ask(because('writable_search_path'), 'medium');
  }

  const inputs = redirects.flatMap(({ operator, target }) =>
    operator === '<' && target !== null ? [target] : [],
  );
  const reads = [...paths, ...inputs]
    .filter((word) => word.value !== '-')
    .map((word) => pathNamed(word.value, places));
  const outside = reads.map((path) => posix.normalize(path)).find((path) => !isBelow(path, places.folder));
  if (outside !== undefined) return ask(because('reads_outside', { path: outside }), 'medium');
  const secret = reads.find((path) => isSecretPath(path, places.home));
  if (secret !== undefined) return ask(mayHoldSecrets(secret), 'high');
  return {
    verdict: 'allow',
    reason: because('only_reads'),
    risk: 'low',
    reads,
    ...(filesOnly === true ? { files: reads } : {}),
    // Without a place, it searches everything below the directory.
    ...(first.value === 'rg'
      ? { searched: (reads.length === 0 ? [places.cwd] : reads).map((path) => ({ path, picksNames })) }
      : {}),
  };
}

function whyRedirectAsks({ operator, text, setsVariable }: ShellCommand['redirects'][number]): Reason {
  if (setsVariable) return because('sets_variable');
  return operator.includes('>') ? because('redirects', { text }) : because('stands_for', { text });
}

/** The reason for a command that names a secret. */
export const mayHoldSecrets = (path: string): Reason => because('may_hold_secrets', { name: nameOf(path) });

const nameOf = (path: string) => path.split('/').at(-1) ?? path;

/** Discards output, joins two outputs, or reads a file, which is checked like any other file that is read. */
function isHarmless(redirect: ShellCommand['redirects'][number], places: ShellPlaces): boolean {
  const { operator, target, isDescriptor, setsVariable } = redirect;
  if (setsVariable) return false;
  if (isDescriptor) return true;
  if (target === null || !target.literal) return false;
  if (operator === '<') return true;
  return ['>', '>>', '&>', '>|'].includes(operator) && absolute(target.value, places) === '/dev/null';
}
