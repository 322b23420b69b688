import type { Stats } from 'node:fs';
import type { Contents } from './contents';
import type { Known } from './folder-index';
import { type FolderReader, inodeOf, markOf } from './folder-reader';
import { MAX_FILE } from './protocol';
import { readInside } from './system';

/** Milliseconds. A file read so soon after it was written may be written again within the same clock tick. */
export const TICK = 50;

/** What reading a path tells about it. */
export type Read = Omit<Known, 'extra' | 'pending'>;

/** Reads the state of a path, and keeps its content if there is budget for it. Null if it is gone, or not a file, folder or link. */
export function readKnown(
  from: { root: string; folder: FolderReader; contents: Contents; budget: number },
  path: string,
  stat: Stats,
  withContent: boolean,
): Read | null {
  const mark = markOf(stat);
  const mode = stat.mode & 0o7777;
  const seen = { mark, inode: inodeOf(stat), racy: false };
  if (stat.isDirectory()) return { ...seen, state: { type: 'dir', mode } };
  if (stat.isSymbolicLink()) {
    const target = from.folder.linkAt(path);
    return target === null ? null : { ...seen, state: { type: 'link', target } };
  }
  if (!stat.isFile()) return null;
  const { contents, budget, root } = from;
  const racy = Date.now() - stat.mtimeMs < TICK;
  const mayKeep = withContent && stat.size <= MAX_FILE && contents.bytes < budget;
  const bytes = mayKeep ? readInside(root, path, MAX_FILE) : null;
  if (bytes === null)
    return { ...seen, racy, state: { type: 'file', hash: null, size: stat.size, mode, mark } };
  const hash = contents.put(bytes);
  return { ...seen, racy, state: { type: 'file', hash, size: bytes.length, mode } };
}
