import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isBelow } from '../../base/is-below';
import type { Output } from '../../contract/commands';
import { Budgets, type ClearablePart, DEFAULT_BUDGETS } from '../../contract/commands/data';
import type { DataProgress } from '../../contract/events/data';
import { fail, ok, type Result } from '../../contract/result';
import { CallerGone } from '../../contract/serve';
import { optional } from '../../contract/shared/optional';
import { because, type Reason } from '../../contract/shared/reasons';
import type { Storage } from '../../storage';
import { incomingOf } from '../../storage/data-jobs/data-jobs';
import type { TerminalSessions } from '../../terminal/sessions';
import type { Confirmations } from '../window/confirmations';
import type { DesktopServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { planRestore, planWipe } from './pending-data';
import type { RunningDataJobs } from './running-data-jobs';

/** Folders with one entry per thread. */
interface KeptByThread {
  /** Removes everything that belongs to no kept thread. */
  sweep(isKept: (threadId: string) => boolean): Promise<void>;
}

export interface DataParts {
  storage: Storage;
  hub: Hub;
  desktop: DesktopServices;
  confirmations: Confirmations;
  dataFolder: string;
  terminals: Pick<TerminalSessions, 'list' | 'close'>;
  outputs: KeptByThread;
  attachments: KeptByThread;
  dataJobs: Pick<RunningDataJobs, 'run'>;
  /** Tells it in every window. */
  warn: (why: Reason) => void;
  /** Applies a changed budget. */
  onBudgets: (budgets: Budgets) => void;
}

const BUDGETS = 'data.budgets';

export const budgetsOf = (storage: Storage): Budgets => ({
  ...DEFAULT_BUDGETS,
  ...storage.settings.get(BUDGETS, Budgets),
});

const isCallerGone = ({ reason }: AbortSignal): boolean => reason instanceof CallerGone;

/** Aborted when the person cancels, and not when the window is closed. */
function untilCancelled(signal: AbortSignal): AbortSignal {
  const cancelling = new AbortController();
  const cancel = () => {
    if (!isCallerGone(signal)) cancelling.abort(signal.reason);
  };
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return cancelling.signal;
}

/** The data folder: its size, backups and deletion. */
export class DataFolder {
  private readonly file: string;
  /** One operation at a time: two would write to the same paths. */
  private isBusy = false;
  /** A backup was chosen and verified. */
  private isChosen = false;

  constructor(private readonly parts: DataParts) {
    this.file = join(parts.dataFolder, 'deepdesk.db');
  }

  async read(signal: AbortSignal): Promise<Result<Output<'data.read'>>> {
    const { dataFolder, storage } = this.parts;
    const read = await this.parts.dataJobs.run(
      { kind: 'sizes', folder: dataFolder, file: this.file },
      { signal },
    );
    return read.ok ? ok({ folder: dataFolder, ...read.value, budgets: budgetsOf(storage) }) : read;
  }

  setBudgets(changes: { [K in keyof Budgets]?: Budgets[K] | undefined }): Budgets {
    const { storage } = this.parts;
    const budgets = { ...budgetsOf(storage), ...optional(changes) };
    storage.settings.set(BUDGETS, budgets);
    this.parts.onBudgets(budgets);
    return budgets;
  }

  /** Permanently clears a part, except what belongs to a working thread or a running terminal. */
  async clear(part: ClearablePart): Promise<void> {
    const { storage, terminals, outputs, attachments } = this.parts;
    if (part === 'terminals') {
      const ended = terminals.list().filter(({ status }) => status !== 'running');
      await Promise.all(ended.map(({ id }) => terminals.close(id)));
      return;
    }
    // Keep what a working thread uses: its next step may read it.
    const busy = new Set(
      storage.threads
        .summaries()
        .filter(({ status }) => status === 'running' || status === 'waiting')
        .map(({ id }) => id as string),
    );
    await (part === 'offloads' ? outputs : attachments).sweep((id) => busy.has(id));
  }

  /** Shows the data folder in the system's file manager. */
  reveal(): void {
    this.parts.desktop.reveal(this.file);
  }

  /** Goes on when its window is closed; then the others get its result. */
  backup(signal: AbortSignal): Promise<Result<Output<'data.backup'>>> | Result<never> {
    const { desktop, dataFolder: scratch } = this.parts;
    const { chooseSaveFile } = desktop;
    if (!chooseSaveFile) return fail('unsupported', 'choose_in_window');
    return this.alone(async () => {
      const day = new Date().toLocaleDateString('sv');
      const to = await chooseSaveFile(`deepdesk-${day}.backup`);
      if (to === null) return ok(null);
      if (await this.isOfDatabase(to)) return fail('invalid', 'data_itself');
      const made = await this.parts.dataJobs.run(
        { kind: 'backup', file: this.file, to, scratch },
        { signal: untilCancelled(signal), tell: this.tell },
      );
      // The end of the app, which cancels it, is no result.
      if (isCallerGone(signal) && (made.ok || made.error.kind !== 'cancelled'))
        this.parts.warn(because(made.ok ? 'backup_made' : 'backup_not_made', { path: to }));
      return made;
    });
  }

  /** Lets the person choose a backup and verifies it; nothing is restored yet. */
  choose(signal: AbortSignal): Promise<Result<Output<'data.choose'>>> | Result<never> {
    const { desktop, dataFolder: scratch } = this.parts;
    const { chooseFile } = desktop;
    if (!chooseFile) return fail('unsupported', 'choose_in_window');
    return this.alone(async () => {
      const from = await chooseFile(['backup', 'db']);
      if (from === null) return ok(null);
      this.isChosen = false;
      const into = incomingOf(this.file);
      const taken = await this.parts.dataJobs.run(
        { kind: 'take', from, into, scratch },
        { signal, tell: this.tell },
      );
      this.isChosen = taken.ok;
      return taken;
    });
  }

  /** Replaces the data with the chosen backup and restarts Deepdesk. */
  restore(): Result<Record<string, never>> {
    const { desktop, dataFolder } = this.parts;
    if (!desktop.restart) return fail('unsupported', 'restore_in_window_only');
    if (!this.isChosen) return fail('not_found', 'no_backup_chosen');
    planRestore(dataFolder, Date.now());
    desktop.restart();
    return ok({});
  }

  /** Deletes the stored data and restarts Deepdesk. */
  async wipe(): Promise<Result<Record<string, never>>> {
    const { desktop, dataFolder, confirmations } = this.parts;
    // A wipe deletes what it does not know as well.
    if (isBelow(homedir(), dataFolder))
      return fail('unsupported', 'delete_holds_home', { folder: dataFolder });
    if (!desktop.restart) return fail('unsupported', 'delete_in_window_only');
    const confirmed = await confirmations.wipe(dataFolder);
    if (!confirmed.ok) return confirmed;
    planWipe(dataFolder);
    // Drafts and other renderer storage.
    await desktop.clearPages?.();
    desktop.restart();
    return ok({});
  }

  /** Whether the path is the database or a file beside it that SQLite or a restore uses, also through a link to the folder. */
  private async isOfDatabase(path: string): Promise<boolean> {
    const names = ['', '-wal', '-shm', '-journal', '.incoming'].map((end) => basename(this.file) + end);
    if (!names.includes(basename(path).toLowerCase())) return false;
    const [folder, own] = await Promise.all(
      [dirname(path), this.parts.dataFolder].map((one) => stat(one).catch(() => null)),
    );
    return folder != null && folder.dev === own?.dev && folder.ino === own.ino;
  }

  private readonly tell = (progress: DataProgress) =>
    this.parts.hub.app({ type: 'data.progress', ...progress });

  private async alone<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    if (this.isBusy) return fail('conflict', 'data_job_running');
    this.isBusy = true;
    try {
      return await work();
    } finally {
      this.isBusy = false;
    }
  }
}
