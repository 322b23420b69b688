import { randomUUID } from 'node:crypto';
import type { Project } from '../../contract/app';
import { type ApprovalId, RoutineId, type ThreadId } from '../../contract/ids';
import { isLooser } from '../../contract/modes';
import { fail, ok, type Result } from '../../contract/result';
import {
  type RecordedCall,
  ROUTINE_HISTORY,
  type Routine,
  type RoutineDraft,
  type RoutineInfo,
  type ScheduleInfo,
} from '../../contract/routines';
import type { Storage } from '../../storage';
import { shellPlaces } from '../approvals/call-gate';
import type { ProjectRegistry } from '../project/projects';
import type { ModelService } from '../settings/model-service';
import type { Turns } from '../turns/turns';
import { type Confirmations, needsConfirmation } from '../window/confirmations';
import type { Hub } from '../window/hub';
import type { Clock } from './clock';
import { recordedCall, withCall } from './record-calls';
import { Recorder } from './recorder';
import { runInfo } from './run-info';
import { parseSchedule, previewSchedule } from './schedule';
import { Scheduler } from './scheduler';
import { startRun } from './start-run';

export interface RoutineParts {
  storage: Storage;
  hub: Hub;
  turns: Turns;
  projects: ProjectRegistry;
  models: ModelService;
  confirmations: Pick<Confirmations, 'mode' | 'rule'>;
  clock: Clock;
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  report(error: unknown): void;
}

type Done = Result<Record<string, never>>;

/** Prompts that run on a schedule: what the person can do with them. */
export class Routines {
  private readonly recorder: Recorder;
  private readonly scheduler: Scheduler;
  private readonly stopListening: () => void;
  private isScheduling = false;

  constructor(private readonly parts: RoutineParts) {
    const { storage, hub, clock, report } = parts;
    this.recorder = new Recorder({ ...parts, onRecorded: () => this.changed() });
    this.scheduler = new Scheduler({
      storage,
      clock,
      report,
      onChanged: () => this.changed(),
      start: (routine, how) =>
        startRun(parts, routine, { ...how, onThread: (run) => this.recorder.watch(run) }),
    });
    const isRun = (threadId: ThreadId | null) =>
      threadId !== null && storage.routines.runOf(threadId) !== null;
    this.stopListening = hub.onApp((event) => {
      if (event.type === 'changes.recorded' && isRun(event.threadId)) this.changed();
      if (event.type === 'summary.changed' && event.summary.routine !== undefined) this.changed();
      // A run of a deleted thread, or a project that is gone or back.
      if (event.type === 'thread.removed' || event.type === 'project.removed') this.changed();
    });
    this.recorder.resume();
  }

  /** Runs what is due from now on. */
  schedule(): void {
    this.isScheduling = true;
    this.scheduler.check();
  }

  /** Checks now what is due, because the computer was asleep. */
  check(): void {
    if (this.isScheduling) this.scheduler.check();
  }

  /** Starts nothing more; resolves when nothing is being started. */
  async stop(): Promise<void> {
    this.stopListening();
    this.scheduler.stop();
    await Promise.all([this.recorder.stop(), this.scheduler.settled()]);
  }

  list(): RoutineInfo[] {
    const { storage } = this.parts;
    return storage.routines.list().map(({ routine, nextAt }) => ({
      ...routine,
      nextAt,
      runs: storage.routines.runs(routine.id, ROUTINE_HISTORY).map((run) => runInfo(storage, run)),
    }));
  }

  preview(schedule: string, timeZone: string): Result<ScheduleInfo> {
    return previewSchedule(schedule, timeZone, this.parts.clock.now());
  }

  /** Errors: see `routines.save`. */
  async save(id: RoutineId | null, draft: RoutineDraft): Promise<Result<{ id: RoutineId }>> {
    const { storage, confirmations } = this.parts;
    const checked = this.checkDraft(id, draft);
    if (!checked.ok) return checked;
    const { project, before } = checked.value;
    const { mode } = draft;
    const isKnown = before?.mode === mode && before.projectId === draft.projectId;
    if (mode !== null && !isKnown && isLooser(mode, project.mode ?? 'ask-risky')) {
      const confirmed = await confirmations.mode(project, mode);
      if (!confirmed.ok) return confirmed;
      // The routine may be gone by now, or its name taken.
      const still = this.checkDraft(id, draft);
      if (!still.ok) return still;
    }
    const saved = id ?? RoutineId.parse(randomUUID());
    if (id === null)
      storage.routines.add({ id: saved, createdAt: storage.now(), record: null, missed: null, ...draft });
    else storage.routines.change(id, (routine) => changedTo(routine, draft));
    this.rescheduled(saved);
    return ok({ id: saved });
  }

  /** Everything that can be said at once. */
  private checkDraft(
    id: RoutineId | null,
    draft: RoutineDraft,
  ): Result<{ project: Project; before: Routine | null }> {
    const { storage, projects } = this.parts;
    const before = id === null ? null : (storage.routines.get(id)?.routine ?? null);
    if (id !== null && before === null) return fail('not_found', 'routine_gone');
    const project = projects.get(draft.projectId);
    if (!project.ok) return project;
    const parsed = parseSchedule(draft.schedule, draft.timeZone);
    if (!parsed.ok) return parsed;
    const name = draft.name.toLowerCase();
    const others = storage.routines.list().filter(({ routine }) => routine.id !== id);
    if (others.some(({ routine }) => routine.name.toLowerCase() === name))
      return fail('conflict', 'routine_name_taken', { name: draft.name });
    return ok({ project: project.value, before });
  }

