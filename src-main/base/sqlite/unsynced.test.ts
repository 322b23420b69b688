import { expect, it } from 'vitest';
import { temporaryDatabase } from '../../storage/testing/fixtures';
import { unsynced } from './unsynced';

const [NORMAL, FULL] = [1, 2];

it('writes without waiting for the disk, and restores the setting afterwards, even on failure', () => {
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

it('joins an open transaction', () => {
  const db = temporaryDatabase();
  const within = db.transaction(() => unsynced(db, () => db.pragma('synchronous', { simple: true })));
  expect(within()).toBe(FULL);
});
