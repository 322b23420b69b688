import { z } from 'zod';
import { Approval } from './approvals';
import { Attachments } from './attachments';
import { AutoApproval } from './control';
import { CallId, MessageId, ProjectId, RoutineId, TerminalId, ThreadId, TurnId } from './ids';
import { RehearsedCall } from './outcome';
import { AppError } from './result';
import { Reasons } from './shared/reasons';
import { SandboxedCall } from './shared/sandbox';
import { Todo } from './shared/todo';
import { CallDisplay, ToolDisplay } from './shared/tool-display';
import { TokenUsage } from './usage';

/** Milliseconds since 1970. */
const Instant = z.number();

/**
 * `pending`: named by the model, not yet judged; `waiting`: for the person's decision; then `running`; then one of the four
 * final states. `cancelled`: stopped or cut off before it finished.
 */
export const ToolCallStatus = z.enum([
  'pending',
  'waiting',
  'running',
  'done',
  'failed',
  'rejected',
  'cancelled',
]);
export type ToolCallStatus = z.infer<typeof ToolCallStatus>;

/** A call's write under /memories/, which the person can undo. */
export const MemoryChange = z.object({
  path: z.string(),
  change: z.enum(['created', 'changed', 'deleted']),
  undone: z.boolean(),
});
export type MemoryChange = z.infer<typeof MemoryChange>;

/** An image, audio, video or document in the result of a call. */
export const CallMedia = z.object({
  /** SHA-256 of an image that the window can show through `thread.media`; null if only its name is known. */
  id: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  kind: z.enum(['image', 'audio', 'video', 'file']),
  mimeType: z.string(),
  name: z.string().optional(),
  bytes: z.number(),
  /** Pixels. */
  width: z.number().optional(),
  height: z.number().optional(),
  /** Why an image has no id. */
  refused: z.literal('too_large').optional(),
});
export type CallMedia = z.infer<typeof CallMedia>;

/** How far a running call is, as its server reports it. */
export const CallProgress = z.object({
  done: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});
export type CallProgress = z.infer<typeof CallProgress>;

export const ToolCall = z.object({
  callId: CallId,
  name: z.string(),
  display: CallDisplay,
  args: z.record(z.string(), z.unknown()),
  status: ToolCallStatus,
  startedAt: Instant.optional(),
  durationMs: z.number().optional(),
  /** The result for the model, cut for display; the model may have received more. */
  result: z.string().optional(),
  exitCode: z.number().nullable().optional(),
  /** For a running call. */
  progress: CallProgress.optional(),
  terminalId: TerminalId.optional(),
  memory: MemoryChange.optional(),
  media: z.array(CallMedia).optional(),
  /** The thread's file with the full result, if it was too large for the model. */
  savedAt: z.string().optional(),
  /** What it changed is a file of the thread, in no folder, whatever its path looks like. */
  scratch: z.literal(true).optional(),
  /** Why the rules or a file's state kept it from running. Absent in calls from older versions. */
  refused: Reasons.optional(),
  /** Why it failed after it started, if its tool tells. Otherwise only the result does. */
  failure: Reasons.optional(),
  /** It reached outside the conversation and ran without asking. */
  unasked: AutoApproval.optional(),
  /** Numbers of the secrets that were redacted from its result. */
  withheld: z.array(z.number()).optional(),
  /** A command that ran in the sandbox, and the accesses it was refused. */
  sandbox: SandboxedCall.optional(),
  /** A command that first ran in a throwaway layer, and the result. */
  rehearsal: RehearsedCall.optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** It comes from a file of somebody's thread. */
const imported = z.literal(true).optional();

export const UserMessage = z.object({
  role: z.literal('user'),
  id: MessageId,
  at: Instant,
  text: z.string(),
  /** Attachments to the text. */
  attachments: Attachments.optional(),
  /** Compaction keeps it verbatim, as the person wants. */
  pinned: z.boolean().optional(),
  /** The agent got it during a turn; it started none. */
  duringTurn: z.literal(true).optional(),
  imported,
});
export type UserMessage = z.infer<typeof UserMessage>;

export const AgentMessage = z.object({
  role: z.literal('agent'),
  id: MessageId,
  at: Instant,
  text: z.string(),
  /** The model's reasoning, if it returns any. */
  reasoning: z.string(),
  calls: z.array(ToolCall),
  /** `cut`: the stream stopped before the end of the answer. The received part is kept, and none of its calls ran. */
  phase: z.enum(['streaming', 'done', 'cut']),
  /** The `task` call whose sub-agent wrote this; absent for the thread's main agent. */
  parentCallId: CallId.optional(),
  /** The id of the same message in the agent's state; absent in older conversations. */
  graphId: z.string().optional(),
  /** Compaction keeps it verbatim, as the person wants. */
  pinned: z.boolean().optional(),
  /** Tokens of the request that this message answers. */
  usage: TokenUsage.optional(),
  /** Null if the model's price is unknown. */
  costMicroDollars: z.number().nullable().optional(),
  /** `provider:name` of the model that answered, possibly a fallback. */
  model: z.string().optional(),
  imported,
});
export type AgentMessage = z.infer<typeof AgentMessage>;

/** A message from Deepdesk in the conversation; the model never sees it. */
export const Notice = z.object({
  role: z.literal('notice'),
  id: MessageId,
  at: Instant,
  error: AppError,
  /**
   * Actions for the person: `retry` asks the model again, `continue` resumes an interrupted turn, `key` opens the key entry,
   * `ceiling` and `price` open their settings, `budget` opens the routine of this run. Empty: information only.
   */
  actions: z.array(z.enum(['retry', 'continue', 'key', 'ceiling', 'price', 'budget'])),
});
export type Notice = z.infer<typeof Notice>;

/** A summary replaced older messages for the model. They all stay in the conversation. */
export const Compaction = z.object({
  role: z.literal('compaction'),
  id: MessageId,
  at: Instant,
  /** Number of messages in the agent's state that this compaction replaced, in addition to those of earlier ones. */
  messages: z.number(),
  /** Estimated tokens of the request before and after. */
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  /** File with the full messages; null if it could not be written. */
  archive: z.string().nullable(),
  summary: z.string(),
  cause: z.enum(['budget', 'overflow', 'person', 'agent']),
  /** The person undid it: the model sees the replaced messages again, as far as they fit. */
  undone: z.boolean(),
  /** Start of the remaining messages in the agent's state, by index and by id. */
  keptFrom: z.number(),
  keptFromId: z.string().optional(),
  /** Number of messages in that state at that time. */
  total: z.number(),
  /** The `task` call whose sub-agent's conversation was compacted. */
  parentCallId: CallId.optional(),
});
export type Compaction = z.infer<typeof Compaction>;

export const Message = z.discriminatedUnion('role', [UserMessage, AgentMessage, Notice, Compaction]);
export type Message = z.infer<typeof Message>;

export const QueuedMessage = z.object({
  id: MessageId,
  text: z.string(),
  attachments: Attachments.optional(),
  at: Instant,
  /** `next_step`: sent to the agent before its next model request; `after_turn`: starts a new turn. */
  when: z.enum(['next_step', 'after_turn']).default('next_step'),
  /** The person stopped the agent: it stays queued until they send it. */
  kept: z.literal(true).optional(),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

/** Tokens of the whole thread as reported by the provider; zero if it reports none. */
export const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Input tokens of the last request, that is, how full the context is. */
  contextTokens: z.number(),
  /** The parts of `inputTokens` that were read from the provider's cache and written to it. */
  cacheReadTokens: z.number().optional(),
  cacheWriteTokens: z.number().optional(),
  /** The part of `outputTokens` that was reasoning. */
  reasoningTokens: z.number().optional(),
  /** Cost of the thread so far, including sub-agents; excludes models without a known price. */
  costMicroDollars: z.number().optional(),
  /** Requests in the thread without a known price. */
  unpricedRequests: z.number().optional(),
  /** The part of these totals for the current or last turn. */
  turn: z
    .object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheReadTokens: z.number(),
      costMicroDollars: z.number(),
      unpricedRequests: z.number(),
    })
    .optional(),
});
export type Usage = z.infer<typeof Usage>;

