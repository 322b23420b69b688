import { z } from 'zod';
import { command, done } from '../command';
import { CommandVerdict, Rule, RuleDraft, RuleMatch, RulePreview } from '../control';
import { ApprovalId, ProjectId, ThreadId } from '../ids';
import { Reason } from '../shared/reasons';

/** Rules: the person's decisions to allow or forbid something without asking again. */
export const rulesCommands = {
  /** Possible matches of a rule about a waiting call, the narrowest first; refused ones are left out. */
  'rules.suggest': command(
    z.strictObject({ threadId: ThreadId, approvalId: ApprovalId }),
    z.object({
      matches: z.array(RuleMatch),
      /** The reason if there are none. */
      refused: Reason.nullable(),
    }),
  ),
  'rules.preview': command(RuleDraft, RulePreview),
  /** Saves a rule that `rules.preview` does not refuse. `replaces`: the rule that this one narrows. */
  'rules.save': command(z.strictObject({ draft: RuleDraft, replaces: z.string().max(200).optional() }), Rule),
  'rules.remove': command(z.strictObject({ id: z.string().max(200) }), done),
  /** Undoes `rules.remove`, as long as the process runs. */
  'rules.restore': command(z.strictObject({ id: z.string().max(200) }), done),
  /** The verdict on a command in a project now; runs nothing. */
  'rules.test': command(
    z.strictObject({ projectId: ProjectId, command: z.string().max(20_000) }),
    CommandVerdict,
  ),
} as const;
