import { closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ChildHost } from '../../testing/child-host';
import { cardsOf, finish, linesOf, newThread, sayAndFinish } from './person';
import { type FaultOptions, Tally } from './tally';

/** Seconds. */
const DAY = 86_400;

/** A clock for a process with the library of clock.c, which keeps it in a file. */
export function movableClock(library: string, file: string) {
  const jump = (days: number) => {
    const seconds = Buffer.alloc(8);
    seconds.writeBigInt64LE(BigInt(Math.round(days * DAY)));
    // Never truncated: the process reads it as memory.
    const opened = openSync(file, existsSync(file) ? 'r+' : 'w');
    writeSync(opened, seconds);
    closeSync(opened);
  };
  jump(0);
  return { env: { LD_PRELOAD: library, CLOCK_FILE: file }, jump };
}

/** Sets the clock back and forward by days while a thread works, waits and is killed. `library`: compiled from clock.c. */
export async function jumpingClock(library: string, options: FaultOptions): Promise<Tally> {
  const { bundle, place, times, random } = options;
  const tally = new Tally();
  const folder = join(place, 'folder');
  mkdirSync(folder, { recursive: true });
  const { env, jump } = movableClock(library, join(place, 'clock'));
  const at = { bundle, folder, dataDir: join(place, 'data'), baseUrl: 'http://127.0.0.1:9', env };
  let host = await ChildHost.start(at);
  const anywhere = () => jump(random() * 4 - 2);
  try {
    for (let round = 1; round <= times; round += 1)
      await tally.provoke('messages', async () => {
        if (host.isGone) host = await ChildHost.start(at);
        const threadId = await newThread(host);
        const texts = ['list files', `run echo n${round} >> log.txt`, 'files *.txt'];
        await sayAndFinish(host, threadId, texts[0] ?? '', folder);
        anywhere();
        await host.client.call('thread.send', { threadId, text: texts[1] ?? '' });
        const asked = await cardsOf(host);
        jump(random() < 0.5 ? -1 : 1);
        // The card neither expires nor decides itself, even in the next process.
        expect(asked).toHaveLength(1);
        host.kill();
        await host.ended;
        anywhere();
        host = await tally.recover(async () => {
          const started = await ChildHost.start(at);
          await started.open(threadId);
          return started;
        });
        expect(host.state?.approvals).toEqual(asked);
        expect(linesOf(folder)).not.toContain(`n${round}`);
        await finish(host, threadId, folder);
        anywhere();
        await sayAndFinish(host, threadId, texts[2] ?? '', folder);
        await host.open(threadId);
        const said = host.state?.messages.flatMap((one) => (one.role === 'user' ? [one.text] : []));
        expect(said).toEqual(texts);
        expect(linesOf(folder).filter((line) => line === `n${round}`)).toHaveLength(1);
        expect(host.reports).toEqual([]);
      });
    await host.close();
  } finally {
    host.kill();
  }
  return tally;
}
