import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Budgets, DEFAULT_BUDGETS } from '../../contract/commands/data';
import type { UsageRow } from '../../contract/commands/usage';
import type { DataProgress } from '../../contract/events/data';
import { fail, ok, type Result } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import type { Storage } from '../../storage';
import { incomingOf } from '../../storage/data-jobs';
import { doDataJob } from '../../storage/data-service';
import type { TerminalSessions } from '../../terminal/sessions';
import type { ModelService } from '../settings/model-service';
import { planRestore, planWipe } from '../settings/pending-data';
import type { AttachmentStore } from '../threads/attachments';
import type { CommandOutputs } from '../threads/command-outputs';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';
import type { ShellServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';

interface Parts {
  storage: Storage;
  hub: Hub;
  models: ModelService;
  shell: ShellServices;
  confirmations: Confirmations;
  dataFolder: string;
  terminals: Pick<TerminalSessions, 'list' | 'close'>;
  outputs: Pick<CommandOutputs, 'sweep'>;
  attachments: Pick<AttachmentStore, 'sweep'>;
  /** Keeps to a changed budget from now on. */
  onBudgets: (budgets: Budgets) => void;
}

type DataCommand =
  | 'models.test'
  | 'models.takeBack'
  | 'usage.report'
  | 'usage.save'
  | 'data.read'
  | 'data.setBudgets'
  | 'data.clear'
  | 'data.open'
  | 'data.backup'
  | 'data.choose'
  | 'data.restore'
  | 'data.wipe';

const NO_DIALOG = 'Files can only be chosen in the window.';
const BUDGETS = 'data.budgets';

export const budgetsOf = (storage: Storage): Budgets => ({
  ...DEFAULT_BUDGETS,
  ...storage.settings.get(BUDGETS, Budgets),
});

/** What the person has: what it took and cost, how much room it takes, and copies of it. */
export function dataHandlers(parts: Parts): Pick<Handlers<Connection>, DataCommand> {
  const { storage, hub, models, shell, dataFolder } = parts;
  const file = join(dataFolder, 'deepdesk.db');
  const tell = (progress: DataProgress) => hub.app({ type: 'data.progress', ...progress });
  /** One at a time: two would fill the same places. */
  let busy = false;
  /** A backup was chosen and tested. */
  let chosen = false;

  const alone = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
    if (busy)
      return fail('conflict', 'Deepdesk is copying or testing data already. Wait until that has ended.');
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  };

  return {
    'models.test': async ({ provider, model }, _connection, signal) =>
      ok(await models.test(provider, model, signal)),
    'models.takeBack': ({ provider, what, back }) => models.takeBack(provider, what, back),
    'usage.report': ({ from, to }) => ok({ rows: storage.usageReport(from, to) }),
    'usage.save': async ({ from, to }) => {
      if (!shell.chooseSaveFile) return fail('unsupported', NO_DIALOG);
      const path = await shell.chooseSaveFile(`deepdesk-usage-${from}-${to}.csv`);
      if (path === null) return ok({ path });
      const names = new Map(storage.projects.list().map(({ id, name }) => [id as string, name]));
      const text = csvOf(storage.usageReport(from, to), (id) => names.get(id) ?? id);
      const part = `${path}.${randomUUID().slice(0, 8)}.part`;
      try {
        await writeFile(part, text, { mode: 0o600 });
        await rename(part, path);
        return ok({ path });
      } catch (error) {
        await rm(part, { force: true });
        return fail('storage', `The file ${path} could not be written. Choose another place.`, String(error));
      }
    },

    'data.read': async (_input, _connection, signal) => {
      const read = await doDataJob({ kind: 'sizes', folder: dataFolder, file }, { signal });
      return read.ok ? ok({ folder: dataFolder, ...read.value, budgets: budgetsOf(storage) }) : read;
    },
    'data.setBudgets': (changes) => {
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const budgets = { ...budgetsOf(storage), ...given };
      storage.settings.set(BUDGETS, budgets);
      parts.onBudgets(budgets);
      return ok(budgets);
    },
    'data.clear': async ({ part }) => {
      if (part === 'terminals') {
        const ended = parts.terminals.list().filter(({ status }) => status !== 'running');
        await Promise.all(ended.map(({ id }) => parts.terminals.close(id)));
        return ok({});
      }
      // What a thread is at work with stays: its next step may read it.
      const busy = new Set(
        storage.threads
          .summaries()
          .filter(({ status }) => status === 'running' || status === 'waiting')
          .map(({ id }) => id as string),
      );
      await (part === 'offloads' ? parts.outputs : parts.attachments).sweep((id) => busy.has(id));
      return ok({});
    },
    'data.open': () => {
      shell.reveal(file);
      return ok({});
    },
    'data.backup': async (_input, _connection, signal) => {
      if (!shell.chooseSaveFile) return fail('unsupported', NO_DIALOG);
      const { chooseSaveFile } = shell;
      return alone(async () => {
        const day = new Date().toLocaleDateString('sv');
        const to = await chooseSaveFile(`deepdesk-${day}.backup`);
        if (to === null) return ok(null);
        if (to === file) return fail('invalid', 'This is the data itself. Choose another place.');
        return doDataJob({ kind: 'backup', file, to, scratch: dataFolder }, { signal, tell });
      });
    },
    'data.choose': async (_input, _connection, signal) => {
      if (!shell.chooseFile) return fail('unsupported', NO_DIALOG);
      const { chooseFile } = shell;
      return alone(async () => {
        const from = await chooseFile(['backup', 'db']);
        if (from === null) return ok(null);
        chosen = false;
        const into = incomingOf(file);
        const taken = await doDataJob({ kind: 'take', from, into, scratch: dataFolder }, { signal, tell });
        chosen = taken.ok;
        return taken;
      });
    },
    'data.restore': () => {
      if (!shell.restart) return fail('unsupported', 'Data is restored in the window only.');
      if (!chosen) return fail('not_found', 'No backup was chosen yet. Choose one first.');
      planRestore(dataFolder, Date.now());
      shell.restart();
      return ok({});
    },
    'data.wipe': async () => {
      if (!shell.restart) return fail('unsupported', 'Data is deleted in the window only.');
      const confirmed = await parts.confirmations.wipe(dataFolder);
      if (!confirmed.ok) return confirmed;
      planWipe(dataFolder);
      // Drafts, and what a page keeps.
      await shell.clearPages?.();
      shell.restart();
      return ok({});
    },
  };
}

/** Commas, quotes and line ends within quotes; a name that a spreadsheet would take for a formula is told as text. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(rows: readonly UsageRow[], nameOf: (projectId: string) => string): string {
  const head = [
    'day',
    'model',
    'project',
    'requests',
    'input_tokens',
    'cache_read_tokens',
    'cache_write_tokens',
    'output_tokens',
    'reasoning_tokens',
    'cost_usd',
    'requests_of_unknown_price',
    'requests_of_unknown_tokens',
  ];
  const lines = rows.map((row) =>
    [
      row.day,
      row.model,
      row.projectId === null ? '' : nameOf(row.projectId),
      row.requests,
      row.input,
      row.cacheRead,
      row.cacheWrite,
      row.output,
      row.reasoning,
      row.cost / 1_000_000,
      row.unpriced,
      row.untold,
    ].map(cell),
  );
  return `${[head, ...lines].map((line) => line.join(',')).join('\r\n')}\r\n`;
}
