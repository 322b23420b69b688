import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemPath, textOfLatin1 } from '../base/path-names';
import { type FileState, sameState } from '../contract/changes';
import { type Contents, hashOf } from './contents';
import { foldersAbove } from './excluded';
import { FolderReader, isKept } from './folder-reader';
import { MAX_FILE, type PathChange, type RevertStep, type StepResult } from './protocol';
import { codeOf, hasRealParents, inParent, readInside } from './system';
import { needsNoContent, restoreUnkept } from './unkept-file';

/**
 * Applies steps; each file changes atomically. It is safe to call again with the same steps after a kill at any point:
 * finished steps are detected. A path that is in neither state of its step is left alone.
 */
export function applySteps(
  root: string,
  revertId: string,
  steps: readonly RevertStep[],
  contents: Contents,
): StepResult[] {
  const results = new Map<string, StepResult>();
  const sources = steps.flatMap((step) => (step.from === undefined ? [] : { ...step, path: step.from }));
  const locked = unlockFolders(root, [...steps, ...sources]);
  renameFolders(root, steps);
  const kept = new Set(steps.flatMap(({ path, after }) => (after.type === 'absent' ? [] : path)));
  for (const step of inOrder(steps)) {
    const result = applyStep(root, temporaryName(revertId, step.path), step, { contents, kept });
    // A folder that contains other things stays. That is not a failure of the request.
    if (result !== null) results.set(step.path, { path: step.path, ...result });
  }
  lockFolders(root, [...steps, ...locked]);
  return steps.flatMap(({ path }) => results.get(path) ?? []);
}

/** Reads the state of a path. A file too large to keep is identified only by its size and times. */
function readState(root: string, path: string): FileState {
  if (!hasRealParents(root, path)) return { type: 'absent' };
  const at = systemPath(join(root, path));
  const stat = lstatSync(at, { throwIfNoEntry: false });
  // Pipes, sockets and devices are not kept. One in place of a file is replaced again.
  if (stat === undefined || !isKept(stat)) return { type: 'absent' };
  const mode = stat.mode & 0o7777;
  if (stat.isDirectory()) return { type: 'dir', mode };
  if (stat.isSymbolicLink()) return { type: 'link', target: textOfLatin1(readlinkSync(at, 'latin1')) };
  const mark = `${stat.size}-${stat.mtimeMs}-${stat.ctimeMs}-${stat.ino}-${stat.mode}`;
  const bytes = stat.isFile() ? readInside(root, path, MAX_FILE) : null;
  return bytes === null
    ? { type: 'file', hash: null, size: stat.size, mode, mark }
    : { type: 'file', hash: hashOf(bytes), size: bytes.length, mode, mark };
}

/** A state without content, which was not kept, is recognized by the size and times of the file. */
const isIn = (now: FileState, state: FileState): boolean =>
  sameState(
    now.type === 'file' && state.type === 'file' && state.hash === null ? { ...now, hash: null } : now,
    state,
  );

/** Removals of files first, then folders from the top, then their contents, and last the folders that go away. */
function inOrder(steps: readonly RevertStep[]): RevertStep[] {
  const depth = ({ path }: PathChange) => path.split('/').length;
  const round = ({ before, after }: PathChange) => {
    if (after.type === 'dir') return before.type === 'absent' || before.type === 'dir' ? 1 : 0;
    if (after.type === 'absent') return before.type === 'dir' ? 3 : 0;
    return before.type === 'dir' ? 4 : 2;
  };
  return [...steps].sort((a, b) => {
    const by = round(a) - round(b);
    return by !== 0 ? by : round(a) === 3 ? depth(b) - depth(a) : depth(a) - depth(b);
  });
}

/** Not system error codes. */
const LOST = 'LOST';
const CHANGED = 'CHANGED';

type Outcome = Omit<StepResult, 'path'>;

/** What is in a folder that nobody may enter was never seen, so no step removes it. */
const CLOSED: Outcome = { outcome: 'failed', detail: 'EACCES' };
const isClosed = (state: FileState): boolean => state.type === 'dir' && (state.mode & READABLE) !== READABLE;
const READABLE = 0o500;

