import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { Message } from '../../contract/conversation';
import type { MessageId } from '../../contract/ids';
import { openStorage } from '../../storage';
import { cleanups, isIdle, setUp } from '../testing/window';
import { loadThread } from '../threads/live-thread';
import { newMessageId, newTurnId } from '../threads/new-ids';
import { Hub } from '../window/hub';

const said = (text: string, id: MessageId): Message => ({ role: 'user', id, at: Date.now(), text });

/** A thread that a window shows, and the same one in another process. */
async function inBoth() {
  const t = await setUp();
  await t.say('list files');
  await t.window.until(isIdle);
  await t.host.turns.settled(t.threadId);
  const opened = openStorage(join(t.dataDir, 'deepdesk.db'));
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  cleanups.push(() => opened.value.close());
  const other = loadThread(t.threadId, opened.value, new Hub());
  if (other === null) throw new Error('The thread is not saved.');
  const turnId = newTurnId();
  other.emit(
    { type: 'message.added', message: said('from elsewhere', newMessageId()) },
    { type: 'turn.started', turnId, at: Date.now() },
  );
  return { ...t, other, turnId };
}

const textsIn = (messages: readonly Message[]) =>
  messages.flatMap((one) => (one.role === 'user' ? [one.text] : []));

it('goes on from what another process has done with the thread meanwhile', async () => {
  const { other, turnId, window, threadId, host, say } = await inBoth();
  other.emit({ type: 'turn.ended', turnId, at: Date.now(), reason: 'finished' });
  const { seq } = other.state;
  await say('help');
  await host.turns.settled(threadId);
  const shown = await window.client.call('thread.open', { threadId });
  if (!shown.ok) throw new Error(inEnglish(shown.error));
  expect(textsIn(shown.value.messages)).toEqual(['list files', 'from elsewhere', 'help']);
  expect(shown.value.seq).toBeGreaterThan(seq);
});

it('starts a turn, and stops, where another process was killed during its turn', async () => {
  const { threadId, host, say } = await inBoth();
  expect(await host.turns.stop(threadId)).toMatchObject({ ok: true });
  expect(host.turns.loaded(threadId)?.state.turn.phase).toBe('interrupted');
  await say('help');
  await host.turns.settled(threadId);
  const live = host.turns.loaded(threadId);
  expect([live?.state.turn.phase, live?.state.queue]).toEqual(['idle', []]);
});
