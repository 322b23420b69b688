import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { unsynced } from './unsynced';

it('does not wait for the disk while it writes, and does again afterwards, also where that fails', () => {
  const db = new Database(':memory:');
  const waits = () => db.pragma('synchronous', { simple: true });
  expect(unsynced(db, waits)).toBe(1);
  expect(waits()).toBe(2);
  expect(() =>
    unsynced(db, () => {
      throw new Error('full');
    }),
  ).toThrow('full');
  expect(waits()).toBe(2);
  db.close();
});

it('is part of a transaction that is open', () => {
  const db = new Database(':memory:');
  expect(db.transaction(() => unsynced(db, () => db.pragma('synchronous', { simple: true })))()).toBe(2);
  db.close();
});
