import { join } from 'node:path';
import type { Output } from '../../contract/commands';
import { Budgets, type ClearablePart, DEFAULT_BUDGETS } from '../../contract/commands/data';
import type { DataProgress } from '../../contract/events/data';
import { fail, ok, type Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import type { Storage } from '../../storage';
import { incomingOf } from '../../storage/data-jobs';
import { doDataJob } from '../../storage/data-service';
import type { TerminalSessions } from '../../terminal/sessions';
import type { Confirmations } from '../window/confirmations';
import type { ShellServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { planRestore, planWipe } from './pending-data';

/** Folders with something for each thread. */
interface KeptByThread {
  /** Removes what is of no thread that is kept. */
  sweep(isKept: (threadId: string) => boolean): Promise<void>;
}

export interface DataParts {
  storage: Storage;
  hub: Hub;
  shell: ShellServices;
  confirmations: Confirmations;
  dataFolder: string;
  terminals: Pick<TerminalSessions, 'list' | 'close'>;
  outputs: KeptByThread;
  attachments: KeptByThread;
  /** Keeps to a changed budget from now on. */
  onBudgets: (budgets: Budgets) => void;
}

const BUDGETS = 'data.budgets';

export const budgetsOf = (storage: Storage): Budgets => ({
  ...DEFAULT_BUDGETS,
  ...storage.settings.get(BUDGETS, Budgets),
});

/** The data folder: how much is in it, copies of it, and deleting it. */
export class DataFolder {
  private readonly file: string;
  /** One at a time: two would fill the same places. */
  private isBusy = false;
  /** A backup was chosen and tested. */
  private isChosen = false;

  constructor(private readonly parts: DataParts) {
    this.file = join(parts.dataFolder, 'deepdesk.db');
  }

  async read(signal: AbortSignal): Promise<Result<Output<'data.read'>>> {
    const { dataFolder, storage } = this.parts;
    const read = await doDataJob({ kind: 'sizes', folder: dataFolder, file: this.file }, { signal });
    return read.ok ? ok({ folder: dataFolder, ...read.value, budgets: budgetsOf(storage) }) : read;
  }

  setBudgets(changes: { [K in keyof Budgets]?: Budgets[K] | undefined }): Budgets {
    const { storage } = this.parts;
    const budgets = { ...budgetsOf(storage), ...optional(changes) };
    storage.settings.set(BUDGETS, budgets);
    this.parts.onBudgets(budgets);
    return budgets;
  }

  /** Deletes all of a part for good, but for what belongs to a thread at work or a terminal that runs. */
  async clear(part: ClearablePart): Promise<void> {
    const { storage, terminals, outputs, attachments } = this.parts;
    if (part === 'terminals') {
      const ended = terminals.list().filter(({ status }) => status !== 'running');
      await Promise.all(ended.map(({ id }) => terminals.close(id)));
      return;
    }
    // What a thread is at work with stays: its next step may read it.
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
    this.parts.shell.reveal(this.file);
  }

  backup(signal: AbortSignal): Promise<Result<Output<'data.backup'>>> | Result<never> {
    const { shell, dataFolder: scratch } = this.parts;
    const { chooseSaveFile } = shell;
    if (!chooseSaveFile) return fail('unsupported', 'choose_in_window');
    return this.alone(async () => {
      const day = new Date().toLocaleDateString('sv');
      const to = await chooseSaveFile(`deepdesk-${day}.backup`);
      if (to === null) return ok(null);
      if (to === this.file) return fail('invalid', 'data_itself');
      return doDataJob({ kind: 'backup', file: this.file, to, scratch }, { signal, tell: this.tell });
    });
  }

  /** Has the person choose a backup and tests it; nothing is restored yet. */
  choose(signal: AbortSignal): Promise<Result<Output<'data.choose'>>> | Result<never> {
    const { shell, dataFolder: scratch } = this.parts;
    const { chooseFile } = shell;
    if (!chooseFile) return fail('unsupported', 'choose_in_window');
    return this.alone(async () => {
      const from = await chooseFile(['backup', 'db']);
      if (from === null) return ok(null);
      this.isChosen = false;
      const into = incomingOf(this.file);
      const taken = await doDataJob({ kind: 'take', from, into, scratch }, { signal, tell: this.tell });
      this.isChosen = taken.ok;
      return taken;
    });
  }

  /** Puts the chosen backup in the place of the data, and starts Deepdesk again. */
  restore(): Result<Record<string, never>> {
    const { shell, dataFolder } = this.parts;
    if (!shell.restart) return fail('unsupported', 'restore_in_window_only');
    if (!this.isChosen) return fail('not_found', 'no_backup_chosen');
    planRestore(dataFolder, Date.now());
    shell.restart();
    return ok({});
  }

  /** Deletes what is kept, and starts Deepdesk again. */
  async wipe(): Promise<Result<Record<string, never>>> {
    const { shell, dataFolder, confirmations } = this.parts;
    if (!shell.restart) return fail('unsupported', 'delete_in_window_only');
    const confirmed = await confirmations.wipe(dataFolder);
    if (!confirmed.ok) return confirmed;
    planWipe(dataFolder);
    // Drafts, and what a page keeps.
    await shell.clearPages?.();
    shell.restart();
    return ok({});
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
