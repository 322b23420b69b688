import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { flushFile, flushNames } from '../../base/replace-file';

/** Names a file that was not finished, so that the next start removes it. Earlier builds had one, `unfinished-backup`. */
const NOTE = /^unfinished-/;
const PART = /^deepdesk-[0-9a-f-]{36}\.part$/;

/**
 * Writes a file that the person chose: `work` writes a temporary file beside it and calls `put`, which flushes that file and
 * gives it the name `path`. What is left there after a failure is removed, and after a kill by `removeUnfinished` at the next
 * start.
 */
export async function writeBeside<T>(
  dataFolder: string,
  path: string,
  work: (part: string, put: () => Promise<void>) => Promise<T>,
): Promise<T> {
  // No file of the person has this name, and it is not longer than theirs may be.
  const id = randomUUID();
  const part = join(dirname(path), `deepdesk-${id}.part`);
  const note = join(dataFolder, `unfinished-${id}`);
  // Best effort: an export may be there to free the full disk of the data folder.
  await writeFile(note, part, { mode: 0o600 }).catch(() => undefined);
  try {
    return await work(part, async () => {
      await flushFile(part);
      await rename(part, path);
      await flushNames(dirname(path));
    });
  } finally {
    await Promise.all(filesOf(part).map((file) => rm(file, { force: true }).catch(() => undefined)));
    await rm(note, { force: true }).catch(() => undefined);
  }
}

/** Removes what `writeBeside` left before a kill or a power failure. Never while another process may be writing. */
export function removeUnfinished(dataFolder: string): void {
  for (const name of readdirSync(dataFolder)) {
    if (!NOTE.test(name)) continue;
    const note = join(dataFolder, name);
    const part = readFileSync(note, 'utf8');
    try {
      if (PART.test(basename(part))) for (const file of filesOf(part)) rmSync(file, { force: true });
    } catch (error) {
      // Its disk may be gone or read-only.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
    rmSync(note, { force: true });
  }
}

/** With what SQLite puts beside a database. */
const filesOf = (part: string): string[] => ['', '-wal', '-shm', '-journal'].map((end) => part + end);
