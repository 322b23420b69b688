import { fail } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { RoutineForm } from './routine-form';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

it('says at the field which amount is wrong, once somebody tries to save', async () => {
  const drafts: unknown[] = [];
  stop = panelHost(
    { projects: [sampleProject()] },
    {
      'routines.save': ({ draft }) => {
        drafts.push(draft.budget);
        return fail('cancelled', 'you_cancelled');
      },
    },
  ).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <RoutineForm routine={null} timeZone="UTC" onDone={() => undefined} onCancel={() => undefined} />
    ) : null;
  render(<Gate />);
  const tokens = await screen.findByLabelText('Budget per run in tokens');
  const cost = screen.getByLabelText('Budget per run in dollars');
  const save = () => fireEvent.submit(screen.getByRole('form'));
  fireEvent.change(tokens, { target: { value: '0' } });
  expect(screen.queryByRole('alert')).toBeNull();
  save();
  expect(screen.getByRole('alert').textContent).toBe('Enter an amount greater than zero, or leave it empty.');
  expect([tokens, cost].map((field) => field.getAttribute('aria-invalid'))).toEqual(['true', 'false']);
  expect(tokens.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id);
  fireEvent.change(tokens, { target: { value: '500' } });
  expect(screen.queryByRole('alert')).toBeNull();
  save();
  await vi.waitFor(() => expect(drafts).toEqual([{ microDollars: null, tokens: 500 }]));
});

it('says once, at the field, what is wrong with a schedule, until it is changed', async () => {
  const wrong = () => fail('invalid', 'routine_schedule_unclear', { text: 'some day' });
  stop = panelHost(
    { projects: [sampleProject()] },
    { 'routines.preview': wrong, 'routines.save': wrong },
  ).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <RoutineForm routine={null} timeZone="UTC" onDone={() => undefined} onCancel={() => undefined} />
    ) : null;
  render(<Gate />);
  const schedule = await screen.findByLabelText('Schedule');
  fireEvent.change(schedule, { target: { value: 'some day' } });
  fireEvent.blur(schedule);
  const said = async () => {
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('“some day”');
    expect(schedule.getAttribute('aria-describedby')).toBe(alert.id);
    expect(schedule.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getAllByText(/“some day”/)).toHaveLength(1);
  };
  await said();
  fireEvent.submit(screen.getByRole('form'));
  await vi.waitFor(() => expect(document.activeElement).toBe(schedule));
  await said();
  fireEvent.change(schedule, { target: { value: 'someday' } });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('asks for a name that can be seen', async () => {
  const asked: string[] = [];
  stop = panelHost(
    { projects: [sampleProject()] },
    {
      'routines.save': ({ draft }) => {
        asked.push(draft.name);
        return fail('cancelled', 'you_cancelled');
      },
    },
  ).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <RoutineForm routine={null} timeZone="UTC" onDone={() => undefined} onCancel={() => undefined} />
    ) : null;
  render(<Gate />);
  const name = await screen.findByLabelText('Name');
  const save = () => fireEvent.submit(screen.getByRole('form'));
  fireEvent.change(name, { target: { value: ' \u200b\u2800' } });
  save();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Enter a name that can be seen.');
  expect(name.getAttribute('aria-describedby')).toBe(alert.id);
  fireEvent.change(name, { target: { value: 'Nightly' } });
  save();
  await vi.waitFor(() => expect(asked).toEqual(['Nightly']));
});

it('says at the name that another routine has it', async () => {
  stop = panelHost(
    { projects: [sampleProject()] },
    { 'routines.save': () => fail('conflict', 'routine_name_taken', { name: 'Nightly' }) },
  ).stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <RoutineForm routine={null} timeZone="UTC" onDone={() => undefined} onCancel={() => undefined} />
    ) : null;
  render(<Gate />);
  const name = await screen.findByLabelText('Name');
  fireEvent.change(name, { target: { value: 'Nightly' } });
  fireEvent.submit(screen.getByRole('form'));
  const alert = await screen.findByRole('alert');
  expect(name.getAttribute('aria-describedby')).toBe(alert.id);
  await vi.waitFor(() => expect(document.activeElement).toBe(name));
});
