import { z } from 'zod';
import { CallId, MessageId, ThreadId } from './ids';

/**
 * What stood at a path at some moment. `hash` names the kept content; null where it is not kept (too large, over the
 * budget, seen too late), and then `mark` tells one such file from another.
 */
export const FileState = z.discriminatedUnion('type', [
  z.object({ type: z.literal('absent') }),
  z.object({
    type: z.literal('file'),
    hash: z.string().nullable(),
    /** Bytes. */
    size: z.number(),
    /** Permission bits. */
    mode: z.number(),
    mark: z.string().optional(),
  }),
  z.object({ type: z.literal('link'), target: z.string() }),
  z.object({ type: z.literal('dir'), mode: z.number() }),
]);
export type FileState = z.infer<typeof FileState>;

/** Whether nothing differs that is kept. */
export function sameState(a: FileState, b: FileState): boolean {
  if (a.type === 'file' && b.type === 'file') {
    if (a.hash === null || b.hash === null)
      return a.hash === b.hash && a.mark === b.mark && a.mode === b.mode;
    return a.hash === b.hash && a.mode === b.mode;
  }
  if (a.type === 'link' && b.type === 'link') return a.target === b.target;
  if (a.type === 'dir' && b.type === 'dir') return a.mode === b.mode;
  return a.type === b.type;
}

/** Who made a change. `unclear`: a call was cut off, or a job went on in the background, so it may have been the person. */
export const ChangeAuthor = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('agent'),
    threadId: ThreadId,
    callId: CallId,
    /** Null for the thread's own agent, else the sub-agent's name. */
    agent: z.string().nullable(),
    tool: z.string(),
    /** The beginning of an `execute` call's command. */
    command: z.string().optional(),
    /** Another command ran at the same time and may have made it. */
    shared: z.boolean().optional(),
  }),
  z.object({ by: z.literal('person') }),
  z.object({ by: z.literal('unclear'), threadId: ThreadId, callId: CallId, command: z.string().optional() }),
  z.object({ by: z.literal('revert'), threadId: ThreadId, revertId: z.string() }),
]);
export type ChangeAuthor = z.infer<typeof ChangeAuthor>;

/** One file of the list of what a thread changed: from before its first change to now. */
export const ChangedFile = z.object({
  /** Relative to the folder, with `/`. */
  path: z.string(),
  change: z.enum(['added', 'changed', 'removed', 'mode']),
  /** Lines; null where they are not compared: binary, too large, or not kept. */
  added: z.number().nullable(),
  removed: z.number().nullable(),
  /** Why it cannot be undone: its earlier content is not kept. */
  lost: z.boolean(),
  /** Somebody else changed it too, after the thread did. */
  others: z.boolean(),
  at: z.number(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const ChangeStep = z.object({
  at: z.number(),
  author: ChangeAuthor,
  change: z.enum(['added', 'changed', 'removed', 'mode']),
});
export type ChangeStep = z.infer<typeof ChangeStep>;

/** Only what came after this message of the thread; absent: all that the thread changed. */
const Since = MessageId.optional();

/** What is undone. `message`: everything that came after the message. */
export const RevertScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('thread') }),
  z.strictObject({ kind: z.literal('message'), messageId: MessageId }),
  z.strictObject({ kind: z.literal('call'), callId: CallId }),
  z.strictObject({ kind: z.literal('file'), path: z.string().min(1).max(8_192), since: Since }),
  z.strictObject({
    kind: z.literal('hunk'),
    path: z.string().min(1).max(8_192),
    since: Since,
    /** 0-based, in the diff that was shown. */
    hunk: z.number().int().nonnegative(),
    /** Of that diff: `stale` when the file is another by now. */
    digest: z.string().max(200),
  }),
  /** What a revert did: undoes it. */
  z.strictObject({ kind: z.literal('revert'), revertId: z.string().min(1).max(200) }),
]);
export type RevertScope = z.infer<typeof RevertScope>;

export const RevertConflict = z.object({
  path: z.string(),
  /** `others`: somebody changed it since; `lost`: the earlier content is not kept; `failed`: the system said no. */
  reason: z.enum(['others', 'lost', 'failed']),
  /** Who changed it since, where that is the reason. */
  author: ChangeAuthor.optional(),
  detail: z.string().optional(),
});
export type RevertConflict = z.infer<typeof RevertConflict>;

export const RevertOutcome = z.discriminatedUnion('status', [
  /** Nothing was done: the person has to say whether the changes of others may go too. */
  z.object({ status: z.literal('asks'), conflicts: z.array(RevertConflict), files: z.number() }),
  z.object({
    status: z.literal('done'),
    /** For undoing it; null where there was nothing to do. */
    revertId: z.string().nullable(),
    files: z.number(),
    /** What was left as it is. */
    conflicts: z.array(RevertConflict),
  }),
]);
export type RevertOutcome = z.infer<typeof RevertOutcome>;
