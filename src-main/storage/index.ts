import { prepareOnUse } from '../base/sqlite/prepare-on-use';
import { RemoteAgent } from '../contract/agents';
import type { ThreadId } from '../contract/ids';
import { Place } from '../contract/places';
import { ok, type Result } from '../contract/result';
import { because, type Reason } from '../contract/shared/reasons';
import { SqliteSaver, SqliteStore } from '../harness/entries/sqlite';
import { type Activity, openActivity } from './activity';
import { type Approvals, openApprovals } from './approvals';
import { doDataJob } from './data-jobs/data-service';
import { openDiskFlush } from './database/disk-flush';
import { type Opened, openAtOnce, openDatabase, openPrepared } from './database/open';
import { steadyClock } from './database/steady-clock';
import { openWriteBack } from './database/write-back';
import { openWriteLock, WORK_WAITS, type WriteLock } from './database/write-lock';
import { type FileChanges, openFileChanges } from './file-changes';
import { type Journal, openJournal } from './journal';
import { type Leases, openLeases } from './leases';
import { type MessageSearch, openMessageSearch } from './message-search';
import { type Messages, openMessages } from './messages';
import { type OutsideCalls, openOutsideCalls } from './outside-calls';
import { openPlaceCalls, type PlaceCalls } from './place-calls';
import { openPlaceWrites, type PlaceWrites } from './place-writes';
import { openProjects, type Projects } from './projects';
import { openRedactedSecrets, type RedactedSecrets } from './redacted-secrets';
import { openRemoteTasks, type RemoteTasksTable } from './remote-tasks';
import { openRemovable, type Removable } from './removable';
import { openRoutines, type RoutinesTable } from './routines';
import { openRules, type Rules } from './rules';
import { openSecrets, type Secrets } from './secrets';
import { openSettings, type SettingsTable } from './settings';
import { openSpending, type Spending } from './spending';
import { openStoreBrowse, type StoreBrowse } from './store-browse';
import { openTerminals, type Terminals } from './terminals';
import { openThreads, type Threads } from './threads';
import { openUsageReport } from './usage-report';

export interface Storage {
  projects: Projects;
  places: Removable<Place>;
  remoteAgents: Removable<RemoteAgent>;
  remoteTasks: RemoteTasksTable;
  outsideCalls: OutsideCalls;
  routines: RoutinesTable;
  placeCalls: PlaceCalls;
  threads: Threads;
  messages: Messages;
  search: MessageSearch;
  approvals: Approvals;
  rules: Rules;
  activity: Activity;
  journal: Journal;
  fileChanges: FileChanges;
  placeWrites: PlaceWrites;
  terminals: Terminals;
  settings: SettingsTable;
  secrets: Secrets;
  redactedSecrets: RedactedSecrets;
  spending: Spending;
  /** Tokens and cost of requests by day, model and project. Both days (YYYY-MM-DD) are included. */
  usageReport: ReturnType<typeof openUsageReport>;
  leases: Leases;
  /** Ask it before writing, wherever that can wait: a write blocks the whole process while another program writes. */
  lock: WriteLock;
  checkpointer: SqliteSaver;
  store: SqliteStore;
  browse: StoreBrowse;
  /**
   * Milliseconds since 1970 for sorting and measuring. It never goes back, even if the computer's clock is set back or the
   * app was closed in between: later writes have later times.
   */
  now(): number;
  /** Messages for the person. Grows when a row can no longer be read. */
  warnings: Reason[];
  /** Atomic. `change` must not be asynchronous. Inside another transaction it becomes part of that one. */
  transaction<T>(change: () => T): T;
  /**
   * Like `transaction`, but the disk is waited for in another thread: `onDisk` tells when it has answered. A killed process
   * loses nothing.
   */
  transactionSoon<T>(change: () => T): T;
  /**
   * Undefined if all commits are on the disk. Otherwise resolves when those made so far are; rejects with SQLite's error.
   * Wait for it before you tell anybody that they are saved, and before anything happens outside because of them.
   */
  onDisk(): Promise<void> | undefined;
  /**
   * Erases threads that were deleted before that time (milliseconds since 1970), directly or with their project, with
   * everything that belongs to them. `statesAlone`: see `Threads.statesAlone`; those that still are alone are erased, too.
   */
  purge(before: number, statesAlone?: readonly string[]): Promise<ThreadId[]>;
  close(): void;
}

/**
 * Opens the database with all its tables. Other processes see writes immediately; `leases` decide who runs a thread. Errors:
 * as `openDatabase`.
 */
