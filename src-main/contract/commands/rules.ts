import { z } from 'zod';
import { command, done } from '../command';
import { CommandVerdict, Rule, RuleDraft, RuleMatch, RulePreview } from '../control';
import { ApprovalId, ProjectId, ThreadId } from '../ids';
import { Reason } from '../shared/reasons';

/** Rules: what the person lets happen, or forbids, without being asked again. */
export const rulesCommands = {
  /** Matches that a rule about a waiting call could have, the narrowest first; those that are refused are left out. */
  'rules.suggest': command(
    z.strictObject({ threadId: ThreadId, approvalId: ApprovalId }),
    z.object({
      matches: z.array(RuleMatch),
      /** Why there is none, where there is none. */
      refused: Reason.nullable(),
    }),
  ),
  'rules.preview': command(RuleDraft, RulePreview),
  /** Saves what `rules.preview` does not refuse. `replaces`: the rule that is narrowed to this one. */
  'rules.save': command(z.strictObject({ draft: RuleDraft, replaces: z.string().max(200).optional() }), Rule),
  'rules.remove': command(z.strictObject({ id: z.string().max(200) }), done),
  /** Takes `rules.remove` back, for as long as the process lasts. */
  'rules.restore': command(z.strictObject({ id: z.string().max(200) }), done),
  /** What would become of a command in a project now; runs nothing. */
  'rules.test': command(
    z.strictObject({ projectId: ProjectId, command: z.string().max(20_000) }),
    CommandVerdict,
  ),
} as const;
