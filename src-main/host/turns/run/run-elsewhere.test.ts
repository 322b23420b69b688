import { expect, it, vi } from 'vitest';
import { setUp } from '../../testing/window';

it('refuses a message for a thread that another process runs, and keeps nothing of it', async () => {
  const { host, window, threadId } = await setUp();
  vi.spyOn(host.storage.leases, 'isFree').mockReturnValue(false);
  expect(await window.client.call('thread.send', { threadId, text: 'list files' })).toMatchObject({
    ok: false,
    error: { kind: 'conflict' },
  });
  const live = host.turns.thread(threadId);
  expect(live.ok && [live.value.state.messages, live.value.state.queue]).toEqual([[], []]);
});
