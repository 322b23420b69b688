import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { inEnglish } from '../../../../src-renderer/i18n/errors';
import { allowing } from '../../testing/allowing';
import { ChildHost } from '../../testing/child-host';
import { cardsOf, finish, linesOf, newThread } from './person';
import { type FaultOptions, Tally } from './tally';

/** Milliseconds after the card appears, or after the decision, within which the process is killed. */
const AFTER_CARD = 20;
const AFTER_DECISION = 60;

/** Kills the host while a card waits, or right after the person decided; then decides in the next one. */
export async function killedApprovals({ bundle, place, times, random }: FaultOptions): Promise<Tally> {
  const tally = new Tally();
  const folder = join(place, 'folder');
  mkdirSync(folder, { recursive: true });
  const at = { bundle, folder, dataDir: join(place, 'data'), baseUrl: 'http://127.0.0.1:9' };
  let host = await ChildHost.start(at);
  try {
    for (let round = 1; round <= times; round += 1) {
      const isDecided = random() < 0.5;
      const delay = random() * (isDecided ? AFTER_DECISION : AFTER_CARD);
      await tally.provoke('approvals', async () => {
        if (host.isGone) host = await ChildHost.start(at);
        const command = `echo n${round} >> log.txt`;
        const threadId = await newThread(host);
        const sent = await host.client.call('thread.send', { threadId, text: `run ${command}` });
        if (!sent.ok) throw new Error(inEnglish(sent.error));
        const [asked] = await cardsOf(host);
        if (asked === undefined) throw new Error('no card');
        if (isDecided) void host.decide(asked, allowing(asked)).catch(() => undefined);
        await wait(delay);
        host.kill();
        await host.ended;
        if (!isDecided) expect(linesOf(folder)).not.toContain(`n${round}`);
        host = await tally.recover(async () => {
          const started = await ChildHost.start(at);
          await started.open(threadId);
          return started;
        });
        if (!isDecided) expect(host.state?.approvals).toEqual([asked]);
        await finish(host, threadId, folder);
        expect(host.state?.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
        const effects = linesOf(folder).filter((line) => line === `n${round}`).length;
        if (effects !== 1) tally.add('effects', `the command took effect ${effects} times`);
      });
      if (host.reports.length > 0) tally.add('approvals', host.reports.splice(0).join('\n'));
    }
    await host.close();
  } finally {
    host.kill();
  }
  return tally;
}
