import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, readdir, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';

/*
 * A missing path cannot be mounted over. So a harmless placeholder is created while a command runs and removed afterwards.
 * Its record survives a crash.
 */

const Placeholder = z.object({
  path: z.string(),
  /** Content of a file; null: an empty folder. */
  content: z.string().nullable(),
});
export type Placeholder = z.infer<typeof Placeholder>;

/** Placeholders of this process: how many commands need each, and its state when it was created. */
const held = new Map<string, { users: number; made: string }>();
/** Record folders already cleared of an earlier process's leftovers. */
const cleared = new Map<string, Promise<void>>();

/** By path, the last operation that creates or removes a placeholder there. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Whether a path is a placeholder, or one is just being created or removed. Disk checks take time, so call this before and
 * after them.
 */
export const isHeld = (path: string): boolean => held.has(path) || turns.has(path);

export interface HeldPlaceholders {
  /** Paths that exist now, created by this call or by others. */
  there: string[];
  /** Removes unchanged placeholders that no command needs any more. */
  release(): Promise<void>;
}

/** `records`: a private folder, hidden from commands. */
export async function holdPlaceholders(
  wanted: readonly Placeholder[],
  records: string,
): Promise<HeldPlaceholders> {
  await clearOnce(records);
  if (wanted.length === 0) return { there: [], release: () => Promise.resolve() };
  const record = join(records, `${randomUUID()}.json`);
  const write = () => writeFile(record, JSON.stringify(wanted), { mode: 0o600 });
  // The folder may have been removed since.
  await write().catch(() => mkdir(records, { recursive: true, mode: 0o700 }).then(write));
  const found = await Promise.all(
    wanted.map(async (one) => ((await hold(one)) ? 'ours' : isThere(one.path))),
  );
  const ours = wanted.filter((_, index) => found[index] === 'ours');
  return {
    there: wanted.filter((_, index) => found[index] !== false).map(({ path }) => path),
    release: async () => {
      await Promise.all(ours.map(letGo));
      await rm(record, { force: true });
    },
  };
}

/** False if something else was created there, or if creation is impossible. */
const hold = ({ path, content }: Placeholder): Promise<boolean> =>
  inTurn(path, async () => {
    const known = held.get(path);
    if (known !== undefined) {
      known.users += 1;
      return true;
    }
    try {
      if (content === null) await mkdir(path);
      else await writeFile(path, content, { flag: 'wx' });
      held.set(path, { users: 1, made: markOf(await lstat(path, { bigint: true })) });
      return true;
    } catch {
      // It exists by now, or the folder is read-only for us and so for commands.
      return false;
    }
  });

const letGo = ({ path, content }: Placeholder): Promise<void> =>
  inTurn(path, async () => {
    const known = held.get(path);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    try {
      // A folder with content stays.
      if (content === null) await rmdir(path);
      else if (markOf(await lstat(path, { bigint: true })) === known.made) await unlink(path);
    } catch {
      // Already gone, or in use.
    }
    held.delete(path);
  });

/** Serializes creation and removal of one placeholder: a command must not rely on one that is being removed. */
async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(path) ?? Promise.resolve()).then(work);
  const over = turn.catch(() => undefined);
  turns.set(path, over);
  const result = await turn;
  if (turns.get(path) === over) turns.delete(path);
  return result;
}

const markOf = ({ ino, size, mtimeNs }: BigIntStats): string => `${ino} ${size} ${mtimeNs}`;

/** Removes leftovers of a killed process. */
export const clearOnce = (records: string): Promise<void> => {
  const known = cleared.get(records) ?? clearRecords(records);
  cleared.set(records, known);
  return known;
};

/** Maximum bytes of one process's records; a few lines per placeholder. */
const MAX_RECORD = 4 * 1024 * 1024;

async function clearRecords(records: string): Promise<void> {
  await mkdir(records, { recursive: true, mode: 0o700 });
  const names = await readdir(records);
  for (const name of names) {
    const read = await readRegularText(join(records, name), { root: records, maxBytes: MAX_RECORD });
    const left = z.array(Placeholder).safeParse(isRefused(read) ? [] : parsed(read.text));
    if (left.success) for (const one of left.data.toReversed()) if (!isHeld(one.path)) await remove(one);
    await rm(join(records, name), { force: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The crash happened while it was written: no placeholder existed yet.
    return null;
  }
}

export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function remove({ path, content }: Placeholder): Promise<void> {
  try {
    // Fails if somebody put something into it.
    if (content === null) return await rmdir(path);
    const maxBytes = Buffer.byteLength(content);
    const read = await readRegularText(path, { root: dirname(path), links: 'none', maxBytes });
    if (!isRefused(read) && read.text === content) await unlink(path);
  } catch {
    // Already gone, or in use.
  }
}
