import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolderSync } from '../../base/make-folder';
import type { Db } from '../../base/sqlite/db';
import { fail, ok, type Result } from '../../contract/result';
import { because, type Reason } from '../../contract/shared/reasons';
import { migrations as released } from '../migrations';
import {
  type Coded,
  Damaged,
  flush,
  isDamage,
  isExpected,
  isOpenElsewhere,
  migrate,
  PRIVATE,
  userVersion,
} from './database-file';
import { copyAll } from './repair';

export interface OpenOptions {
  /** For tests of migrations. */
  migrations?: readonly string[];
  /** Milliseconds since 1970. */
  now?: () => number;
  /** For tests: replaces `CHECK_ALWAYS_BELOW`. */
  checkAlwaysBelow?: number;
}

export interface Opened {
  db: Db;
  /** For the person: a damaged file was set aside, a permission could not be set. */
  warnings: Reason[];
}

/**
 * Files up to this size (bytes) are checked at each start, about 0.2 s. Larger ones are checked after a crash or before
 * migrating.
 */
const CHECK_ALWAYS_BELOW = 64 * 1024 * 1024;
/** Milliseconds that a statement waits for another process's write. */
const BUSY_TIMEOUT = 5_000;
const BACKUPS_KEPT = 2;

/**
 * Opens the database file and migrates it to our version. Creates it (0600) and its folder (0700) if missing. A file of an
 * older version is first checked and copied to a file next to it. A damaged file, or one that is not a database, is renamed
 * to `<file>.corrupt-<time>`. A new one with everything that was in it takes its place, or an empty one if a part cannot be
 * read; `warnings` says which. Nothing is ever deleted. Errors: `unsupported` for a file of a newer version, `storage` if the
 * file cannot be opened, is locked or the disk is full.
 */
export function openDatabase(file: string, options: OpenOptions = {}): Result<Opened> {
  return explained(file, () => {
    const warnings: Reason[] = [];
    takeCopy(file);
    prepareFile(file, warnings);
    try {
      return finish(file, options, warnings);
    } catch (error) {
      if (!isDamage(error)) throw error;
      // What another program writes to the file from now on would be lost with it.
      if (isOpenElsewhere(file)) return fail('storage', 'database_damaged_in_use', { file }, String(error));
      const isCopied = copied(file, options.migrations ?? released);
      const aside = setAside(file, (options.now ?? Date.now)());
      warnings.push(because(isCopied ? 'database_repaired' : 'database_damaged', { aside }));
      takeCopy(file);
      prepareFile(file, warnings);
      return finish(file, options, warnings);
    }
  });
}

/** As `openDatabase`, or null if that may take seconds: to check or migrate a large file, or to repair a damaged one. */
export function openAtOnce(file: string, options: OpenOptions = {}): Result<Opened> | null {
  return explained(file, () => {
    const warnings: Reason[] = [];
    takeCopy(file);
    prepareFile(file, warnings);
    const isLarge = statSync(file).size >= (options.checkAlwaysBelow ?? CHECK_ALWAYS_BELOW);
    // Not after it was opened: closing it writes back the log, which tells that a check is due.
    if (isLarge && isCheckDue(file)) return null;
    try {
      return finish(file, options, warnings, isLarge ? 'current' : 'any');
    } catch (error) {
      if (isDamage(error) || error instanceof TakesLong) return null;
      throw error;
    }
  });
}

/** Opens a file that `openDatabase` has just opened, with those warnings, without another check. */
export function openPrepared(file: string, warnings: Reason[]): Result<Opened> {
  return explained(file, () => finish(file, {}, warnings, 'checked'));
}

function explained<T>(file: string, open: () => T): T | Result<never> {
  try {
    return open();
  } catch (error) {
    if (!isExpected(error)) throw error;
    return fail('storage', codeOf(error, file), { file }, error.message);
  }
}

/** After a crash, or while another program has it open, or after a repair that did not end. */
const isCheckDue = (file: string): boolean =>
  existsSync(unfinishedOf(file)) || (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0);

/** A large database of an older version has to be checked, copied and migrated. */
class TakesLong extends Error {}

/** `only` a database of our version, or one that was just checked. Throws `TakesLong` for an older one. */
function finish(
  file: string,
  { migrations = released, now = Date.now, checkAlwaysBelow = CHECK_ALWAYS_BELOW }: OpenOptions,
  warnings: Reason[],
  only: 'any' | 'current' | 'checked' = 'any',
): Result<Opened> {
  const isDue = isCheckDue(file);
  const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
  const db = new Database(file, nativeBinding ? { nativeBinding } : {});
  let done = false;
  try {
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
    const version = userVersion(db);
    if (version > migrations.length) {
      return fail('unsupported', 'database_newer', { file, version, known: migrations.length });
    }
    if (version === 0) db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    // Kibibytes. With the default of 2 MB, reading one memory of ten thousand takes several system calls.
    db.pragma('cache_size = -16384');
    // Pages of the log at which a commit writes it back. Usually it is shorter: `write-back` writes it back in another
    // thread, and the store when it is idle.
    db.pragma('wal_autocheckpoint = 4000');
    const older = version > 0 && version < migrations.length;
    if (older && only === 'current') throw new TakesLong();
    if (only !== 'checked' && (older || isDue || statSync(file).size < checkAlwaysBelow)) {
      check(db);
      rmSync(unfinishedOf(file), { force: true });
    }
    if (older) backUp(db, file, version, now());
    if (version < migrations.length) migrate(db, migrations);
    done = true;
    return ok({ db, warnings });
  } finally {
    if (!done) db.close();
  }
}

