import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { incomingOf, sweepChecks } from '../../storage/data-jobs';
import { DATABASE, noteOf } from './data-names';

const Pending = z.discriminatedUnion('kind', [
  /** `aside`: what the present files are called afterwards, chosen once so that a second try goes on with the first. */
  z.object({ kind: z.literal('restore'), aside: z.string().regex(/^deepdesk\.db\.before-[\w-]+$/) }),
  z.object({ kind: z.literal('wipe') }),
]);
type Pending = z.infer<typeof Pending>;

/**
 * What a wipe leaves in the data folder: skills and agents are files that the person wrote, and the profile is Chromium's,
 * which is emptied while it runs.
 */
const WIPED = [
  'attachments',
  'media',
  'command-output',
  'changes',
  'sandbox',
  'sample-project',
  'withheld.key',
  'mcp.json',
  'window.json',
];

/** Notes that the chosen backup takes the place of the data at the next start. */
export function planRestore(dataDir: string, now: number): void {
  const aside = `${DATABASE}.before-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
  plan(dataDir, { kind: 'restore', aside });
}

/** Notes that everything is deleted at the next start. */
export const planWipe = (dataDir: string): void => plan(dataDir, { kind: 'wipe' });

function plan(dataDir: string, pending: Pending): void {
  const note = noteOf(dataDir);
  writeFileSync(`${note}.part`, JSON.stringify(pending), { mode: 0o600 });
  renameSync(`${note}.part`, note);
}

/**
 * Carries out what was planned, before anything opens the data: no file of it is in use then. Ended in the middle it goes
 * on at the next start. Answers what the person should know.
 */
export function applyPending(dataDir: string): string[] {
  sweepChecks(dataDir);
  const pending = read(dataDir);
  const incoming = incomingOf(join(dataDir, DATABASE));
  if (pending === null) {
    // It was chosen, and the person did not go on.
    rmSync(incoming, { force: true });
    return [];
  }
  const told: string[] = [];
  if (pending.kind === 'wipe') {
    const named = new Set(WIPED);
    for (const name of readdirSync(dataDir))
      if (named.has(name) || name.startsWith(DATABASE))
        rmSync(join(dataDir, name), { recursive: true, force: true });
  } else if (existsSync(incoming)) {
    // The log first: without it the file is whole, only older; without the file the log is nothing.
    for (const end of ['-wal', '-shm', '']) {
      const present = join(dataDir, DATABASE + end);
      if (existsSync(present)) renameSync(present, join(dataDir, pending.aside + end));
    }
    renameSync(incoming, join(dataDir, DATABASE));
    told.push(`The backup was restored. What was there before is kept as ${join(dataDir, pending.aside)}.`);
  }
  rmSync(noteOf(dataDir), { force: true });
  return told;
}

function read(dataDir: string): Pending | null {
  if (!existsSync(noteOf(dataDir))) return null;
  try {
    return Pending.parse(JSON.parse(readFileSync(noteOf(dataDir), 'utf8')));
  } catch {
    // A note that cannot be read must not delete anything.
    rmSync(noteOf(dataDir), { force: true });
    return null;
  }
}
