import { chmodSync, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemPath } from '../base/path-names';
import { type FileState, isLost } from '../contract/changes';
import type { RevertStep, StepResult } from './protocol';
import { codeOf, inParent } from './system';

/**
 * What a file still has after a move or another mode: size and time, in whole milliseconds, because a throwaway layer keeps no
 * more. Null for anything else, and for a file in a place.
 */
export function contentMark(state: FileState): string | null {
  if (state.type !== 'file' || state.mark === undefined) return null;
  const [size, modified] = state.mark.split('-');
  return `${size}-${Math.floor(Number(modified))}`;
}

/** Whether a file whose content is not kept only got another mode: its inode tells more than its path. */
export function isOnlyMode(a: FileState, b: FileState): boolean {
  return a.type === 'file' && b.type === 'file' && a.mode !== b.mode && isSameInode(a, b);
}

function isSameInode(a: FileState, b: FileState): boolean {
  if (a.type !== 'file' || b.type !== 'file' || a.mark === undefined || b.mark === undefined) return false;
  const [size, modified, , inode] = a.mark.split('-');
  const [otherSize, otherModified, , otherInode] = b.mark.split('-');
  return inode !== undefined && size === otherSize && modified === otherModified && inode === otherInode;
}

const isSameContent = (a: FileState, b: FileState): boolean =>
  contentMark(a) !== null && contentMark(a) === contentMark(b);

/** Whether the step needs no content: the file is still there, at its path or at `from`. */
export const needsNoContent = ({ from, before, after }: RevertStep): boolean =>
  from !== undefined || (isLost(after) && isOnlyMode(before, after));

/** Whether the file of such a step is as it should be. */
export const isRestored = (now: FileState, after: FileState): boolean =>
  now.type === 'file' && after.type === 'file' && now.mode === after.mode && isSameContent(now, after);

/**
 * Moves a file back to where it was, without replacing anything, and gives it its mode. A file that has changed since is left
 * alone. Throws system errors.
 */
export function restoreUnkept(
  root: string,
  { path, from, after }: RevertStep,
  read: (path: string) => FileState,
): Omit<StepResult, 'path'> {
  const now = read(path);
  if (from === undefined) {
    if (!isSameInode(now, after)) return { outcome: 'changed' };
  } else {
    const source = read(from);
    if (source.type === 'absent' && isRestored(now, after)) return { outcome: 'already' };
    if (now.type !== 'absent' || !isSameContent(source, after)) return { outcome: 'changed' };
    const isMoved = inParent(root, from, (there) =>
      inParent(root, path, (parent) => moveNew(at(there, from), at(parent, path))),
    );
    if (isMoved !== true) return { outcome: 'changed' };
  }
  if (after.type === 'file') inParent(root, path, (parent) => chmodSync(at(parent, path), after.mode));
  return { outcome: 'done' };
}

const at = (parent: string, path: string) => systemPath(join(parent, path.slice(path.lastIndexOf('/') + 1)));

/** Unlike a rename, a link fails if the name is taken. */
function moveNew(from: string | Buffer, to: string | Buffer): boolean {
  try {
    linkSync(from, to);
  } catch (thrown) {
    // A disk without hard links, or one where only the case of the name changes.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(thrown))) throw thrown;
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(from, to);
    return true;
  }
  unlinkSync(from);
  return true;
}
