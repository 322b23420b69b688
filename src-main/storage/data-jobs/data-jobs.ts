import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { copyFile, lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { flushNames } from '../../base/replace-file';
import type { Db } from '../../base/sqlite/db';
import type { Checked, DataCounts, DataPart } from '../../contract/commands/data';
import type { DataProgress } from '../../contract/events/data';
import { fail, ok, type Result } from '../../contract/result';
import type { Reason } from '../../contract/shared/reasons';
import { openDatabase } from '../database/open';
import { removeUnfinished, writeBeside } from './unfinished-files';

/** Work on all data that takes seconds. Paths are absolute. */
export type DataJob =
  | { kind: 'sizes'; folder: string; file: string }
  /** Checks, migrates or repairs the database, so that it opens at once. */
  | { kind: 'prepare'; file: string }
  /** `scratch`: the folder for the test copy. */
  | { kind: 'backup'; file: string; to: string; scratch: string }
  /** Tests `from` and leaves the tested copy, migrated to our version, as `into`. */
  | { kind: 'take'; from: string; into: string; scratch: string };

interface DataSizes {
  sizes: Record<DataPart, number>;
  counts: DataCounts;
}

interface Prepared {
  /** As those of `Opened`. */
  warnings: Reason[];
}

/** Results by the kind of the job. */
interface Answers {
  sizes: DataSizes;
  prepare: Prepared;
  backup: Checked;
  take: Checked;
}
export type DataAnswer<J extends DataJob = DataJob> = Answers[J['kind']];

/** Pages copied before other work gets a turn: 4 MB. */
const PAGES_PER_SLICE = 1_024;

const cancelled = () => fail('cancelled', 'cancelled_nothing_changed');

/** Runs a job in the current thread: the data worker or a test. Checks `isCancelled` between steps. */
export async function runDataJob(
  job: DataJob,
  tell: (progress: DataProgress) => void,
  isCancelled: () => boolean,
): Promise<Result<DataAnswer>> {
  try {
    switch (job.kind) {
      case 'sizes':
        return ok(await sizesOf(job));
      case 'prepare':
        return prepare(job.file);
      case 'backup':
        return await backUp(job, tell, isCancelled);
      case 'take':
        return await take(job, tell, isCancelled);
      default:
        return job satisfies never;
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (isCancelled()) return cancelled();
    const isFull = error.code === 'ENOSPC' || error.code === 'SQLITE_FULL';
    const [full, other] =
      job.kind === 'take'
        ? (['backup_unreadable_full', 'backup_unreadable'] as const)
        : (['copy_failed_full', 'copy_failed'] as const);
    return fail('storage', isFull ? full : other, {}, error.message);
  }
}

function prepare(file: string): Result<Prepared> {
  const opened = openDatabase(file);
  if (!opened.ok) return opened;
  opened.value.db.close();
  return ok({ warnings: opened.value.warnings });
}

function openRaw(file: string, readonly: boolean): Db {
  const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
  return new Database(file, {
    readonly,
    fileMustExist: true,
    timeout: 5_000,
    ...(nativeBinding ? { nativeBinding } : {}),
  });
}

const COUNTED: Record<keyof DataCounts, string> = {
  projects: 'projects',
  threads: 'threads',
  messages: 'messages',
  memories: 'store_items WHERE live = 1',
  requests: 'spending',
};

function countsOf(db: Db): DataCounts {
  const count = (from: string) =>
    db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0;
  return {
    projects: count(COUNTED.projects),
    threads: count(COUNTED.threads),
    messages: count(COUNTED.messages),
    memories: count(COUNTED.memories),
    requests: count(COUNTED.requests),
  };
}

/** Copies all pages, those in the log beside the file as well. False if it was cancelled. */
async function copyPages(
  source: Db,
  to: string,
  isCancelled: () => boolean,
  onShare: (share: number) => void = () => undefined,
): Promise<boolean> {
  // Creates it readable only by the owner before it contains anything.
  writeFileSync(to, '', { mode: 0o600 });
  let stopped = false;
  await source
    .backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        onShare(totalPages === 0 ? 0 : 1 - remainingPages / totalPages);
        if (isCancelled()) {
          stopped = true;
          throw new Error('cancelled');
        }
        return PAGES_PER_SLICE;
      },
    })
    .catch((error: unknown) => {
      if (!stopped) throw error;
    });
  return !stopped;
}

async function backUp(
  { file, to, scratch }: Extract<DataJob, { kind: 'backup' }>,
  tell: (progress: DataProgress) => void,
  isCancelled: () => boolean,
): Promise<Result<Checked>> {
  if (!existsSync(dirname(to))) return fail('not_found', 'folder_missing', { path: dirname(to) });
  return writeBeside(scratch, to, async (part, put) => {
    const source = openRaw(file, true);
    try {
      // Copies one consistent state from the first page to the last. Without the transaction, each write of the app would
      // restart the copy.
      source.exec('BEGIN');
      const counts = countsOf(source);
      const isCopied = await copyPages(source, part, isCancelled, (share) =>
        tell({ step: 'copying', share }),
      );
      if (!isCopied) return cancelled();
      source.exec('COMMIT');
      const made = openRaw(part, false);
      // A single self-contained file.
      made.pragma('journal_mode = DELETE');
      made.close();
      tell({ step: 'checking', share: null });
      const copyTo = async (copy: string) => {
        await copyFile(part, copy);
        return true;
      };
      const tested = await restoreInto(copyTo, scratch, () => undefined);
      if (!tested.ok) return tested;
      if (isCancelled()) return cancelled();
      const differs = (Object.keys(counts) as (keyof DataCounts)[]).filter(
        (key) => counts[key] !== tested.value[key],
      );
      if (differs.length > 0) return fail('storage', 'copy_incomplete', { names: differs.join(', ') });
      await put();
      return ok({ path: to, bytes: statSync(to).size, counts });
    } finally {
      source.close();
    }
  });
}

