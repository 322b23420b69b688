import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { PERSON_WAITS } from '../storage/database/write-lock';
import { cleanups, startHost, temp } from './testing/window';

/** A data folder whose database another program is writing to, and what ends that. */
async function beingWritten() {
  const dataDir = temp('data');
  await (await startHost(dataDir)).close();
  const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
  const other = new Database(join(dataDir, 'deepdesk.db'), nativeBinding ? { nativeBinding } : {});
  cleanups.push(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  return { dataDir, done: () => other.exec('ROLLBACK') };
}

/** Starts a host. Resolves when it waits for the other program, by a clock that only the test moves. */
async function waitingHost(dataDir: string) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  cleanups.push(() => void vi.useRealTimers());
  const outcome = startHost(dataDir).then(
    async (host) => {
      await host.close();
      return 'started';
    },
    (error: Error) => error.message,
  );
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  const pass = async (milliseconds: number) => void (await vi.advanceTimersByTimeAsync(milliseconds));
  return { outcome, pass };
}

it('waits for another program that is writing to the database', async () => {
  const { dataDir, done } = await beingWritten();
  const { outcome, pass } = await waitingHost(dataDir);
  await pass(PERSON_WAITS - 1_000);
  done();
  await pass(1_000);
  vi.useRealTimers();
  expect(await outcome).toBe('started');
});

it('says that another program is using the database, and not that the disk is full', async () => {
  const { dataDir } = await beingWritten();
  const { outcome, pass } = await waitingHost(dataDir);
  await pass(PERSON_WAITS);
  vi.useRealTimers();
  expect(await outcome).toContain('another program is using it');
});
