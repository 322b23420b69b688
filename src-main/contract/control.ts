import { z } from 'zod';
import { CallId, ProjectId, ThreadId } from './ids';
import { APPROVAL_MODES } from './modes';
import { Reason, Reasons } from './shared/reasons';
import { ToolDisplay } from './shared/tool-display';

export const Risk = z.enum(['low', 'medium', 'high']);
export type Risk = z.infer<typeof Risk>;

/**
 * How much a project asks, loosest first. `auto-sandbox`: anything inside the sandbox or the folder runs. `ask-risky`:
 * read-only calls run. `ask-all`: everything that leaves the conversation needs approval. `plan`: nothing is changed.
 */
export const ApprovalMode = z.enum(APPROVAL_MODES);
export type ApprovalMode = z.infer<typeof ApprovalMode>;

/** One judged simple command of a line. */
export const CommandPart = z.object({
  text: z.string(),
  verdict: z.enum(['allow', 'ask', 'deny']),
  reason: Reason,
  risk: Risk,
  /** Path of the program. */
  program: z.string().optional(),
  /** The command line of a script in the project's package.json. */
  script: z.string().optional(),
  /** The rule that would allow it. */
  rule: z.string().optional(),
});
export type CommandPart = z.infer<typeof CommandPart>;

/** A file that a command runs besides programs, such as a script or a Makefile, at the time of the question. */
export const ShownFile = z.object({
  path: z.string(),
  /** Its text, or the beginning. */
  text: z.string(),
  cut: z.boolean().optional(),
  /** Differs if the content differs. */
  version: z.string(),
});
export type ShownFile = z.infer<typeof ShownFile>;

/** A place on the disk that a command would change, checked before it runs. */
export const Touched = z.object({
  does: z.enum(['delete', 'move', 'overwrite', 'append', 'edit', 'create', 'change']),
  /** Absolute; or as written, if it is known only at run time. */
  path: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other', 'nothing', 'unknown']),
  /** Number of files there and below; absent if the place does not exist. */
  files: z.number().optional(),
  bytes: z.number().optional(),
  /** There are more than counted. */
  more: z.boolean().optional(),
  outside: z.boolean(),
  /** The place depends on the command's directory at run time, which is not known beforehand. */
  dependsOnFolder: z.literal(true).optional(),
  /** Number of files that git cannot restore: new ones, and those changed since they were added. */
  notInGit: z.number().optional(),
});
export type Touched = z.infer<typeof Touched>;

/** The match of a rule. Nothing is compared as text: commands match by their words as the shell sees them. */
export const RuleMatch = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('command'),
    words: z.array(z.string().max(1_000)).min(1).max(50),
    /** Exactly these words; otherwise, more may follow. */
    exact: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('path'),
    changes: z
      .array(ToolDisplay.extract(['write', 'edit', 'delete']))
      .min(1)
      .max(3),
    /** Relative to the project folder: `docs/**`, `src/*.ts`. */
    glob: z.string().min(1).max(1_000),
  }),
  /** A tool by its full name, such as one of an MCP server. */
  z.strictObject({
    kind: z.literal('tool'),
    tool: z.string().min(1).max(200),
    /**
     * The MCP server of the tool, identified by its origin and configuration, so that a different server with the same name
     * does not match. Deepdesk sets it when the rule is saved. Absent: one of the person's servers, in any configuration.
     */
    server: z.string().max(200).optional(),
  }),
  /** Hosts that sandboxed commands may reach: `example.com`, `*.example.com`, `localhost:8080`. */
  z.strictObject({ kind: z.literal('host'), host: z.string().min(1).max(300) }),
  /** Hosts whose pages the agent may read, in the same form. Gives commands no network. */
  z.strictObject({ kind: z.literal('web'), host: z.string().min(1).max(300) }),
]);
export type RuleMatch = z.infer<typeof RuleMatch>;

export const RuleScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('thread'), threadId: ThreadId }),
  z.strictObject({ kind: z.literal('project'), projectId: ProjectId }),
  z.strictObject({ kind: z.literal('person') }),
]);
export type RuleScope = z.infer<typeof RuleScope>;

/** Something that the person allows or forbids without being asked again. `deny` wins over every `allow`. */
export const RuleDraft = z.strictObject({
  effect: z.enum(['allow', 'deny']),
  match: RuleMatch,
  scope: RuleScope,
});
export type RuleDraft = z.infer<typeof RuleDraft>;

export const Rule = z.object({
  id: z.string().min(1).max(200),
  createdAt: z.number(),
  effect: RuleDraft.shape.effect,
  match: RuleMatch,
  scope: RuleScope,
});
export type Rule = z.infer<typeof Rule>;

/** The effect of a rule, based on earlier calls. */
export const RulePreview = z.object({
  /** Why the rule is refused; null if it is not. */
  refused: Reason.nullable(),
  /** Number of earlier calls that were checked. */
  checked: z.number(),
  /** Those that the rule would have decided, the riskiest first, each text once; at most 50. */
  covered: z.array(
    z.object({
      text: z.string(),
      risk: Risk,
      times: z.number(),
      threadId: ThreadId,
      callId: CallId,
    }),
  ),
  /** The number of those calls. */
  coveredCalls: z.number(),
  /** The riskiest similar call that would still need approval; `happened`: the agent once requested it. */
  nearMiss: z.object({ text: z.string(), reason: Reason, risk: Risk, happened: z.boolean() }).nullable(),
});
export type RulePreview = z.infer<typeof RulePreview>;

/** The verdict on a command that the agent might run. */
export const CommandVerdict = z.object({
  verdict: z.enum(['allow', 'ask', 'deny']),
  reason: Reasons,
  risk: Risk,
  parts: z.array(CommandPart),
  /** The rules that decided. */
  rules: z.array(Rule),
  /** The project's mode for the verdict. */
  mode: ApprovalMode,
  /** It would run in the sandbox. */
  confined: z.literal(true).optional(),
});
export type CommandVerdict = z.infer<typeof CommandVerdict>;

/** Why a call ran without asking. */
export const AutoApproval = z.object({
  reason: Reasons,
  /** The person's rule that allowed it. */
  ruleId: z.string().optional(),
});
export type AutoApproval = z.infer<typeof AutoApproval>;
