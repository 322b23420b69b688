import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { portPair } from '../../contract/port-pair';
import { Outbox } from './outbox';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function connected() {
  const outbox = new Outbox();
  const told: unknown[] = [];
  const [mine, theirs] = portPair();
  theirs.listen((message) => told.push(message));
  const port = outbox.of(mine);
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { outbox, port, told, settle };
}

describe('the messages to windows', () => {
  it('wait while held, then arrive in order', async () => {
    const { outbox, port, told, settle } = await connected();
    port.post(1);
    outbox.hold();
    port.post(2);
    port.post(3);
    await settle();
    expect(told).toEqual([1]);
    outbox.release();
    port.post(4);
    await settle();
    expect(told).toEqual([1, 2, 3, 4]);
  });

  it('wait for a frame at most, even if nobody releases them', async () => {
    const { outbox, port, told } = await connected();
    outbox.hold();
    port.post(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(told).toEqual([1]);
    port.post(2);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([1, 2]);
  });

  it('handle windows that send and close during the hold', () => {
    const [mine, theirs] = portPair();
    const port = new Outbox().of(mine);
    const heard: unknown[] = [];
    const stop = port.listen((message) => heard.push(message));
    theirs.post('a');
    return Promise.resolve().then(() => {
      stop();
      theirs.post('b');
      return Promise.resolve().then(() => expect(heard).toEqual(['a']));
    });
  });
});
