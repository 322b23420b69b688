import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { temporaryFolder } from '../testing/fixtures';
import { openDatabase } from './open';
import { openWriteLock, type WriteLock } from './write-lock';

function setUp() {
  const file = join(temporaryFolder(), 'd.sqlite');
  const open = () => {
    const opened = openDatabase(file);
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    const { db } = opened.value;
    onTestFinished(() => void db.close());
    return db;
  };
  const [ours, other] = [open(), open()];
  return { ours, other, lock: openWriteLock(ours) };
}

/** Milliseconds of a look at a database that another program writes to. */
function timeOfLook(lock: WriteLock): number {
  const since = performance.now();
  expect(lock.isHeld()).toBe(true);
  return performance.now() - since;
}

/** A statement that blocks waits for 250 ms. A busy machine slows some looks down, but not all of them. */
const expectNoneToBlock = (took: readonly number[]) => expect(Math.min(...took)).toBeLessThan(200);

it('does not wait for a database that nobody else writes to, within a transaction of our own either', () => {
  const { ours, lock } = setUp();
  expect(lock.wait(1_000)).toBeUndefined();
  ours.transaction(() => expect(lock.wait(1_000)).toBeUndefined()).immediate();
});

it('begins a transaction right away, or lets another program finish first', async () => {
  const { ours, other, lock } = setUp();
  expect(lock.begin(60_000)).toBeUndefined();
  expect(ours.inTransaction).toBe(true);
  ours.exec('CREATE TABLE t (n); COMMIT');
  other.exec('BEGIN IMMEDIATE');
  const free = lock.begin(60_000);
  expect([free, ours.inTransaction]).toEqual([expect.any(Promise), false]);
  other.exec('ROLLBACK');
  await free;
  expect(ours.inTransaction).toBe(false);
});

it('waits for another writer while everything else continues, and serves waiters in order', async () => {
  const { ours, other, lock } = setUp();
  other.exec('BEGIN IMMEDIATE');
  expect(lock.isHeld()).toBe(true);
  const went: number[] = [];
  const all = [1, 2, 3].map((n) => lock.wait(60_000)?.then(() => went.push(n)));
  await wait(100);
  expectNoneToBlock(Array.from({ length: 5 }, () => timeOfLook(lock)));
  expect(went).toEqual([]);
  other.exec('ROLLBACK');
  // One that asks now must not overtake them.
  all.push(lock.wait(60_000)?.then(() => went.push(4)));
  await Promise.all(all);
  expect(went).toEqual([1, 2, 3, 4]);
  ours.transaction(() => ours.exec('CREATE TABLE t (n)')).immediate();
});

it('does not block at its first look, either', () => {
  const took = Array.from({ length: 5 }, () => {
    const { other, lock } = setUp();
    other.exec('BEGIN IMMEDIATE');
    return timeOfLook(lock);
  });
  expectNoneToBlock(took);
});

it('gives up after its time or with its signal, so that the write itself fails', async () => {
  const { ours, other, lock } = setUp();
  other.exec('BEGIN IMMEDIATE');
  await lock.wait(40);
  const stopping = new AbortController();
  const stopped = lock.wait(60_000, stopping.signal);
  stopping.abort();
  await stopped;
  const since = performance.now();
  expect(() => ours.transaction(() => undefined).immediate()).toThrow('locked');
  expect(performance.now() - since).toBeLessThan(4_000);
});

it('tells when somebody has been writing for a second', async () => {
  const { other, lock } = setUp();
  const tell = vi.fn();
  lock.onHeld(tell);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  other.exec('BEGIN IMMEDIATE');
  void lock.wait(3_000);
  await vi.advanceTimersByTimeAsync(900);
  expect(tell).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(tell).toHaveBeenCalled();
});
