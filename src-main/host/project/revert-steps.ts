import { type EngineApi, isOnlyMode, type RevertStep } from '../../changes';
import type { Project } from '../../contract/app';
import { type FileState, isLost, type RevertConflict, sameState } from '../../contract/changes';
import type { ThreadId } from '../../contract/ids';
import { optional } from '../../contract/shared/optional';
import type { Storage } from '../../storage';
import type { FileChangeRow } from '../../storage/file-changes';
import { UnkeptMoves } from './unkept-moves';

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
  const moves = new UnkeptMoves(fileChanges.ofThread(project.id, threadId));
  const waysBack = moves.waysBack(wanted.filter(({ isOthers }) => !isOthers));
  const moved = new Set(waysBack.values());
  const steps: RevertStep[] = [];
  const conflicts: { conflict: RevertConflict; step: RevertStep | null }[] = [];
  for (const { path, now, to, author, isOthers } of wanted) {
    if (moved.has(path)) continue;
    const from = waysBack.get(path);
    const isThere = from !== undefined || isOnlyMode(now, to);
    if ((isLost(to) && !isThere) || (to.type === 'absent' && moves.has(path, now))) {
      conflicts.push({ conflict: { path, reason: 'lost' }, step: null });
      continue;
    }
    const step = { path, before: now, after: to, ...optional({ from }) };
    if (isOthers) conflicts.push({ conflict: { path, reason: 'others', ...optional({ author }) }, step });
    else steps.push(step);
  }
  return { steps, conflicts };
}
