import { z } from 'zod';
import { Reason } from './shared/reasons';

const HookEvent = z.enum(['before_tool', 'after_tool', 'turn_end']);

/** What a hook's last run came to. */
export const HookResult = z.object({
  at: z.number(),
  outcome: z.enum(['ran', 'denied', 'failed']),
  /** Why it failed, or its reason for denying a call. */
  why: Reason.nullable(),
  durationMs: z.number(),
});
export type HookResult = z.infer<typeof HookResult>;

export const HookInfo = z.object({
  name: z.string(),
  event: HookEvent,
  /** Empty: all. The same for the next two. */
  tools: z.array(z.string()),
  paths: z.array(z.string()),
  commands: z.array(z.string()),
  command: z.string(),
  timeoutSeconds: z.number(),
  onError: z.enum(['deny', 'continue']),
  /** Null: it has not run since Deepdesk started. */
  last: HookResult.nullable(),
});
export type HookInfo = z.infer<typeof HookInfo>;

/** The hooks of a project. */
export const HooksState = z.object({
  /** `consent`: the person has not allowed exactly this content. `off`: they turned the hooks off. */
  phase: z.enum(['none', 'invalid', 'consent', 'off', 'on']),
  /** The file, in the system's form. */
  source: z.string(),
  /** Why the file cannot be used. */
  why: Reason.nullable(),
  /** The whole file, as a consent must show it. */
  text: z.string(),
  /** Files of the project that the commands run. A consent covers their content, too. */
  scripts: z.array(z.string()),
  /** The exact content that a consent covers. */
  digest: z.string(),
  hooks: z.array(HookInfo),
});
export type HooksState = z.infer<typeof HooksState>;
