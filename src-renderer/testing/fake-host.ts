import type { AppSnapshot } from '@contract/app';
import type { CommandName, Input, Output } from '@contract/commands';
import type { ThreadState } from '@contract/conversation';
import type { AppEvent, NewThreadEvent, ThreadEvent } from '@contract/events';
import type { ThreadId } from '@contract/ids';
import { portPair } from '@contract/port-pair';
import { fail, ok, type Result } from '@contract/result';
import type { Port } from '@contract/rpc';
import { reduce } from '@contract/thread';

type Answer<C extends CommandName> = (input: Input<C>) => Result<Output<C>> | Promise<Result<Output<C>>>;
export type Answers = { [C in CommandName]?: Answer<C> };

export interface FakeHost {
  /** The window's end of the port. */
  port: Port;
  /** Every received call, in order, without `window.flush`, which a timer sends a second after something was typed. */
  calls: { command: string; input: unknown }[];
  /** Numbers the event, applies it to the thread's state and sends it. */
  emit(threadId: ThreadId, event: NewThreadEvent): void;
  emitApp(event: AppEvent): void;
  /** Sends an event as it is, including its number, without applying it to the state. */
  raw(event: ThreadEvent): void;
  state(threadId: ThreadId): ThreadState | undefined;
  /** Answers can be set or replaced at any time. */
  answers: Answers;
}

/** A main process in memory over the contract's port pair: a snapshot, thread states, and answers that a test sets. */
export function fakeHost(
  app: AppSnapshot,
  threads: readonly ThreadState[] = [],
  answers: Answers = {},
): FakeHost {
  const [port, mine] = portPair();
  const states = new Map(threads.map((state) => [state.thread.id, state]));
  const calls: FakeHost['calls'] = [];
  const own: Answers = {
    'app.open': () => ok(app),
    'thread.open': ({ threadId, last }) => {
      const state = [...states.values()].find((one) => one.thread.id === threadId);
      if (!state) return fail('not_found', 'external', { text: 'There is no such thread.' });
      const left = last === undefined ? 0 : state.messages.length - last;
      return ok(left <= 0 ? state : { ...state, messages: state.messages.slice(left), earlier: left });
    },
    'thread.earlier': ({ threadId, before, limit, from }) => {
      const state = [...states.values()].find((one) => one.thread.id === threadId);
      const end = state?.messages.findIndex(({ id }) => id === before) ?? -1;
      if (!state || end === -1) return fail('not_found', 'external', { text: 'There is no such message.' });
      const wanted = from === undefined ? 0 : state.messages.findIndex(({ id }) => id === from);
      const start = Math.max(wanted, end - limit, 0);
      return ok({ messages: state.messages.slice(start, end), earlier: start, seq: state.seq });
    },
    'thread.close': () => ok({}),
    'window.flush': () => ok({}),
  };
  mine.listen((message) => {
    const frame = message as { kind: string; id: number; command: CommandName; input: unknown };
    if (frame.kind !== 'call') return;
    if (frame.command !== 'window.flush') calls.push({ command: frame.command, input: frame.input });
    const answer = (answers[frame.command] ?? own[frame.command]) as
      | ((input: unknown) => Result<unknown> | Promise<Result<unknown>>)
      | undefined;
    const result =
      answer?.(frame.input) ??
      fail('unsupported', 'external', { text: `The fake host does not answer ${frame.command}.` });
    void Promise.resolve(result).then((value) => mine.post({ kind: 'reply', id: frame.id, result: value }));
  });
  const send = (event: ThreadEvent | AppEvent) => mine.post({ kind: 'event', event });
  return {
    port,
    calls,
    answers,
    raw: send,
    emitApp: send,
    state: (threadId) => states.get(threadId),
    emit: (threadId, event) => {
      const before = states.get(threadId);
      if (!before) throw new Error(`The fake host has no thread ${threadId}.`);
      const numbered = { ...event, threadId, seq: before.seq + 1 } as ThreadEvent;
      states.set(threadId, reduce(before, numbered));
      send(numbered);
    },
  };
}
