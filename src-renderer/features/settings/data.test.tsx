import { ProviderState } from '@contract/app';
import { type DataPart, DEFAULT_BUDGETS } from '@contract/commands/data';
import { DATA_PARTS } from '@contract/data-parts';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { DataSection } from './data-section';
import { ModelsSection } from './models-section';
import { UndoScope } from './undo-bar';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const Gate = ({ of: Section }: { of: typeof DataSection }) =>
  usePort().phase === 'ready' ? (
    <UndoScope>
      <Section />
    </UndoScope>
  ) : null;
const counts = { projects: 2, threads: 3, messages: 40, memories: 5, requests: 6 };
const sizes = Object.fromEntries(DATA_PARTS.map((part) => [part, 1_000])) as Record<DataPart, number>;
function open(answers: Answers = {}) {
  const host = panelHost(
    {},
    { 'data.read': () => ok({ folder: '/d', sizes, counts, budgets: DEFAULT_BUDGETS }), ...answers },
  );
  stop = host.stop;
  render(<Gate of={DataSection} />);
  return host;
}

/** Opens the section and waits for its sizes. Before, the forms are there but disabled. */
async function openMeasured(answers: Answers = {}) {
  const host = open(answers);
  await screen.findByText(/^Threads: 3, /);
  return host;
}

it('shows the space by its use, and counts the parts of the database once', async () => {
  open();
  expect(await screen.findByText('Threads: 3, messages: 40, memories: 5, projects: 2')).toBeTruthy();
  expect(screen.getByRole('row', { name: /^Total/ }).textContent).toBe('Total10 kB');
});

it('has the same rows and forms before and after the sizes are known, so that nothing moves', async () => {
  let answer = (_: Awaited<ReturnType<NonNullable<Answers['data.read']>>>): void => undefined;
  open({ 'data.read': () => new Promise((resolve) => (answer = resolve)) });
  await screen.findByRole('button', { name: 'Delete everything…' });
  const rows = () => [
    screen.getAllByRole('row').map((row) => row.querySelector('th')?.textContent),
    screen.getAllByRole('combobox').length,
  ];
  const before = rows();
  expect(screen.getByRole('row', { name: /^Total/ }).textContent).toBe('Total…');
  expect(screen.getByLabelText<HTMLSelectElement>('Keep deleted threads for').disabled).toBe(true);
  answer(ok({ folder: '/d', sizes, counts, budgets: DEFAULT_BUDGETS }));
  await screen.findByText('Total');
  await waitFor(() => expect(screen.getByRole('row', { name: /^Total/ }).textContent).toBe('Total10 kB'));
  expect(rows()).toEqual(before);
});

it('applies a budget immediately, and can undo it or reset it to the default', async () => {
  let budgets = DEFAULT_BUDGETS;
  const host = await openMeasured({
    'data.setBudgets': (changes) => {
      budgets = { ...budgets, ...(changes as Partial<typeof budgets>) };
      return ok(budgets);
    },
  });
  fireEvent.change(await screen.findByLabelText('Keep deleted threads for'), {
    target: { value: '7' },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(host.asked('data.setBudgets')).toEqual([{ deletedDays: 7 }, { deletedDays: 30 }]),
  );
});

it('clears a part only after a confirmation, and measures again', async () => {
  const host = await openMeasured({ 'data.clear': () => ok({}) });
  fireEvent.click(await screen.findByRole('button', { name: 'Clear: Attachments' }));
  expect(screen.getByRole('alert').textContent).toContain('The messages stay');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(host.asked('data.clear')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Clear: Attachments' }));
  fireEvent.click(screen.getByRole('button', { name: 'Clear permanently' }));
  await waitFor(() => expect(host.asked('data.read')).toHaveLength(2));
  expect(host.asked('data.clear')).toEqual([{ part: 'attachments' }]);
});

it('shows the progress of a backup, can stop it, and says that it was tested', async () => {
  let finish = () => {};
  const made = { path: '/b/x.backup', bytes: 2_000_000, counts };
  const host = open({
    'data.backup': () =>
      new Promise((resolve) => {
        finish = () => resolve(ok(made));
      }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Back up…' }));
  host.emit({ type: 'data.progress', step: 'copying', share: 0.42 });
  expect(await screen.findByText('Copying: 42%')).toBeTruthy();
  finish();
  expect(
    await screen.findByText(/^Backup verified. Threads: 3.*2 MB, saved to \/b\/x\.backup\.$/),
  ).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Back up…' }));
  host.emit({ type: 'data.progress', step: 'copying', share: 0.1 });
  fireEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  expect(await screen.findByText(/Backup canceled/)).toBeTruthy();
});

it('goes on with a backup while another page is shown', async () => {
  let finish = () => {};
  const host = open({
    'data.backup': () =>
      new Promise((resolve) => {
        finish = () => resolve(ok({ path: '/b/x.backup', bytes: 2_000_000, counts }));
      }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Back up…' }));
  cleanup();
  render(<Gate of={DataSection} />);
  host.emit({ type: 'data.progress', step: 'copying', share: 0.42 });
  expect(await screen.findByText('Copying: 42%')).toBeTruthy();
  finish();
  expect(await screen.findByText(/^Backup verified/)).toBeTruthy();
});

it('restores a backup only after its test, and never a damaged one', async () => {
  let damaged = true;
  const host = open({
    'data.choose': () =>
      damaged
        ? fail('invalid', 'external', { text: 'This file is no backup.' })
        : ok({ path: '/b', bytes: 1, counts }),
    'data.restore': () => ok({}),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Choose a backup…' }));
  expect(await screen.findByText('This file is no backup.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Restore and restart' })).toBeNull();
  damaged = false;
  fireEvent.click(screen.getByRole('button', { name: 'Choose a backup…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Restore and restart' }));
  await waitFor(() => expect(host.asked('data.restore')).toEqual([{}]));
});

it('deletes everything only after the confirmation word was typed', async () => {
  const host = open({ 'data.wipe': () => ok({}) });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete everything…' }));
  const sure = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete and restart' });
  const field = screen.getByLabelText('Type DELETE to continue');
  fireEvent.change(field, { target: { value: 'delete' } });
  expect(sure.disabled).toBe(true);
  fireEvent.submit(field);
  fireEvent.change(field, { target: { value: 'DELETE' } });
  fireEvent.click(sure);
  await waitFor(() => expect(host.asked('data.wipe')).toEqual([{ confirm: 'DELETE' }]));
});

it('says what is wrong after a model test, and what to do next', async () => {
  const provider = ProviderState.parse({
    id: 'openai',
    needsKey: true,
    key: 'keychain',
    baseUrl: null,
    needsBaseUrl: false,
    ready: true,
    models: [{ name: 'gpt-5', label: 'GPT-5' }],
  });
  const outcomes = ['bad_key', 'answered'] as const;
  let at = 0;
  const host = panelHost(
    { models: { providers: [provider], keychain: true, overrides: {} } },
    {
      'models.test': ({ model }) =>
        ok({ outcome: outcomes[at++] ?? 'other', model: `openai:${model}`, took: 800, detail: '401' }),
    },
  );
  stop = host.stop;
  render(<Gate of={ModelsSection} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Test OpenAI' }));
  expect(await screen.findByText(/rejected the key/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Test OpenAI' }));
  expect(await screen.findByText('openai:gpt-5 answered in 800 ms.')).toBeTruthy();
  expect(host.asked('models.test')).toEqual([
    { provider: 'openai', model: 'gpt-5' },
    { provider: 'openai', model: 'gpt-5' },
  ]);
});
