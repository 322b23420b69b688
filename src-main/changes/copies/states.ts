import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { openRegular, type RegularFile, readOpened } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import type { FileState } from '../../contract/changes';
import { FolderReader, markOf } from '../folder-reader';
import { hasRealParents } from '../system';

const readAsync = promisify(read);

/** Bytes per read. */
const PIECE = 256 * 1024;
/** Maximum bytes of a text that is merged by line. Larger files are compared as a whole. */
export const MAX_TEXT = 2 * 1024 * 1024;

const ABSENT: FileState = { type: 'absent' };

/** A state and what reveals the next write to it. */
export interface Seen {
  state: FileState;
  mark: string;
}

/** Reads the states of paths in a folder, and remembers the hashes of unchanged files. */
export class States {
  private readonly reader: FolderReader;
  private readonly hashes = new Map<string, { mark: string; hash: string }>();

  constructor(private readonly root: string) {
    this.reader = new FolderReader(root);
  }

  /** `known`: a file with the same mark has this state. A file that cannot be read has no hash. */
  async at(path: string, known?: Seen): Promise<Seen> {
    const stats = hasRealParents(this.root, path) ? this.reader.statOf(path) : null;
    if (stats === null) return { state: ABSENT, mark: '' };
    const mark = markOf(stats);
    const mode = stats.mode & 0o7777;
    if (stats.isDirectory()) return { state: { type: 'dir', mode }, mark };
    if (stats.isSymbolicLink())
      return { state: { type: 'link', target: this.reader.linkAt(path) ?? '' }, mark };
    if (!stats.isFile()) return { state: ABSENT, mark };
    if (known !== undefined && known.mark === mark) return known;
    const cached = this.hashes.get(path);
    const hash = cached?.mark === mark ? cached.hash : await this.hashOf(path);
    if (hash !== null) this.hashes.set(path, { mark, hash });
    const state: FileState = { type: 'file', hash, size: stats.size, mode };
    return { state: hash === null ? { ...state, mark } : state, mark };
  }

  /** A text that can be merged by line; null for anything else. */
  async text(path: string): Promise<string | null> {
    const bytes = await this.withFile(path, (file) => readOpened(file, { maxBytes: MAX_TEXT }));
    return bytes === null || isRefused(bytes) ? null : asText(bytes);
  }

  private hashOf(path: string): Promise<string | null> {
    return this.withFile(path, hashFile);
  }

  private async withFile<T>(path: string, use: (file: RegularFile) => Promise<T>): Promise<T | null> {
    const file = await openRegular(`${this.root}/${path}`, { root: this.root, links: 'none' });
    if (isRefused(file)) return null;
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  }
}

export async function hashFile({ fd, stats }: Pick<RegularFile, 'fd' | 'stats'>): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(PIECE, stats.size)));
  for (let at = 0; ; ) {
    const { bytesRead } = await readAsync(fd, buffer, 0, buffer.length, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** Null if the bytes are no UTF-8 text: merging would damage them. */
export const asText = (bytes: Buffer): string | null =>
  bytes.includes(0) || !isUtf8(bytes) ? null : bytes.toString('utf8');
