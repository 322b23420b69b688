import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { inEnglish } from '../../../../src-renderer/i18n/errors';
import { openDatabase } from '../../../storage/database/open';
import { allowing } from '../../testing/allowing';
import { ChildHost } from '../../testing/child-host';
import { cardsOf, finish, linesOf, newThread } from './person';
import { type FaultOptions, Tally } from './tally';

/** Milliseconds of a lock; the host waits for five seconds, for the agent's work a minute. */
const SHORT = 400;
/** What the person is told. */
const LOCKED = { ok: false, error: { kind: 'storage', code: 'not_saved_locked' } };

/** How many questions of the window get an answer before `refused` is there: none if the lock blocks the process. */
async function answersBefore(host: ChildHost, refused: Promise<unknown>): Promise<number> {
  let isOver = false;
  void refused.then(() => {
    isOver = true;
  });
  for (let answers = 0; ; answers += 1) {
    const read = await host.client.call('inbox.list', {});
    if (isOver) return answers;
    expect(read.ok).toBe(true);
    await wait(50);
  }
}

/** Another program holds the database while the person sends a message, and while they decide. */
export async function lockedDatabase({ bundle, place, times }: FaultOptions): Promise<Tally> {
  const tally = new Tally();
  const [folder, dataDir] = [join(place, 'folder'), join(place, 'data')];
  mkdirSync(folder, { recursive: true });
  const host = await ChildHost.start({ bundle, folder, dataDir, baseUrl: 'http://127.0.0.1:9' });
  const opened = openDatabase(join(dataDir, 'deepdesk.db'));
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  const { db } = opened.value;
  const lock = () => db.exec('BEGIN IMMEDIATE');
  const unlock = () => db.exec('ROLLBACK');
  try {
    for (let round = 1; round <= times; round += 1)
      await tally.provoke('messages', async () => {
        const threadId = await newThread(host);
        const text = `run echo n${round} >> log.txt`;
        const send = () => host.client.call('thread.send', { threadId, text });
        lock();
        const refusing = send();
        expect(await answersBefore(host, refusing), 'answers while it waits').toBeGreaterThan(5);
        const refused = await refusing;
        unlock();
        expect(refused).toMatchObject(LOCKED);
        lock();
        let sent = send();
        await wait(SHORT);
        unlock();
        // Usually it waited for the lock; on a very busy machine it gave up, and nothing was done.
        await tally.recover(async () => {
          for (let result = await sent; !result.ok; result = await sent) {
            expect(result).toMatchObject(LOCKED);
            sent = send();
          }
        });
        const [asked] = await cardsOf(host);
        if (asked === undefined) throw new Error('no card');
        lock();
        const undecided = await host.decide(asked, allowing(asked));
        unlock();
        expect(undecided).toMatchObject(LOCKED);
        expect(linesOf(folder)).not.toContain(`n${round}`);
        await finish(host, threadId, folder);
        expect(linesOf(folder).filter((line) => line === `n${round}`)).toHaveLength(1);
        expect(host.state?.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
        expect(host.reports.splice(0).filter((report) => !report.includes('database is locked'))).toEqual([]);
      });
    db.close();
    await host.close();
  } finally {
    host.kill();
  }
  return tally;
}
