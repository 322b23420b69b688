import { stat } from 'node:fs/promises';
import { isBelow } from '../base/is-below';
import { namesOfPath } from '../base/path-names';
import type { Approval, Attempt } from '../contract/approvals';
import type { Rule } from '../contract/control';
import { ruleText } from '../contract/rule-text';
import { because, type Reason, type Reasons } from '../contract/shared/reasons';
import { shownName } from '../contract/shared/shown-name';
import { deletesFile, descriptorOf } from '../harness/tools/catalogue';
import type { ShellPlaces } from './bash/paths/places';
import { mayRunFiles } from './bash/reading/rule-options';
import type { GateCall } from './call';
import type { CallFacts } from './call-facts';
import type { CommandJudgement } from './command';
import { staysInFolder, whyAskedAllTheSame } from './confined';
import type { Effect, Places } from './effects';
import { askedForOutside } from './outside-sources';
import { asksAboutOutcome, asRehearsal, mayBeTried, outcomeReason, outcomeRisk } from './rehearsal';
import { higherRisk } from './risk';
import { allowedBy, forbiddenBy, letsFetch } from './rules';
import type { Judgement } from './verdict';

/** The reference points for calls. */
export interface JudgementContext {
  places: Places;
  shell: ShellPlaces | null;
}

/** Its result was lost, so the person is asked in any case. */
export const STARTED_BEFORE = {
  reason: [because('started_before')],
  risk: 'high' as const,
};
const PLAN = because('plan_mode');
const ASKS_ALL = because('asks_all');

/**
 * Decides by what the call can affect and by the person's rules and mode. A forbidden call stays forbidden whatever else
 * allows it.
 */
export async function judgeFacts(facts: CallFacts, context: JudgementContext): Promise<Judgement> {
  return askedForOutside(facts, await judgeByEffect(facts, context));
}

async function judgeByEffect(facts: CallFacts, context: JudgementContext): Promise<Judgement> {
  const { effect } = facts;
  if (effect.kind === 'refused') return deny(effect.reason);
  const forbidden = whyForbidden(facts, context.places);
  if (forbidden !== null) return deny([...forbidden, because('do_otherwise')]);
  switch (effect.kind) {
    case 'none':
      return judgeReading(facts, context.places);
    case 'scratch':
      return { verdict: 'allow', reason: [because('in_thread')], outside: false };
    // In every mode: nobody but the person can answer.
    case 'question':
      return ask([because('agent_asks')], 'low');
    case 'fetch':
      return judgeFetch(facts, effect.host);
    case 'memory':
      return judgeMemory(facts);
    case 'place':
      return judgePlace(facts, effect.reason);
    case 'ask':
      return judgeChange(facts, effect, context);
    default:
      return effect satisfies never;
  }
}

function whyForbidden({ call, command, rules, parts, paths }: CallFacts, places: Places): Reasons | null {
  if (command?.verdict === 'deny') return command.reason;
  const rule = forbiddenBy(call, rules, { parts, paths, places });
  return rule === undefined ? null : [because('forbidden_by_rule', { rule: ruleText(rule.match) })];
}

function judgeReading({ call, mode }: CallFacts, places: Places): Judgement {
  const looks = looksIntoFolder(call, places);
  if (mode === 'ask-all' && looks) return ask([because('read_is_sent'), ASKS_ALL], 'low');
  return {
    verdict: 'allow',
    reason: [because('reading')],
    outside: false,
    ...(looks ? { looks } : {}),
  };
}

function judgeMemory({ mode, past }: CallFacts): Judgement {
  if (mode === 'plan') return deny([PLAN]);
  if (past.startedBefore) return { verdict: 'ask', ...STARTED_BEFORE };
  if (mode === 'ask-all') return ask([because('changes_memory'), ASKS_ALL], 'low');
  return { verdict: 'allow', reason: [because('memory_with_undo')], outside: true };
}

/** Reading changes nothing, so the plan mode allows it too. The address itself is sent, so that every other mode asks. */
function judgeFetch({ call, mode, past, rules }: CallFacts, host: string): Judgement {
  if (past.startedBefore) return { verdict: 'ask', ...STARTED_BEFORE };
  const reason = because('reads_page', { host });
  if (mode === 'ask-all') return ask([reason, ASKS_ALL], 'medium');
  const rule = letsFetch(rules, call.args.url);
  return rule === undefined
    ? ask([reason], 'medium')
    : {
        verdict: 'allow',
        reason: [because('allowed_by_rule', { rule: ruleText(rule.match) })],
        outside: true,
        ruleId: rule.id,
      };
}

