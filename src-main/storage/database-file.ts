import { closeSync, fsyncSync, openSync } from 'node:fs';
import type { Db } from '../base/sqlite/db';

/** Mode of every file that contains data. */
export const PRIVATE = 0o600;

/** Waits until its content is on the disk. */
export function flush(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function migrate(db: Db, migrations: readonly string[]): void {
  const run = db.transaction(() => {
    // Read again under the lock, because another process may have migrated.
    for (let version = userVersion(db); version < migrations.length; version += 1) {
      db.exec(migrations[version] ?? '');
      db.pragma(`user_version = ${version + 1}`);
    }
  });
  run.immediate();
}

export function userVersion(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }));
}

export class Damaged extends Error {}

export type Coded = Error & { code: string };

export function isExpected(error: unknown): error is Coded {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

export function isDamage(error: unknown): boolean {
  if (error instanceof Damaged) return true;
  return isExpected(error) && /^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(error.code);
}
