import { type BigIntStats, constants } from 'node:fs';
import { chmod, link, lstat, lutimes, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import { systemPath } from '../../../../base/path-names';
import { flushFolder } from '../../../../base/replace-file';
import { type HeldDirectory, RootGuard } from '../../../backends/disk/guard';
import { type Failure, isFailure, systemCode } from '../../../backends/failure';
import { inParallel, isMarked } from '../layer/entry';
import { depthOf } from '../layer/folders-above';
import { PARTS } from '../layer/layer';
import { hasItsFolder, type KeepRecord, type Op } from './journal';
import { isTornWrite, writeOverOrRestore } from './write-over';

/** The outcome of an operation: it is done, now or before, or the folder holds something else by now. */
export type Applied = 'done' | 'conflict' | 'refused';

/** Opens folders of a project one after another without following links. Close it. */
export class HeldFolders {
  private readonly held = new Map<string, Promise<HeldDirectory | Failure>>();
  private readonly guard: RootGuard;

  constructor(folder: string) {
    this.guard = new RootGuard(folder, true);
  }

  /** The parent folder of a path; a string gives the reason for a failure. */
  async parentOf(path: string): Promise<HeldDirectory | 'missing' | 'refused'> {
    const segments = path.split('/');
    const above = segments.slice(0, -1).join('/');
    const opening = this.held.get(above) ?? this.guard.holdParent({ path: `/${path}`, segments }, false);
    this.held.set(above, opening);
    const found = await opening;
    if (!isFailure(found)) return found;
    this.held.delete(above);
    return found.kind === 'not_found' ? 'missing' : 'refused';
  }

  /** Closes all if so many more would be too many. Not while one is in use. */
  async makeRoom(more: number): Promise<void> {
    if (this.held.size + more > MAX_HELD) await this.close();
  }

  /** The folders change, so they must be opened again. */
  async close(): Promise<void> {
    const all = [...this.held.values()];
    this.held.clear();
    for (const opening of all) {
      const found = await opening;
      if (!isFailure(found)) await found.close();
    }
  }
}

/** Maximum number of open folders. */
const MAX_HELD = 64;
/** Folders in which operations run at once. */
const MAX_AT_ONCE = 32;

/** Runs all operations that are not done yet and returns the outcome of each. It can be repeated after any interruption. */
export async function applyAll(record: KeepRecord, place: string): Promise<Map<string, Applied>> {
  const results = new Map<string, Applied>();
  const isSame = await hasItsFolder(record);
  const folders = new HeldFolders(record.folder);
  const touched = new Set<string>();
  try {
    for (const ops of groupsOf(record.ops)) {
      // With the folder of staged files.
      await folders.makeRoom(MAX_AT_ONCE + 1);
      await inParallel(ops, async (op) => {
        const applied = isSame ? await applyOne(op, record, place, folders).catch(refusedBy) : 'conflict';
        if (op.isOwn !== true && (results.get(op.path) ?? 'done') === 'done') results.set(op.path, applied);
        if (applied === 'done') touched.add(folderOf(op.path));
      });
      // The descriptor of a deleted folder would otherwise be reused by name.
      if (ops[0]?.what === 'remove-folder') await folders.close();
    }
    await flushAll([...touched], folders);
  } finally {
    await folders.close();
  }
  return results;
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Flushes the names in folders to disk. */
async function flushAll(paths: readonly string[], folders: HeldFolders): Promise<void> {
  for (let at = 0; at < paths.length; at += MAX_AT_ONCE) {
    await folders.makeRoom(MAX_AT_ONCE);
    await inParallel(paths.slice(at, at + MAX_AT_ONCE), async (path) => {
      const folder = await folders.parentOf(path === '' ? 'x' : `${path}/x`);
      if (typeof folder !== 'string') await flushFolder(folder.child('.')).catch(() => undefined);
    });
  }
}

/**
 * Operations that may run at once: the same thing done to different paths, none inside another. `write` is done alone: two
 * names may be one file.
 */
function groupsOf(ops: readonly Op[]): Op[][] {
  const groups: Op[][] = [];
  let folders = new Set<string>();
  for (const op of ops) {
    const group = groups.at(-1);
    const first = group?.[0];
    folders.add(folderOf(op.path));
    const isLike = first?.what === op.what && op.what !== 'write' && folders.size <= MAX_AT_ONCE;
    const isBeside =
      op.what === 'put' || op.what === 'remove' || depthOf(first?.path ?? '') === depthOf(op.path);
    if (isLike && isBeside) group?.push(op);
    else {
      groups.push([op]);
      folders = new Set([folderOf(op.path)]);
    }
  }
  return groups;
}

/** The other operations still run. */
function refusedBy(thrown: unknown): Applied {
  if (systemCode(thrown) === '') throw thrown;
  return 'refused';
}

async function applyOne(op: Op, record: KeepRecord, place: string, folders: HeldFolders): Promise<Applied> {
  const parent = await folders.parentOf(op.path);
  if (typeof parent === 'string')
    return parent === 'missing' && op.what.startsWith('remove') ? 'done' : 'conflict';
  const target = parent.child(op.path.slice(op.path.lastIndexOf('/') + 1));
  if (op.what === 'put' && op.was === null && (await putFirst(op, target, record, { place, folders })))
    return 'done';
  const now = await statOf(target);
  const isAsBefore = isMarked(now, op.was, op.what === 'remove');
  switch (op.what) {
    case 'folder':
      return makeFolder(target, now, op);
    case 'mode':
      if (now === null || now.isSymbolicLink()) return 'conflict';
      if ((Number(now.mode) & 0o7777) !== op.mode) {
        if (op.was !== null && !isAsBefore) return 'conflict';
        await changeMode(target, op.mode ?? 0);
      }
      if (op.mtime !== undefined) await lutimes(target, op.mtime, op.mtime);
      return 'done';
    case 'remove':
      // A folder was already put there before the process ended.
      if (now === null || (now.isDirectory() && !op.was?.startsWith('folder-'))) return 'done';
      if (!isAsBefore) return 'conflict';
      await unlink(target);
      return 'done';
    case 'remove-folder':
      return now?.isDirectory() === true ? removeFolder(target) : 'done';
    default:
      return putStaged(op, { target, now, isAsBefore }, record, { place, folders });
  }
}

interface Target {
  target: string | Buffer;
  now: BigIntStats | null;
  isAsBefore: boolean;
}

async function putStaged(
  op: Op,
  { target, now, isAsBefore }: Target,
  record: KeepRecord,
  { place, folders }: Places,
): Promise<Applied> {
  const staged = await stagedAt(op, record, { place, folders });
  if (staged === 'refused') return 'conflict';
  const made = staged === null ? null : await statOf(staged);
  // It was put there before the process ended. Later changes by others are newer.
  if (staged === null || made === null) return 'done';
  if (op.what === 'write') {
    if (now === null || (!isAsBefore && !(await isTornWrite(target, staged, op, place)))) return 'conflict';
    if (!(await writeOverOrRestore({ target, staged, now }, op, place))) return 'conflict';
    await unlink(staged);
    return 'done';
  }
  if (now !== null && now.ino === made.ino && now.dev === made.dev) {
    await unlink(staged);
    return 'done';
  }
  if (!isAsBefore) return 'conflict';
  if (now !== null) {
    await rename(staged, target);
    return 'done';
  }
  return putNew(staged, target);
}

interface Places {
  place: string;
  folders: HeldFolders;
}

/** Where the new file lies until it is put into the folder. Null: its staging folder is gone. */
async function stagedAt(
  { path, stage = '', inLayer }: Op,
  { staging }: KeepRecord,
  { place, folders }: Places,
): Promise<string | Buffer | 'refused' | null> {
  if (inLayer === true) return systemPath(`${place}/${PARTS.upper}/${path}`);
  const from = await folders.parentOf(`${staging}/${stage}`);
  if (typeof from === 'string') return from === 'missing' ? null : from;
  return from.child(stage);
}

/** Puts a new file, if it is staged and the name is free; false: look closer. */
async function putFirst(
  op: Op,
  target: string | Buffer,
  record: KeepRecord,
  places: Places,
): Promise<boolean> {
  const staged = await stagedAt(op, record, places);
  if (staged === null || staged === 'refused') return false;
  try {
    await link(staged, target);
  } catch {
    return false;
  }
  await unlink(staged);
  return true;
}

/** Unlike a rename, a link fails if the name exists. */
async function putNew(staged: string | Buffer, target: string | Buffer): Promise<Applied> {
  try {
    await link(staged, target);
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return 'conflict';
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(systemCode(thrown))) throw thrown;
    await rename(staged, target);
    return 'done';
  }
  await unlink(staged);
  return 'done';
}

async function makeFolder(target: string | Buffer, now: BigIntStats | null, op: Op): Promise<Applied> {
  if (now !== null) return now.isDirectory() ? 'done' : 'conflict';
  try {
    await mkdir(target);
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown;
    return 'conflict';
  }
  // The owner loses access only after the folder is filled.
  await changeMode(target, (op.mode ?? 0o755) | 0o700);
  return 'done';
}

async function removeFolder(target: string | Buffer): Promise<Applied> {
  try {
    await rmdir(target);
    return 'done';
  } catch (thrown) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemCode(thrown))) return 'conflict';
    throw thrown;
  }
}

/**
 * Changes the mode of an opened file that is not a link. A file that cannot be opened is changed by its name in the held
 * folder.
 */
async function changeMode(target: string | Buffer, mode: number): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(target as string, flags).catch((thrown: unknown) => {
    // A socket can never be opened.
    if (['EACCES', 'ENXIO'].includes(systemCode(thrown))) return null;
    throw thrown;
  });
  if (file === null) return chmod(target, mode);
  try {
    await file.chmod(mode);
  } finally {
    await file.close();
  }
}

async function statOf(path: string | Buffer): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true });
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(thrown))) return null;
    throw thrown;
  }
}
