import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Db } from '../../base/sqlite/db';
import { isBusyError } from '../../base/sqlite/sqlite-error';

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

/**
 * Whether another process has the database open, such as the headless command, also if the file is damaged. SQLite locks all
 * of a file only while nobody else has it open.
 */
export function isOpenElsewhere(file: string): boolean {
  // Every process that has it open keeps this file. Opening the database would create it.
  if (!existsSync(`${file}-shm`)) return false;
  const locked = lockAll(file);
  return isBusyError(locked) || (isDamage(locked) && isBusyError(lockToRollBack(file)));
}

/**
 * SQLite reads the first page before it locks the file, and gives up if that page is destroyed. To roll back a journal it
 * locks first. This journal has no header, so SQLite changes nothing and deletes it.
 */
function lockToRollBack(file: string): unknown {
  const journal = `${file}-journal`;
  if (!existsSync(journal)) writeFileSync(journal, 'x', { mode: PRIVATE });
  try {
    return lockAll(file);
  } finally {
    rmSync(journal, { force: true });
  }
}

/** The error if the file cannot be locked, else null. */
function lockAll(file: string): unknown {
  const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
  try {
    const db = new Database(file, {
      fileMustExist: true,
      timeout: 0,
      ...(nativeBinding ? { nativeBinding } : {}),
    });
    try {
      db.pragma('locking_mode = EXCLUSIVE');
      db.exec('BEGIN EXCLUSIVE; ROLLBACK');
      return null;
    } finally {
      db.close();
    }
  } catch (error) {
    return error;
  }
}