  turn(id: RoutineId, isOn: boolean): Done {
    if (!this.parts.storage.routines.change(id, (routine) => ({ ...routine, isOn, missed: null })))
      return fail('not_found', 'routine_gone');
    this.rescheduled(id);
    return ok({});
  }

  remove(id: RoutineId): Done {
    const { storage } = this.parts;
    if (!storage.routines.remove(id, storage.now())) return fail('not_found', 'routine_gone');
    this.changed();
    return ok({});
  }

  restore(id: RoutineId): Done {
    if (!this.parts.storage.routines.restore(id)) return fail('not_found', 'routine_gone');
    this.rescheduled(id);
    return ok({});
  }

  /** Errors: see `routines.run`. `onThread`: its thread exists, and nothing has run in it. */
  async run(
    id: RoutineId,
    record: boolean,
    onThread?: (threadId: ThreadId) => void,
  ): Promise<Result<{ threadId: ThreadId }>> {
    const stored = this.parts.storage.routines.get(id);
    if (stored === null) return fail('not_found', 'routine_gone');
    const { routine } = stored;
    const started = await startRun(this.parts, routine, {
      trigger: routine.missed === null ? 'person' : 'missed',
      isRecording: record || routine.record === null,
      onThread: (run) => {
        this.recorder.watch(run);
        if (run.threadId !== null) onThread?.(run.threadId);
      },
    });
    this.changed();
    if (!started.ok) return started;
    return started.value === null
      ? fail('conflict', 'routine_still_running', { name: routine.name })
      : ok(started.value);
  }

  /** By its name, whose case does not matter. */
  named(name: string): Routine | null {
    const wanted = name.trim().toLowerCase();
    const found = this.parts.storage.routines
      .list()
      .find(({ routine }) => routine.name.toLowerCase() === wanted);
    return found?.routine ?? null;
  }

  dismiss(id: RoutineId): Done {
    return this.change(id, (routine) => ({ ...routine, missed: null }));
  }

  /** Adds the waiting call to the record before it approves it. Errors: see `routines.always`. */
  async always(threadId: ThreadId, approvalId: ApprovalId, digest: string): Promise<Done> {
    const { storage, turns, projects, confirmations } = this.parts;
    const run = storage.routines.runOf(threadId);
    const stored = run === null ? null : storage.routines.get(run.routineId);
    const live = turns.thread(threadId);
    if (!live.ok) return live;
    const { approvals, thread } = live.value.state;
    const approval = approvals.find((one) => one.id === approvalId && one.digest === digest);
    if (approval === undefined) return fail('stale', 'call_changed');
    if (stored === null || stored.routine.record === null) return fail('not_found', 'routine_gone');
    const project = projects.get(thread.projectId);
    if (!project.ok) return project;
    const call = await recordedCall(approval, shellPlaces(project.value, this.parts));
    // The same question as for a rule that allows as much.
    const scope = { kind: 'project' as const, projectId: thread.projectId };
    const wide = call.matches.find((match) => needsConfirmation({ effect: 'allow', match, scope }));
    if (wide !== undefined) {
      const confirmed = await confirmations.rule({ effect: 'allow', match: wide, scope }, project.value.name);
      if (!confirmed.ok) return confirmed;
    }
    // The person may have removed it while the dialog was open: then nothing is decided either.
    const { id } = stored.routine;
    if (storage.routines.get(id)?.routine.record == null) return fail('not_found', 'routine_gone');
    const decided = turns.decide(threadId, approvalId, digest, { type: 'approve' });
    if (!decided.ok) return decided;
    return this.change(id, (routine) => withCalls(routine, (calls) => withCall(calls, call)));
  }

  forget(id: RoutineId, tool: string, about: string): Done {
    const isKept = (one: RecordedCall) => one.tool !== tool || one.about !== about;
    return this.change(id, (routine) => withCalls(routine, (calls) => calls.filter(isKept)));
  }

  private change(id: RoutineId, change: (routine: Routine) => Routine): Done {
    if (!this.parts.storage.routines.change(id, change)) return fail('not_found', 'routine_gone');
    this.changed();
    return ok({});
  }

  private rescheduled(id: RoutineId): void {
    this.parts.storage.routines.setNext(id, null);
    this.check();
    this.changed();
  }

  private changed(): void {
    this.parts.hub.app({ type: 'routines.changed' });
  }
}

function changedTo(routine: Routine, draft: RoutineDraft): Routine {
  // What was done in another folder, or for another prompt, is no measure.
  const isSame = routine.projectId === draft.projectId && routine.prompt === draft.prompt;
  return { ...routine, ...draft, record: isSame ? routine.record : null };
}

const withCalls = (routine: Routine, change: (calls: RecordedCall[]) => RecordedCall[]): Routine =>
  routine.record === null
    ? routine
    : { ...routine, record: { ...routine.record, calls: change(routine.record.calls) } };
