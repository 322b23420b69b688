import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
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

it('waits for another program that is writing to the database', async () => {
  const { dataDir, done } = await beingWritten();
  setTimeout(done, 1_500);
  const host = await startHost(dataDir);
  await host.close();
});

it('says that another program is using the database, and not that the disk is full', async () => {
  const { dataDir } = await beingWritten();
  await expect(startHost(dataDir)).rejects.toThrow('another program is using it');
}, 30_000);