export function openStorage(file: string): Result<Storage> {
  return withTables(file, openDatabase(file));
}

/**
 * As `openStorage`, but what may take seconds is done in another thread; `onSlow` is called before that, and returns what to
 * call after it.
 */
export async function openStorageSoon(
  file: string,
  onSlow: () => () => void = () => () => undefined,
): Promise<Result<Storage>> {
  const opened = openAtOnce(file);
  if (opened !== null) return withTables(file, opened);
  const done = onSlow();
  try {
    const prepared = await doDataJob({ kind: 'prepare', file }, { signal: new AbortController().signal });
    if (!prepared.ok) return prepared;
    return withTables(file, openPrepared(file, prepared.value.warnings));
  } finally {
    done();
  }
}

function withTables(file: string, opened: Result<Opened>): Result<Storage> {
  if (!opened.ok) return opened;
  const { db, warnings } = opened.value;
  // Not for the checkpointer and the store, which run in each step.
  const onUse = prepareOnUse(db);
  const noted = new Set<string>();
  const onUnreadable = (table: string, id: string) => {
    const entry = `${table} ${id}`;
    if (noted.has(entry)) return;
    noted.add(entry);
    warnings.push(
      table === 'settings'
        ? because('setting_unreadable', { name: id.replace(/^app\./, '') })
        : because('entry_unreadable', { table, id }),
    );
  };
  const threads = openThreads(onUse, onUnreadable);
  const fileChanges = openFileChanges(onUse, onUnreadable);
  const newest = onUse
    .prepare<[], number | null>(
      `SELECT max((SELECT coalesce(max(updated_at), 0) FROM threads), (SELECT coalesce(max(at), 0) FROM seen),
       (SELECT coalesce(max(started_at), 0) FROM terminals))`,
    )
    .pluck();
  let clock: (() => number) | undefined;
  const writeBack = openWriteBack(db, file);
  const flush = openDiskFlush(db, file);
  const lock = openWriteLock(db);
  const checkpointer = new SqliteSaver(db, { wrote: writeBack.wrote, begin: () => lock.begin(WORK_WAITS) });
  const recorded = openTerminals(onUse, onUnreadable);
  // Terminal output and checkpoints are most of the data written.
  const terminals: Terminals = {
    ...recorded,
    append: (id, data) => {
      const end = recorded.append(id, data);
      writeBack.wrote();
      return end;
    },
  };

  return ok({
    projects: openProjects(onUse, onUnreadable),
    places: openRemovable(onUse, 'places', Place, onUnreadable),
    remoteAgents: openRemovable(onUse, 'remote_agents', RemoteAgent, onUnreadable),
    remoteTasks: openRemoteTasks(onUse, onUnreadable),
    routines: openRoutines(onUse, onUnreadable),
    placeCalls: openPlaceCalls(onUse),
    threads,
    messages: openMessages(onUse, onUnreadable),
    search: openMessageSearch(onUse),
    approvals: openApprovals(onUse, onUnreadable),
    rules: openRules(onUse, onUnreadable),
    activity: openActivity(onUse, onUnreadable),
    journal: openJournal(onUse, flush.commit),
    fileChanges,
    outsideCalls: openOutsideCalls(onUse, onUnreadable),
    placeWrites: openPlaceWrites(onUse, fileChanges, onUnreadable),
    terminals,
    settings: openSettings(onUse, onUnreadable),
    secrets: openSecrets(onUse),
    redactedSecrets: openRedactedSecrets(onUse, onUnreadable),
    spending: openSpending(onUse),
    usageReport: openUsageReport(onUse),
    leases: openLeases(onUse),
    lock,
    checkpointer,
    store: new SqliteStore(db, writeBack.hasWorker ? { wrote: writeBack.wrote } : {}),
    browse: openStoreBrowse(onUse),
    now: () => {
      clock ??= steadyClock(newest.get() ?? 0);
      return clock();
    },
    warnings,
    transaction: (change) => db.transaction(change).immediate(),
    transactionSoon: (change) => flush.commit(() => db.transaction(change).immediate()),
    onDisk: flush.settled,
    purge: async (before, statesAlone = []) => {
      const alone = new Set(threads.statesAlone());
      for (const id of statesAlone) if (alone.has(id)) await checkpointer.deleteThread(id);
      const gone = threads.removedBefore(before);
      for (const id of gone) {
        await checkpointer.deleteThread(id);
        for (const terminal of terminals.ofThread(id)) terminals.remove(terminal.id);
        threads.erase(id);
      }
      return gone;
    },
    close: () => {
      writeBack.close();
      flush.close();
      db.close();
    },
  });
}
