import { type EngineApi, isOnlyMode, type RevertStep } from '../../../changes';
import type { Project } from '../../../contract/app';
import { type FileState, isLost, type RevertConflict, sameState } from '../../../contract/changes';
import type { ThreadId } from '../../../contract/ids';
import { optional } from '../../../contract/shared/optional';
import type { Storage } from '../../../storage';
import type { FileChangeRow } from '../../../storage/file-changes';
import { UnkeptMoves, type Wanted } from './unkept-moves';

const ABSENT: FileState = { type: 'absent' };

/** The target state of one path, and the point from which later changes conflict. */
export interface Target {
  to: FileState;
  since: number;
  isOwn: (row: FileChangeRow) => boolean;
}

export interface RevertTargets {
  project: Project;
  threadId: ThreadId;
  /** By path. */
  targets: ReadonlyMap<string, Target>;
}

/** How to get from what is on the disk to the targets, and what is in the way. */
export async function stepsTo(
  { fileChanges }: Pick<Storage, 'fileChanges'>,
  engine: Pick<EngineApi, 'states'>,
  { project, threadId, targets }: RevertTargets,
) {
  const states = await engine.states(project.folder, [...targets.keys()]);
  const wanted = [...targets].flatMap(([path, { to, since, isOwn }], index) => {
    const now = states[index] ?? ABSENT;
    if (sameState(now, to)) return [];
    const other = fileChanges.ofPathSince(project.id, path, since - 1).findLast((row) => !isOwn(row));
    const isUnseen = !sameState(now, fileChanges.lastState(project.id, path) ?? ABSENT);
    const author = isUnseen ? { by: 'person' as const } : other?.author;
    return [{ path, now, to, author, isOthers: isUnseen || other !== undefined }];
  });
  const others = new Set(wanted.flatMap(({ path, isOthers }) => (isOthers ? path : [])));
  const ways = waysOf(fileChanges.ofThread(project.id, threadId), wanted, (path) => others.has(path));
  const steps: RevertStep[] = [];
  const conflicts: { conflict: RevertConflict; step: RevertStep | null }[] = [];
  for (const { path, now, to, author, isOthers } of wanted) {
    const { from, back, isLost } = ways.get(path) ?? NO_WAY;
    if (back !== undefined) continue;
    if (isLost) {
      conflicts.push({ conflict: { path, reason: 'lost' }, step: null });
      continue;
    }
    const step = { path, before: now, after: to, ...optional({ from }) };
    if (isOthers) conflicts.push({ conflict: { path, reason: 'others', ...optional({ author }) }, step });
    else steps.push(step);
  }
  return { steps, conflicts };
}

/** How an undo of all of some paths treats one of them. */
export interface Way {
  /** It cannot be undone, because its earlier content is not stored. */
  isLost: boolean;
  /** Its content is not stored, but it was only moved, and comes back from this path. */
  from?: string;
  /** The same for the file that is here now: it goes back to this path. */
  back?: string;
}
const NO_WAY: Way = { isLost: true };

/**
 * The way of each path. `rows`: all changes of the thread. `isOthers`: whether somebody else changed it since, asked only about
 * files without stored content.
 */
export function waysOf(
  rows: readonly FileChangeRow[],
  all: readonly Wanted[],
  isOthers: (path: string) => boolean,
): Map<string, Way> {
  const moves = new UnkeptMoves(rows);
  const open = all.filter(({ now, to }) => !sameState(now, to));
  const waysBack = moves.waysBack(
    open.filter(({ path, now, to }) => (isLost(now) || isLost(to)) && !isOthers(path)),
  );
  const backs = new Map([...waysBack].map(([path, from]) => [from, path]));
  const ways = new Map<string, Way>(all.map(({ path }) => [path, { isLost: false }]));
  for (const { path, now, to } of open) {
    const [from, back] = [waysBack.get(path), backs.get(path)];
    const isThere = from !== undefined || back !== undefined || isOnlyMode(now, to);
    const isGone = isLost(to) || (to.type === 'absent' && moves.has(path, now));
    ways.set(path, { isLost: isGone && !isThere, ...optional({ from, back }) });
  }
  return ways;
}
