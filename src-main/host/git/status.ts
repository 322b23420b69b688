import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { canStage, type GitChange, type GitFile, type GitRepository } from '../../contract/git';
import { optional } from '../../contract/shared/optional';
import { inPathOrder } from '../../contract/shared/path-order';
import { fieldsOf, pathOf } from './path-texts';

export interface StatusRead {
  branch: string | null;
  headId: string | null;
  upstream: GitRepository['upstream'];
  files: Omit<GitFile, 'by'>[];
  more: number;
  moreStaged: number;
  moreOpen: number;
}

/** Maximum number of listed files; the rest are only counted. */
export const MAX_LISTED = 20_000;

export const STATUS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--untracked-files=all',
  '--ignore-submodules=dirty',
  '--find-renames',
];

const CHANGES: Record<string, GitChange> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'added',
  T: 'type',
};

/** Reads the output of `STATUS`. */
export function parseStatus(output: Buffer, maxListed = MAX_LISTED): StatusRead {
  const read: StatusRead = {
    branch: null,
    headId: null,
    upstream: null,
    files: [],
    more: 0,
    moreStaged: 0,
    moreOpen: 0,
  };
  const fields = fieldsOf(output);
  let upstream: string | null = null;
  /** Files that are no longer in the index. Their entries come before the untracked files. */
  const removed = new Map<string, Omit<GitFile, 'by'>>();
  const add = (file: Omit<GitFile, 'by'>) => {
    const before = file.unstaged === 'untracked' ? removed.get(file.path) : undefined;
    if (before !== undefined) {
      // It was removed from the index only: one file with a staged deletion, and with content that can be staged again.
      if (!read.files.includes(before)) read.moreOpen += 1;
      before.unstaged = 'untracked';
      return;
    }
    if (file.staged === 'deleted') removed.set(file.path, file);
    if (read.files.length < maxListed) {
      read.files.push(file);
      return;
    }
    read.more += 1;
    if (file.staged !== null) read.moreStaged += 1;
    if (canStage(file)) read.moreOpen += 1;
  };
  for (let at = 0; at < fields.length; at += 1) {
    const line = fields[at] ?? '';
    const [kind, xy = '', sub = ''] = line.split(' ', 3);
    if (kind === '#') {
      const value = pathOf(line.slice(3 + xy.length));
      if (xy === 'branch.oid') read.headId = value === '(initial)' ? null : value;
      if (xy === 'branch.head') read.branch = value === '(detached)' ? null : value;
      if (xy === 'branch.upstream') upstream = value;
      const [, ahead, behind] = xy === 'branch.ab' ? (/^\+(\d+) -(\d+)$/.exec(value) ?? []) : [];
      if (upstream !== null && ahead !== undefined)
        read.upstream = { name: upstream, ahead: Number(ahead), behind: Number(behind) };
    } else if (kind === '?')
      add({ path: pathOf(line.slice(2)), staged: null, unstaged: 'untracked', submodule: false });
    else if (kind === 'u')
      add({
        path: pathOf(after(line, 10)),
        staged: null,
        unstaged: 'conflict',
        submodule: sub.startsWith('S'),
      });
    else if (kind === '1' || kind === '2') {
      if (kind === '2') at += 1;
      const from = kind === '2' ? pathOf(fields[at] ?? '') : undefined;
      add({
        path: pathOf(after(line, kind === '1' ? 8 : 9)),
        ...optional({ from }),
        staged: CHANGES[xy[0] ?? ''] ?? null,
        unstaged: CHANGES[xy[1] ?? ''] ?? null,
        submodule: sub.startsWith('S'),
      });
    }
  }
  return { ...read, files: inPathOrder(read.files) };
}

/** The rest of a line after that many spaces. The rest may hold spaces and line breaks. */
function after(line: string, spaces: number): string {
  let at = 0;
  for (let left = spaces; left > 0; left -= 1) at = line.indexOf(' ', at) + 1;
  return line.slice(at);
}

const OPERATIONS = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

/** What was started and not finished. */
export async function operationIn(gitDir: string): Promise<GitRepository['operation']> {
  for (const [name, operation] of OPERATIONS)
    if (
      await lstat(join(gitDir, name)).then(
        () => true,
        () => false,
      )
    )
      return operation;
  return null;
}
