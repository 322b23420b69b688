import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../contract/commands';
import type { ThreadState } from '../../contract/conversation';
import type { RoutineId, ThreadId } from '../../contract/ids';
import type { RoutineDraft, RoutineInfo } from '../../contract/routines';
import type { HostOptions } from '../host-options';
import { MovedClock } from '../testing/moved-clock';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost, WITHOUT_LAYERS } from '../testing/window';

type T = Awaited<ReturnType<typeof setUp>>;

const MONDAY = '2027-03-01T08:00:00Z';

async function routineIn(more: Partial<HostOptions> = {}, change: Partial<RoutineDraft> = {}) {
  const clock = new MovedClock(MONDAY);
  const t = await setUp({ ...WITHOUT_LAYERS, schedules: true, clock, ...more });
  await t.window.must('app.open', {});
  const id = await save(t, change);
  return { ...t, clock, id };
}

async function save(t: T, change: Partial<RoutineDraft> = {}): Promise<RoutineId> {
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

async function info(window: FakeWindow, id: RoutineId): Promise<RoutineInfo> {
  const { routines }: Output<'routines.list'> = await window.must('routines.list', {});
  const found = routines.find((one) => one.id === id);
  if (found === undefined) throw new Error('There is no such routine.');
  return found;
}

/** Resolves when the routine is as wanted. */
async function until(window: FakeWindow, id: RoutineId, is: (routine: RoutineInfo) => boolean) {
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
async function rest(
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
async function firstRun(t: Pick<T, 'host' | 'window'> & { id: RoutineId }): Promise<ThreadId> {
  const { window, id } = t;
  const { threadId }: Output<'routines.run'> = await window.must('routines.run', { id, record: false });
  await rest(t, threadId, isWaiting(1));
  await window.allow(0);
  await rest(t, threadId, isIdle);
  await until(window, id, ({ record }) => record !== null);
  return threadId;
}

const runsOf = ({ runs }: RoutineInfo) => runs.map(({ trigger, status }) => [trigger, status]);
const finished = ({ runs: [last] }: RoutineInfo) => last?.status === 'finished';

describe('a routine', () => {
  it('records its first run and repeats it at the due time without asking', async () => {
    const t = await routineIn();
    await firstRun(t);
    expect((await info(t.window, t.id)).record?.calls).toMatchObject([
      { tool: 'write_file', matches: [{ kind: 'path', glob: 'report.txt' }] },
    ]);
    t.clock.pass('2027-03-01T09:00:00Z');
    const after = await until(t.window, t.id, (now) => now.runs.length === 2 && finished(now));
    expect(runsOf(after)).toEqual([
      ['schedule', 'finished'],
      ['person', 'finished'],
    ]);
    expect(after.nextAt).toBe(Date.parse('2027-03-02T09:00:00Z'));
  });

  it('waits for the person with a call that is not in the record, even if the mode allows it', async () => {
    const t = await routineIn({}, { mode: 'auto-sandbox', prompt: 'create report.txt with "one"' });
    await t.window.must('routines.run', { id: t.id, record: false });
    await until(t.window, t.id, ({ record }) => record !== null);
    expect(existsSync(join(t.folder, 'report.txt'))).toBe(true);
    // The same record, with another wish in the thread.
    t.clock.pass('2027-03-01T09:00:00Z');
    const { runs } = await until(t.window, t.id, (now) => now.runs.length === 2 && finished(now));
    const second = runs[0]?.threadId;
    if (second == null) throw new Error('There is no second run.');
    await t.window.must('thread.send', { threadId: second, text: 'create other.txt with "two"' });
    const { approvals } = await rest(t, second, isWaiting(1));
    expect(approvals[0]?.reason[0]).toEqual({ code: 'outside_routine' });
    expect(existsSync(join(t.folder, 'other.txt'))).toBe(false);
  });

  it('adds a call to the record when the person always allows it', async () => {
    const t = await routineIn();
    await firstRun(t);
    const { threadId }: Output<'routines.run'> = await t.window.must('routines.run', {
      id: t.id,
      record: false,
    });
    await rest(t, threadId, isIdle);
    await t.window.must('thread.send', { threadId, text: 'create other.txt with "two"' });
    const { approvals } = await rest(t, threadId, isWaiting(1));
    const [approval] = approvals;
    if (approval === undefined) throw new Error('Nothing waits.');
    const { id: approvalId, digest } = approval;
    const always = (digestShown: string) =>
      t.window.client.call('routines.always', { threadId, approvalId, digest: digestShown });
    expect(await always('other')).toMatchObject({ error: { kind: 'stale' } });
    expect(await always(digest)).toMatchObject({ ok: true });
    await rest(t, threadId, isIdle);
    expect(readFileSync(join(t.folder, 'other.txt'), 'utf8')).toBe('two');
    expect((await info(t.window, t.id)).record?.calls.map(({ about }) => about)).toHaveLength(2);
    await t.window.must('thread.send', { threadId, text: 'create other.txt with "three"' });
    await rest(t, threadId, (s) => isIdle(s) && s.messages.filter((m) => m.role === 'user').length === 3);
    expect(readFileSync(join(t.folder, 'other.txt'), 'utf8')).toBe('three');
  });

  it('repeats a command that no rule could allow only as the person approved it', async () => {
    const t = await routineIn({}, { prompt: 'run rm -f old.txt' });
    await firstRun(t);
    t.clock.pass('2027-03-01T09:00:00Z');
    await until(t.window, t.id, (now) => now.runs.length === 2 && finished(now));
    const { runs } = await info(t.window, t.id);
    const second = runs[0]?.threadId;
    if (second == null) throw new Error('There is no second run.');
    await t.window.must('thread.send', { threadId: second, text: 'run rm -f new.txt' });
    await rest(t, second, isWaiting(1));
  });

  it('does not run on its schedule before its first run', async () => {
    const t = await routineIn();
    t.clock.pass('2027-03-01T09:00:00Z');
    await until(t.window, t.id, (now) => now.runs.length === 1);
    t.clock.pass('2027-03-02T09:00:00Z');
    const { runs } = await until(t.window, t.id, ({ runs: [last] }) => last?.times === 2);
    expect(runs).toMatchObject([{ status: 'skipped', error: { code: 'routine_needs_first_run' } }]);
  });

  it('skips a run while the earlier one waits for the person', async () => {
    const t = await routineIn({}, { schedule: 'every 2 hours' });
    await firstRun(t);
    const { threadId }: Output<'routines.run'> = await t.window.must('routines.run', {
      id: t.id,
      record: true,
    });
    await rest(t, threadId, isWaiting(1));
    t.clock.pass('2027-03-01T10:00:00Z');
    const { runs } = await until(t.window, t.id, (now) => now.runs.length === 3);
    expect(runs[0]).toMatchObject({ status: 'skipped', error: { code: 'routine_still_running' } });
    const again = await t.window.client.call('routines.run', { id: t.id, record: false });
    expect(again).toMatchObject({ error: { kind: 'conflict' } });
  });

  it('forgets its record when it gets another prompt', async () => {
    const t = await routineIn();
    await firstRun(t);
    const {
      record: _,
      id,
      createdAt: _at,
      missed: _missed,
      nextAt: _next,
      runs: _runs,
      ...draft
    } = await info(t.window, t.id);
    await t.window.must('routines.save', { id, draft: { ...draft, name: 'Renamed' } });
    expect((await info(t.window, t.id)).record).not.toBeNull();
    await t.window.must('routines.save', { id, draft: { ...draft, prompt: 'create b.txt with "b"' } });
    expect((await info(t.window, t.id)).record).toBeNull();
  });

  it('refuses a name that shows nothing', async () => {
    const t = await setUp();
    await expect(save(t, { name: ' \u200b\u2800' })).rejects.toThrow();
    await save(t, { name: 'Nightly' });
  });

  it('asks in a native dialog before a mode that asks less than the project', async () => {
    const asked: string[] = [];
    const desktop = { ...(await import('../testing/window')).testDesktop };
    const t = await setUp({
      desktop: { ...desktop, confirm: async ({ message }) => asked.push(message) < 0 },
    });
    await expect(save(t, { mode: 'auto-sandbox' })).rejects.toThrow();
    await save(t, { mode: 'ask-all' });
    expect(asked).toHaveLength(1);
  });

  it('is not saved as another one if it was removed, or its name taken, while a dialog was open', async () => {
    let meanwhile: () => Promise<unknown> = async () => undefined;
    const desktop = { ...(await import('../testing/window')).testDesktop };
    const t = await setUp({
      desktop: {
        ...desktop,
        confirm: async () => {
          await meanwhile();
          return true;
        },
      },
    });
    await t.window.must('app.open', {});
    const id = await save(t);
    const {
      record: _,
      id: _id,
      createdAt: _at,
      missed: _m,
      nextAt: _n,
      runs: _r,
      ...draft
    } = await info(t.window, id);
    const saved = (name: string) =>
      t.window.client.call('routines.save', { id, draft: { ...draft, name, mode: 'auto-sandbox' } });
    const names = async () => {
      const { routines }: Output<'routines.list'> = await t.window.must('routines.list', {});
      return routines.map(({ name }) => name);
    };
    meanwhile = () => save(t, { name: 'New' });
    expect(await saved('New')).toMatchObject({ ok: false, error: { kind: 'conflict' } });
    expect(await names()).toEqual(['Report', 'New']);
    meanwhile = () => t.window.must('routines.remove', { id });
    expect(await saved('Newer')).toMatchObject({
      ok: false,
      error: { kind: 'not_found', code: 'routine_gone' },
    });
    expect(await names()).toEqual(['New']);
  });

  it('refuses a name that is taken and a schedule that it does not understand', async () => {
    const t = await routineIn();
    await expect(save(t, { name: 'REPORT' })).rejects.toThrow('is called');
    await expect(save(t, { name: 'Other', schedule: 'sometimes' })).rejects.toThrow("doesn't understand");
  });
});

describe('a due time', () => {
  it('that passed while Deepdesk was closed is offered once and not run', async () => {
    const t = await routineIn();
    await firstRun(t);
    await t.host.close();
    const clock = new MovedClock('2027-03-04T12:00:00Z');
    const host = await startHost(t.dataDir, [], { ...WITHOUT_LAYERS, schedules: true, clock });
    cleanups.push(() => host.close());
    const window = new FakeWindow(host);
    await window.must('app.open', {});
    const missed = await info(window, t.id);
    expect(missed.missed).toEqual({ dueAt: Date.parse('2027-03-04T09:00:00Z'), times: 4 });
    expect(missed.runs).toHaveLength(1);
    expect(missed.nextAt).toBe(Date.parse('2027-03-05T09:00:00Z'));
    await window.must('routines.run', { id: t.id, record: false });
    const after = await until(window, t.id, finished);
    expect(after.missed).toBeNull();
    expect(after.runs[0]?.trigger).toBe('missed');
  });

  it('that passed during sleep is offered, and dismissed for good', async () => {
    const t = await routineIn();
    await firstRun(t);
    t.clock.jump('2027-03-02T07:00:00Z');
    expect((await info(t.window, t.id)).missed).toEqual({
      dueAt: Date.parse('2027-03-01T09:00:00Z'),
      times: 1,
    });
    await t.window.must('routines.dismiss', { id: t.id });
    t.clock.pass('2027-03-02T08:00:00Z');
    expect(await info(t.window, t.id)).toMatchObject({ missed: null, runs: [{ trigger: 'person' }] });
  });

  it('is used once when the clock goes back a day and forth again', async () => {
    const t = await routineIn();
    await firstRun(t);
    t.clock.pass('2027-03-01T09:00:00Z');
    await until(t.window, t.id, (now) => now.runs.length === 2 && finished(now));
    t.clock.pass('2027-03-02T09:00:00Z');
    await until(t.window, t.id, (now) => now.runs.length === 3 && finished(now));
    t.clock.jump('2027-03-01T10:00:00Z');
    expect((await info(t.window, t.id)).nextAt).toBe(Date.parse('2027-03-03T09:00:00Z'));
    t.clock.pass('2027-03-02T09:30:00Z');
    expect((await info(t.window, t.id)).runs).toHaveLength(3);
    t.clock.pass('2027-03-03T09:00:00Z');
    await until(t.window, t.id, (now) => now.runs.length === 4 && finished(now));
  });

  it('is not missed if the clock was wrong: a day ahead and back', async () => {
    const t = await routineIn();
    await firstRun(t);
    t.clock.jump('2027-03-02T08:30:00Z');
    expect((await info(t.window, t.id)).missed).not.toBeNull();
    t.clock.jump('2027-03-01T08:30:00Z');
    expect(await info(t.window, t.id)).toMatchObject({
      missed: null,
      nextAt: Date.parse('2027-03-01T09:00:00Z'),
    });
    t.clock.pass('2027-03-01T09:00:00Z');
    await until(t.window, t.id, (now) => now.runs.length === 2 && finished(now));
  });

  it('is used once, also after an earlier one that was missed and came again', async () => {
    const t = await routineIn({}, { schedule: 'hourly' });
    await firstRun(t);
    t.clock.jump('2027-03-01T09:30:00Z');
    t.clock.pass('2027-03-01T10:00:00Z');
    await until(t.window, t.id, (now) => now.runs.length === 2 && finished(now));
    t.clock.jump('2027-03-01T08:30:00Z');
    t.clock.pass('2027-03-01T09:00:00Z');
    const again = await until(
      t.window,
      t.id,
      (now) => now.runs.length === 3 && !now.runs.some(({ status }) => status === 'running'),
    );
    expect(again.nextAt).toBe(Date.parse('2027-03-01T11:00:00Z'));
  });

  it('comes as usual after a run while the clock was a year ahead', async () => {
    const t = await routineIn();
    await firstRun(t);
    t.clock.jump('2028-03-01T08:30:00Z');
    t.clock.pass('2028-03-01T09:00:00Z');
    await until(t.window, t.id, (now) => now.runs.length === 2 && finished(now));
    t.clock.jump('2027-03-01T08:30:00Z');
    expect((await info(t.window, t.id)).nextAt).toBe(Date.parse('2027-03-01T09:00:00Z'));
    t.clock.pass('2027-03-01T09:00:00Z');
    await until(
      t.window,
      t.id,
      (now) => now.runs.length === 3 && now.runs.every(({ status }) => status === 'finished'),
    );
    expect((await info(t.window, t.id)).nextAt).toBe(Date.parse('2027-03-02T09:00:00Z'));
  });

  it('keeps its time of the day when the clocks change in New York and Berlin', async () => {
    const t = await routineIn({}, { timeZone: 'America/New_York' });
    await firstRun(t);
    const berlin = await save(t, { name: 'Berlin', timeZone: 'Europe/Berlin' });
    const next = async (id: RoutineId) => new Date((await info(t.window, id)).nextAt ?? 0).toISOString();
    t.clock.jump('2027-03-13T20:00:00Z');
    expect(await next(t.id)).toBe('2027-03-14T13:00:00.000Z');
    expect(await next(berlin)).toBe('2027-03-14T08:00:00.000Z');
    t.clock.jump('2027-03-27T20:00:00Z');
    expect(await next(t.id)).toBe('2027-03-28T13:00:00.000Z');
    expect(await next(berlin)).toBe('2027-03-28T07:00:00.000Z');
  });

  it('is nothing to a routine that is off or was removed', async () => {
    const t = await routineIn();
    await firstRun(t);
    await t.window.must('routines.turn', { id: t.id, isOn: false });
    t.clock.jump('2027-03-02T10:00:00Z');
    expect(await info(t.window, t.id)).toMatchObject({ nextAt: null, missed: null });
    await t.window.must('routines.turn', { id: t.id, isOn: true });
    expect((await info(t.window, t.id)).nextAt).toBe(Date.parse('2027-03-03T09:00:00Z'));
    await t.window.must('routines.remove', { id: t.id });
    t.clock.jump('2027-03-03T10:00:00Z');
    await t.window.must('routines.restore', { id: t.id });
    const back = await info(t.window, t.id);
    expect(back.runs).toHaveLength(1);
    expect(back.nextAt).toBe(Date.parse('2027-03-04T09:00:00Z'));
  });

  it('starts nothing if the project is gone or the model has no key', async () => {
    const t = await routineIn({ env: {} });
    await firstRun(t);
    const {
      record: _,
      id,
      createdAt: _at,
      missed: _missed,
      nextAt: _next,
      runs: _runs,
      ...draft
    } = await info(t.window, t.id);
    await t.window.must('routines.save', { id, draft: { ...draft, model: 'anthropic:claude' } });
    t.clock.pass('2027-03-01T09:00:00Z');
    const noKey = await until(t.window, t.id, (now) => now.runs.length === 2);
    expect(noKey.runs[0]).toMatchObject({ status: 'skipped', error: { kind: 'no_key' } });
    await t.window.must('project.remove', { projectId: t.projectId });
    t.clock.pass('2027-03-02T09:00:00Z');
    const noProject = await until(
      t.window,
      t.id,
      (now) => now.runs.length > 1 && now.runs[0]?.error?.kind !== 'no_key',
    );
    expect(noProject.runs[0]).toMatchObject({ status: 'skipped', error: { code: 'project_not_listed' } });
  });

  it('is run by one of two instances, and by the other one when the first has exited', async () => {
    const t = await routineIn();
    await firstRun(t);
    const clock = new MovedClock('2027-03-01T08:30:00Z');
    const host = await startHost(t.dataDir, [], { ...WITHOUT_LAYERS, schedules: true, clock });
    cleanups.push(() => host.close());
    const window = new FakeWindow(host);
    await window.must('app.open', {});
    // The same process holds the lease in this test, so both find it due.
    clock.pass('2027-03-01T09:00:00Z');
    t.clock.pass('2027-03-01T09:00:00Z');
    await until(window, t.id, (now) => now.runs.length === 2 && finished(now));
    await t.host.close();
    expect((await info(window, t.id)).runs).toHaveLength(2);
    clock.pass('2027-03-02T09:00:00Z');
    const after = await until(window, t.id, (now) => now.runs.length === 3 && finished(now));
    expect(after.missed).toBeNull();
  });
});

describe('a run', () => {
  it('is undone as a whole', async () => {
    const t = await routineIn();
    const threadId = await firstRun(t);
    const changed = await until(t.window, t.id, ({ runs: [last] }) => last?.changedFiles === 1);
    expect(changed.runs[0]?.isUndone).toBe(false);
    const scope = { kind: 'thread' };
    await t.window.must('changes.revert', { threadId, scope, force: false } as never);
    expect(existsSync(join(t.folder, 'report.txt'))).toBe(false);
    const undone = await until(t.window, t.id, ({ runs: [last] }) => last?.isUndone === true);
    expect(undone.runs[0]?.changedFiles).toBe(0);
  });

  it('that Deepdesk quit during is interrupted and records its end after it was continued', async () => {
    const t = await routineIn();
    const { threadId }: Output<'routines.run'> = await t.window.must('routines.run', {
      id: t.id,
      record: false,
    });
    await rest(t, threadId, isWaiting(1));
    await t.host.close();
    const clock = new MovedClock(MONDAY);
    const host = await startHost(t.dataDir, [], { ...WITHOUT_LAYERS, schedules: true, clock });
    cleanups.push(() => host.close());
    const window = new FakeWindow(host);
    await window.must('app.open', {});
    expect((await info(window, t.id)).runs[0]?.status).toBe('waiting');
    await window.open(threadId);
    await window.allow(0);
    const { record } = await until(window, t.id, (now) => now.record !== null);
    expect(record?.calls).toMatchObject([{ tool: 'write_file', matches: [{ glob: 'report.txt' }] }]);
  });
});