/**
 * Restores a copy into a temporary folder and lets SQLite check all of it. `copyTo` makes the copy, or returns false if it was
 * cancelled; `keep` receives the file before it is deleted.
 */
async function restoreInto(
  copyTo: (file: string) => Promise<boolean>,
  scratch: string,
  keep: (file: string) => void,
): Promise<Result<DataCounts>> {
  const folder = mkdtempSync(join(scratch, 'check-'));
  try {
    const file = join(folder, 'deepdesk.db');
    if (!(await copyTo(file))) return cancelled();
    const opened = openDatabase(file);
    if (!opened.ok) return opened;
    const { db } = opened.value;
    let counts: DataCounts;
    try {
      const found = db.pragma('integrity_check(1)', { simple: true });
      if (found !== 'ok') return fail('storage', 'copy_damaged', {}, String(found));
      counts = countsOf(db);
      db.pragma('journal_mode = DELETE');
    } finally {
      db.close();
    }
    keep(file);
    return ok(counts);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function take(
  { from, into, scratch }: Extract<DataJob, { kind: 'take' }>,
  tell: (progress: DataProgress) => void,
  isCancelled: () => boolean,
): Promise<Result<Checked>> {
  tell({ step: 'checking', share: null });
  const opened = openBackup(from);
  if (!opened.ok) return opened;
  const source = opened.value;
  try {
    if (isCancelled()) return cancelled();
    // Not only the file: the newest data of a Deepdesk that was killed is in the log beside it.
    const copyTo = (file: string) => copyPages(source, file, isCancelled);
    const counts = await restoreInto(copyTo, scratch, (file) => renameSync(file, into));
    if (counts.ok) await flushNames(dirname(into));
    return counts.ok ? ok({ path: from, bytes: statSync(from).size, counts: counts.value }) : counts;
  } finally {
    source.close();
  }
}

/**
 * Opens a backup after a check. Opened as our database, a damaged file would be set aside and an empty one tested instead.
 */
function openBackup(from: string): Result<Db> {
  let db: Db | undefined;
  let isFine = false;
  try {
    db = openRaw(from, true);
    // What is checked is what is copied, even if another program writes.
    db.exec('BEGIN');
    const version = Number(db.pragma('user_version', { simple: true }));
    const isOurs = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'saved_threads'").get() !== undefined;
    if (version < 1 || !isOurs) return fail('invalid', 'not_a_backup');
    const found = db.pragma('integrity_check(1)', { simple: true });
    if (found !== 'ok') return fail('invalid', 'not_a_backup', {}, String(found));
    isFine = true;
    return ok(db);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return fail('invalid', 'not_a_backup', {}, error.message);
  } finally {
    if (!isFine) db?.close();
  }
}

/** Names in the data folder by purpose. */
const FOLDERS: Readonly<Record<string, DataPart>> = {
  'command-output': 'offloads',
  changes: 'versions',
  rehearsals: 'layers',
  'private-copies': 'privateCopies',
  attachments: 'attachments',
  media: 'media',
  profile: 'caches',
  Cache: 'caches',
  'Code Cache': 'caches',
  GPUCache: 'caches',
  DawnGraphiteCache: 'caches',
  DawnWebGPUCache: 'caches',
};

async function sizesOf({ folder, file }: Extract<DataJob, { kind: 'sizes' }>): Promise<DataSizes> {
  const sizes: Record<DataPart, number> = {
    database: 0,
    terminals: 0,
    memories: 0,
    offloads: 0,
    versions: 0,
    attachments: 0,
    media: 0,
    layers: 0,
    copies: 0,
    privateCopies: 0,
    caches: 0,
    rest: 0,
  };
  const own = new Set(['', '-wal', '-shm'].map((end) => basename(file) + end));
  for (const name of await readdir(folder)) {
    const isCopy = name.startsWith(basename(file));
    const part = own.has(name) ? 'database' : isCopy ? 'copies' : (FOLDERS[name] ?? 'rest');
    sizes[part] += await bytesBelow(join(folder, name));
  }
  const db = openRaw(file, true);
  try {
    const sum = (sql: string) => db.prepare<[], { n: number }>(sql).get()?.n ?? 0;
    sizes.terminals = sum('SELECT coalesce(sum(length(data)), 0) AS n FROM terminal_output');
    sizes.memories = sum('SELECT coalesce(sum(size), 0) AS n FROM store_log WHERE value IS NOT NULL');
    return { sizes, counts: countsOf(db) };
  } finally {
    db.close();
  }
}

/** Follows no links. Files that disappear count as zero. */
async function bytesBelow(path: string): Promise<number> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null) return 0;
  if (!stat.isDirectory()) return stat.size;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await bytesBelow(join(path, name));
  return bytes;
}

/** Deletes files that a job left in the data folder, or beside a backup, after a crash or a power failure. */
export function sweepChecks(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (/^check-\w{6}$/.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  removeUnfinished(folder);
}

export const incomingOf = (file: string) => join(dirname(file), `${basename(file)}.incoming`);
