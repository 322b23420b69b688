import { z } from 'zod';
import { CallId, ProjectId, ThreadId } from './ids';
import { APPROVAL_MODES } from './modes';
import { Reason, Reasons } from './shared/reasons';
import { ToolDisplay } from './shared/tool-display';

export const Risk = z.enum(['low', 'medium', 'high']);
export type Risk = z.infer<typeof Risk>;

/**
 * How much a project asks, loosest first. `auto-sandbox`: what stays in the sandbox or the folder runs; `ask-risky`: what
 * only reads runs; `ask-all`: everything that leaves the conversation is asked; `plan`: nothing is changed.
 */
export const ApprovalMode = z.enum(APPROVAL_MODES);
export type ApprovalMode = z.infer<typeof ApprovalMode>;

/** One simple command of a line, as it was judged. */
export const CommandPart = z.object({
  text: z.string(),
  verdict: z.enum(['allow', 'ask', 'deny']),
  reason: Reason,
  risk: Risk,
  /** The program that is run, as a path. */
  program: z.string().optional(),
  /** The line that a script of the project's package.json stands for. */
  script: z.string().optional(),
  /** The rule that would let it run by itself. */
  rule: z.string().optional(),
});
export type CommandPart = z.infer<typeof CommandPart>;

/** A file that a command runs besides programs, such as a script or a Makefile, as it was when the person was asked. */
export const ShownFile = z.object({
  path: z.string(),
  /** Its text, or the beginning of it. */
  text: z.string(),
  cut: z.boolean().optional(),
  /** Another one: another content. */
  version: z.string(),
});
export type ShownFile = z.infer<typeof ShownFile>;

/** A place on the disk that a command changes, looked up before it runs. */
export const Touched = z.object({
  does: z.enum(['delete', 'move', 'overwrite', 'append', 'edit', 'create', 'change']),
  /** Absolute; as written where it is only known when the command runs. */
  path: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other', 'nothing', 'unknown']),
  /** Files there and below; absent for what is not there. */
  files: z.number().optional(),
  bytes: z.number().optional(),
  /** There is more than was counted. */
  more: z.boolean().optional(),
  outside: z.boolean(),
  /** Where it is depends on the folder that the command is in by then, which is not known before. */
  dependsOnFolder: z.literal(true).optional(),
  /** Files that git cannot bring back: new ones, and those changed since they were added. */
  notInGit: z.number().optional(),
});
export type Touched = z.infer<typeof Touched>;

/** What a rule is about. Nothing is compared as text: commands go by their words, as the shell would see them. */
export const RuleMatch = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('command'),
    words: z.array(z.string().max(1_000)).min(1).max(50),
    /** Exactly these words; otherwise any may follow. */
    exact: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('path'),
    changes: z
      .array(ToolDisplay.extract(['write', 'edit', 'delete']))
      .min(1)
      .max(3),
    /** From the project folder: `docs/**`, `src/*.ts`. */
    glob: z.string().min(1).max(1_000),
  }),
  /** A tool by its whole name, such as one of an MCP server. */
  z.strictObject({
    kind: z.literal('tool'),
    tool: z.string().min(1).max(200),
    /**
     * The MCP server that offers the tool, with its origin and configuration: another one with its name has another.
     * Deepdesk sets it when the rule is saved. Absent: a server of the person's own, however it is configured.
     */
    server: z.string().max(200).optional(),
  }),
  /** What commands in the sandbox may reach: `example.com`, `*.example.com`, `localhost:8080`. */
  z.strictObject({ kind: z.literal('host'), host: z.string().min(1).max(300) }),
]);
export type RuleMatch = z.infer<typeof RuleMatch>;

export const RuleScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('thread'), threadId: ThreadId }),
  z.strictObject({ kind: z.literal('project'), projectId: ProjectId }),
  z.strictObject({ kind: z.literal('person') }),
]);
export type RuleScope = z.infer<typeof RuleScope>;

/** What a person lets happen, or forbids, without being asked again. `deny` wins over every `allow`. */
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

/** What saving a rule would mean, from what happened so far. */
export const RulePreview = z.object({
  /** Why there can be no such rule; null where there can. */
  refused: Reason.nullable(),
  /** Earlier calls that were looked at. */
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
  /** How many calls those are. */
  coveredCalls: z.number(),
  /** The riskiest thing that looks like it and is asked about all the same; `happened`: the agent did want it once. */
  nearMiss: z.object({ text: z.string(), reason: Reason, risk: Risk, happened: z.boolean() }).nullable(),
});
export type RulePreview = z.infer<typeof RulePreview>;

/** What would become of a command that the agent wanted to run. */
export const CommandVerdict = z.object({
  verdict: z.enum(['allow', 'ask', 'deny']),
  reason: Reasons,
  risk: Risk,
  parts: z.array(CommandPart),
  /** The rules that decided. */
  rules: z.array(Rule),
  /** The project's mode, which it was judged in. */
  mode: ApprovalMode,
  /** It would run in the sandbox. */
  confined: z.literal(true).optional(),
});
export type CommandVerdict = z.infer<typeof CommandVerdict>;

/** Why a call ran without being asked about. */
export const Unasked = z.object({
  reason: Reasons,
  /** The person's rule that let it. */
  ruleId: z.string().optional(),
});
export type Unasked = z.infer<typeof Unasked>;
