import type { ThreadId } from '../contract/ids';
import { ok, type Result } from '../contract/result';
import { SqliteSaver } from '../harness/storage/sqlite/checkpointer';
import { SqliteStore } from '../harness/storage/sqlite/store';
import { type Activity, openActivity } from './activity';
import { type Approvals, openApprovals } from './approvals';
import { type FileChanges, openFileChanges } from './file-changes';
import { type Journal, openJournal } from './journal';
import { type Leases, openLeases } from './leases';
import { type MessageSearch, openMessageSearch } from './message-search';
import { type Messages, openMessages } from './messages';
import { openDatabase } from './open';
import { openProjects, type Projects } from './projects';
import { openRedactedSecrets, type RedactedSecrets } from './redacted-secrets';
import { openRules, type Rules } from './rules';
import { openSecrets, type Secrets } from './secrets';
import { openSettings, type SettingsTable } from './settings';
import { openSpending, type Spending } from './spending';
import { steadyClock } from './steady-clock';
import { openStoreBrowse, type StoreBrowse } from './store-browse';
import { openTerminals, type Terminals } from './terminals';
import { openThreads, type Threads } from './threads';
import { openUsageReport } from './usage-report';
import { openWriteBack } from './write-back';

export interface Storage {
  projects: Projects;
  threads: Threads;
  messages: Messages;
  search: MessageSearch;
  approvals: Approvals;
  rules: Rules;
  activity: Activity;
  journal: Journal;
  fileChanges: FileChanges;
  terminals: Terminals;
  settings: SettingsTable;
  secrets: Secrets;
  redactedSecrets: RedactedSecrets;
  spending: Spending;
  /** What requests took and cost by day, model and project; both days (YYYY-MM-DD) are included. */
  usageReport: ReturnType<typeof openUsageReport>;
  leases: Leases;
  checkpointer: SqliteSaver;
  store: SqliteStore;
  browse: StoreBrowse;
  /**
   * Milliseconds since 1970 for what is put in order or measured. It goes on where the computer's clock is set back, also
   * while the app is closed: what is written later has the later time.
   */
  now(): number;
  /** What the person should know, in words; grows when a row is found that can no longer be read. */
  warnings: string[];
  /** All or nothing. `change` must not be asynchronous; inside another transaction it is part of that one. */
  transaction<T>(change: () => T): T;
  /**
   * Ends threads that were deleted before that time (milliseconds since 1970), themselves or with their project, for
   * good, with all that is theirs.
   */
  purge(before: number): Promise<ThreadId[]>;
  close(): void;
}

/**
 * Opens the database and everything kept in it. What one process writes, another sees at once; who runs a thread is
 * settled by `leases`. Errors: as `openDatabase`.
 */
export function openStorage(file: string): Result<Storage> {
  const opened = openDatabase(file);
  if (!opened.ok) return opened;
  const { db, warnings } = opened.value;
  const noted = new Set<string>();
  const onUnreadable = (table: string, id: string) => {
    const warning =
      table === 'settings'
        ? `The setting ${id.replace(/^app\./, '')} could not be read: what is usual holds until it is set again.`
        : `An entry of ${table} (${id}) could not be read and is left out. It is still in the data file.`;
    if (!noted.has(warning)) warnings.push(warning);
    noted.add(warning);
  };
  const threads = openThreads(db, onUnreadable);
  const newest = db
    .prepare<[], number | null>(
      `SELECT max((SELECT coalesce(max(updated_at), 0) FROM threads), (SELECT coalesce(max(at), 0) FROM seen),
       (SELECT coalesce(max(started_at), 0) FROM terminals))`,
    )
    .pluck();
  let clock: (() => number) | undefined;
  const writeBack = openWriteBack(db, file);
  const checkpointer = new SqliteSaver(db, { wrote: writeBack.wrote });
  const recorded = openTerminals(db, onUnreadable);
  // What prints, and checkpoints, write most of what is written.
  const terminals: Terminals = {
    ...recorded,
    append: (id, data) => {
      const end = recorded.append(id, data);
      writeBack.wrote();
      return end;
    },
  };

  return ok({
    projects: openProjects(db, onUnreadable),
    threads,
    messages: openMessages(db, onUnreadable),
    search: openMessageSearch(db),
    approvals: openApprovals(db, onUnreadable),
    rules: openRules(db, onUnreadable),
    activity: openActivity(db, onUnreadable),
    journal: openJournal(db),
    fileChanges: openFileChanges(db, onUnreadable),
    terminals,
    settings: openSettings(db, onUnreadable),
    secrets: openSecrets(db),
    redactedSecrets: openRedactedSecrets(db, onUnreadable),
    spending: openSpending(db),
    usageReport: openUsageReport(db),
    leases: openLeases(db),
    checkpointer,
    store: new SqliteStore(db, writeBack.hasWorker ? { wrote: writeBack.wrote } : {}),
    browse: openStoreBrowse(db),
    now: () => {
      clock ??= steadyClock(newest.get() ?? 0);
      return clock();
    },
    warnings,
    transaction: (change) => db.transaction(change).immediate(),
    purge: async (before) => {
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
      db.close();
    },
  });
}
