import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readRegularSync } from '../base/open-regular-sync';
import { textOfBytes } from '../base/path-names';
import { contains, isRefused } from '../base/regular-file';

/** What git's index says of one file. */
export interface IndexEntry {
  /** Relative to the top of the repository, with `/`. */
  path: string;
  mtimeSeconds: number;
  mtimeNanoseconds: number;
  mode: number;
  /** Bytes in the working tree, modulo 2^32. */
  size: number;
  /** Of the blob, hexadecimal. */
  hash: string;
  /** Above 0 while a merge is not settled. */
  stage: number;
  /** The person told git not to look. */
  isPutAside: boolean;
}

export interface Repository {
  /** The top of the working tree. */
  top: string;
  /** The folder that the index lies in. */
  gitFolder: string;
}

/** Bytes of an index that is read: some two million files. */
const MAX_INDEX = 256 * 1024 * 1024;
/** Bytes that are read of a file that names a folder, and of a configuration. */
const MAX_LINK = 10_000;
const MAX_CONFIG = 100_000;

/** The repository that a folder is in; null where there is none. Runs nothing. */
export function repositoryOf(folder: string): Repository | null {
  for (let top = folder; ; top = dirname(top)) {
    const found = gitFolderOf(top);
    if (found !== null) return { top, gitFolder: found };
    if (dirname(top) === top) return null;
  }
}

function gitFolderOf(top: string): string | null {
  const path = join(top, '.git');
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return path;
  // A worktree, or a submodule.
  const text = textOf(path, top, MAX_LINK);
  const target = /^gitdir: (.+)/.exec(text ?? '')?.[1]?.trim();
  if (target === undefined) return null;
  const folder = resolve(top, target);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  return belongsTo(folder, top) ? folder : null;
}

/** Whether a repository elsewhere says itself that this is its worktree: a `.git` file alone may name anybody's. */
function belongsTo(gitFolder: string, top: string): boolean {
  const [inside, real] = [realpathSync.native(gitFolder), realpathSync.native(top)];
  if (contains(real, inside)) return true;
  const back = textOf(join(gitFolder, 'gitdir'), gitFolder, MAX_LINK)?.trim();
  if (back !== undefined) return resolve(inside, back) === join(real, '.git');
  const worktree = textOf(join(gitFolder, 'config'), gitFolder, MAX_CONFIG)
    ?.split('\n')
    .map((line) => /^\s*worktree\s*=\s*(\S.*)$/i.exec(line)?.[1]?.trim())
    .find((value) => value !== undefined);
  return worktree !== undefined && resolve(inside, worktree) === real;
}

const textOf = (path: string, root: string, maxBytes: number): string | null => {
  const bytes = readRegularSync(path, { root, maxBytes, cut: true });
  return isRefused(bytes) ? null : bytes.toString('utf8');
};

/** The files that git knows of; null where the index is not there or of a kind that cannot be read alone. */
export function readIndex({ gitFolder }: Repository): IndexEntry[] | null {
  const bytes = readRegularSync(join(gitFolder, 'index'), { root: gitFolder, maxBytes: MAX_INDEX });
  return isRefused(bytes) ? null : parseIndex(bytes, usesSha256(gitFolder) ? 32 : 20);
}

function usesSha256(gitFolder: string): boolean {
  const common = textOf(join(gitFolder, 'commondir'), gitFolder, MAX_LINK)?.trim();
  const folder = common === undefined ? gitFolder : resolve(gitFolder, common);
  return /objectformat\s*=\s*sha256/iu.test(textOf(join(folder, 'config'), folder, MAX_CONFIG) ?? '');
}

const HEADER = 12;
/** Bytes of an entry before its hash. */
const FACTS = 40;

/** Versions 2 to 4 of git's format (gitformat-index). Null for another, a damaged or a split index. */
export function parseIndex(bytes: Buffer, hashLength: number): IndexEntry[] | null {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return null;
  const end = bytes.length - hashLength;
  const entries: IndexEntry[] = [];
  let at = HEADER;
  let before: Buffer = Buffer.alloc(0);
  for (let n = 0; n < count; n += 1) {
    const start = at;
    if (start + FACTS + hashLength + 2 > end) return null;
    const flagsAt = start + FACTS + hashLength;
    const flags = bytes.readUInt16BE(flagsAt);
    const extended = (flags & 0x4000) !== 0 ? bytes.readUInt16BE(flagsAt + 2) : 0;
    let nameAt = flagsAt + ((flags & 0x4000) !== 0 ? 4 : 2);
    let kept: Buffer = Buffer.alloc(0);
    if (version === 4) {
      // Names share their beginning with the one before: so many bytes are taken off its end.
      let cut = 0;
      for (let more = true, first = true; more; first = false) {
        const byte = bytes[nameAt];
        if (byte === undefined) return null;
        cut = (first ? 0 : (cut + 1) * 128) + (byte & 0x7f);
        more = (byte & 0x80) !== 0;
        nameAt += 1;
      }
      kept = before.subarray(0, Math.max(0, before.length - cut));
    }
    const zero = bytes.indexOf(0, nameAt);
    if (zero < 0 || zero > end) return null;
    const name =
      version === 4 ? Buffer.concat([kept, bytes.subarray(nameAt, zero)]) : bytes.subarray(nameAt, zero);
    before = name;
    // Entries are padded with one to eight zeros, but not in version 4.
    at = version === 4 ? zero + 1 : start + Math.ceil((zero + 1 - start) / 8) * 8;
    entries.push({
      path: textOfBytes(name),
      mtimeSeconds: bytes.readUInt32BE(start + 8),
      mtimeNanoseconds: bytes.readUInt32BE(start + 12),
      mode: bytes.readUInt32BE(start + 24),
      size: bytes.readUInt32BE(start + 36),
      hash: bytes.toString('hex', start + FACTS, flagsAt),
      stage: (flags >> 12) & 3,
      isPutAside: (flags & 0x8000) !== 0 || (extended & 0x4000) !== 0,
    });
  }
  // The rest of a split index lies in another file.
  if (bytes.toString('latin1', at, at + 4) === 'link') return null;
  return entries;
}

/** Whether a file is surely as the index has it, by its times and size; null where only its content tells. */
export function isUnchanged(entry: IndexEntry, stat: BigIntStats): boolean | null {
  const isLink = (entry.mode & 0o170000) === 0o120000;
  if (stat.isSymbolicLink() !== isLink || (!isLink && !stat.isFile())) return false;
  if (Number(stat.size % 2n ** 32n) !== entry.size) return false;
  const seconds = stat.mtimeNs / 1_000_000_000n;
  const rest = Number(stat.mtimeNs % 1_000_000_000n);
  const sameTime =
    Number(seconds % 2n ** 32n) === entry.mtimeSeconds &&
    (entry.mtimeNanoseconds === 0 || entry.mtimeNanoseconds === rest);
  return sameTime ? true : null;
}

/** Whether content is the blob, also where git keeps it with other line ends. Runs no filter. */
export function isBlob(bytes: Buffer, hash: string): boolean {
  const kind = hash.length === 64 ? 'sha256' : 'sha1';
  const hashOf = (content: Buffer) =>
    createHash(kind).update(`blob ${content.length}\0`).update(content).digest('hex');
  if (hashOf(bytes) === hash) return true;
  return (
    bytes.includes('\r\n') &&
    hashOf(Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')) === hash
  );
}
