import type { Approval } from '../contract/approvals';
import type { Rule } from '../contract/control';
import type { Outcome } from '../contract/outcome';
import { because, type Reason, type Reasons } from '../contract/shared/reasons';
import type { CallFacts } from './call-facts';
import type { CommandJudgement } from './command';
import type { RehearsalKeeps, Verdict } from './verdict';

/** Whether it may run in a throwaway layer without asking; null if not. */
export function asRehearsal({
  command,
  rules,
  past,
  mode,
  rehearses,
}: CallFacts): Extract<Verdict, { verdict: 'allow' }> | null {
  if (!rehearses || command === null || !mayBeTried(command, rules)) return null;
  // An answer covers what the person saw, unless they asked to run it in a layer again.
  if (past.again === undefined && (past.answered || past.outcome !== undefined)) return null;
  if (past.notRehearsed !== undefined) return null;
  const { exitOneAnswers, hidesErrors } = command;
  return {
    verdict: 'allow',
    reason: [because('in_layer')],
    outside: true,
    // Code that does not support layers runs it where it cannot change anything.
    confined: 'read-only',
    rehearsal: KEEPS[mode],
    ...(exitOneAnswers ? { exitOneAnswers } : {}),
    ...(hidesErrors ? { hidesErrors } : {}),
  };
}

const KEEPS: Readonly<Record<CallFacts['mode'], RehearsalKeeps>> = {
  plan: 'nothing',
  'ask-risky': 'ignored',
  'ask-all': 'ignored',
  'auto-sandbox': 'rules',
};

/** Adds why a command could not run in a layer to the reasons of its judgment. */
export const sayingNotRehearsed = <J extends { reason: Reasons }>(judged: J, why: Reason | undefined): J =>
  why === undefined ? judged : { ...judged, reason: [...judged.reason, because('not_rehearsed', { why })] };

/** Why the command of such a judgment could not run in a layer; undefined for all others. */
export function whyNotRehearsed(reasons: Reasons): Reason | undefined {
  const why = reasons.find(({ code }) => code === 'not_rehearsed')?.values?.why;
  return typeof why === 'object' && 'code' in why ? why : undefined;
}

/** If a line's commands are unknown, or what one of them runs, a rule may forbid it. */
export const mayBeTried = ({ understood, parts }: CommandJudgement, rules: readonly Rule[]): boolean =>
  (understood && parts.every(({ written, hides }) => written !== undefined && hides !== 'certain')) ||
  !rules.some(({ effect, match }) => effect === 'deny' && match.kind === 'command');

/**
 * In `auto-sandbox` mode, the layer's limitations do not matter, since the command then runs in the sandbox without asking:
 * unless its changes need approval, which the sandbox would not prevent.
 */
export const asksAboutOutcome = ({ mode }: CallFacts, outcome: Outcome): boolean =>
  mode !== 'auto-sandbox' || !lacks(outcome) || alwaysAsks(outcome);

/** Whether it has changes that no mode keeps without asking. */
export const alwaysAsks = ({ rows, git = [], beyondUndo, buildFiles }: Outcome): boolean =>
  beyondUndo !== undefined ||
  buildFiles !== undefined ||
  rows.some((row) => row.protected === true || (row.leadsOutside === true && row.ignored !== true)) ||
  git.some(({ facts }) => facts.some(({ what }) => what === 'created' || GRAVE.has(what)));

/** It needed something that the layer lacks, or more time than it had. */
const lacks = ({ refused, limit }: Outcome): boolean => refused.length > 0 || limit !== undefined;

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

export function outcomeReason(outcome: Outcome): Reason {
  const { lost, notKept, limit, refused, totals, beyondUndo, git = [] } = outcome;
  if (lost === true) return because('outcome_lost');
  if (notKept !== undefined && FULL.has(notKept.code)) return because('outcome_disk_full');
  if (notKept !== undefined) return because('outcome_not_kept', { code: notKept.code });
  if (limit === 'time') return because('outcome_time_up');
  if (limit !== undefined) return because('outcome_at_limit');
  if (refused.length > 0) return because('outcome_lacked');
  if (beyondUndo === 1) return because('outcome_file_beyond_undo');
  if (beyondUndo !== undefined) return because('outcome_files_beyond_undo', { count: beyondUndo });
  if (changesPackages(outcome)) return because('outcome_changed_package');
  if (totals.files === 0 && git.length > 0) return because('outcome_changed_repository');
  if (totals.files === 0) return because('outcome_changed_folders');
  return totals.files === 1
    ? because('outcome_changed_file')
    : because('outcome_changed_files', { count: totals.files });
}

/** Whether it would be kept without asking if it did not write code of packages: of ignored files, only that counts. */
const changesPackages = ({ rows, git = [], buildFiles }: Outcome): boolean =>
  buildFiles !== undefined && git.length === 0 && rows.every(({ ignored }) => ignored === true);

/** What happened to a repository that is lost, or that git runs or loads from now on. */
const GRAVE: ReadonlySet<string> = new Set(['deleted', 'hooks', 'config', 'obeyed']);

/** The risk of the command's outcome. Its words count only if the outcome is incomplete. */
export function outcomeRisk(outcome: Outcome, byWords: Approval['risk']): Approval['risk'] {
  const { rows, git = [] } = outcome;
  const isProtected = rows.some((row) => row.protected === true);
  const repositories = git.flatMap(({ facts }) => facts);
  if (isProtected || repositories.some(({ what }) => GRAVE.has(what))) return 'high';
  if (lacks(outcome) && byWords !== 'low') return byWords;
  const removesOrLeads =
    outcome.beyondUndo !== undefined ||
    changesPackages(outcome) ||
    rows.some(({ kind, leadsOutside }) => kind === 'deleted' || kind === 'type' || leadsOutside === true);
  return removesOrLeads || git.length > 0 || lacks(outcome) ? 'medium' : 'low';
}

/** The possible decisions. */
export function outcomeChoices(outcome: Outcome): Approval['allowed'] {
  const { lost, limit, rows, git = [] } = outcome;
  if (lost === true) return ['again', 'discard', 'reject', 'respond'];
  const hasChanges = rows.length > 0 || git.length > 0;
  return [
    ...(hasChanges ? (['keep'] as const) : []),
    'discard',
    'run',
    ...(limit === 'time' ? (['wait'] as const) : []),
    // Outside the sandbox and without a layer, in case the command needs that.
    ...(lacks(outcome) ? (['approve'] as const) : []),
    'reject',
    'respond',
  ];
}
