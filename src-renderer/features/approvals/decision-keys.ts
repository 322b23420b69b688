import type { Approval, Decision } from '@contract/approvals';
import { firstChoice, mayMakeRule } from './outcome/outcome-choices';
import type { OutcomeSelection } from './outcome/outcome-selection';
import type { AnswerMode } from './questions/answer-form';

interface DecisionKeys {
  approval: Approval;
  selection: OutcomeSelection | undefined;
  /** Esc does not decide. */
  keepsEscape: boolean;
  decide(decision: Decision): void;
  open(mode: AnswerMode | 'always'): void;
}

/** The decision keys of a card, for a call that has not run and for one that ran in a layer. */
export const decisionKeys = (keys: DecisionKeys) =>
  keys.approval.outcome === undefined ? callKeys(keys) : outcomeKeys(keys, keys.approval.outcome);

function callKeys({ approval, keepsEscape, decide, open }: DecisionKeys) {
  // Esc would lose what the person has typed into the form.
  if (approval.preview.kind === 'form') return { allow: undefined, reject: undefined, letters: {} };
  const may = (type: Decision['type']) => approval.allowed.includes(type);
  const mayAlways = may('approve') && approval.preview.kind !== 'problem';
  const allowing = (['approve', 'wait'] as const).find(may);
  return {
    allow: allowing === undefined ? undefined : () => decide({ type: allowing }),
    reject: may('reject') && !keepsEscape ? () => decide({ type: 'reject' }) : undefined,
    letters: {
      r: may('reject') && allowing !== 'wait' ? () => open('reject') : undefined,
      e: may('edit') ? () => open('edit') : undefined,
      a: mayAlways ? () => open('always') : undefined,
    },
  };
}

function outcomeKeys(
  { approval, selection, keepsEscape, decide, open }: DecisionKeys,
  outcome: NonNullable<Approval['outcome']>,
) {
  const may = (type: Decision['type']) => approval.allowed.includes(type);
  const first = firstChoice(approval, outcome);
  const keep = () => selection !== undefined && !selection.isEmpty && decide(selection.decision);
  const isHighRisk = approval.risk === 'high';
  return {
    allow: first === undefined ? undefined : first === 'keep' ? keep : () => decide({ type: first }),
    reject: may('discard') && !keepsEscape ? () => decide({ type: 'discard' }) : undefined,
    letters: {
      // A high-risk outcome needs two keys, as a high-risk call does: Ctrl+Enter, or Shift+K if that runs the command.
      k: may('keep') && !isHighRisk ? () => void keep() : undefined,
      d: may('discard') ? () => open('reject') : undefined,
      a: mayMakeRule(approval) ? () => open('always') : undefined,
    },
    shifted: { k: may('keep') && isHighRisk && first !== 'keep' ? () => void keep() : undefined },
  };
}
