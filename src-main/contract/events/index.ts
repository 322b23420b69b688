import { z } from 'zod';
import { AppSnapshot, ModelsState, Project, Settings, TerminalInfo, ThreadSummary } from '../app';
import { changesRecorded } from '../changes';
import { dataProgress } from '../commands/data';
import { shellEvents } from '../commands/menu';
import { Rule, Unasked } from '../control';
import {
  AgentMessage,
  Approval,
  CallMedia,
  Compaction,
  Decision,
  MemoryChange,
  Message,
  QueuedMessage,
  Retry,
  ThreadInfo,
  ToolCallStatus,
  Usage,
} from '../conversation';
import { ApprovalId, CallId, MessageId, ProjectId, TerminalId, ThreadId, TurnId } from '../ids';
import { AppError } from '../result';
import { SandboxedCall, SandboxState } from '../shared/sandbox';
import { Todo } from '../shared/todo';

const numbered = { threadId: ThreadId, seq: z.number().int().positive() };
const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...numbered, ...shape });

/** What happens in one thread, numbered from 1 without gaps. The headless command prints the same union. */
export const ThreadEvent = z.discriminatedUnion('type', [
  event('thread.changed', { thread: ThreadInfo }),
  event('turn.started', { turnId: TurnId, at: z.number() }),
  event('turn.waiting', { turnId: TurnId, at: z.number() }),
  event('turn.resumed', { turnId: TurnId, at: z.number() }),
  /** Exactly one for each turn.started. */
  event('turn.ended', {
    turnId: TurnId,
    at: z.number(),
    reason: z.enum(['finished', 'stopped', 'failed', 'interrupted']),
    error: AppError.optional(),
  }),
  event('message.added', { message: Message }),
  event('message.delta', { messageId: MessageId, text: z.string(), reasoning: z.string() }),
  event('message.ended', { message: AgentMessage }),
  event('message.removed', { messageId: MessageId }),
  /** The person wants the message kept word for word when the thread is compacted, or no longer. */
  event('message.pinned', { messageId: MessageId, pinned: z.boolean() }),
  /** Older messages are being summarised, or no longer. */
  event('turn.detail', { turnId: TurnId, detail: z.enum(['compacting']).nullable() }),
  /** A request waits to be sent again; null: it was, or no longer is. */
  event('turn.retrying', { turnId: TurnId, retry: Retry.nullable() }),
  event('compaction.added', { compaction: Compaction }),
  event('compaction.undone', { compactionId: MessageId }),
  event('tool.started', {
    callId: CallId,
    at: z.number(),
    terminalId: TerminalId.optional(),
    unasked: Unasked.optional(),
  }),
  event('tool.ended', {
    callId: CallId,
    status: ToolCallStatus,
    result: z.string(),
    durationMs: z.number(),
    exitCode: z.number().nullable().optional(),
    memory: MemoryChange.optional(),
    media: z.array(CallMedia).optional(),
    /** Numbers of the secrets that were withheld from the result. */
    withheld: z.array(z.number()).optional(),
  }),
  /** A command runs in the sandbox, or was refused something there. */
  event('tool.sandboxed', { callId: CallId, sandbox: SandboxedCall }),
  /** The result was too large for the model; the whole of it is in a file of the thread. */
  event('tool.saved', { callId: CallId, path: z.string() }),
  event('memory.undone', { callId: CallId }),
  event('approval.requested', { approval: Approval }),
  event('approval.decided', { approvalId: ApprovalId, callId: CallId, decision: Decision }),
  /** The question no longer stands: the turn was stopped or another message took its place. */
  event('approval.withdrawn', { approvalId: ApprovalId, callId: CallId }),
  event('todos.changed', { todos: z.array(Todo) }),
  event('queue.changed', { queue: z.array(QueuedMessage) }),
  event('usage.changed', { usage: Usage }),
]);
export type ThreadEvent = z.infer<typeof ThreadEvent>;

/** A thread event before the hub gives it its number. */
export type NewThreadEvent = ThreadEvent extends infer E
  ? E extends ThreadEvent
    ? Omit<E, 'seq' | 'threadId'>
    : never
  : never;

/** What happens to the app as a whole; every window gets all of them, except terminal.data (attached windows only). */
export const AppEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('project.changed'), project: Project }),
  z.object({ type: z.literal('project.removed'), projectId: ProjectId }),
  z.object({ type: z.literal('summary.changed'), summary: ThreadSummary }),
  z.object({ type: z.literal('thread.removed'), threadId: ThreadId }),
  z.object({ type: z.literal('settings.changed'), settings: Settings }),
  /** All of them, after one was saved or revoked. */
  z.object({ type: z.literal('rules.changed'), rules: z.array(Rule) }),
  /** Whether commands can be confined on this machine is known now. */
  z.object({ type: z.literal('sandbox.changed'), sandbox: SandboxState }),
  /** Something that the person should know of this run came up. */
  z.object({ type: z.literal('warning.added'), warning: AppSnapshot.shape.warnings.element }),
  z.object({ type: z.literal('models.changed'), models: ModelsState }),
  /** Directories (absolute) whose listing or files changed; `all` when too much happened to name. */
  z.object({
    type: z.literal('files.changed'),
    projectId: ProjectId,
    directories: z.array(z.string()),
    files: z.array(z.string()),
    all: z.boolean(),
  }),
  /** Scratch files of a thread (kept in its state) changed. */
  z.object({ type: z.literal('scratch.changed'), threadId: ThreadId }),
  /** Memories were written, deleted or brought back, all of them together. */
  z.object({ type: z.literal('memories.changed'), paths: z.array(z.string()) }),
  /** The state or the tools of an MCP server changed: of the person's (null) or of a project's. */
  z.object({ type: z.literal('mcp.changed'), projectId: ProjectId.nullable() }),
  z.object({ type: z.literal('terminal.changed'), terminal: TerminalInfo }),
  z.object({ type: z.literal('terminal.removed'), terminalId: TerminalId }),
  z.object({
    type: z.literal('terminal.data'),
    terminalId: TerminalId,
    /** UTF-16 units written before `data` since the terminal began. */
    offset: z.number(),
    data: z.string(),
  }),
  changesRecorded,
  /** A system notification or a menu asks the window to show a thread. */
  z.object({ type: z.literal('show.thread'), threadId: ThreadId }),
  /** The same for what waits for a decision; `approvalId`: that one first. */
  z.object({ type: z.literal('show.inbox'), approvalId: ApprovalId.nullable() }),
  /** How far copying or testing data is. */
  dataProgress,
  ...shellEvents,
]);
export type AppEvent = z.infer<typeof AppEvent>;

export const HostEvent = z.union([ThreadEvent, AppEvent]);
export type HostEvent = ThreadEvent | AppEvent;
