import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, readdir, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';

/*
 * What is not there cannot be mounted over. So something harmless is put there for as long as a command runs, and taken away
 * after it. A record of it outlives a crash.
 */

const Placeholder = z.object({
  path: z.string(),
  /** Of a file; null: an empty folder. */
  content: z.string().nullable(),
});
export type Placeholder = z.infer<typeof Placeholder>;

/** Of those that this process made: how many commands need each one, and what it was when it was made. */
const held = new Map<string, { users: number; made: string }>();
/** Record folders that were already cleared of what an earlier process left. */
const cleared = new Map<string, Promise<void>>();

/** By path, the last of what makes or removes a placeholder there now. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Whether what is at a path is only there to hold the name, or comes or goes at the moment. Whoever looks at the disk has to
 * ask before and after that, since it takes time.
 */
export const isHeld = (path: string): boolean => held.has(path) || turns.has(path);

export interface HeldPlaceholders {
  /** Where something is now, put there by this or by somebody else. */
  there: string[];
  /** Removes those that nobody needs any more and that are as they were made. */
  release(): Promise<void>;
}

/** `records`: a folder of Deepdesk's own. */
export async function holdPlaceholders(
  wanted: readonly Placeholder[],
  records: string,
): Promise<HeldPlaceholders> {
  await clearOnce(records);
  if (wanted.length === 0) return { there: [], release: () => Promise.resolve() };
  const record = join(records, `${randomUUID()}.json`);
  const write = () => writeFile(record, JSON.stringify(wanted), { mode: 0o600 });
  // The folder may have been removed meanwhile.
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

/** False where something else was put there meanwhile, or where nothing can be made. */
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
      // It is there by now, or the folder is not ours to write; then it is not a command's either.
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
      // A folder in which there is something stays.
      if (content === null) await rmdir(path);
      else if (markOf(await lstat(path, { bigint: true })) === known.made) await unlink(path);
    } catch {
      // Gone already, or in use.
    }
    held.delete(path);
  });

/** What makes and removes one placeholder, one after the other: a command must not count on one that is being removed. */
async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(path) ?? Promise.resolve()).then(work);
  const over = turn.catch(() => undefined);
  turns.set(path, over);
  const result = await turn;
  if (turns.get(path) === over) turns.delete(path);
  return result;
}

const markOf = ({ ino, size, mtimeNs }: BigIntStats): string => `${ino} ${size} ${mtimeNs}`;

/** Removes what a process that was killed has left behind. */
export const clearOnce = (records: string): Promise<void> => {
  const known = cleared.get(records) ?? clearRecords(records);
  cleared.set(records, known);
  return known;
};

/** Bytes of what one process has noted; a few lines for each placeholder. */
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
    // The crash came while it was written: nothing was made by then.
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
    // Fails where somebody put something into it.
    if (content === null) return await rmdir(path);
    const maxBytes = Buffer.byteLength(content);
    const read = await readRegularText(path, { root: dirname(path), links: 'none', maxBytes });
    if (!isRefused(read) && read.text === content) await unlink(path);
  } catch {
    // Gone already, or in use.
  }
}
