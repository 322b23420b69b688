import type { Message, ThreadState } from '../../contract/conversation';
import type { MessageId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import { inCallOrder } from '../../contract/thread';
import type { Storage } from '../../storage';

/** The needed part of a thread in memory; undefined if it is not loaded. */
export type LoadedThread = { readonly state: ThreadState } | undefined;

/** The state with only its last messages. */
export function tailOf(state: ThreadState, last: number): ThreadState {
  const left = state.messages.length - last;
  return left <= 0 ? state : { ...state, messages: state.messages.slice(left), earlier: left };
}

/**
 * The state with its last messages, straight from the database, so that a window shows a long thread without reading all of
 * it. Null if the thread does not exist.
 */
export function storedTail(storage: Storage, threadId: ThreadId, last: number): ThreadState | null {
  const record = storage.threads.get(threadId);
  if (!record) return null;
  const { messages, before } = storage.messages.page(threadId, { limit: last });
  const earlier = before === null ? 0 : storage.messages.countBefore(threadId, before);
  return {
    ...record,
    messages,
    approvals: inCallOrder(storage.approvals.waiting(threadId), messages),
    ...(earlier > 0 ? { earlier } : {}),
  };
}

interface Page {
  messages: Message[];
  earlier: number;
  seq: number;
}

interface Range {
  before: MessageId;
  limit: number;
  from?: MessageId | undefined;
}

/**
 * Messages before one: the last `limit`, or those from `from` on. Errors: `not_found` if the thread or a named message no
 * longer exists.
 */
export function earlierOf(
  storage: Storage,
  threadId: ThreadId,
  loaded: LoadedThread,
  range: Range,
): Result<Page> {
  return loaded ? fromState(loaded.state, range) : fromStorage(storage, threadId, range);
}

const gone = () => fail('not_found', 'part_gone');

function fromState({ messages, seq }: ThreadState, { before, limit, from }: Range): Result<Page> {
  const end = messages.findIndex((message) => message.id === before);
  const wanted = from === undefined ? 0 : messages.findIndex((message) => message.id === from);
  if (end === -1 || wanted === -1) return gone();
  const start = Math.min(end, Math.max(wanted, end - limit));
  return ok({ messages: messages.slice(start, end), earlier: start, seq });
}

function fromStorage(storage: Storage, threadId: ThreadId, { before, limit, from }: Range): Result<Page> {
  const record = storage.threads.get(threadId);
  const end = storage.messages.position(threadId, before);
  const start = from === undefined ? 0 : storage.messages.position(threadId, from);
  if (!record || end === null || start === null) return gone();
  const messages = storage.messages.between(threadId, { from: start, before: end, limit });
  const [first] = messages;
  const place = first === undefined ? null : storage.messages.position(threadId, first.id);
  return ok({
    messages,
    earlier: place === null ? 0 : storage.messages.countBefore(threadId, place),
    seq: record.seq,
  });
}
