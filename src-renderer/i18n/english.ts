import type { ApprovalMode } from '@contract/control';
import { approvals } from './en/approvals';
import { sandbox } from './en/sandbox';
import { REASONS } from './errors';

/** Reasons in English, for the model and the headless command: the same texts as in the window. */
export const english = REASONS.en;

const mode = (name: string, hint: string) => ({
  name,
  description: `${hint.slice(0, 1).toUpperCase()}${hint.slice(1)}.`,
});

/** The approval modes as the window names them. */
export const englishModes: Record<ApprovalMode, { name: string; description: string }> = {
  'auto-sandbox': mode(sandbox.modeAuto, sandbox.modeAutoHint),
  'ask-risky': mode(approvals.modeRisky, approvals.modeRiskyHint),
  'ask-all': mode(approvals.modeAll, approvals.modeAllHint),
  plan: mode(approvals.modePlan, approvals.modePlanHint),
};