function judgePlace({ mode, past }: CallFacts, reason: Reasons): Judgement {
  if (mode === 'plan') return deny([PLAN]);
  if (past.startedBefore) return { verdict: 'ask', ...STARTED_BEFORE };
  return mode === 'ask-all' ? ask([...reason, ASKS_ALL], 'low') : { verdict: 'allow', reason, outside: true };
}

type AskedEffect = Extract<Effect, { kind: 'ask' }>;

/** A command, a change to a file in the folder, or an unknown tool. */
async function judgeChange(
  facts: CallFacts,
  effect: AskedEffect,
  context: JudgementContext,
): Promise<Judgement> {
  const { mode, command, past, outside, isConfined } = facts;
  const { reason, risk } = command ?? effect;
  const isHarmless = command?.verdict === 'allow';
  const reading = asRehearsal(facts) ?? asAttempt(facts);
  const unseen = changedAutoApproved(facts);
  if (mode === 'plan' && !isHarmless) {
    if (past.outcome !== undefined) return deny([because('rehearsed_for_nothing'), PLAN]);
    if (past.attempt !== undefined) return deny([afterAttempt(past.attempt), PLAN]);
    return past.startedBefore || reading === null ? deny([PLAN]) : reading;
  }
  if (past.startedBefore) return { verdict: 'ask', ...STARTED_BEFORE };
  if (outside !== null) return ask([...reason, because('wants_outside')], higherRisk(risk, 'medium'));
  if (past.again !== undefined && reading !== null) return reading;
  if (past.outcome !== undefined && asksAboutOutcome(facts, past.outcome))
    return ask([outcomeReason(past.outcome), ...unseen], outcomeRisk(past.outcome, risk));
  if (mode === 'ask-all') return ask(isHarmless ? [...reason, ASKS_ALL] : reason, risk);
  if (past.attempt !== undefined)
    return ask(
      [...reason, afterAttempt(past.attempt), because('then_may_write')],
      higherRisk(risk, 'medium'),
    );
  if (isHarmless)
    return { verdict: 'allow', reason, outside: true, readsOnly: true, ...confinedIf(isConfined, command) };
  const rule = command === null ? fileOrToolRule(facts, effect.risk, context.places) : command.rules[0];
  if (rule !== undefined && unseen.length === 0) return byRule(facts, rule);
  if (mode !== 'auto-sandbox') return reading ?? ask([...unseen, ...reason], risk);
  return command === null
    ? judgeFileInSandboxMode(facts, effect, context)
    : judgeInSandboxMode(facts, command, reading, context);
}

/** In `auto-sandbox` mode, a change that stays in the folder and starts nothing runs. */
async function judgeFileInSandboxMode(
  { call, paths }: CallFacts,
  { reason, risk }: AskedEffect,
  { places, shell }: JudgementContext,
): Promise<Judgement> {
  const isUndoable =
    staysInFolder(paths, places) &&
    (deletesFile(call.tool) || (risk === 'low' && !(await changesProgram(paths, shell))));
  return isUndoable
    ? { verdict: 'allow', reason: [because('changes_file_undoable')], outside: true }
    : ask(reason, risk);
}

/** In `auto-sandbox` mode, a command runs in the sandbox unless something still needs approval. */
function judgeInSandboxMode(
  { confinement, isConfined }: CallFacts,
  command: CommandJudgement,
  reading: Judgement | null,
  { shell }: JudgementContext,
): Judgement {
  const { reason, risk } = command;
  if (!confinement.available) return ask([...reason, withoutSandbox(confinement.reason)], risk);
  const why = whyAskedAllTheSame(command, shell);
  if (reading?.verdict === 'allow' && reading.rehearsal !== undefined)
    return why === null ? reading : { ...reading, rehearsal: 'ignored' };
  if (why !== null) return reading ?? ask(why, command.secret === null ? higherRisk(risk, 'medium') : 'high');
  return {
    verdict: 'allow',
    reason: [because('in_sandbox'), ...reason],
    outside: true,
    ...confinedIf(isConfined, command),
  };
}

