import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type Deferred, deferred } from '../../base/deferred';
import { cleanups } from '../../base/testing/cleanups';
import { temporaryFolder } from '../testing/fixtures';
import { openDiskFlush } from './disk-flush';
import { openDatabase } from './open';

/** A database whose flushes end when the test says so. */
function heldFlushes() {
  const file = join(temporaryFolder(), 'd.sqlite');
  const opened = openDatabase(file, { migrations: ['CREATE TABLE a (x)'] });
  if (!opened.ok) throw new Error('no database');
  const { db } = opened.value;
  const held: Deferred<void>[] = [];
  const flush = openDiskFlush(db, file, () => {
    const one = deferred<void>();
    held.push(one);
    return one.promise;
  });
  cleanups.push(() => {
    flush.close();
    db.close();
  });
  const levels: unknown[] = [];
  const write = () => {
    flush.commit(() => {
      levels.push(db.pragma('synchronous', { simple: true }));
      db.exec('INSERT INTO a VALUES (1)');
    });
  };
  return { db, flush, held, levels, write };
}

const NORMAL = 1;
const FULL = 2;

it('commits without waiting for the disk, and resolves when the disk has the commits', async () => {
  const { flush, held, levels, write } = heldFlushes();
  expect(flush.settled()).toBeUndefined();
  write();
  write();
  const settled = vi.fn();
  const saved = flush.settled()?.then(settled);
  await vi.waitFor(() => expect(held).toHaveLength(1));
  expect({ levels, told: settled.mock.calls }).toEqual({ levels: [NORMAL, NORMAL], told: [] });
  held[0]?.resolve();
  await saved;
  expect(settled).toHaveBeenCalledOnce();
  expect(flush.settled()).toBeUndefined();
});

it('flushes again for commits made during a flush, once for all of them', async () => {
  const { flush, held, write } = heldFlushes();
  write();
  const first = flush.settled();
  await vi.waitFor(() => expect(held).toHaveLength(1));
  write();
  write();
  const told: string[] = [];
  const later = [flush.settled()?.then(() => told.push('second')), flush.settled()];
  held[0]?.resolve();
  await first;
  await vi.waitFor(() => expect(held).toHaveLength(2));
  expect(told).toEqual([]);
  held[1]?.resolve();
  await Promise.all(later);
  expect({ told, flushes: held.length }).toEqual({ told: ['second'], flushes: 2 });
});

it('flushes commits that nobody waits for', async () => {
  const { flush, held, write } = heldFlushes();
  write();
  await vi.waitFor(() => expect(held).toHaveLength(1));
  held[0]?.resolve();
  await vi.waitFor(() => expect(flush.settled()).toBeUndefined());
});

it('joins a transaction, which waits for the disk itself', () => {
  const { db, flush, levels, write } = heldFlushes();
  db.transaction(write)();
  expect({ levels, waits: flush.settled() }).toEqual({ levels: [FULL], waits: undefined });
});

it('moves commits that cannot be flushed into the database, and then waits for each commit', async () => {
  const { db, flush, held, levels, write } = heldFlushes();
  write();
  const saved = flush.settled();
  await vi.waitFor(() => expect(held).toHaveLength(1));
  held[0]?.reject(new Error('EIO'));
  await saved;
  expect(db.pragma('wal_checkpoint(NOOP)')).toEqual([expect.objectContaining({ busy: 0 })]);
  write();
  expect({ levels, waits: flush.settled() }).toEqual({ levels: [NORMAL, FULL], waits: undefined });
});

it('rejects like a commit that was not saved if neither is possible', async () => {
  const { db, flush, held, write } = heldFlushes();
  write();
  const saved = flush.settled();
  await vi.waitFor(() => expect(held).toHaveLength(1));
  vi.spyOn(db, 'pragma').mockReturnValue([{ busy: 1, log: 3, checkpointed: 1 }]);
  held[0]?.reject(new Error('EIO'));
  await expect(saved).rejects.toMatchObject({ message: 'EIO', code: 'SQLITE_IOERR_FSYNC' });
  vi.restoreAllMocks();
});
