import { ProjectId, ThreadId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readDraft, writeDraft } from '../features/chat/composer/drafts';
import { readHistory, remember } from '../features/chat/composer/sent-history';
import { start } from '../link';
import { type FakeHost, fakeHost } from '../testing/fake-host';
import { sampleApp } from '../testing/samples';
import { useForgetErased } from './use-forget-erased';

const [kept, erased] = [ThreadId.parse('kept'), ThreadId.parse('erased')];
const project = ProjectId.parse('p');

let host: FakeHost;
let stop: () => void;
beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  host = fakeHost(sampleApp(), [], { 'window.erased': () => ok({ threads: [erased] }) });
  stop = start(host.port);
});
afterEach(() => {
  cleanup();
  stop();
  vi.useRealTimers();
  localStorage.clear();
});

/** Starts the window, and waits until it has looked for what to forget. */
async function startWindow(): Promise<void> {
  renderHook(useForgetErased);
  await vi.advanceTimersByTimeAsync(10_000);
}
const asked = () => host.calls.filter(({ command }) => command === 'window.erased').map(({ input }) => input);

it('forgets drafts and sent messages of erased threads, and no others', async () => {
  for (const thread of [kept, erased]) {
    writeDraft(thread, `draft of ${thread}`);
    remember(project, thread, `sent to ${thread}`);
  }
  await startWindow();
  expect(asked()).toEqual([{ threads: expect.arrayContaining([kept, erased]) }]);
  expect(readDraft(erased)).toBe('');
  expect(readDraft(kept)).toBe('draft of kept');
  expect(readHistory(project)).toEqual(['sent to kept']);
});

it('asks nothing if nothing is kept, and keeps messages that earlier versions stored without a thread', async () => {
  localStorage.setItem(`deepdesk:said:${project}`, '["old", 7, {"text": "broken"}]');
  await startWindow();
  expect(asked()).toEqual([]);
  remember(project, erased, 'new');
  expect(readHistory(project)).toEqual(['new', 'old']);
});
