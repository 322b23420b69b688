import { randomUUID } from 'node:crypto';
import { lstat, unlink } from 'node:fs/promises';
import { openNames, textOfLatin1 } from '../../../base/path-names';
import { systemCode } from '../failure';
import type { HeldDirectory } from './guard';

/**
 * Temporary files that a write creates beside its target until the rename: `.<name>.<pid>-<12 hex>.deepdesk-tmp`. A killed
 * process leaves its file behind, and the next write to that folder deletes it. Until then listings leave it out (and so do
 * searches, since its name is hidden): it is not part of the project.
 */
const TEMPORARY = /^\..+\.(\d+)-[0-9a-f]{12}\.deepdesk-tmp$/s;

/** Milliseconds since its last change for which a temporary file is kept, whoever created it. */
const GRACE = 10 * 60_000;
/** Milliseconds after which a process with the creator's id counts as a different one. */
const SURELY_OVER = 24 * 3_600_000;
/** Maximum names checked, once per folder and process, so that a huge folder costs no more. */
const MAX_NAMES = 10_000;
/** Maximum number of folders remembered as checked. */
const MAX_FOLDERS = 1_000;

/** Files that this process is writing now. */
const live = new Set<string>();
const swept = new Set<string>();

/** A name for a temporary file beside `name`, reserved until `release`. */
export function newTemporaryName(name: string): string {
  // Twelve digits of buffered randomness: asking the system for each would take longer than creating the file.
  const made = `.${shorten(name)}.${process.pid}-${randomUUID().slice(-12)}.deepdesk-tmp`;
  live.add(made);
  return made;
}

export const release = (temporaryName: string): void => void live.delete(temporaryName);

export const isTemporaryName = (name: string): boolean => TEMPORARY.test(name);

/**
 * Deletes leftovers of killed writes in a folder: only our own names, unchanged for ten minutes, whose creator is no longer
 * running. Checks each folder once per process, and at most 10,000 of its names. `now`: milliseconds, as `Date.now`. Never
 * fails: files that cannot be deleted stay.
 */
export async function sweep(folder: HeldDirectory, now = Date.now()): Promise<void> {
  if (swept.has(folder.place)) return;
  if (swept.size >= MAX_FOLDERS) swept.clear();
  swept.add(folder.place);
  try {
    let looked = 0;
    for await (const entry of await openNames(folder.path, 1_024)) {
      const name = textOfLatin1(entry.name);
      if (isTemporaryName(name)) await removeLeftOver(folder, name, now);
      looked += 1;
      if (looked >= MAX_NAMES) return;
    }
  } catch (thrown) {
    // The folder is gone, or can be written but not read.
    if (systemCode(thrown) === '') throw thrown;
  }
}

async function removeLeftOver(folder: HeldDirectory, name: string, now: number): Promise<void> {
  if (live.has(name)) return;
  const found = await lstat(folder.child(name));
  const age = now - found.mtimeMs;
  if (!found.isFile() || age < GRACE) return;
  if (age < SURELY_OVER && isRunning(Number(TEMPORARY.exec(name)?.[1]))) return;
  await unlink(folder.child(name));
}

function isRunning(pid: number): boolean {
  // This process's own writes are in `live`: here the id was reused.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // The process exists, but we may not signal it.
    return systemCode(thrown) === 'EPERM';
  }
}

/** Leaves space for the rest of the temporary name within 255 bytes. */
const shorten = (name: string): string =>
  Buffer.from(name)
    .subarray(0, 200)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
