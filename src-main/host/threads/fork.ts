import { randomUUID } from 'node:crypto';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { CheckpointTuple } from '@langchain/langgraph';
import type { Attachment } from '../../contract/attachments';
import type { Message, QueuedMessage, ThreadInfo, ThreadState } from '../../contract/conversation';
import { type MessageId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Todo } from '../../contract/shared/todo';
import { closeOpenCalls } from '../../contract/thread';
import type { FileData, FilesUpdate } from '../../harness';
import { patchToolCalls } from '../../harness/agent/middleware/patch-tool-calls';
import { fileDataReducer } from '../../harness/backends';
import { TOOLS } from '../../harness/tools/catalogue';
import type { Storage } from '../../storage';
import { copyFiles } from './copy-files';
import type { StoredResult } from './journal';
import { newMessageId } from './new-ids';

/** The position at which a thread is forked. */
interface ForkPoint {
  /** What the new thread shows. */
  kept: Message[];
  /** The thread's own messages after it, oldest first. */
  left: Message[];
  /** The person's text at the fork point, if that is one of their messages. */
  draft: string;
  /** The attachments of that message. */
  attachments: Attachment[];
}

const isNested = (message: Message) =>
  (message.role === 'agent' || message.role === 'compaction') && message.parentCallId !== undefined;

/**
 * Before a message of the person, after one of the agent; null: at the end. Errors: `not_found`; `invalid` for messages of a
 * sub-agent and notices of Deepdesk.
 */
function forkPoint(messages: readonly Message[], id: MessageId | null): Result<ForkPoint> {
  if (id === null) {
    const all = new Set(messages.filter((one) => !isNested(one)));
    return ok({ kept: keptOf(messages, all), left: [], draft: '', attachments: [] });
  }
  const at = messages.findIndex((message) => message.id === id);
  const message = messages[at];
  if (message === undefined) return fail('not_found', 'message_gone');
  if (isNested(message) || (message.role !== 'user' && message.role !== 'agent'))
    return fail('invalid', 'fork_from_message');
  const isUser = message.role === 'user';
  const own = messages.filter((one) => !isNested(one));
  const cut = own.indexOf(message) + (isUser ? 0 : 1);
  return ok({
    kept: keptOf(messages, new Set(own.slice(0, cut))),
    left: own.slice(cut),
    draft: isUser ? message.text : '',
    attachments: isUser ? (message.attachments ?? []) : [],
  });
}

/** The thread's own messages that stay, with those of the sub-agents of their calls, all idle. */
function keptOf(messages: readonly Message[], own: ReadonlySet<Message>): Message[] {
  const calls = new Set<string>();
  const kept: Message[] = [];
  for (const message of messages) {
    const parent = isNested(message) && 'parentCallId' in message ? message.parentCallId : undefined;
    if (parent === undefined ? !own.has(message) : !calls.has(parent)) continue;
    // Deepdesk's notices were about the original thread.
    if (message.role === 'notice') continue;
    if (message.role === 'agent') for (const { callId } of message.calls) calls.add(callId);
    kept.push(atRest(message));
  }
  return kept;
}

/** Nothing runs, and memory changes can be undone only in the original thread. */
function atRest(message: Message): Message {
  const closed = closeOpenCalls(message);
  if (closed.role !== 'agent' || !closed.calls.some((call) => call.memory !== undefined)) return closed;
  return { ...closed, calls: closed.calls.map(({ memory: _, ...call }) => call) };
}

/** The plan after these messages. */
function todosAfter(messages: readonly Message[]): Todo[] {
  let todos: Todo[] = [];
  for (const message of messages) {
    if (message.role === 'user' && todos.every(({ status }) => status === 'completed')) todos = [];
    if (message.role !== 'agent' || message.parentCallId !== undefined) continue;
    for (const call of message.calls) {
      if (call.name !== TOOLS.writeTodos.name || call.status !== 'done') continue;
      todos = Array.isArray(call.args.todos) ? (call.args.todos as Todo[]) : [];
    }
  }
  return todos;
}

