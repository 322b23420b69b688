import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { expect } from 'vitest';
import { ChildHost, type StartedHost } from '../../testing/child-host';
import { movableClock } from './clock';
import { cardsOf, finish, linesOf, newThread, sayAndFinish } from './person';
import { type FaultOptions, Tally } from './tally';

/** Milliseconds after a message within which the computer falls asleep, and for which the process really stands still. */
const WORKS_FOR = 300;
const STANDS_STILL = 50;
/** Days that the clock is later after a sleep: from one to so many. */
const LONGEST = 4;

/**
 * Stops the process like a computer that sleeps, while the agent works and while it waits, and lets it continue days later.
 * `library`: compiled from clock.c.
 */
export async function sleepingComputer(library: string, options: FaultOptions): Promise<Tally> {
  const { bundle, place, times, random } = options;
  const tally = new Tally();
  const folder = join(place, 'folder');
  mkdirSync(folder, { recursive: true });
  const clock = movableClock(library, join(place, 'clock'));
  const { env } = clock;
  const host = await ChildHost.start({
    bundle,
    folder,
    dataDir: join(place, 'data'),
    baseUrl: 'http://127.0.0.1:9',
    env,
  });
  let days = 0;
  const sleep = async () => {
    host.signal('SIGSTOP');
    days += 1 + random() * (LONGEST - 1);
    clock.jump(days);
    await passed(STANDS_STILL);
    await tally.recover(() => wakeUp(host));
  };
  try {
    for (let round = 1; round <= times; round += 1)
      await tally.provoke('effects', async () => {
        const threadId = await newThread(host);
        const texts = ['list files', `run echo n${round} >> log.txt`];
        await sayAndFinish(host, threadId, texts[0] ?? '', folder);
        await host.client.call('thread.send', { threadId, text: texts[1] ?? '' });
        await passed(random() * WORKS_FOR);
        await sleep();
        const asked = await cardsOf(host);
        expect(asked).toHaveLength(1);
        await sleep();
        await host.open(threadId);
        // The card neither expires nor decides itself.
        expect(host.state?.approvals).toEqual(asked);
        expect(linesOf(folder)).not.toContain(`n${round}`);
        await finish(host, threadId, folder);
        await host.open(threadId);
        const said = host.state?.messages.flatMap((one) => (one.role === 'user' ? [one.text] : []));
        expect(said).toEqual(texts);
        expect(linesOf(folder).filter((line) => line === `n${round}`)).toHaveLength(1);
        expect(host.reports).toEqual([]);
      });
    await host.close();
  } finally {
    host.signal('SIGCONT');
    host.kill();
  }
  return tally;
}

/** Resolves when the process answers again. */
async function wakeUp(host: StartedHost): Promise<void> {
  host.signal('SIGCONT');
  const answer = await host.client.call('app.open', {});
  if (!answer.ok) throw new Error('the host does not answer');
}
