import type { ThreadEvent } from '../../contract/events';
import type { ThreadId } from '../../contract/ids';
import type { RoutineRun } from '../../contract/routines';
import type { Storage } from '../../storage';
import { shellPlaces } from '../approvals/call-gate';
import type { ProjectRegistry } from '../project/projects';
import type { OpenThreads } from '../threads/live-threads';
import type { Hub } from '../window/hub';
import { letsHappen, recordRun } from './record-calls';

export interface RecorderParts {
  storage: Storage;
  hub: Hub;
  turns: OpenThreads;
  projects: Pick<ProjectRegistry, 'get'>;
  dataFolder: string;
  env: NodeJS.ProcessEnv;
  onRecorded(): void;
  report(error: unknown): void;
}

/** Watches attended runs, and keeps what they did when their turn has finished. */
export class Recorder {
  private readonly watched = new Map<ThreadId, () => void>();
  private readonly recording = new Set<Promise<void>>();

  constructor(private readonly parts: RecorderParts) {}

  /** After a restart: the runs whose turn has not finished. */
  resume(): void {
    const { storage } = this.parts;
    for (const { routine } of storage.routines.list())
      for (const run of storage.routines.runs(routine.id, 5))
        if (routine.record?.threadId !== run.threadId) this.watch(run);
  }

  watch({ threadId, isRecording }: RoutineRun): void {
    if (!isRecording || threadId === null || this.watched.has(threadId)) return;
    const { hub, report } = this.parts;
    const stop = hub.onThread(threadId, (event) => {
      try {
        this.seen(threadId, event);
      } catch (error) {
        report(error);
      }
    });
    this.watched.set(threadId, stop);
  }

  /** Resolves when what has finished is recorded. */
  async stop(): Promise<void> {
    for (const stop of this.watched.values()) stop();
    this.watched.clear();
    await Promise.all(this.recording);
  }

  private seen(threadId: ThreadId, event: ThreadEvent): void {
    if (event.type === 'approval.decided' && letsHappen(event.decision)) this.approved(threadId, event);
    if (event.type !== 'turn.ended' || event.reason !== 'finished') return;
    this.watched.get(threadId)?.();
    this.watched.delete(threadId);
    const work: Promise<void> = this.record(threadId)
      .catch(this.parts.report)
      .finally(() => this.recording.delete(work));
    this.recording.add(work);
  }

  /** Saved with each decision, because decisions are cleared at the end of the turn. */
  private approved(threadId: ThreadId, event: Extract<ThreadEvent, { type: 'approval.decided' }>): void {
    const { approvals, routines } = this.parts.storage;
    const run = routines.runOf(threadId);
    const taken = approvals.taken(threadId).find(({ approval }) => approval.id === event.approvalId);
    if (run === null || taken === undefined) return;
    const { callId, digest, args } = taken.approval;
    const { decision } = event;
    const said = decision.type === 'edit' ? { args: decision.args, digest: null } : { args, digest };
    routines.saveRun({ ...run, approved: [...run.approved, { callId, ...said }] });
  }

  private async record(threadId: ThreadId): Promise<void> {
    const { storage, turns, projects, onRecorded } = this.parts;
    const { routines } = storage;
    const run = routines.runOf(threadId);
    const live = turns.thread(threadId);
    if (run === null || !live.ok) return;
    const { state } = live.value;
    const project = projects.get(state.thread.projectId);
    const shell = project.ok ? shellPlaces(project.value, this.parts) : null;
    const calls = await recordRun(state, run.approved, shell);
    const record = { at: storage.now(), threadId, calls };
    if (routines.change(run.routineId, (routine) => ({ ...routine, record }))) onRecorded();
  }
}