/** The title with the first number that no other thread of the project uses. A fork's own number is replaced. */
function titleOfFork({ title, origin }: ThreadInfo, others: readonly string[]): string {
  if (title === '') return '';
  const base = origin === undefined ? title : title.replace(/ \(\d+\)$/u, '');
  for (let number = 2; ; number++) {
    const next = `${base} (${number})`;
    if (!others.includes(next)) return next;
  }
}

type Values = Record<string, unknown>;

/** Channels of a single run: the next node, the input, the target of a jump. */
const OF_A_RUN = /^(?:__|branch:)|^(?:jumpTo|structuredResponse)$/u;

/** Channels about the summaries and cuts of a thread, which a fork may have been made before. */
const ABOUT_CONTEXT: ReadonlySet<string> = new Set(['_argumentsCut', '_summarizationEvent']);

/** The agent's state at the fork point; null if it never ran. */
async function stateAt(
  { storage, resultOf }: ForkOptions,
  threadId: ThreadId,
  latest: CheckpointTuple | undefined,
  point: ForkPoint,
): Promise<Values | null> {
  if (latest === undefined) return null;
  const next = point.left.find(({ role }) => role !== 'notice');
  const { channel_values: now } = latest.checkpoint;
  const writes = latest.pendingWrites ?? [];
  const all = messagesOf(now);
  const cut = cutOf(all, point.left);
  const isWhole = cut === all.length;

  // An unfinished step: results of the calls that have finished.
  const results = isWhole
    ? writes.flatMap(([, channel, value]) => (channel === 'messages' ? resultsIn(value) : []))
    : [];
  const updates = writes.flatMap(([, channel, value]) => (channel === 'files' ? [value as FilesUpdate] : []));
  const withUpdates = { ...now, files: updates.reduce(fileDataReducer, filesOf(now)) };
  const { before, after } =
    next === undefined || isWhole
      ? { before: withUpdates, after: null }
      : await storage.checkpointer.around(threadId, next.at);

  const messages = [...all.slice(0, cut), ...results];
  const base = before ?? after ?? now;
  const kept = Object.entries(base).filter(([name]) => !OF_A_RUN.test(name));
  const shown = new Set(point.kept.map(({ id }) => id as string));
  const compactions = Array.isArray(now._compactions)
    ? (now._compactions as { id: string; total: number }[])
    : [];
  const { _argumentsCut: argumentsCut } = base as { _argumentsCut?: { total: number } };
  return {
    ...Object.fromEntries(kept.filter(([name]) => !ABOUT_CONTEXT.has(name))),
    messages: patchToolCalls(messages, resultOf) ?? messages,
    files: filesAt(filesOf(before), filesOf(after ?? withUpdates), next?.at ?? Date.now()),
    todos: todosAfter(point.kept),
    ...(compactions.length === 0
      ? {}
      : { _compactions: compactions.filter(({ id, total }) => total <= cut && shown.has(id)) }),
    ...(argumentsCut !== undefined && argumentsCut.total <= cut ? { _argumentsCut: argumentsCut } : {}),
  };
}

const messagesOf = ({ messages }: Values): BaseMessage[] =>
  Array.isArray(messages) ? (messages as BaseMessage[]) : [];

const filesOf = (values: Values | null): Record<string, FileData> =>
  values?.files !== null && typeof values?.files === 'object'
    ? (values.files as Record<string, FileData>)
    : {};

const resultsIn = (value: unknown): ToolMessage[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => ToolMessage.isInstance(one));

/** Index in the agent's state of the first message to drop. */
function cutOf(messages: readonly BaseMessage[], left: readonly Message[]): number {
  for (const message of left) {
    const calls = new Set<string>(message.role === 'agent' ? message.calls.map(({ callId }) => callId) : []);
    const graphId = message.role === 'agent' ? message.graphId : undefined;
    const at = messages.findIndex(
      (one) =>
        one.id === message.id ||
        (AIMessage.isInstance(one) &&
          ((graphId !== undefined && one.id === graphId) ||
            (one.tool_calls ?? []).some(({ id }) => calls.has(id ?? '')))),
    );
    if (at !== -1) return at;
  }
  return messages.length;
}

/**
 * The thread's files between two checkpoints: those of the later one that are older than that time, else those of the
 * earlier one.
 */
