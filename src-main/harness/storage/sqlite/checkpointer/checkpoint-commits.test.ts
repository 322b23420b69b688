import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../base/sqlite/db';
import { temporaryDatabase } from '../../../../storage/testing/fixtures';
import { CheckpointCommits } from './checkpoint-commits';

function setUp(begin?: (db: Db) => Promise<void> | undefined) {
  const db = temporaryDatabase();
  db.exec('CREATE TABLE noted (n INTEGER NOT NULL)');
  const insert = db.prepare<[number]>('INSERT INTO noted VALUES (?)');
  let commits = 0;
  const queue = new CheckpointCommits(db, {
    onEnded: () => {
      commits += 1;
    },
    ...(begin === undefined ? {} : { begin: () => begin(db) }),
  });
  return {
    db,
    queue,
    commits: () => commits,
    noted: () =>
      db
        .prepare<[], { n: number }>('SELECT n FROM noted ORDER BY n')
        .all()
        .map((row) => row.n),
    add: (n: number) =>
      queue.add(() => {
        insert.run(n);
        return n;
      }),
  };
}

describe('checkpointer writes', () => {
  it('are committed together and in order within one turn of the event loop', async () => {
    const t = setUp();
    expect(await Promise.all([t.add(1), t.add(2), t.add(3)])).toEqual([1, 2, 3]);
    expect([t.noted(), t.commits()]).toEqual([[1, 2, 3], 1]);
    await t.add(4);
    expect([t.noted(), t.commits()]).toEqual([[1, 2, 3, 4], 2]);
  });

  it('do not fail because another one in the transaction fails', async () => {
    const t = setUp();
    const fails = t.queue.add(() => {
      t.db.prepare('INSERT INTO noted VALUES (9)').run();
      throw new Error('the disk is full');
    });
    const ended = await Promise.allSettled([t.add(1), fails, t.add(2)]);
    expect(ended.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
      1,
      'Error: the disk is full',
      2,
    ]);
    expect(t.noted()).toEqual([1, 2]);
  });

  it('go into a transaction that has begun, and into others if that fails or must wait', async () => {
    const beginsNow = setUp((db) => void db.exec('BEGIN IMMEDIATE'));
    expect(await Promise.all([beginsNow.add(1), beginsNow.add(2)])).toEqual([1, 2]);
    expect([beginsNow.db.inTransaction, beginsNow.commits()]).toEqual([false, 1]);
    const fails = beginsNow.queue.add(() => {
      throw new Error('the disk is full');
    });
    await Promise.allSettled([fails, beginsNow.add(3)]);
    await expect(fails).rejects.toThrow('the disk is full');
    expect([beginsNow.noted(), beginsNow.db.inTransaction]).toEqual([[1, 2, 3], false]);
    let goOn = (): void => undefined;
    const later = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const waits = setUp(() => later);
    const added = waits.add(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(waits.noted()).toEqual([]);
    goOn();
    expect(await added).toBe(1);
    expect(waits.db.pragma('synchronous', { simple: true })).toBe(2);
  });

  it('can be read right away, and only other transactions wait for the disk', async () => {
    const t = setUp();
    const added = t.add(1);
    t.queue.flush();
    expect(t.noted()).toEqual([1]);
    expect(await added).toBe(1);
    // 2 is FULL: transactions that save what the person was told wait for the disk.
    expect(t.db.pragma('synchronous', { simple: true })).toBe(2);
  });

  it('report the end of each transaction, so that nothing relies on a failed one', async () => {
    const t = setUp();
    const fails = t.queue.add(() => {
      throw new Error('no');
    });
    await Promise.allSettled([t.add(1), fails]);
    // One for both together, and one for each alone.
    expect(t.commits()).toBe(3);
  });

  it('reject if the database was closed before the commit', async () => {
    const t = setUp();
    const added = t.add(1);
    t.db.close();
    await expect(added).rejects.toThrow('not open');
  });
});
