import { z } from 'zod';
import { CommandPart, Risk, ShownFile, Touched } from './control';
import { FormField } from './form';
import { ApprovalId, CallId, ThreadId } from './ids';
import { Outcome, outcomeDecisions } from './outcome';
import { Questions } from './shared/questions';
import { Reasons } from './shared/reasons';
import { Refused } from './shared/sandbox';
import { CallDisplay } from './shared/tool-display';

export const DiffHunk = z.object({
  /** 1-based first lines and line counts of both sides, as in a unified diff. */
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  /** Each line with its mark: ' ', '+', '-' or '\\'. */
  lines: z.array(z.string()),
});
export type DiffHunk = z.infer<typeof DiffHunk>;

/** Something that has changed since the person was last asked about a call. */
export const ChangedSince = z.object({
  what: z.enum(['file', 'place', 'sandbox', 'program', 'other']),
  /** The path of a file, folder or program; otherwise empty. */
  name: z.string(),
  /** For a file, if its text was stored. */
  hunks: z.array(DiffHunk).optional(),
});
export type ChangedSince = z.infer<typeof ChangedSince>;

/** The result of a command in the read-only sandbox, which blocked part of it. */
export const Attempt = z.object({
  refused: z.array(Refused),
  exitCode: z.number().nullable(),
  /** The end of its output. */
  output: z.string(),
});
export type Attempt = z.infer<typeof Attempt>;

/** The effect of a waiting call, computed by the main process from the real bytes, never from the model's words. */
export const Preview = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('diff'),
    path: z.string(),
    isNew: z.boolean(),
    hunks: z.array(DiffHunk),
    added: z.number(),
    removed: z.number(),
    /** True if only the first hunks are included because the change is huge. */
    cut: z.boolean(),
  }),
  z.object({
    kind: z.literal('command'),
    command: z.string(),
    cwd: z.string(),
    /** Null: a job, which runs in the background until it exits or is stopped. */
    timeoutSeconds: z.number().nullable(),
    /** Its simple commands in order, each with its verdict; absent if Deepdesk cannot read the system's shell. */
    parts: z.array(CommandPart).optional(),
    /** The changes it would make on the disk, if its words show them. */
    touches: z.array(Touched).optional(),
    /** There are more. */
    touchesCut: z.boolean().optional(),
    /** The other machine that it runs on, in `cwd` there. What it changes there cannot be undone. */
    machine: z.string().optional(),
    /** If the person allows it, it first runs in a throwaway layer, and they are asked about what it changed. */
    thenInLayer: z.boolean().optional(),
    /** There is a sandbox here, but this command runs outside it if the person allows it. */
    outsideSandbox: z.boolean().optional(),
    /** The agent's reason, in its own words. */
    outsideReason: z.string().optional(),
    /** The files besides programs that it runs. */
    files: z.array(ShownFile).optional(),
    /** It first ran in the read-only sandbox. */
    attempt: Attempt.optional(),
  }),
  z.object({
    kind: z.literal('delete'),
    path: z.string(),
    isDirectory: z.boolean(),
    /** Number of files below it, counted up to 10,000; absent if unknown. */
    files: z.number().optional(),
    /** The text of a file that is not binary, or its beginning. */
    text: z.string().optional(),
    /** There is more text. */
    cut: z.boolean().optional(),
    /** Size and git status; absent if it is not on the disk. */
    touched: Touched.optional(),
    /** Whether undo restores it; absent if unknown. */
    undo: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('arguments'), json: z.string() }),
  /** The call asks the person, and their answer is its result. */
  z.object({ kind: z.literal('questions'), questions: Questions }),
  /** An MCP server asks the person during its call. `respond` answers with the fields as JSON, `reject` declines. */
  z.object({
    kind: z.literal('form'),
    server: z.string(),
    message: z.string(),
    fields: z.array(FormField),
    /** A page to open instead of a form. */
    url: z.string().nullable(),
    /** The call runs only after the page: `first` opens it, and with `finish` the person says that they have finished. */
    step: z.enum(['first', 'finish']).optional(),
    /** A field seems to be for a secret. */
    asksSecret: z.boolean(),
  }),
  /**
   * A command in a throwaway layer reached its time limit and keeps running. `wait` gives it the same time again, `reject`
   * stops it.
   */
  z.object({ kind: z.literal('timeout'), command: z.string(), seconds: z.number() }),
  /**
   * The call would fail in its current form (text not found, no such file). It is shown so that the person can reject or
   * edit it.
   */
  z.object({ kind: z.literal('problem'), message: z.string(), json: z.string() }),
]);
export type Preview = z.infer<typeof Preview>;

const DecisionType = z.enum([
  'approve',
  'edit',
  'reject',
  'respond',
  'keep',
  'discard',
  'run',
  'wait',
  'again',
]);

export const Approval = z.object({
  id: ApprovalId,
  threadId: ThreadId,
  callId: CallId,
  tool: z.string(),
  display: CallDisplay,
  args: z.record(z.string(), z.unknown()),
  preview: Preview,
  /** The command's outcome in its throwaway layer: the question is whether to keep it. */
  outcome: Outcome.optional(),
  /** Why it needs approval, the worst reason first. */
  reason: Reasons,
  risk: Risk,
  allowed: z.array(DecisionType),
  /** SHA-256 of tool, arguments and place: a decision covers exactly these. */
  digest: z.string(),
  /** Differences since the person was last asked about the call. */
  changed: z.array(ChangedSince).optional(),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Name of the sub-agent that asks; absent for the thread's main agent. */
  agent: z.string().optional(),
});
export type Approval = z.infer<typeof Approval>;

/** There is no default: any other decision is invalid and nothing runs. */
export const Decision = z.discriminatedUnion('type', [
  z.object({ type: z.literal('approve') }),
  z.object({ type: z.literal('edit'), args: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal('reject'), message: z.string().max(20_000).optional() }),
  z.object({ type: z.literal('respond'), text: z.string().max(200_000) }),
  ...outcomeDecisions,
]);
export type Decision = z.infer<typeof Decision>;
