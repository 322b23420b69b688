import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inEnglish } from '../../../../src-renderer/i18n/errors';
import type { ThreadId } from '../../../contract/ids';
import type { StartedHost } from '../../testing/child-host';
import { decisionFor } from '../../testing/soak';

/** Maximum milliseconds of silence. */
const PATIENCE = 60_000;

/** What the commands of the agent have appended to the log. */
export const linesOf = (folder: string): string[] => {
  const log = join(folder, 'log.txt');
  return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
};

/** Makes and opens a thread with the offline assistant. */
export async function newThread(host: StartedHost): Promise<ThreadId> {
  const { projectId } = host.project;
  const created = await host.client.call('thread.create', { projectId, model: 'offline:guide' });
  if (!created.ok) throw new Error(inEnglish(created.error));
  await host.open(created.value.id);
  return created.value.id;
}

/** Waits for the cards. */
export async function cardsOf(host: StartedHost) {
  const waiting = await host.until(
    'the card',
    ({ turn, approvals }) => (turn.phase === 'waiting' ? approvals : undefined),
    PATIENCE,
  );
  if (waiting === 'gone') throw new Error('the host exited by itself');
  return waiting;
}

/** Decides and continues as a person does, until the turn is over. */
export async function finish(host: StartedHost, threadId: ThreadId, folder: string): Promise<void> {
  for (;;) {
    const { state } = host;
    if (host.isGone || state === undefined) throw new Error('the host exited by itself');
    const { phase } = state.turn;
    if (phase === 'idle') return;
    if (phase === 'failed') throw new Error(`the turn failed: ${JSON.stringify(state.turn)}`);
    if (phase === 'waiting')
      for (const approval of state.approvals) {
        const decided = await host.decide(approval, decisionFor(approval, folder));
        if (!decided.ok) throw new Error(inEnglish(decided.error));
      }
    if (phase === 'interrupted') await host.client.call('thread.retry', { threadId });
    await host.until('the turn to continue', (now) => now !== state || undefined, PATIENCE);
  }
}

/** Sends a message and decides until its turn is over. */
export async function sayAndFinish(
  host: StartedHost,
  threadId: ThreadId,
  text: string,
  folder: string,
): Promise<void> {
  const sent = await host.client.call('thread.send', { threadId, text });
  if (!sent.ok) throw new Error(inEnglish(sent.error));
  await host.until(
    'the turn to begin',
    ({ messages }) => messages.some((one) => one.role === 'user' && one.text === text) || undefined,
    PATIENCE,
  );
  await finish(host, threadId, folder);
}
