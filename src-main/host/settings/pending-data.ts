import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { removeTreeSync } from '../../base/remove-tree';
import { because, type Reason } from '../../contract/shared/reasons';
import { incomingOf, sweepChecks } from '../../storage/data-jobs/data-jobs';
import { isOpenElsewhere } from '../../storage/database/database-file';
import { DATABASE, noteOf } from './data-names';

const Pending = z.discriminatedUnion('kind', [
  /** `aside`: the new name of the present files, chosen once so that a retry continues with the first. */
  z.object({ kind: z.literal('restore'), aside: z.string().regex(/^deepdesk\.db\.before-[\w-]+$/) }),
  z.object({ kind: z.literal('wipe') }),
]);
type Pending = z.infer<typeof Pending>;

/** What a wipe leaves in the data folder: the person's own files, and the profile of an instance with a folder of its own. */
const STAYS: ReadonlySet<string> = new Set(['skills', 'agents', 'profile']);

/** Chromium's entries where the data folder is its profile as well. They are open, and it clears them while it runs. */
const isOfChromium = (name: string): boolean => /^[A-Z.]/.test(name) || OF_CHROMIUM.has(name);
const OF_CHROMIUM: ReadonlySet<string> = new Set([
  'blob_storage',
  'databases',
  'declarative_rules',
  'extensions',
  'lockfile',
  'shared_proto_db',
]);

/** Plans to replace the data with the chosen backup at the next start. */
export function planRestore(dataDir: string, now: number): void {
  const aside = `${DATABASE}.before-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
  plan(dataDir, { kind: 'restore', aside });
}

/** Plans to delete everything at the next start. */
export const planWipe = (dataDir: string): void => plan(dataDir, { kind: 'wipe' });

function plan(dataDir: string, pending: Pending): void {
  const note = noteOf(dataDir);
  writeFileSync(`${note}.part`, JSON.stringify(pending), { mode: 0o600, flush: true });
  renameSync(`${note}.part`, note);
}

/**
 * Carries out the plan before anything opens the data, so that none of its files is in use. If it is interrupted, the next
 * start continues. Nothing happens while another process works with the data. Returns what the person should know.
 */
export function applyPending(dataDir: string): Reason[] {
  sweepChecks(dataDir);
  const pending = read(dataDir);
  const incoming = incomingOf(join(dataDir, DATABASE));
  if (pending === null) {
    // A backup was chosen, but the person did not continue.
    rmSync(incoming, { force: true });
    return [];
  }
  if (isOpenElsewhere(join(dataDir, DATABASE))) {
    // What the other process writes would be lost. Carrying it out later would lose what the person does until then.
    rmSync(noteOf(dataDir), { force: true });
    rmSync(incoming, { force: true });
    return [because(pending.kind === 'wipe' ? 'wipe_data_in_use' : 'restore_data_in_use')];
  }
  const told: Reason[] = [];
  if (pending.kind === 'wipe') {
    // The plan goes last: an interrupted wipe continues.
    const note = basename(noteOf(dataDir));
    for (const name of readdirSync(dataDir))
      if (name !== note && !STAYS.has(name) && !isOfChromium(name)) removeTreeSync(join(dataDir, name));
  } else if (existsSync(incoming)) {
    // The log first: the file without its log is only older, but the log without the file is useless.
    for (const end of ['-wal', '-shm', '']) {
      const present = join(dataDir, DATABASE + end);
      if (existsSync(present)) renameSync(present, join(dataDir, pending.aside + end));
    }
    renameSync(incoming, join(dataDir, DATABASE));
    told.push(because('backup_restored', { aside: join(dataDir, pending.aside) }));
  }
  rmSync(noteOf(dataDir), { force: true });
  return told;
}

function read(dataDir: string): Pending | null {
  if (!existsSync(noteOf(dataDir))) return null;
  try {
    return Pending.parse(JSON.parse(readFileSync(noteOf(dataDir), 'utf8')));
  } catch {
    // A plan that cannot be read must not delete anything.
    rmSync(noteOf(dataDir), { force: true });
    return null;
  }
}