function applyStep(
  root: string,
  temporary: string,
  step: RevertStep,
  { contents, kept }: { contents: Contents; kept: ReadonlySet<string> },
): Outcome | null {
  const { path, before, after } = step;
  try {
    if (needsNoContent(step)) {
      if (step.from !== undefined) makeParents(root, path);
      return restoreUnkept(root, step, (one) => readState(root, one));
    }
    // Before the content is read, so that an edit during either is noticed.
    const seen = markOf(systemPath(join(root, path)));
    const now = readState(root, path);
    if (isIn(now, after)) {
      inParent(root, path, (parent) => rmSync(join(parent, temporary), { force: true }));
      return { outcome: 'already' };
    }
    // On a disk that ignores case, the path may find what another step restores, or something else.
    const there = now.type === 'absent' ? path : spelled(root, path);
    if (there !== path && after.type === 'absent' && kept.has(there)) return { outcome: 'already' };
    if (there !== path && after.type !== 'absent' && now.type !== 'dir') return { outcome: 'changed' };
    const isHalf = isHalfDone(now, before, after) || isHalfWritten(root, path, temporary, after);
    if (!isIn(now, before) && !isHalf) return { outcome: 'changed' };
    if (after.type === 'file' && (after.hash === null || !contents.has(after.hash)))
      return { outcome: 'lost' };
    if (after.type !== 'absent') makeParents(root, path);
    const done = inParent(root, path, (parent) => {
      const name = nameOf(path);
      put(
        { at: systemPath(join(parent, name)), beside: join(parent, temporary), seen },
        now,
        after,
        contents,
      );
      return true;
    });
    if (done === null) return { outcome: after.type === 'absent' ? 'already' : 'changed' };
    return { outcome: 'done' };
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === '') throw thrown;
    if (code === 'ENOTEMPTY' && after.type === 'absent') return isClosed(before) ? CLOSED : null;
    if (code === CHANGED) return { outcome: 'changed' };
    return code === LOST ? { outcome: 'lost' } : { outcome: 'failed', detail: code };
  }
}

interface Target {
  at: string | Buffer;
  /** Where the new content is prepared. */
  beside: string;
  /** The mark of what the step replaces. */
  seen: string;
}

function put({ at, beside, seen }: Target, now: FileState, after: FileState, contents: Contents): void {
  if (after.type === 'absent') {
    if (now.type === 'dir') rmdirSync(at);
    else unlinkSync(at);
    return;
  }
  if (after.type === 'dir') {
    if (now.type === 'file' || now.type === 'link') unlinkSync(at);
    if (now.type !== 'dir') mkdirSync(at);
    chmodSync(at, after.mode | OWNER);
    return;
  }
  rmSync(beside, { force: true });
  try {
    const bytes = after.type === 'file' ? prepareFile(beside, after, contents, ownerOf(at)) : null;
    if (after.type === 'link') symlinkSync(systemPath(after.target), beside);
    // Preparing can take long on a slow disk, and what somebody saved meanwhile stays.
    if (now.type !== 'dir' && markOf(at) !== seen)
      throw Object.assign(new Error('The file has changed.'), { code: CHANGED });
    if (now.type === 'dir') rmdirSync(at);
    if (after.type === 'file' && bytes !== null && now.type === 'file' && linksOf(at) > 1) {
      // A rename would leave the file's other names with the present content.
      writeOver(at, bytes, after.mode);
      unlinkSync(beside);
    } else renameSync(beside, at);
  } catch (thrown) {
    rmSync(beside, { force: true });
    throw thrown;
  }
}

interface Owner {
  uid: number;
  gid: number;
}

/** The owner and group of the file there; null if there is none. */
function ownerOf(at: string | Buffer): Owner | null {
  const found = lstatSync(at, { throwIfNoEntry: false });
  return found?.isFile() ? found : null;
}

/** As far as the system allows: others of the group keep their access. */
function giveTo(fd: number, { uid, gid }: Owner): void {
  const made = fstatSync(fd);
  if (made.uid === uid && made.gid === gid) return;
  for (const owner of [uid, made.uid])
    try {
      fchownSync(fd, owner, gid);
      return;
    } catch (thrown) {
      if (codeOf(thrown) !== 'EPERM') throw thrown;
    }
}

