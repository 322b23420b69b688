import type { Output } from '../../../contract/commands';
import type { ThreadState } from '../../../contract/conversation';
import type { RoutineId, ThreadId } from '../../../contract/ids';
import type { RoutineDraft, RoutineInfo } from '../../../contract/routines';
import type { HostOptions } from '../../host-options';
import { MovedClock } from '../../testing/moved-clock';
import { type FakeWindow, isIdle, isWaiting, setUp, WITHOUT_LAYERS } from '../../testing/window';

export type T = Awaited<ReturnType<typeof setUp>>;

export const MONDAY = '2027-03-01T08:00:00Z';

export async function routineIn(more: Partial<HostOptions> = {}, change: Partial<RoutineDraft> = {}) {
  const clock = new MovedClock(MONDAY);
  const t = await setUp({ ...WITHOUT_LAYERS, schedules: true, clock, ...more });
  await t.window.must('app.open', {});
  const id = await save(t, change);
  return { ...t, clock, id };
}

export async function save(t: T, change: Partial<RoutineDraft> = {}): Promise<RoutineId> {
  const draft: RoutineDraft = {
    name: 'Report',
    projectId: t.projectId,
    prompt: 'create report.txt with "one"',
    schedule: 'every day at 9',
    timeZone: 'UTC',
    model: 'offline:guide',
    mode: null,
    budget: { microDollars: null, tokens: null },
    isOn: true,
    ...change,
  };
  const saved: Output<'routines.save'> = await t.window.must('routines.save', { id: null, draft });
  return saved.id;
}

export async function info(window: FakeWindow, id: RoutineId): Promise<RoutineInfo> {
  const { routines }: Output<'routines.list'> = await window.must('routines.list', {});
  const found = routines.find((one) => one.id === id);
  if (found === undefined) throw new Error('There is no such routine.');
  return found;
}

/** What a person can change of a routine. */
export async function draftOf(window: FakeWindow, id: RoutineId): Promise<RoutineDraft> {
  const {
    id: _,
    createdAt: _at,
    missed: _missed,
    nextAt: _next,
    runs: _runs,
    record: _record,
    ...draft
  } = await info(window, id);
  return draft;
}

/** Resolves when the routine is as wanted. */
export async function until(window: FakeWindow, id: RoutineId, is: (routine: RoutineInfo) => boolean) {
  for (;;) {
    const next = new Promise<void>((resolve) => {
      const stop = window.client.onEvent((event) => {
        if (event.type !== 'routines.changed') return;
        stop();
        resolve();
      });
    });
    const now = await info(window, id);
    if (is(now)) return now;
    await next;
  }
}

/** Resolves when the thread is as wanted, and opens it. A run may do anything before it is opened. */
export async function rest(
  { host, window }: Pick<T, 'host' | 'window'>,
  threadId: ThreadId,
  is: (state: ThreadState) => boolean,
): Promise<ThreadState> {
  const live = host.turns.thread(threadId);
  if (!live.ok) throw new Error('There is no such thread.');
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!is(live.value.state)) return;
      stop();
      resolve();
    };
    const stop = host.hub.onThread(threadId, look);
    look();
  });
  await host.turns.settled(threadId);
  await window.open(threadId);
  return live.value.state;
}

/** Does the attended first run, and approves everything in it. */
export async function firstRun(t: Pick<T, 'host' | 'window'> & { id: RoutineId }): Promise<ThreadId> {
  const { window, id } = t;
  const { threadId }: Output<'routines.run'> = await window.must('routines.run', { id, record: false });
  await rest(t, threadId, isWaiting(1));
  await window.allow(0);
  await rest(t, threadId, isIdle);
  await until(window, id, ({ record }) => record !== null);
  return threadId;
}

export const runsOf = ({ runs }: RoutineInfo) => runs.map(({ trigger, status }) => [trigger, status]);
export const finished = ({ runs: [last] }: RoutineInfo) => last?.status === 'finished';