/** A retry at `until` after attempt number `attempt` (from 1) failed with `error`. */
export const Retry = z.object({ attempt: z.number(), until: Instant, error: AppError });
export type Retry = z.infer<typeof Retry>;

/** What the model writes while the arguments of a call arrive. */
export const Writing = z.object({
  display: ToolDisplay,
  /** Null as long as it is not known. */
  path: z.string().nullable(),
  /** Number of line ends so far. */
  lines: z.number(),
});
export type Writing = z.infer<typeof Writing>;

export const Turn = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('idle') }),
  z.object({
    phase: z.literal('running'),
    turnId: TurnId,
    startedAt: Instant,
    /** Current activity, if it is neither an answer nor a call. */
    detail: z.enum(['compacting']).optional(),
    /** A request was temporarily refused and will be sent again. */
    retry: Retry.optional(),
    writing: Writing.optional().catch(undefined),
  }),
  z.object({ phase: z.literal('waiting'), turnId: TurnId, startedAt: Instant }),
  z.object({ phase: z.literal('failed'), turnId: TurnId, error: AppError }),
  /** Deepdesk exited during this turn; the person may continue it. */
  z.object({ phase: z.literal('interrupted'), turnId: TurnId }),
]);
export type Turn = z.infer<typeof Turn>;

export const ThreadOrigin = z.object({
  threadId: ThreadId,
  /** The other thread's title at that time. */
  title: z.string(),
  /** The last copied message; null if none was copied. */
  lastMessageId: MessageId.nullable(),
});
export type ThreadOrigin = z.infer<typeof ThreadOrigin>;

/** The routine that a thread is a run of, with its name at that time. */
export const ThreadRoutine = z.object({ id: RoutineId, name: z.string() });

export const ThreadInfo = z.object({
  id: ThreadId,
  projectId: ProjectId,
  title: z.string(),
  /** `provider:name` */
  model: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
  /** The thread that it was created from, which stays unchanged. */
  origin: ThreadOrigin.optional(),
  /** The thread is a run of this routine. */
  routine: ThreadRoutine.optional(),
});
export type ThreadInfo = z.infer<typeof ThreadInfo>;

/** Everything that a window shows of one thread. */
export const ThreadState = z.object({
  thread: ThreadInfo,
  messages: z.array(Message),
  /** Number of earlier messages that this state leaves out. Absent: none. */
  earlier: z.number().int().positive().optional(),
  approvals: z.array(Approval),
  todos: z.array(Todo),
  queue: z.array(QueuedMessage),
  usage: Usage,
  turn: Turn,
  /** Number of the last event in this state. */
  seq: z.number().int().nonnegative(),
});
export type ThreadState = z.infer<typeof ThreadState>;
