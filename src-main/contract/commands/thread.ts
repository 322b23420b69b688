import { z } from 'zod';
import { SinceSeen } from '../activity';
import { ThreadSummary } from '../app';
import { Decision } from '../approvals';
import { Attachments } from '../attachments';
import { command, done, ModelName } from '../command';
import { Message, ThreadState } from '../conversation';
import { ApprovalId, CallId, MessageId, ProjectId, ThreadId, TurnId } from '../ids';
import { InspectedRequest } from '../inspect';
import { MAX_MESSAGE_LENGTH, MAX_QUERY } from '../limits';
import { SecretsInMessage } from '../secrets';
import { isVisibleName } from '../shared/shown-name';

/** File formats of an exported thread. */
export const ExportFormat = z.enum(['markdown', 'html', 'json']);
export type ExportFormat = z.infer<typeof ExportFormat>;

const MessageText = z.string().min(1).max(MAX_MESSAGE_LENGTH);

/** Threads: their list, their messages, and the agent's work in them. */
export const threadCommands = {
  'thread.create': command(
    z.strictObject({ projectId: ProjectId, model: ModelName.optional() }),
    ThreadSummary,
  ),
  /**
   * The thread's state. From now on, this connection receives its events. With `last`, includes only that many messages from
   * the end; `thread.earlier` returns the others.
   */
  'thread.open': command(
    z.strictObject({ threadId: ThreadId, last: z.number().int().positive().max(100_000).optional() }),
    ThreadState,
  ),
  'thread.close': command(z.strictObject({ threadId: ThreadId }), done),
  'thread.rename': command(
    z.strictObject({ threadId: ThreadId, title: z.string().trim().max(200).refine(isVisibleName) }),
    done,
  ),
  'thread.delete': command(z.strictObject({ threadId: ThreadId }), done),
  /** Restores a recently deleted thread. */
  'thread.restore': command(z.strictObject({ threadId: ThreadId }), ThreadSummary),
  'thread.setModel': command(z.strictObject({ threadId: ThreadId, model: ModelName }), done),
  /**
   * Starts a turn. While one is running or waiting, queues the message for the agent's next step unless specified otherwise.
   * With attachments, the text may be empty. `not_found` if one of them is no longer stored.
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
  /** Changes the text or time of a queued message. `not_found` if it has been sent. */
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
  /** Moves a queued message to position `to` (0-based); those for the next step stay before the others. */
  'thread.moveQueued': command(
    z.strictObject({ threadId: ThreadId, messageId: MessageId, to: z.number().int().nonnegative() }),
    done,
  ),
  /** Stops the running turn, keeps its results, and sends this message first. */
  'thread.sendQueued': command(z.strictObject({ threadId: ThreadId, messageId: MessageId }), done),
  /** Sends the messages that a stop kept. */
  'thread.sendKept': command(z.strictObject({ threadId: ThreadId }), done),
  /**
   * Creates a thread with the history up to a message. A message of the person is left out, and returned as `draft` or, with
   * `text`, sent in changed form. A message of the agent is included with the results of its calls. The other thread stays
   * as it is, and no file or memory is reverted. Attachments stay with the text.
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
  /** Stops the turn. Queued messages are kept until the person sends them. */
  'thread.stop': command(z.strictObject({ threadId: ThreadId }), done),
  /** Asks the model again after a failure, or continues an interrupted turn. */
  'thread.retry': command(z.strictObject({ threadId: ThreadId }), z.object({ turnId: TurnId })),
  /** Summarizes the older messages for the model now. Null: there is too little to summarize. */
  'thread.compact': command(
    z.strictObject({ threadId: ThreadId }),
    z.object({ tokensBefore: z.number(), tokensAfter: z.number() }).nullable(),
  ),
  /** Undoes the last compaction permanently. */
  'thread.undoCompaction': command(z.strictObject({ threadId: ThreadId, compactionId: MessageId }), done),
  /** Whether compaction keeps a message verbatim. */
  'thread.pin': command(
    z.strictObject({ threadId: ThreadId, messageId: MessageId, pinned: z.boolean() }),
    done,
  ),
  /** An image in a result, by its id. */
  'thread.media': command(
    z.strictObject({ threadId: ThreadId, mediaId: z.string().regex(/^[0-9a-f]{64}$/) }),
    z.object({ mimeType: z.string(), data: z.string() }),
  ),
  /** Stops one sub-agent; the others and the turn continue. */
  'thread.stopCall': command(z.strictObject({ threadId: ThreadId, callId: CallId }), done),
  /** The last request of each agent in the thread since Deepdesk started, the main agent first. */
  'thread.inspect': command(
    z.strictObject({ threadId: ThreadId }),
    z.object({ requests: z.array(InspectedRequest) }),
  ),
  /** One decision on one waiting call. `digest` must match the displayed one. */
  'thread.decide': command(
    z.strictObject({ threadId: ThreadId, approvalId: ApprovalId, digest: z.string(), decision: Decision }),
    done,
  ),
  /** The person sees the thread's state at event `seq`. */
  'thread.seen': command(z.strictObject({ threadId: ThreadId, seq: z.number().int().nonnegative() }), done),
  /** Events since the thread was last seen; null if there are none. */
  'thread.since': command(z.strictObject({ threadId: ThreadId }), SinceSeen.nullable()),
  /**
   * Up to `limit` messages before one, oldest first, or all from `from` on if given. `earlier`: how many come before them.
   * `seq`: the last event that they include.
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
  /** Messages of a thread that contain the text, ignoring case, in order, with the number of matches. */
  'thread.find': command(
    z.strictObject({ threadId: ThreadId, text: z.string().min(1).max(MAX_QUERY) }),
    z.object({ matches: z.array(z.object({ messageId: MessageId, count: z.number() })) }),
  ),
  /** Asks the person for a file and writes the thread to it. Null if they cancel. */
  'thread.export': command(
    z.strictObject({ threadId: ThreadId, format: ExportFormat }),
    z.object({ path: z.string().nullable() }),
  ),
  /** Asks the person for a JSON file from `thread.export` and creates a thread from it. Runs nothing. */
  'thread.import': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({ thread: ThreadSummary.nullable() }),
  ),
  /** Pins or unpins a thread, archives or restores it. Absent fields stay unchanged. */
  'thread.mark': command(
    z.strictObject({ threadId: ThreadId, pinned: z.boolean().optional(), archived: z.boolean().optional() }),
    ThreadSummary,
  ),
  /** Creates a copy of a whole thread, which stays as it is. Sends nothing. */
  'thread.duplicate': command(z.strictObject({ threadId: ThreadId }), ThreadSummary),
} as const;
