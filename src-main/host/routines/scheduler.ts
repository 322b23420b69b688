import { randomUUID } from 'node:crypto';
import { errorText } from '../../contract/errors';
import { type RoutineId, ThreadId } from '../../contract/ids';
import { type AppError, appError, type Result } from '../../contract/result';
import { MAX_COUNTED_MISSES, type Routine } from '../../contract/routines';
import type { Storage } from '../../storage';
import type { StoredRoutine } from '../../storage/routines';
import type { Clock } from './clock';
import { parseSchedule, type Schedule } from './schedule';
import type { RunStart } from './start-run';

/** Only its holder runs what is due, so that two instances on a data folder do not both run it. */
const LEASE = ThreadId.parse('routines');
/** Milliseconds between two checks at most: timers stand still during sleep, and the clock may be changed. */
const CHECK_EVERY = 20_000;
/** Milliseconds after which a run is offered instead of started. */
const ON_TIME = 90_000;
/** Runs that are compared with due times after the clock was set back. */
const MAX_USED = 200;

export interface SchedulerParts {
  storage: Storage;
  clock: Clock;
  start(routine: Routine, how: RunStart): Promise<Result<unknown>>;
  onChanged(): void;
  report(error: unknown): void;
}

/** Starts what is due, and notes what was missed. Nothing is ever started late, twice, or several times in a row. */
export class Scheduler {
  private cancel: () => void = () => undefined;
  private isStopped = false;
  private isFirstCheck = true;
  private readonly starting = new Map<RoutineId, Promise<void>>();

  constructor(private readonly parts: SchedulerParts) {}

  /** Checks now and from then on. Call it also when the computer wakes up or a routine changed. */
  check(): void {
    if (this.isStopped) return;
    this.cancel();
    const { storage, clock, report } = this.parts;
    try {
      // Another instance runs them. If it exits, this one takes over.
      if (storage.leases.acquire(LEASE).ok) this.checkAll(clock.now());
    } catch (error) {
      report(error);
    }
    this.cancel = clock.after(this.wait(), () => this.check());
  }

  /** Resolves when every run that is being started has started. */
  async settled(): Promise<void> {
    await Promise.all(this.starting.values());
  }

  stop(): void {
    this.isStopped = true;
    this.cancel();
    try {
      this.parts.storage.leases.release(LEASE);
    } catch (error) {
      this.parts.report(error);
    }
  }

  private wait(): number {
    const { storage, clock } = this.parts;
    const due = storage.routines.list().flatMap(({ nextAt }) => (nextAt === null ? [] : [nextAt]));
    const next = Math.min(...due) - clock.now();
    return Math.max(1_000, Math.min(CHECK_EVERY, next));
  }

  private checkAll(now: number): void {
    const wasClosed = this.isFirstCheck;
    this.isFirstCheck = false;
    for (const stored of this.parts.storage.routines.list())
      if (!this.starting.has(stored.routine.id)) this.checkOne(stored, now, wasClosed);
  }

  private checkOne(stored: StoredRoutine, now: number, wasClosed: boolean): void {
    const { storage, onChanged } = this.parts;
    const { routine, nextAt } = stored;
    const parsed = parseSchedule(routine.schedule, routine.timeZone);
    if (!routine.isOn || !parsed.ok) {
      if (nextAt !== null) storage.routines.setNext(routine.id, null);
      return;
    }
    const schedule = parsed.value;
    // The clock was set back: it has not been missed yet.
    if (routine.missed !== null && routine.missed.dueAt > now) {
      storage.routines.change(routine.id, (before) => ({ ...before, missed: null }));
      onChanged();
    }
    const next = this.nextOf(stored, schedule, now);
    if (nextAt === null || nextAt > now) {
      if (next === nextAt) return;
      storage.routines.setNext(routine.id, next);
      onChanged();
      return;
    }
    const dueAt = Math.max(nextAt, schedule.lastUpTo(now) ?? nextAt);
    const due: Due = { stored: { ...stored, nextAt }, dueAt, next };
    if (wasClosed || now - dueAt > ON_TIME) this.miss(due, schedule, now);
    else this.startDue(due);
  }

  /** The next due time. One that was used up before the clock was set back is not due again. */
  private nextOf({ routine, ranAt }: StoredRoutine, schedule: Schedule, now: number): number | null {
    let [next] = schedule.after(now, 1);
    if (ranAt === null || ranAt <= now) return next ?? null;
    const ran = this.parts.storage.routines
      .runs(routine.id, MAX_USED)
      .filter(({ trigger, at }) => trigger === 'schedule' && at > now);
    for (let left = MAX_USED - ran.length; left > 0 && next !== undefined; left -= 1) {
      const from = next;
      if (!ran.some(({ at }) => at >= from && at < from + ON_TIME)) return from;
      [next] = schedule.after(from, 1);
    }
    return schedule.after(ranAt, 1)[0] ?? null;
  }

  private miss({ stored: { routine, nextAt }, dueAt, next }: Due, schedule: Schedule, now: number): void {
    const { storage, onChanged } = this.parts;
    const counted = schedule.after(nextAt - 1, MAX_COUNTED_MISSES).filter((at) => at <= now).length;
    storage.transaction(() => {
      if (!storage.routines.claim(routine.id, nextAt, next, null)) return;
      storage.routines.change(routine.id, ({ missed, ...rest }) => ({
        ...rest,
        missed: { dueAt, times: Math.max(1, counted) + (missed?.times ?? 0) },
      }));
    });
    onChanged();
  }

  private startDue({ stored: { routine, nextAt }, dueAt, next }: Due): void {
    const { storage, start, report, onChanged } = this.parts;
    const claim = () => storage.routines.claim(routine.id, nextAt, next, dueAt);
    const work = async () => {
      if (routine.record === null) {
        if (claim())
          skip(storage, routine, appError('conflict', errorText('routine_needs_first_run')), dueAt);
        return;
      }
      const started = await start(routine, { trigger: 'schedule', isRecording: false, claim });
      if (!started.ok) skip(storage, routine, started.error, dueAt);
    };
    const done = work()
      .catch(report)
      .finally(() => {
        this.starting.delete(routine.id);
        onChanged();
      });
    this.starting.set(routine.id, done);
  }
}

interface Due {
  stored: StoredRoutine & { nextAt: number };
  /** The last due time up to now. */
  dueAt: number;
  next: number | null;
}

/** Notes that no run started. The same reason several times in a row is one entry. */
function skip({ routines }: Storage, { id }: Routine, error: AppError, dueAt: number): void {
  const [last] = routines.runs(id, 1);
  const isSame = last?.threadId === null && last.error?.code === error.code;
  routines.saveRun({
    id: isSame ? last.id : randomUUID(),
    routineId: id,
    at: dueAt,
    trigger: 'schedule',
    threadId: null,
    isRecording: false,
    approved: [],
    error,
    times: isSame ? last.times + 1 : 1,
  });
}
