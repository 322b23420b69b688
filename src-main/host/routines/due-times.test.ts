import { describe, expect, it } from 'vitest';
import type { RoutineId } from '../../contract/ids';
import { MovedClock } from '../testing/moved-clock';
import { cleanups, FakeWindow, startHost, WITHOUT_LAYERS } from '../testing/window';
import { draftOf, finished, firstRun, info, routineIn, save, until } from './testing/routine';

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
    const draft = await draftOf(t.window, t.id);
    await t.window.must('routines.save', { id: t.id, draft: { ...draft, model: 'anthropic:claude' } });
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
