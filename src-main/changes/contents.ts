import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { flushFile, flushNames } from '../base/replace-file';
import type { FileState } from '../contract/changes';
import { codeOf } from './system';

/** First byte of a stored content: uncompressed or deflated. */
const RAW = 0;
const DEFLATED = 1;
/** Bytes below which compression is not worth the time. */
const COMPRESS_FROM = 256;
/**
 * Milliseconds after its last use in which a content is never swept, because another process may be about to reference it.
 */
const GRACE = 3_600_000;

/** Files flushed at the same time: disks combine them. The threads that wait are those of the whole process. */
const FLUSHED_AT_ONCE = 3;

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * File contents by their SHA-256: stored once, compressed, written to a temporary file and renamed, verified when read. A
 * kill leaves at most a temporary file, which the next sweep removes. What is recorded elsewhere is flushed first.
 */
export class Contents {
  private counted: number | null = null;
  /** Inodes of flushed contents. Another process may have removed and written one again. */
  private readonly flushed = new Map<string, number>();
  /** Folders whose own names are on the disk. */
  private readonly flushedFolders = new Set<string>();

  constructor(private readonly folder: string) {}

  put(bytes: Buffer): string {
    const hash = hashOf(bytes);
    const file = this.fileOf(hash);
    const there = statSync(file, { throwIfNoEntry: false });
    // A power failure may have truncated it.
    if (there !== undefined && this.get(hash) !== null) {
      if (Date.now() - there.mtimeMs > GRACE / 2) utimesSync(file, new Date(), new Date());
      return hash;
    }
    const packed = bytes.length < COMPRESS_FROM ? null : deflateRawSync(bytes, { level: 1 });
    const body = packed !== null && packed.length < bytes.length ? packed : bytes;
    const stored = Buffer.concat([Buffer.of(body === bytes ? RAW : DEFLATED), body]);
    const temporary = join(this.folder, `tmp-${process.pid}-${randomBytes(6).toString('hex')}`);
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(temporary, stored, { mode: 0o600 });
      renameSync(temporary, file);
    } catch (thrown) {
      rmSync(temporary, { force: true });
      throw thrown;
    }
    if (this.counted !== null) this.counted += stored.length - (there?.size ?? 0);
    return hash;
  }

  /**
   * Waits until the disk has these contents, so that a record that refers to them stays true after a power failure. Most of
   * what a first scan stores never needs this.
   */
  async flush(hashes: Iterable<string>): Promise<void> {
    const waiting = new Map<string, number>();
    for (const hash of hashes) {
      const there = statSync(this.fileOf(hash), { throwIfNoEntry: false });
      if (there !== undefined && this.flushed.get(hash) !== there.ino) waiting.set(hash, there.ino);
    }
    const next = waiting.keys();
    const flushRest = async () => {
      for (const hash of next) await flushFile(this.fileOf(hash));
    };
    await Promise.all(Array.from({ length: FLUSHED_AT_ONCE }, flushRest));
    const folders = new Set([...waiting.keys()].map((hash) => dirname(this.fileOf(hash))));
    for (const folder of folders) await flushNames(folder);
    if ([...folders].some((folder) => !this.flushedFolders.has(folder)))
      for (const above of [this.folder, dirname(this.folder)]) await flushNames(above);
    for (const folder of folders) this.flushedFolders.add(folder);
    for (const [hash, inode] of waiting) this.flushed.set(hash, inode);
  }

  has(hash: string): boolean {
    return existsSync(this.fileOf(hash));
  }

  /** Null if it is not stored or is damaged. */
  get(hash: string): Buffer | null {
    try {
      const stored = readFileSync(this.fileOf(hash));
      const body = stored.subarray(1);
      const bytes = stored[0] === DEFLATED ? inflateRawSync(body) : body;
      return hashOf(bytes) === hash ? bytes : null;
    } catch (thrown) {
      // Missing, or truncated by a power failure.
      if (codeOf(thrown) === '') throw thrown;
      return null;
    }
  }

  /** Compressed size in bytes; 0 if it is not stored. */
  size(hash: string): number {
    return statSync(this.fileOf(hash), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Total stored bytes. Counted from the disk once, then updated. */
  get bytes(): number {
    this.counted ??= this.all().reduce((sum, { size }) => sum + size, 0);
    return this.counted;
  }

  /** Deletes contents that `keep` lacks and that were not used within the last hour, including half-written files. */
  sweep(keep: ReadonlySet<string>, now = Date.now()): void {
    for (const { path, hash, mtimeMs, size } of this.all()) {
      if ((hash !== null && keep.has(hash)) || now - mtimeMs < GRACE) continue;
      unlinkSync(path);
      if (hash !== null) this.flushed.delete(hash);
      if (this.counted !== null) this.counted -= size;
    }
  }

  private all(): { path: string; hash: string | null; size: number; mtimeMs: number }[] {
    if (!existsSync(this.folder)) return [];
    const found: { path: string; hash: string | null; size: number; mtimeMs: number }[] = [];
    const add = (path: string, hash: string | null) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isFile()) found.push({ path, hash, size: stat.size, mtimeMs: stat.mtimeMs });
    };
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      if (/^[0-9a-f]{2}$/.test(name))
        for (const rest of readdirSync(path)) add(join(path, rest), name + rest);
      else if (name.startsWith('tmp-')) add(path, null);
    }
    return found;
  }

  private fileOf(hash: string): string {
    return join(this.folder, hash.slice(0, 2), hash.slice(2));
  }
}

/** The hashes of what these states need to come back. */
export const hashesIn = (states: readonly FileState[]): string[] =>
  states.flatMap((state) => (state.type === 'file' ? (state.hash ?? []) : []));
