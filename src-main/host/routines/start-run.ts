import { randomUUID } from 'node:crypto';
import { errorText } from '../../contract/errors';
import { ThreadId } from '../../contract/ids';
import { type AppError, appError, fail, ok, type Result } from '../../contract/result';
import type { Routine, RoutineRun } from '../../contract/routines';
import type { Storage } from '../../storage';
import type { ProjectRegistry } from '../project/projects';
import type { ModelService } from '../settings/model-service';
import type { Turns } from '../turns/turns';
import type { Hub } from '../window/hub';
import type { Clock } from './clock';

export interface RunParts {
  storage: Storage;
  hub: Hub;
  turns: Pick<Turns, 'send'>;
  projects: Pick<ProjectRegistry, 'present'>;
  models: Pick<ModelService, 'create'>;
  clock: Clock;
}

export interface RunStart {
  trigger: RoutineRun['trigger'];
  isRecording: boolean;
  /** Uses up the due time in the transaction that creates the run. False: somebody else has. */
  claim?: () => boolean;
  /** The thread exists, and nothing has run in it. */
  onThread?: (run: RoutineRun) => void;
}

/** Statuses of a run in progress. A run that waits for the person is not over. */
const GOES_ON = new Set(['running', 'waiting']);

/**
 * Starts a run of a routine in a thread of its own. Null: somebody else has used up the due time. Errors: `conflict` while
 * an earlier run is in progress, `not_found` if it was removed meanwhile, and those of the project and the model; then nothing has started.
 */
export async function startRun(
  parts: RunParts,
  routine: Routine,
  { trigger, isRecording, claim, onThread }: RunStart,
): Promise<Result<{ threadId: ThreadId } | null>> {
  const { storage, hub, turns, clock } = parts;
  const why = await whyNot(parts, routine);
  const at = clock.now();
  const threadId = ThreadId.parse(randomUUID());
  const { id, name, prompt, projectId, model } = routine;
  // Two processes must not both find that no run is in progress.
  const made = storage.transaction((): Result<RoutineRun | null> => {
    if (claim?.() === false) return ok(null);
    if (storage.routines.get(id) === null) return fail('not_found', 'routine_gone');
    if (why !== null) return { ok: false, error: why };
    if (isGoingOn(storage, routine)) return fail('conflict', 'routine_still_running', { name });
    const now = storage.now();
    storage.threads.insert({
      id: threadId,
      projectId,
      title: `${stamp(at)} · ${name}`,
      model,
      createdAt: now,
      updatedAt: now,
      routine: { id, name },
    });
    const run: RoutineRun = {
      id: randomUUID(),
      routineId: id,
      at,
      trigger,
      threadId,
      isRecording,
      approved: [],
      error: null,
      times: 1,
    };
    storage.routines.saveRun(run);
    storage.routines.change(id, (now) => ({ ...now, missed: null }));
    return ok(run);
  });
  if (!made.ok) return made;
  if (made.value === null) return ok(null);
  const summary = storage.threads.summary(threadId);
  if (summary !== null) hub.app({ type: 'summary.changed', summary });
  onThread?.(made.value);
  const sent = turns.send(threadId, prompt);
  return sent.ok ? ok({ threadId }) : sent;
}

/** Why a run of the routine cannot start, apart from an earlier one; null if it can. */
async function whyNot(
  { storage, projects, models }: RunParts,
  { projectId, model }: Routine,
): Promise<AppError | null> {
  // The registry still knows a removed project.
  if (!storage.projects.list().some(({ id }) => id === projectId))
    return appError('not_found', errorText('project_not_listed'));
  const project = await projects.present(projectId);
  if (!project.ok) return project.error;
  const ready = await models.create(model);
  return ready.ok ? null : ready.error;
}

const isGoingOn = ({ routines, threads }: Storage, { id }: Routine): boolean => {
  // Attended runs and runs by hand may overlap in order of time, so the last few are checked.
  const recent = routines.runs(id, 20);
  return recent.some(({ threadId }) => {
    const summary = threadId === null ? null : threads.summary(threadId);
    return summary !== null && GOES_ON.has(summary.status);
  });
};

/** `2026-11-23 09:00` on the clock of this computer: the same in every language, and in the order of time. */
function stamp(at: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
  return format.format(at);
}
