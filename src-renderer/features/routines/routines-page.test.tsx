import { RoutineId, ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { RoutineInfo } from '@contract/routines';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { RoutinesPage } from './routines-page';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

it('offers to restore the routine of a run if it was removed, and then opens its form', async () => {
  const routine = RoutineInfo.parse({
    ...{ id: 'r1', name: 'Report', projectId: 'p', prompt: 'go', schedule: 'every day at 9', createdAt: 1 },
    ...{ timeZone: 'UTC', model: 'offline:guide', mode: null, isOn: true, nextAt: null, missed: null },
    ...{ budget: { microDollars: null, tokens: null }, record: null, runs: [] },
  });
  let routines: RoutineInfo[] = [];
  const host = panelHost(
    { projects: [sampleProject({ id: 'p' })] },
    {
      'routines.list': () => ok({ routines, timeZone: 'UTC' }),
      'routines.preview': () => ok({ cron: '0 9 * * *', next: [] }),
      'routines.restore': () => {
        routines = [routine];
        host.emit({ type: 'routines.changed' });
        return ok({});
      },
    },
  );
  stop = host.stop;
  const Page = () =>
    usePort().phase === 'ready' ? (
      <RoutinesPage
        projectId={null}
        shown={{ routineId: RoutineId.parse('r1'), field: 'name' }}
        onShown={() => {}}
      />
    ) : null;
  render(<Page />);
  fireEvent.click(await screen.findByRole('button', { name: 'Restore routine' }));
  expect(await screen.findByRole('form', { name: /Report/ })).toBeTruthy();
  expect(host.asked('routines.restore')).toEqual([{ id: 'r1' }]);
  expect(screen.queryByRole('alert')).toBeNull();
});

it("names the next run, but none before the first one, which is the person's to start, or where none is due", async () => {
  const first = RoutineInfo.parse({
    ...{ id: 'r1', name: 'Report', projectId: 'p', prompt: 'go', schedule: 'every day at 9', createdAt: 1 },
    ...{ timeZone: 'UTC', model: 'offline:guide', mode: null, isOn: true, missed: null },
    ...{ budget: { microDollars: null, tokens: null }, record: null, runs: [] },
    nextAt: Date.parse('2035-03-02T09:00:00Z'),
  });
  const later = { ...first, id: RoutineId.parse('r2'), name: 'Later' };
  const record = { at: 1, threadId: ThreadId.parse('t'), calls: [] };
  const past = { ...later, id: RoutineId.parse('r3'), name: 'Past', nextAt: null, record };
  const off = { ...past, id: RoutineId.parse('r4'), name: 'Off', isOn: false };
  const routines = [first, { ...later, record }, past, off];
  stop = panelHost(
    { projects: [sampleProject({ id: 'p' })] },
    { 'routines.list': () => ok({ routines, timeZone: 'UTC' }) },
  ).stop;
  const Page = () =>
    usePort().phase === 'ready' ? <RoutinesPage projectId={null} onShown={() => {}} /> : null;
  render(<Page />);
  const text = async (name: string) => (await screen.findByRole('listitem', { name })).textContent;
  expect(await text('Later')).toContain('every day at 9 · Next');
  expect(await text('Report')).not.toContain('Next');
  expect(await text('Past')).toContain('every day at 9 · No next run');
  expect(await text('Past')).not.toContain('Turned off');
  expect(await text('Off')).toContain('every day at 9 · Turned off');
});

it('keeps what the person typed when a routine is removed meanwhile, and saves it as a new one', async () => {
  const report = RoutineInfo.parse({
    ...{ id: 'r1', name: 'Report', projectId: 'p', prompt: 'go', schedule: 'every day at 9', createdAt: 1 },
    ...{ timeZone: 'UTC', model: 'offline:guide', mode: null, isOn: true, nextAt: null, missed: null },
    ...{ budget: { microDollars: null, tokens: null }, record: null, runs: [] },
  });
  const other = { ...report, id: RoutineId.parse('r2'), name: 'Other', createdAt: 2 };
  let routines: RoutineInfo[] = [report, other];
  const host = panelHost(
    { projects: [sampleProject({ id: 'p' })] },
    {
      'routines.list': () => ok({ routines, timeZone: 'UTC' }),
      'routines.preview': () => ok({ cron: '0 9 * * *', next: [] }),
      'routines.save': ({ id }) => {
        if (id !== null) return fail('not_found', 'routine_gone');
        return ok({ id: RoutineId.parse('r3') });
      },
    },
  );
  stop = host.stop;
  const Page = () =>
    usePort().phase === 'ready' ? <RoutinesPage projectId={null} onShown={() => {}} /> : null;
  render(<Page />);
  const item = await screen.findByRole('listitem', { name: 'Report' });
  fireEvent.click(within(item).getByRole('button', { name: 'Edit…' }));
  const form = await screen.findByRole('form', { name: 'Edit Report' });
  fireEvent.change(within(form).getByLabelText('Prompt'), { target: { value: 'a long prompt' } });
  fireEvent.submit(form);
  expect((await within(form).findByRole('alert')).textContent).toContain('You can save it as a new one.');
  routines = [other];
  host.emit({ type: 'routines.changed' });
  await vi.waitFor(() => expect(within(item).queryByText('go')).toBeNull());
  expect(screen.getAllByRole('listitem').map((one) => one.getAttribute('aria-label'))).toEqual([
    'Report',
    'Other',
  ]);
  expect(within(form).getByLabelText('Prompt')).toHaveProperty('value', 'a long prompt');
  expect(within(form).getByRole('button', { name: 'Save as new routine' })).toBeTruthy();
  fireEvent.submit(form);
  await vi.waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  expect(host.asked('routines.save')).toMatchObject([
    { id: 'r1', draft: { prompt: 'a long prompt' } },
    { id: null, draft: { name: 'Report', prompt: 'a long prompt' } },
  ]);
  await vi.waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
});