function filesAt(
  before: Record<string, FileData>,
  after: Record<string, FileData>,
  at: number,
): Record<string, FileData> {
  const then = Object.entries(after).filter(([, data]) => Date.parse(data.modified_at) <= at);
  return { ...before, ...Object.fromEntries(then) };
}

/** Creates a new thread from another; see `forkThread`. */
export type Fork = (
  threadId: ThreadId,
  messageId: MessageId | null,
  text?: string,
) => Promise<Result<Forked>>;

export interface Forked {
  id: ThreadId;
  draft: string;
  attachments: Attachment[];
}

interface ForkOptions {
  storage: Storage;
  /** Result of a finished call that the agent's state does not contain yet. */
  resultOf: (callId: string) => StoredResult | undefined;
  /** Folders of a thread whose files its history names: attachments, and long command outputs. */
  foldersOf: (threadId: ThreadId) => readonly string[];
}

/**
 * Creates the new thread: its files and its state first, then, in one transaction, everything else, so that a kill leaves
 * either all of it or nothing visible. `text`, if given, goes into its queue; else `draft` holds the person's text at the fork
 * point. Errors: as `forkPoint`, and `storage`.
 */
export async function forkThread(
  options: ForkOptions,
  live: { readonly state: ThreadState },
  messageId: MessageId | null,
  text: string | undefined,
): Promise<Result<Forked>> {
  const { storage } = options;
  // The window gets every event before the agent's state does. With this reading order, everything in the state that must be
  // dropped is known, even while the other thread runs.
  const latest = await storage.checkpointer.getTuple({ configurable: { thread_id: live.state.thread.id } });
  const { thread, usage, messages } = live.state;
  const found = forkPoint(messages, messageId);
  if (!found.ok) return found;
  const point = found.value;
  if (text?.trim() === '' && point.attachments.length === 0) return fail('invalid', 'message_empty');
  const id = ThreadId.parse(randomUUID());
  const folders = options.foldersOf(id);
  for (const [at, folder] of options.foldersOf(thread.id).entries()) {
    const copied = await copyFiles(folder, folders[at] ?? '');
    if (!copied.ok) return copied;
  }
  const values = await stateAt(options, thread.id, latest, point);
  if (values !== null) await storage.checkpointer.begin(id, values);

  const at = storage.now();
  const titles = storage.threads.summaries(thread.projectId).map(({ title }) => title);
  const queue: QueuedMessage[] =
    text === undefined
      ? []
      : [
          {
            id: newMessageId(),
            text,
            ...(point.attachments.length === 0 ? {} : { attachments: point.attachments }),
            at,
            when: 'next_step',
          },
        ];
  storage.transaction(() => {
    storage.threads.insert({
      ...thread,
      id,
      title: titleOfFork(thread, titles),
      createdAt: at,
      updatedAt: at,
      origin: {
        threadId: thread.id,
        title: thread.title,
        lastMessageId: point.kept.findLast((message) => !isNested(message))?.id ?? null,
      },
    });
    for (const message of point.kept) storage.messages.save(id, message);
    // Its history uses the same numbers for redacted secrets.
    storage.redactedSecrets.copy(thread.id, id);
    storage.browse.copyChoices(
      thread.id,
      id,
      point.kept.map((message) => message.id),
    );
    storage.threads.change(id, {
      queue,
      todos: todosAfter(point.kept),
      // Nothing was spent here yet. The context is as full as before if nothing is dropped.
      usage: {
        inputTokens: 0,
        outputTokens: 0,
        contextTokens: point.left.length === 0 ? usage.contextTokens : contextAfter(point.kept),
      },
    });
  });
  return text === undefined
    ? ok({ id, draft: point.draft, attachments: point.attachments })
    : ok({ id, draft: '', attachments: [] });
}

/** Tokens of the last request and its answer; 0 if unknown. */
function contextAfter(messages: readonly Message[]): number {
  const last = messages.findLast((message) => message.role === 'agent' && message.parentCallId === undefined);
  const used = last?.role === 'agent' ? last.usage : undefined;
  return used === undefined ? 0 : used.input + used.cacheRead + used.cacheWrite + used.output;
}