/**
 * Creates the file and its folder, accessible only by the owner. An existing folder with other contents belongs to somebody
 * (`--data-dir /tmp`): its permissions stay unchanged, because those of the file are enough.
 */
function prepareFile(file: string, warnings: Reason[]): void {
  const folder = dirname(file);
  const isOurs = !existsSync(folder) || existsSync(file) || readdirSync(folder).length === 0;
  makeFolderSync(folder, 0o700);
  closeSync(openSync(file, 'a', PRIVATE));
  if (process.platform === 'win32') return;
  try {
    // Including its log and the earlier copies of it.
    for (const name of readdirSync(folder))
      if (name.startsWith(basename(file)) && lstatSync(join(folder, name)).isFile())
        chmodSync(join(folder, name), PRIVATE);
    if (isOurs && (statSync(folder).mode & STICKY) === 0) chmodSync(folder, 0o700);
  } catch (error) {
    if (!isExpected(error)) throw error;
    warnings.push(because('permissions_not_changed', { file }));
  }
}

/** Set on folders that several people share, such as `/tmp`. */
const STICKY = 0o1000;

function check(db: Db): void {
  const found = db.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new Damaged(String(found));
}

/** Copies the file under another name first: a copy that a kill interrupted must never count as a backup. */
function backUp(db: Db, file: string, version: number, at: number): void {
  const backup = `${file}.backup-v${version}-${stamp(at)}`;
  const unfinished = `${file}.backing-up`;
  rmSync(unfinished, { force: true });
  // SQLite accepts an empty file. One that it creates itself is readable by everybody.
  closeSync(openSync(unfinished, 'wx', PRIVATE));
  db.prepare('VACUUM INTO ?').run(unfinished);
  flush(unfinished);
  renameSync(unfinished, backup);
  const mine = readdirSync(dirname(file))
    .filter((name) => name.startsWith(`${basename(file)}.backup-`))
    .map((name) => ({ name, at: statSync(join(dirname(file), name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of mine.slice(BACKUPS_KEPT)) rmSync(join(dirname(file), name));
}

const copyOf = (file: string) => `${file}.repaired`;
const unfinishedOf = (file: string) => `${file}.repairing`;

/** Copies what is in a damaged file into one beside it; false if a part of it cannot be read. */
function copied(file: string, migrations: readonly string[]): boolean {
  const unfinished = unfinishedOf(file);
  rmSync(unfinished, { force: true });
  let isKnown = false;
  try {
    const isWhole = copyAll(file, unfinished, migrations);
    if (isWhole) renameSync(unfinished, copyOf(file));
    isKnown = true;
    return isWhole;
  } finally {
    // The log that told of a crash is written back by now. Without a trace, the next start would not check a large file.
    if (isKnown) rmSync(unfinished, { force: true });
    else writeFileSync(unfinished, '', { mode: PRIVATE });
  }
}

/** Puts the copy in the place of the damaged file, once that is set aside; after a kill in between, at the next start. */
function takeCopy(file: string): void {
  if (!existsSync(copyOf(file))) return;
  // It is copied again, unless another program repaired the file.
  renameSync(copyOf(file), existsSync(file) ? unfinishedOf(file) : file);
}

/** Renames the file together with its log, because the log may contain the newest pages. */
function setAside(file: string, at: number): string {
  const aside = `${file}.corrupt-${stamp(at)}`;
  for (const end of ['', '-wal', '-shm']) {
    if (existsSync(file + end)) renameSync(file + end, aside + end);
  }
  return aside;
}

const stamp = (at: number) => new Date(at).toISOString().replace(/[:.]/g, '-');

/** Bytes that SQLite needs at least to open a database: its shared memory. */
const ROOM = 32 * 1024;

function hasRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize >= ROOM;
  } catch {
    return true;
  }
}

function codeOf(error: Coded, file: string) {
  if (error.code.startsWith('SQLITE_BUSY') || error.code.startsWith('SQLITE_LOCKED')) return 'database_busy';
  if (error.code === 'SQLITE_FULL' || error.code === 'ENOSPC') return 'database_disk_full';
  // SQLite calls it an I/O error if the disk has no room for its shared memory.
  if (error.code.startsWith('SQLITE_IOERR') && !hasRoom(file)) return 'database_disk_full';
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'SQLITE_READONLY')
    return 'database_denied';
  if (error.code === 'EROFS') return 'database_disk_read_only';
  return 'database_not_opened';
}
