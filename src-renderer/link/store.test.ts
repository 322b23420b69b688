import type { NewThreadEvent } from '@contract/events';
import { ThreadId } from '@contract/ids';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeHost, fakeHost } from '../testing/fake-host';
import { sampleApp, sampleThread } from '../testing/samples';
import { call, holdThread, loadEarlier, onHostEvent, start, useLink } from './store';

const t1 = ThreadId.parse('t1');
const thread = () => {
  const open = useLink.getState().threads.get(t1);
  return open?.phase === 'open' ? open.state : undefined;
};
const todo = (content: string): NewThreadEvent => ({
  type: 'todos.changed',
  todos: [{ content, status: 'pending' }],
});
const opened = (host: FakeHost) => host.calls.filter((one) => one.command === 'thread.open').length;

describe("the window's state", () => {
  let host: FakeHost;
  let stop: () => void;
  let undo: () => void;
  beforeEach(async () => {
    host = fakeHost(sampleApp(), [sampleThread()]);
    stop = start(host.port);
    undo = holdThread(t1);
    await vi.waitFor(() => expect(thread()?.seq).toBe(40));
  });
  afterEach(() => {
    undo();
    stop();
  });

  it('follows the shown thread, event by event', async () => {
    host.emit(t1, todo('first'));
    host.emit(t1, todo('second'));
    await vi.waitFor(() => expect(thread()).toEqual(host.state(t1)));
    expect(opened(host)).toBe(1);
  });

  it('joins streamed text, and keeps its order with other events', async () => {
    const message = {
      role: 'agent',
      id: 's1',
      at: 1,
      text: '',
      reasoning: '',
      calls: [],
      phase: 'streaming',
    };
    host.emit(t1, { type: 'message.added', message } as never);
    let drawn = 0;
    const unsubscribe = useLink.subscribe(() => {
      drawn += 1;
    });
    for (let word = 0; word < 50; word += 1)
      host.emit(t1, { type: 'message.delta', messageId: 's1', text: `${word} `, reasoning: '' } as never);
    host.emit(t1, todo('between'));
    host.emit(t1, { type: 'message.delta', messageId: 's1', text: 'end', reasoning: '' } as never);
    await vi.waitFor(() => expect(thread()).toEqual(host.state(t1)));
    unsubscribe();
    expect(drawn).toBeLessThan(8);
    expect(opened(host)).toBe(1);
  });

  it('requests the whole thread again if an event number is missing', async () => {
    const { port: _, ...rest } = host;
    const before = rest.state(t1);
    host.raw({ ...todo('from the future'), threadId: t1, seq: 45 } as never);
    await vi.waitFor(() => expect(opened(host)).toBe(2));
    await vi.waitFor(() => expect(thread()).toEqual(before));
  });

  it('ignores an event that the snapshot already contains', async () => {
    host.raw({ ...todo('old'), threadId: t1, seq: 40 } as never);
    host.emit(t1, todo('new'));
    await vi.waitFor(() => expect(thread()?.todos).toEqual([{ content: 'new', status: 'pending' }]));
  });

  it('closes the thread with its last user, not earlier', async () => {
    const undoSecond = holdThread(t1);
    undo();
    expect(thread()?.seq).toBe(40);
    undoSecond();
    expect(thread()).toBeUndefined();
    await vi.waitFor(() =>
      expect(host.calls.at(-1)).toEqual({ command: 'thread.close', input: { threadId: t1 } }),
    );
    undo = holdThread(t1);
  });

  it('updates the thread list from events, and passes events on', async () => {
    const seen: string[] = [];
    const undoHandler = onHostEvent('thread.removed', (event) => seen.push(event.threadId));
    host.emitApp({ type: 'thread.removed', threadId: t1 });
    await vi.waitFor(() =>
      expect(useLink.getState().app?.threads.map((one) => one.id)).toEqual(['t2', 't3', 't4', 't5']),
    );
    undoHandler();
    expect(seen).toEqual(['t1']);
  });

  it('answers a call without a connection with an error instead of hanging', async () => {
    stop();
    expect(await call('app.open', {})).toMatchObject({ ok: false, error: { kind: 'internal' } });
  });

  it('opens a long thread at its end and loads earlier messages page by page', async () => {
    const t2 = ThreadId.parse('t2');
    const many = Array.from({ length: 500 }, (_, at) => ({ role: 'user', id: `u${at}`, at, text: `${at}` }));
    const base = sampleThread({ messages: many, approvals: [] });
    const { port, emit, state } = fakeHost(sampleApp(), [{ ...base, thread: { ...base.thread, id: t2 } }]);
    const stopLong = start(port);
    const undoLong = holdThread(t2);
    const shown = () => {
      const open = useLink.getState().threads.get(t2);
      return open?.phase === 'open' ? open.state : undefined;
    };
    await vi.waitFor(() => expect(shown()?.messages).toHaveLength(120));
    expect(shown()?.earlier).toBe(380);
    const [one, two] = [loadEarlier(t2, { limit: 100 }), loadEarlier(t2, { limit: 100 })];
    emit(t2, todo('while the page is on its way'));
    expect(await Promise.all([one, two])).toEqual([true, true]);
    expect([shown()?.messages.length, shown()?.earlier]).toEqual([220, 280]);
    await loadEarlier(t2, { limit: 1_000, from: 'u3' as never });
    expect(shown()?.messages[0]?.id).toBe('u3');
    await loadEarlier(t2, { limit: 1_000 });
    expect(shown()).toEqual(state(t2));
    expect(await loadEarlier(t2, { limit: 10 })).toBe(false);
    undoLong();
    stopLong();
  });
});
