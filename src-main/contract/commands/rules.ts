import { z } from 'zod';
import { ApprovalMode, CommandVerdict, Risk, Rule, RuleDraft, RuleMatch, RulePreview } from '../control';
import { Preview } from '../conversation';
import { ApprovalId, ProjectId, ThreadId } from '../ids';

const command = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });
const done = z.strictObject({});

/** Modes and rules: how much is asked, and what no more. */
export const controlCommands = {
  /** Tightening takes effect at once, also in a turn that runs. `loosen` must be true where the new mode asks less. */
  'project.setMode': command(
    z.strictObject({ projectId: ProjectId, mode: ApprovalMode, loosen: z.boolean().optional() }),
    done,
  ),
  /** Matches that a rule about a waiting call could have, the narrowest first; those that are refused are left out. */
  'rules.suggest': command(
    z.strictObject({ threadId: ThreadId, approvalId: ApprovalId }),
    z.object({
      matches: z.array(RuleMatch),
      /** Why there is none, where there is none. */
      refused: z.string().nullable(),
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
  /** What a waiting call would do with other arguments, judged as if the agent had asked for them. */
  'approval.check': command(
    z.strictObject({
      threadId: ThreadId,
      approvalId: ApprovalId,
      args: z.record(z.string(), z.unknown()),
    }),
    z.object({
      verdict: z.enum(['allow', 'ask', 'deny']),
      reason: z.string(),
      risk: Risk,
      preview: Preview.nullable(),
    }),
  ),
} as const;
