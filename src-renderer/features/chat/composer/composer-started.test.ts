import { ThreadId } from '@contract/ids';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { start } from '../../../link';
import { type FakeHost, fakeHost } from '../../../testing/fake-host';
import { sampleApp } from '../../../testing/samples';
import { tellComposerStarted } from './composer-started';

let host: FakeHost;
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  host = fakeHost(sampleApp(), []);
  stop = start(host.port);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

it('reports that the user writes in a thread: once, again in another thread, and again after a while', async () => {
  const [one, other] = [ThreadId.parse('one'), ThreadId.parse('other')];
  for (const threadId of [one, one, other, other]) tellComposerStarted(threadId);
  await vi.advanceTimersByTimeAsync(60_000);
  tellComposerStarted(other);
  await vi.advanceTimersByTimeAsync(0);
  const told = host.calls.filter(({ command }) => command === 'composer.started');
  expect(told.map(({ input }) => input)).toEqual([
    { threadId: one },
    { threadId: other },
    { threadId: other },
  ]);
});
