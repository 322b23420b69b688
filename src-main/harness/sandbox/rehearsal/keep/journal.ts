import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { flushFolder } from '../../../../base/replace-file';
import { statAt, whoOf } from '../layer/entry';
import { KEEP, writeWhole } from '../layer/layer';

const Op = z.object({
  path: z.string(),
  /**
   * `put`: the staged file replaces the present one. `write`: its content goes into the present file, which has other names
   * or custom attributes.
   */
  what: z.enum(['put', 'write', 'folder', 'mode', 'remove', 'remove-folder']),
  /** Name in the staging folder, for `put` and `write`. */
  stage: z.string().optional(),
  /** For `put`: the layer's own file moves into the folder, instead of a copy in the staging folder. */
  inLayer: z.literal(true).optional(),
  /** Permission bits, for `folder` and `mode`. */
  mode: z.number().optional(),
  /** Seconds: the time of a new folder, for `mode`. */
  mtime: z.number().optional(),
  /** The kernel's status of the present entry; null: nothing exists. */
  was: z.string().nullable(),
  /** For `write`: a file in the layer with the previous content. */
  saved: z.string().optional(),
  /** For `mode`: none of the command's changes, but one that others need. */
  isOwn: z.literal(true).optional(),
});
export type Op = z.infer<typeof Op>;

const KeepRecord = z.object({
  /**
   * `staging`: the folder is unchanged except for the staging folder. `applying`: everything is staged and moves into the
   * folder.
   */
  phase: z.enum(['staging', 'applying']),
  folder: z.string(),
  /** See `whoOf`; device and inode if an older version wrote it. */
  identity: z.string(),
  /** A folder inside the project folder with a temporary name. */
  staging: z.string(),
  ops: z.array(Op),
});
export type KeepRecord = z.infer<typeof KeepRecord>;

export async function writeRecord(place: string, record: KeepRecord): Promise<void> {
  await writeWhole(join(place, KEEP), JSON.stringify(record));
  await flushFolder(place);
}

export async function readRecord(place: string): Promise<KeepRecord | null> {
  const text = await readFile(join(place, KEEP), 'utf8').catch(() => null);
  return text === null ? null : KeepRecord.parse(JSON.parse(text));
}

/** Whether a keep was interrupted while it was moving files into its folder. */
export const isApplying = async (place: string): Promise<boolean> =>
  (await readRecord(place))?.phase === 'applying';

/** The same, and its folder is there. */
export async function isInterrupted(place: string): Promise<boolean> {
  const record = await readRecord(place);
  return record?.phase === 'applying' && (await hasItsFolder(record));
}

export const removeRecord = (place: string): Promise<void> => rm(join(place, KEEP), { force: true });

/** Whether the folder of a keep is there: the same one, not another in its place. */
export async function hasItsFolder({ folder, identity }: KeepRecord): Promise<boolean> {
  const stats = await statAt(folder).catch(() => null);
  if (stats?.isDirectory() !== true) return false;
  return whoOf(stats) === identity || `${stats.dev}:${stats.ino}` === identity;
}
