import { randomUUID } from 'node:crypto';
import { lstat, unlink } from 'node:fs/promises';
import { openNames, textOfLatin1 } from '../../base/path-names';
import { systemCode } from './failure';
import type { HeldDirectory } from './guard';

/**
 * The files that a write makes beside its target until it is renamed: `.<name>.<pid>-<12 hex>.deepdesk-tmp`. A killed
 * process leaves its own behind; they are deleted when something is written to their folder again. While they are there,
 * listings leave them out (and searches too, since they are hidden names): they are no files of the project.
 */
const TEMPORARY = /^\..+\.(\d+)-[0-9a-f]{12}\.deepdesk-tmp$/s;

/** Milliseconds after its last change in which a temporary file is left alone, whoever made it. */
const GRACE = 10 * 60_000;
/** Milliseconds after which the process that has the maker's number is taken to be another. */
const SURELY_OVER = 24 * 3_600_000;
/** Names of a folder that are looked at, once a folder and process: so that a huge folder costs no more. */
const MAX_NAMES = 10_000;
/** Folders that are remembered as looked at. */
const MAX_FOLDERS = 1_000;

/** Of this process, being written now. */
const live = new Set<string>();
const swept = new Set<string>();

/** A name for a temporary file beside `name`, which is ours until `release`. */
export function newTemporaryName(name: string): string {
  // Twelve digits of what is at hand: to ask the system for each takes longer than to make the file.
  const made = `.${shorten(name)}.${process.pid}-${randomUUID().slice(-12)}.deepdesk-tmp`;
  live.add(made);
  return made;
}

export const release = (temporaryName: string): void => void live.delete(temporaryName);

export const isTemporaryName = (name: string): boolean => TEMPORARY.test(name);

/**
 * Deletes what killed writes left in a folder: only names of our own, unchanged for ten minutes, whose maker is not
 * running any more. Looks once at each folder in the life of the process, and at no more than 10,000 names of it.
 * `now`: milliseconds, as `Date.now`. Never fails: what cannot be deleted stays.
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
    // The folder went away, or may be written but not read.
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
  // What this process writes is in `live`: here it is a number that was given out twice.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // It is there, but not ours to send signals to.
    return systemCode(thrown) === 'EPERM';
  }
}

/** Leaves room for the rest of the temporary name within 255 bytes. */
const shorten = (name: string): string =>
  Buffer.from(name)
    .subarray(0, 200)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