function byRule({ command, mode, isConfined }: CallFacts, rule: Rule): Judgement {
  const texts = (command?.rules ?? [rule]).map(({ match }) => ruleText(match)).join(', ');
  return {
    verdict: 'allow',
    reason: [because('allowed_by_rule', { rule: texts })],
    outside: true,
    ruleId: rule.id,
    // The agent may write files there that the command runs.
    ...confinedIf(mode === 'auto-sandbox' && isConfined, command),
  };
}

/**
 * Why the person's rules do not let a command leave the sandbox, if they do not: it may run files that the agent changed
 * after they made the rules, and that nobody has seen.
 */
function changedAutoApproved({ command, mode, autoApprovedSince }: CallFacts): Reasons {
  // There, a rule never does that.
  if (command === null || mode === 'auto-sandbox') return [];
  const times = command.rules.flatMap(({ match, createdAt }) =>
    match.kind === 'command' && mayRunFiles(match.words) ? [createdAt] : [],
  );
  const paths = times.length === 0 ? [] : autoApprovedSince(Math.min(...times));
  return paths.length === 0
    ? []
    : [because('may_run_auto_approved', { names: paths.map(shownName).join(', ') })];
}

/** Whether it may run in the read-only sandbox without asking, to see if that is enough; null if not. */
function asAttempt({ command, rules, isConfined, past }: CallFacts): Judgement | null {
  if (!isConfined || past.answered || command?.tryReadOnly !== true || !mayBeTried(command, rules))
    return null;
  return {
    verdict: 'allow',
    reason: [because('in_read_only_sandbox')],
    outside: true,
    confined: 'read-only',
    ...(command.exitOneAnswers ? { exitOneAnswers: true } : {}),
    ...(command.hidesErrors ? { hidesErrors: true } : {}),
  };
}

const confinedIf = (isConfined: boolean, command: CommandJudgement | null) =>
  isConfined && command !== null ? { confined: true as const } : {};

const deny = (reason: Reasons): Judgement => ({ verdict: 'deny', reason });
const ask = (reason: Reasons, risk: Approval['risk']): Judgement => ({ verdict: 'ask', reason, risk });

/** A change to a file with a plain name, or an unknown tool. */
function fileOrToolRule(
  { call, paths, rules }: CallFacts,
  risk: Approval['risk'],
  places: Places,
): Rule | undefined {
  const isFileTool = paths.length > 0;
  return isFileTool && risk !== 'low' ? undefined : allowedBy(call, rules, { paths, places });
}

function afterAttempt({ refused, exitCode }: Attempt): Reason {
  const [first] = refused;
  if (first === undefined)
    return exitCode === null ? because('attempt_failed_unknown') : because('attempt_failed', { exitCode });
  const { what, name } = first;
  switch (what) {
    case 'write':
      return name === '' ? because('attempt_wrote_files') : because('attempt_wrote', { name });
    case 'read':
      return name === '' ? because('attempt_not_shown_all') : because('attempt_not_shown', { name });
    case 'permission':
      return because('attempt_not_permitted');
    case 'network':
      return name === '' ? because('attempt_no_network_at_all') : because('attempt_no_network', { name });
    default:
      return what satisfies never;
  }
}

const withoutSandbox = (why: Reason | null) =>
  because('no_sandbox_for_it', { why: why ?? because('no_sandbox_found') });

/** Whether a file tool changes a program in the folder, which others may start. */
const changesProgram = async (paths: readonly string[], shell: ShellPlaces | null): Promise<boolean> => {
  if (shell === null) return false;
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  return found.some((one) => one?.isFile() === true && (one.mode & 0o111) !== 0);
};

/** Whether a read tool looks into the folder. Jobs and the conversation's own data belong to the agent. */
function looksIntoFolder({ tool, args }: GateCall, { folder, mounts = [] }: Places): boolean {
  if (descriptorOf(tool)?.path === undefined) return false;
  const named = args.file_path ?? args.path ?? '/';
  if (typeof named !== 'string') return true;
  const path = `/${namesOfPath(named)?.join('/') ?? ''}`.toLowerCase();
  return [folder, ...mounts.map((mount) => mount.path)].some((place) => {
    const root = place.toLowerCase();
    return isBelow(path, root) || isBelow(root, path);
  });
}
