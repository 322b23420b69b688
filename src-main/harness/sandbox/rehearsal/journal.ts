import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { KEEP } from './layer';
import { writeWhole } from './manifest';

const Op = z.object({
  path: z.string(),
  /**
   * `put`: what is staged takes the place of what is there. `write`: the same into the file that is there, which has other
   * names or attributes of its own.
   */
  what: z.enum(['put', 'write', 'folder', 'mode', 'remove', 'remove-folder']),
  /** Name in the staging folder, of `put` and `write`. */
  stage: z.string().optional(),
  /** Permission bits, of `folder` and `mode`. */
  mode: z.number().optional(),
  /** What the kernel says of what is there before; null: nothing. */
  was: z.string().nullable(),
  /** Of `write`: a file of the layer with the content before. */
  saved: z.string().optional(),
});
export type Op = z.infer<typeof Op>;

const KeepRecord = z.object({
  /** `staging`: the folder is as it was but for the staging folder. `applying`: all is staged, and is put into the folder. */
  phase: z.enum(['staging', 'applying']),
  folder: z.string(),
  /** Device and inode of the folder. */
  identity: z.string(),
  /** A folder in the folder, which has a name of temporary files. */
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

export const removeRecord = (place: string): Promise<void> => rm(join(place, KEEP), { force: true });

/** Names in a folder reach the disk. */
export async function flushFolder(path: string | Buffer): Promise<void> {
  const folder = await open(path as string, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
