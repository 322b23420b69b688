import { z } from 'zod';
import { CallId, MessageId, ThreadId } from './ids';

/**
 * The state of a path at some moment. `hash` identifies the stored content. It is null if the content is not stored (too
 * large, over the budget, or seen too late); then `mark` distinguishes such files.
 */
export const FileState = z.discriminatedUnion('type', [
  /** `unseen`: a file that appeared then is older. It was somewhere that is not kept, so removing it would lose it. */
  z.object({ type: z.literal('absent'), unseen: z.literal(true).optional() }),
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

/** The state of a path that cannot be read now, as in a place that does not answer. It differs from every recorded one. */
export const UNREACHABLE: FileState = { type: 'file', hash: null, size: 0, mode: 0, mark: 'unreachable' };

/** Whether all stored fields are equal. */
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

/** Whether a path cannot be brought back into this state, because the content of its file was not kept. */
export const isLost = (state: FileState): boolean =>
  state.type === 'file' ? state.hash === null : state.type === 'absent' && state.unseen === true;

/** Whether a folder only appears, disappears or gets another mode: no file or link is on either side. */
export function isFolderChange(before: FileState, after: FileState): boolean {
  const hasNoFile = ({ type }: FileState) => type === 'dir' || type === 'absent';
  return hasNoFile(before) && hasNoFile(after);
}

/** UTF-16 units of a command that are stored with its changes. */
export const COMMAND_KEPT = 200;

/**
 * The author of a change. `unclear`: a call was cut off or a job continued in the background, so it may have been the
 * person.
 */
export const ChangeAuthor = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('agent'),
    threadId: ThreadId,
    callId: CallId,
    /** Null for the thread's main agent, otherwise the sub-agent's name. */
    agent: z.string().nullable(),
    tool: z.string(),
    /** The first `COMMAND_KEPT` UTF-16 units of an `execute` call's command. */
    command: z.string().optional(),
    /** Another command ran at the same time and may have made the change. */
    shared: z.boolean().optional(),
    /** Neither the person nor a rule of theirs allowed it: git ignores the file, or the mode was "Auto in the sandbox". */
    autoApproved: z.literal(true).optional(),
  }),
  z.object({ by: z.literal('person') }),
  z.object({ by: z.literal('unclear'), threadId: ThreadId, callId: CallId, command: z.string().optional() }),
  z.object({ by: z.literal('revert'), threadId: ThreadId, revertId: z.string() }),
]);
export type ChangeAuthor = z.infer<typeof ChangeAuthor>;

/** One file changed by a thread: from before its first change until now. */
export const ChangedFile = z.object({
  /** Relative to the folder, with `/`. */
  path: z.string(),
  change: z.enum(['added', 'changed', 'removed', 'mode']),
  /** Lines; null if not compared because the file is binary, too large, or not stored. */
  added: z.number().nullable(),
  removed: z.number().nullable(),
  /** It cannot be undone because its earlier content is not stored. */
  lost: z.boolean(),
  /**
   * Where a file without stored content was, or is now, if it was only moved. An undo of both paths together moves it back. Null for
   * any other.
   */
  moved: z.string().nullable(),
  /** Somebody else also changed it after the thread did. */
  others: z.boolean(),
  at: z.number(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** A file changed by one turn: from before its first change there to after its last. */
export const TurnFile = ChangedFile.pick({
  path: true,
  change: true,
  added: true,
  removed: true,
  lost: true,
}).extend({
  /** The revert that undid the change, if nothing changed the file since. */
  undone: z.string().nullable(),
});
export type TurnFile = z.infer<typeof TurnFile>;

export const ChangeStep = z.object({
  at: z.number(),
  author: ChangeAuthor,
  change: z.enum(['added', 'changed', 'removed', 'mode']),
});
export type ChangeStep = z.infer<typeof ChangeStep>;

/** Only changes after this message of the thread; absent: all its changes. */
const Since = MessageId.optional();

/** The changes to undo. `message`: everything after the message. */
export const RevertScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('thread') }),
  z.strictObject({ kind: z.literal('message'), messageId: MessageId }),
  /** What one turn changed, by the message of the person that started it. */
  z.strictObject({ kind: z.literal('turn'), messageId: MessageId }),
  z.strictObject({ kind: z.literal('call'), callId: CallId }),
  z.strictObject({ kind: z.literal('file'), path: z.string().min(1).max(8_192), since: Since }),
  z.strictObject({
    kind: z.literal('hunk'),
    path: z.string().min(1).max(8_192),
    since: Since,
    /** 0-based, in the displayed diff. */
    hunk: z.number().int().nonnegative(),
    /** Digest of that diff: `stale` if the file has changed since. */
    digest: z.string().max(200),
  }),
  /** Undoes an earlier revert. */
  z.strictObject({ kind: z.literal('revert'), revertId: z.string().min(1).max(200) }),
]);
export type RevertScope = z.infer<typeof RevertScope>;

export const RevertConflict = z.object({
  path: z.string(),
  /** `others`: somebody changed it since; `lost`: the earlier content is not stored; `failed`: a system error. */
  reason: z.enum(['others', 'lost', 'failed']),
  /** The author of that change, for `others`. */
  author: ChangeAuthor.optional(),
  detail: z.string().optional(),
});
export type RevertConflict = z.infer<typeof RevertConflict>;

export const RevertOutcome = z.discriminatedUnion('status', [
  /** Nothing was changed: the person must first agree to discard other people's changes. */
  z.object({ status: z.literal('asks'), conflicts: z.array(RevertConflict), files: z.number() }),
  z.object({
    status: z.literal('done'),
    /** Used to undo the revert; null if there was nothing to do. */
    revertId: z.string().nullable(),
    files: z.number(),
    /** Files that were left unchanged. */
    conflicts: z.array(RevertConflict),
  }),
]);
export type RevertOutcome = z.infer<typeof RevertOutcome>;
