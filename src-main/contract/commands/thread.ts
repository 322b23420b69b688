import { z } from 'zod';
import { SinceSeen } from '../activity';
import { ThreadSummary } from '../app';
import { Attachments } from '../attachments';
import { command, done, ModelName } from '../command';
import { Decision, Message, ThreadState } from '../conversation';
import { ApprovalId, CallId, MessageId, ProjectId, ThreadId, TurnId } from '../ids';
import { InspectedRequest } from '../inspect';
import { MAX_MESSAGE_LENGTH, MAX_QUERY } from '../limits';
import { SecretsInMessage } from '../secrets';

/** What a file is that a thread is written to. */
export const ExportFormat = z.enum(['markdown', 'html', 'json']);
export type ExportFormat = z.infer<typeof ExportFormat>;

const MessageText = z.string().min(1).max(MAX_MESSAGE_LENGTH);

/** Threads: the list of them, their messages, what the agent does in them. */
export const threadCommands = {
  'thread.create': command(
    z.strictObject({ projectId: ProjectId, model: ModelName.optional() }),
    ThreadSummary,
  ),
  /**
   * The thread's state; from now on this connection gets its events. With `last`, only so many messages from its end:
   * the others are asked for by `thread.earlier`.
   */
  'thread.open': command(
    z.strictObject({ threadId: ThreadId, last: z.number().int().positive().max(100_000).optional() }),
    ThreadState,
  ),
  'thread.close': command(z.strictObject({ threadId: ThreadId }), done),
  'thread.rename': command(z.strictObject({ threadId: ThreadId, title: z.string().min(1).max(200) }), done),
  'thread.delete': command(z.strictObject({ threadId: ThreadId }), done),
  /** Deletes can be undone for a while. */
  'thread.restore': command(z.strictObject({ threadId: ThreadId }), ThreadSummary),
  'thread.setModel': command(z.strictObject({ threadId: ThreadId, model: ModelName }), done),
  /**
   * Starts a turn, or queues the message while one runs or waits: for the agent's next step unless said otherwise. With
   * attachments it needs no words. `not_found` where one of them is not kept any more.
   */
  'thread.send': command(
    z.strictObject({
      threadId: ThreadId,
      text: z.string().max(MAX_MESSAGE_LENGTH),
      attachments: Attachments.optional(),
      when: z.enum(['next_step', 'after_turn']).optional(),
      secrets: SecretsInMessage.optional(),
    }),
    z.object({ turnId: TurnId.nullable(), queued: z.boolean() }),
  ),
  'thread.withdraw': command(
    z.strictObject({ threadId: ThreadId, messageId: MessageId }),
    z.object({ text: z.string(), attachments: Attachments.optional() }),
  ),
  /** Other words for a queued message, or another time. `not_found` where it was sent meanwhile. */
  'thread.changeQueued': command(
    z.strictObject({
      threadId: ThreadId,
      messageId: MessageId,
      text: MessageText.optional(),
      when: z.enum(['next_step', 'after_turn']).optional(),
      secrets: SecretsInMessage.optional(),
    }),
    done,
  ),
  /** Puts a queued message at place `to` (0-based) of the queue; those for the next step stay before the others. */
  'thread.moveQueued': command(
    z.strictObject({ threadId: ThreadId, messageId: MessageId, to: z.number().int().nonnegative() }),
    done,
  ),
  /** Stops what runs, keeping what it has done, and sends this message first. */
  'thread.sendQueued': command(z.strictObject({ threadId: ThreadId, messageId: MessageId }), done),
  /**
   * A new thread with the history up to a message: what the person said is left out, and answered as `draft` or, with
   * `text`, sent in other words; what the agent said is in it, with the results of its calls. The other thread stays as
   * it is. Nothing that was done to files or memories is undone. What was attached stays with the words.
   */
  'thread.fork': command(
    z.strictObject({
      threadId: ThreadId,
      messageId: MessageId,
      text: z.string().max(MAX_MESSAGE_LENGTH).optional(),
      secrets: SecretsInMessage.optional(),
    }),
    z.object({ thread: ThreadSummary, draft: z.string(), attachments: Attachments.optional() }),
  ),
  'thread.stop': command(z.strictObject({ threadId: ThreadId }), done),
  /** Asks the model again after a failure, or continues an interrupted turn. */
  'thread.retry': command(z.strictObject({ threadId: ThreadId }), z.object({ turnId: TurnId })),
  /** Summarises the older messages for the model, now. Null: there is nothing that is worth it. */
  'thread.compact': command(
    z.strictObject({ threadId: ThreadId }),
    z.object({ tokensBefore: z.number(), tokensAfter: z.number() }).nullable(),
  ),
  /** Takes the last compaction back; one that was undone stays so. */
  'thread.undoCompaction': command(z.strictObject({ threadId: ThreadId, compactionId: MessageId }), done),
  /** Whether a message is kept word for word when the thread is compacted. */
  'thread.pin': command(
    z.strictObject({ threadId: ThreadId, messageId: MessageId, pinned: z.boolean() }),
    done,
  ),
  /** A picture of a result, by its id there. */
  'thread.media': command(
    z.strictObject({ threadId: ThreadId, mediaId: z.string().regex(/^[0-9a-f]{64}$/) }),
    z.object({ mimeType: z.string(), data: z.string() }),
  ),
  /** Stops one sub-agent; the others and the turn go on. */
  'thread.stopCall': command(z.strictObject({ threadId: ThreadId, callId: CallId }), done),
  /** The last request of each of the thread's agents since Deepdesk was started, the thread's own first. */
  'thread.inspect': command(
    z.strictObject({ threadId: ThreadId }),
    z.object({ requests: z.array(InspectedRequest) }),
  ),
  /** One decision on one waiting call. `digest` must be the one that was shown. */
  'thread.decide': command(
    z.strictObject({ threadId: ThreadId, approvalId: ApprovalId, digest: z.string(), decision: Decision }),
    done,
  ),
  /** The person has the thread before them, as it is at event `seq`. */
  'thread.seen': command(z.strictObject({ threadId: ThreadId, seq: z.number().int().nonnegative() }), done),
  /** What happened since it was last seen; null where nothing did. */
  'thread.since': command(z.strictObject({ threadId: ThreadId }), SinceSeen.nullable()),
  /**
   * Up to `limit` messages before one, oldest first, or all from `from` on where that is named. `earlier`: how many
   * stand before them still. `seq`: the last event that is in them.
   */
  'thread.earlier': command(
    z.strictObject({
      threadId: ThreadId,
      before: MessageId,
      limit: z.number().int().positive().max(100_000),
      from: MessageId.optional(),
    }),
    z.object({ messages: z.array(Message), earlier: z.number(), seq: z.number() }),
  ),
  /** Messages of a thread in which the text stands, ignoring case, in order, and how often. */
  'thread.find': command(
    z.strictObject({ threadId: ThreadId, text: z.string().min(1).max(MAX_QUERY) }),
    z.object({ matches: z.array(z.object({ messageId: MessageId, count: z.number() })) }),
  ),
  /** Asks the person for a file and writes the thread to it. Null: they cancelled. */
  'thread.export': command(
    z.strictObject({ threadId: ThreadId, format: ExportFormat }),
    z.object({ path: z.string().nullable() }),
  ),
  /** Asks the person for a file that `thread.export` wrote as JSON, and makes a new thread of it. Nothing of it runs. */
  'thread.import': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({ thread: ThreadSummary.nullable() }),
  ),
  /** Pins a thread or lets it go, archives it or brings it back; what is not given stays. */
  'thread.mark': command(
    z.strictObject({ threadId: ThreadId, pinned: z.boolean().optional(), archived: z.boolean().optional() }),
    ThreadSummary,
  ),
  /** A new thread with all of another one, which stays as it is. Nothing is sent. */
  'thread.duplicate': command(z.strictObject({ threadId: ThreadId }), ThreadSummary),
} as const;