function prepareFile(
  beside: string,
  { hash, mode }: Extract<FileState, { type: 'file' }>,
  contents: Contents,
  owner: Owner | null,
): Buffer {
  const bytes = hash === null ? null : contents.get(hash);
  if (bytes === null) throw Object.assign(new Error('The content is not kept.'), { code: LOST });
  const fd = openSync(beside, 'wx', 0o600);
  try {
    writeFileSync(fd, bytes);
    // A change of owner clears some mode bits.
    if (owner !== null) giveTo(fd, owner);
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return bytes;
}

/** Changes with every change of a file. */
function markOf(at: string | Buffer): string {
  const stat = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  return stat === undefined
    ? ''
    : [stat.dev, stat.ino, stat.size, stat.mode, stat.mtimeNs, stat.ctimeNs].join();
}

const linksOf = (at: string | Buffer): number => lstatSync(at, { throwIfNoEntry: false })?.nlink ?? 0;

function writeOver(at: string | Buffer, bytes: Buffer, mode: number): void {
  const fd = openSync(at, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = fstatSync(fd);
    makeRoom(fd, bytes, size);
    writeAll(fd, bytes.subarray(0, size), 0);
    ftruncateSync(fd, bytes.length);
    fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes what is longer than the present content. On a full disk, the file stays as it was. */
function makeRoom(fd: number, bytes: Buffer, size: number): void {
  try {
    writeAll(fd, bytes.subarray(size), size);
    fsyncSync(fd);
  } catch (thrown) {
    ftruncateSync(fd, size);
    throw thrown;
  }
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}

/** A kill left a folder without its final mode, or nothing where a folder replaces something or is replaced. */
function isHalfDone(now: FileState, before: FileState, after: FileState): boolean {
  if (now.type === 'absent')
    return (before.type === 'dir') !== (after.type === 'dir') && before.type !== 'absent';
  if (now.type !== 'dir') return false;
  if (after.type === 'dir' && before.type !== 'dir') return true;
  return [before, after].some((one) => one.type === 'dir' && now.mode === (one.mode | OWNER));
}

/** A kill interrupted the writing of a file with several names: the new content is still beside it. */
function isHalfWritten(root: string, path: string, temporary: string, after: FileState): boolean {
  if (after.type !== 'file' || after.hash === null) return false;
  const at = lstatSync(systemPath(join(root, path)), { throwIfNoEntry: false });
  if (at?.isFile() !== true || at.nlink < 2) return false;
  const cut = path.lastIndexOf('/') + 1;
  const beside = readInside(root, `${path.slice(0, cut)}${temporary}`, MAX_FILE);
  return beside !== null && hashOf(beside) === after.hash;
}

/** The permissions to change what is in a folder. */
const OWNER = 0o700;

/**
 * Until all steps are applied, their folders can be changed by their owner. From the top down, because nothing in a locked
 * folder can be inspected. Returns the unlocked folders that have no step themselves, as steps without a change.
 */
function unlockFolders(root: string, steps: readonly PathChange[]): PathChange[] {
  const own = new Map(foldersOf(steps).map((step) => [step.path, step]));
  const above = steps.flatMap(({ path }) => foldersAbove(path));
  return [...new Set([...own.keys(), ...above])].sort().flatMap((path) => {
    const step = own.get(path) ?? lockedFolder(root, path);
    if (step?.before.type === 'dir') changeMode(root, path, step.before.mode, step.before.mode | OWNER);
    return step === null || own.has(path) ? [] : step;
  });
}

/** A folder that its owner may not write to; null if the path is something else, or cannot be inspected. */
function lockedFolder(root: string, path: string): PathChange | null {
  const state = stateIfSeen(root, path);
  const isLocked = state?.type === 'dir' && (state.mode & OWNER) !== OWNER;
  return isLocked ? { path, before: state, after: state } : null;
}

/** Like `readState`; null if the system does not let us inspect the path. */
export function stateIfSeen(root: string, path: string): FileState | null {
  try {
    return readState(root, path);
  } catch (thrown) {
    if (codeOf(thrown) === '') throw thrown;
    return null;
  }
}

/** From the bottom up. A folder that should have been removed may still contain other things. */
function lockFolders(root: string, steps: readonly PathChange[]): void {
  for (const { path, before, after } of foldersOf(steps).toReversed()) {
    const state = after.type === 'dir' ? after : before;
    if (state.type === 'dir') changeMode(root, path, state.mode | OWNER, state.mode);
  }
}

/** Folders that only get another case, on a disk where both names are the same. Their entries would keep the present name. */
function renameFolders(root: string, steps: readonly PathChange[]): void {
  const removed = new Set(steps.flatMap(({ path, after }) => (after.type === 'absent' ? path : [])));
  for (const { path, after } of foldersOf(steps)) {
    const now = after.type === 'dir' ? spelled(root, path) : path;
    if (now === path || !removed.has(now)) continue;
    inParent(root, path, (parent) =>
      renameSync(systemPath(join(parent, nameOf(now))), systemPath(join(parent, nameOf(path)))),
    );
  }
}

const spelled = (root: string, path: string): string => new FolderReader(root).spelling()(path);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const foldersOf = (steps: readonly PathChange[]): PathChange[] =>
  steps
    .filter(({ before, after }) => before.type === 'dir' || after.type === 'dir')
    .sort((a, b) => (a.path < b.path ? -1 : 1));

/** Changes the mode of a folder that has the mode `from`. */
function changeMode(root: string, path: string, from: number, to: number): void {
  if (from === to) return;
  try {
    inParent(root, path, (parent) => {
      const at = systemPath(join(parent, nameOf(path)));
      const stat = lstatSync(at, { throwIfNoEntry: false });
      if (stat?.isDirectory() && (stat.mode & 0o7777) === from) chmodSync(at, to);
    });
  } catch (thrown) {
    // It is somebody else's; the steps in it report that.
    if (codeOf(thrown) === '') throw thrown;
  }
}

/** Creates missing parent folders whose modes are unknown, with the default mode. */
function makeParents(root: string, path: string): void {
  const names = path.split('/').slice(0, -1);
  for (let count = 1; count <= names.length; count += 1) {
    const folder = names.slice(0, count).join('/');
    if (!hasRealParents(root, folder)) return;
    const at = systemPath(join(root, folder));
    if (lstatSync(at, { throwIfNoEntry: false }) === undefined) mkdirSync(at);
  }
}

/** The same after a restart, so that a file left by a kill is found and used or removed. */
const temporaryName = (revertId: string, path: string): string =>
  `.${hashOf(Buffer.from(`${revertId}\n${path}`)).slice(0, 24)}.deepdesk-undo`;
