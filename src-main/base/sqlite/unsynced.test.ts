import { expect, it } from 'vitest';
import { temporaryDatabase } from '../../storage/testing/fixtures';
import { unsynced } from './unsynced';

const [NORMAL, FULL] = [1, 2];

it('does not wait for the disk while it writes, and does again afterwards, also where that fails', () => {
  const db = temporaryDatabase();
  const waits = () => db.pragma('synchronous', { simple: true });
  expect(unsynced(db, waits)).toBe(NORMAL);
  expect(waits()).toBe(FULL);
  const fails = () => {
    throw new Error('full');
  };
  expect(() => unsynced(db, fails)).toThrow('full');
  expect(waits()).toBe(FULL);
});

it('is part of a transaction that is open', () => {
  const db = temporaryDatabase();
  const within = db.transaction(() => unsynced(db, () => db.pragma('synchronous', { simple: true })));
  expect(within()).toBe(FULL);
});
