import {
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Bytes that a disk writes as a whole. */
const BLOCK = 4_096;
/** Bytes before the content of a record. */
const HEADER = 48;

/** A change that `unsynced.c` recorded. */
interface Change {
  type: 'W' | 'T' | 'S' | 'C' | 'L' | 'U' | 'R' | 'M' | 'D';
  /** The file's, or the folder's that has the name. */
  inode: bigint;
  offset: number;
  /** The previous file's. */
  size: number;
  count: number;
  before: Buffer;
  after: Buffer;
}

/** Loses what a killed process had not flushed. Made by `preparePower`. */
export interface Power {
  /** For the process that is killed. */
  env: Record<string, string>;
  /** Call when the process is gone. Returns how many changes were taken back. */
  cut(random: () => number): number;
}

/** `library`: compiled from unsynced.c. `root`: the folder whose unflushed changes are lost. `place`: an empty folder on the same file system. */
export function preparePower(library: string, root: string, place: string): Power {
  const [log, stash] = [join(place, 'log'), join(place, 'stash')];
  mkdirSync(stash);
  return {
    env: { LD_PRELOAD: library, UNSYNCED_ROOT: root, UNSYNCED_LOG: log, UNSYNCED_STASH: stash },
    cut: (random) => {
      const lost = unflushed(changesIn(log));
      const files = filesBelow(root);
      const stashed = filesBelow(stash);
      takeBack(lost, random, (inode) => files.get(inode) ?? stashed.get(inode));
      removeSharedMemory(root);
      return lost.length;
    },
  };
}

function changesIn(log: string): Change[] {
  const bytes = readFileSync(log);
  const changes: Change[] = [];
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const [before, after] = [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)];
    const content = at + HEADER;
    const end = content + before + after;
    // The kill interrupted the last record, so its change never happened.
    if (end > bytes.length) break;
    changes.push({
      type: String.fromCharCode(bytes.readUInt32LE(at)) as Change['type'],
      inode: bytes.readBigUInt64LE(at + 16),
      offset: Number(bytes.readBigUInt64LE(at + 24)),
      size: Number(bytes.readBigUInt64LE(at + 32)),
      count: Number(bytes.readBigUInt64LE(at + 40)),
      before: bytes.subarray(content, content + before),
      after: bytes.subarray(content + before, end),
    });
    at = end;
  }
  return changes;
}

/** The changes that no later flush of the same file or folder covers. */
function unflushed(changes: readonly Change[]): Change[] {
  const flushed = new Map<bigint, number>();
  for (const { type, inode, offset } of changes)
    if (type === 'S') flushed.set(inode, Math.max(offset, flushed.get(inode) ?? 0));
  return changes.filter(({ type, inode, count }) => type !== 'S' && count >= (flushed.get(inode) ?? 0));
}

/**
 * Takes every change back, then repeats some of them, as a disk may have written any of them before it lost power: blocks of
 * content in any combination, names in order up to some moment.
 */
function takeBack(
  lost: readonly Change[],
  random: () => number,
  pathOf: (inode: bigint) => string | undefined,
): void {
  const isContent = ({ type }: Change) => type === 'W' || type === 'T';
  const names = lost.filter((change) => !isContent(change));
  const kept = Math.floor(random() * (names.length + 1));
  // Content first, while the files have the names under which they were found.
  const content = lost.filter(isContent);
  for (const change of content.toReversed())
    withFile(pathOf(change.inode), (file) => undoContent(file, change));
  const all = random() < 0.3;
  for (const change of all ? [] : content)
    withFile(pathOf(change.inode), (file) => redoContent(file, change, random));
  for (const change of names.slice(kept).toReversed()) undoName(change);
}

function withFile(path: string | undefined, change: (file: number) => void): void {
  if (path === undefined) return;
  const file = openSync(path, 'r+');
  try {
    change(file);
  } finally {
    closeSync(file);
  }
}

function undoContent(file: number, { before, offset, size }: Change): void {
  if (before.length > 0) writeSync(file, before, 0, before.length, offset);
  ftruncateSync(file, size);
}

function redoContent(file: number, { type, after, offset }: Change, random: () => number): void {
  if (type === 'T') {
    if (random() < 0.5) ftruncateSync(file, offset);
    return;
  }
  for (let at = 0; at < after.length; ) {
    const length = Math.min(after.length - at, BLOCK - ((offset + at) % BLOCK));
    if (random() < 0.5) writeSync(file, after, at, length, offset + at);
    at += length;
  }
}

function undoName({ type, before, after }: Change): void {
  const path = before.toString();
  const [stashed = '', source = ''] = after.toString().split('\0');
  if (type === 'M') rmSync(path, { recursive: true, force: true });
  if (type === 'D') mkdirSync(path, { recursive: true });
  if (type === 'C' || type === 'L') rmSync(path, { force: true });
  // If the source exists, the kill came before the change.
  if (type === 'R' && !existsSync(source)) {
    renameSync(path, source);
    if (stashed !== '') linkSync(stashed, path);
  }
  if (type === 'U' && stashed !== '' && !existsSync(path)) linkSync(stashed, path);
}

function filesBelow(root: string): Map<bigint, string> {
  const files = new Map<bigint, string>();
  for (const name of readdirSync(root, { recursive: true }).map(String)) {
    const stat = lstatSync(join(root, name), { bigint: true });
    if (stat.isFile()) files.set(stat.ino, join(root, name));
  }
  return files;
}

/** It never reaches the disk. */
function removeSharedMemory(root: string): void {
  for (const path of filesBelow(root).values()) if (path.endsWith('-shm')) unlinkSync(path);
}
