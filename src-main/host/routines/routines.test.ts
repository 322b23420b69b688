import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../contract/commands';
import { MovedClock } from '../testing/moved-clock';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost, WITHOUT_LAYERS } from '../testing/window';
import {
  draftOf,
  finished,
  firstRun,
  info,
  MONDAY,
  rest,
  routineIn,
  runsOf,
  save,
  until,
} from './testing/routine';

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
    const draft = await draftOf(t.window, t.id);
    await t.window.must('routines.save', { id: t.id, draft: { ...draft, name: 'Renamed' } });
    expect((await info(t.window, t.id)).record).not.toBeNull();
    await t.window.must('routines.save', { id: t.id, draft: { ...draft, prompt: 'create b.txt with "b"' } });
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
