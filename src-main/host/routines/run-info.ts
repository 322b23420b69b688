import { sameState } from '../../contract/changes';
import type { ProjectId, ThreadId } from '../../contract/ids';
import type { RoutineRun, RoutineRunInfo } from '../../contract/routines';
import { optional } from '../../contract/shared/optional';
import type { Storage } from '../../storage';

const NOTHING = { tokens: 0, changedFiles: 0, isUndone: false };

/** A run as the history shows it, from what is stored about its thread. */
export function runInfo(storage: Storage, { approved: _, ...run }: RoutineRun): RoutineRunInfo {
  if (run.threadId === null) return { ...run, ...NOTHING, status: 'skipped' };
  const summary = storage.threads.summary(run.threadId);
  const thread = storage.threads.get(run.threadId);
  if (summary === null || thread === null) return { ...run, ...NOTHING, status: 'deleted' };
  const { usage, turn } = thread;
  // A kill may come between the thread and its turn.
  const isBegun = thread.seq > 0;
  const status = summary.status === 'idle' ? (isBegun ? 'finished' : 'interrupted') : summary.status;
  return {
    ...run,
    status,
    error: turn.phase === 'failed' ? turn.error : null,
    tokens: usage.inputTokens + usage.outputTokens,
    ...optional({ costMicroDollars: usage.costMicroDollars }),
    ...changesOf(storage, summary.projectId, run.threadId),
  };
}

function changesOf({ fileChanges }: Storage, projectId: ProjectId, threadId: ThreadId) {
  const rows = fileChanges.ofThread(projectId, threadId);
  const paths = new Map<string, { isChanged: boolean }>();
  for (const { path, before } of rows) {
    if (paths.has(path)) continue;
    const last = rows.findLast((row) => row.path === path);
    paths.set(path, { isChanged: last !== undefined && !sameState(before, last.after) });
  }
  const changedFiles = [...paths.values()].filter(({ isChanged }) => isChanged).length;
  return { changedFiles, isUndone: paths.size > 0 && changedFiles === 0 };
}
