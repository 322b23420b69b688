import type { Rule } from '../contract/control';
import type { Approval } from '../contract/conversation';
import type { Outcome } from '../contract/outcome';
import { because, type Reason } from '../contract/shared/reasons';
import type { CallFacts } from './call-facts';
import type { CommandJudgement } from './command';
import type { RehearsalKeeps, Verdict } from './verdict';

/** It may run in a throwaway layer without a question; null where it may not. */
export function asRehearsal({
  command,
  rules,
  past,
  mode,
  rehearses,
}: CallFacts): Extract<Verdict, { verdict: 'allow' }> | null {
  if (!rehearses || command === null || !mayBeTried(command, rules)) return null;
  // An answer is to what was shown, unless it was to run in a layer again.
  if (past.again === undefined && (past.answered || past.outcome !== undefined)) return null;
  if (past.notRehearsed !== undefined) return null;
  const { exitOneAnswers, hidesErrors } = command;
  return {
    verdict: 'allow',
    reason: [because('in_layer')],
    outside: true,
    // Whoever knows of no layers runs it where it can change nothing.
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

/** Where it is not known which commands a line runs, one of them may be what a rule forbids. */
export const mayBeTried = ({ understood, parts }: CommandJudgement, rules: readonly Rule[]): boolean =>
  (understood && parts.every(({ written }) => written !== undefined)) ||
  !rules.some(({ effect, match }) => effect === 'deny' && match.kind === 'command');

/** What the layer lacked is no matter in the mode in which the command then runs in the sandbox by itself. */
export const asksAboutOutcome = ({ mode }: CallFacts, outcome: Outcome): boolean =>
  mode !== 'auto-sandbox' || !lacks(outcome);

/** It needed something that the layer does not have, or more time than it had. */
const lacks = ({ refused, limit }: Outcome): boolean => refused.length > 0 || limit !== undefined;

export function outcomeReason(outcome: Outcome): Reason {
  const { lost, limit, refused, totals, git = [] } = outcome;
  if (lost === true) return because('outcome_lost');
  if (limit === 'time') return because('outcome_time_up');
  if (limit !== undefined) return because('outcome_at_limit');
  if (refused.length > 0) return because('outcome_lacked');
  if (totals.files === 0 && git.length > 0) return because('outcome_changed_repository');
  return totals.files === 1
    ? because('outcome_changed_file')
    : because('outcome_changed_files', { count: totals.files });
}

/** By what it did: its words count only where that is not known. */
export function outcomeRisk(outcome: Outcome, byWords: Approval['risk']): Approval['risk'] {
  const { rows, git = [] } = outcome;
  const isProtected = rows.some((row) => row.protected === true);
  const repositories = git.flatMap(({ facts }) => facts);
  if (
    isProtected ||
    repositories.some(({ what }) => what === 'deleted' || what === 'hooks' || what === 'config')
  )
    return 'high';
  if (lacks(outcome) && byWords !== 'low') return byWords;
  const removes = rows.some(({ kind }) => kind === 'deleted' || kind === 'type');
  return removes || git.length > 0 || lacks(outcome) ? 'medium' : 'low';
}

/** The decisions that there can be. */
export function outcomeChoices(outcome: Outcome): Approval['allowed'] {
  const { lost, limit, rows, git = [] } = outcome;
  if (lost === true) return ['again', 'discard', 'reject', 'respond'];
  const hasChanges = rows.length > 0 || git.length > 0;
  return [
    ...(hasChanges ? (['keep'] as const) : []),
    'discard',
    'run',
    ...(limit === 'time' ? (['wait'] as const) : []),
    // Outside the sandbox, as without a layer: where that is what it needed.
    ...(lacks(outcome) ? (['approve'] as const) : []),
    'reject',
    'respond',
  ];
}
