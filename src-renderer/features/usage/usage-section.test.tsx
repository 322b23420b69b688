import type { UsageRow } from '@contract/commands/usage';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { onIntent, usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { UsageSection } from './usage-section';
import { dayOf, lastDays, sumOf, sumsByDay } from './usage-sums';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const today = dayOf(new Date());
const row = (changes: Partial<UsageRow> = {}): UsageRow => ({
  day: today,
  model: 'anthropic:claude',
  projectId: null,
  requests: 2,
  input: 100,
  output: 50,
  cacheRead: 800,
  cacheWrite: 10,
  reasoning: 0,
  cost: 1_230_000,
  unpriced: 0,
  untold: 0,
  ...changes,
});

const Gate = () => (usePort().phase === 'ready' ? <UsageSection /> : null);
function open(rows: UsageRow[], answers: Answers = {}) {
  const host = panelHost(
    {},
    { 'usage.report': () => ok({ rows }), 'usage.save': () => ok({ path: '/home/me/u.csv' }), ...answers },
  );
  stop = host.stop;
  render(<Gate />);
  return host;
}

describe('usage sums', () => {
  it('include every day of the period, even across the end of a month', () => {
    expect(lastDays('2026-03-02', 4)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
    const days = sumsByDay(
      [row({ day: '2026-03-01' }), row({ day: '2026-03-01' })],
      lastDays('2026-03-02', 2),
    );
    expect(days.map(({ name, requests }) => [name, requests])).toEqual([
      ['2026-03-01', 4],
      ['2026-03-02', 0],
    ]);
    expect(sumOf([])).toMatchObject({ requests: 0, cost: 0 });
  });
});

it('show cached tokens separately, name models without a price, and provide the same as a table', async () => {
  open([row(), row({ model: 'openai:new', cost: 0, unpriced: 1, requests: 1 })]);
  expect(await screen.findByRole('img', { name: /^Tokens by day/ })).toBeTruthy();
  expect(screen.getByText(/1 request used a model with an unknown price/)).toBeTruthy();
  const models = within(screen.getByRole('region', { name: 'By model' }));
  expect(models.getByRole('row', { name: /anthropic:claude/ }).textContent).toBe(
    'anthropic:claude210080010 50$1.23'.replace(' ', ''),
  );
  expect(models.getByRole('row', { name: /openai:new/ }).textContent).toContain('unknown');
  fireEvent.change(screen.getByLabelText('View'), { target: { value: 'table' } });
  expect(within(screen.getByRole('region', { name: 'By day' })).getAllByRole('row')).toHaveLength(2);
  expect(screen.queryByRole('img')).toBeNull();
});

it('shorten large numbers beside the full ones, so that the cost fits', async () => {
  open([row({ input: 626_112_900 })]);
  const models = within(await screen.findByRole('region', { name: 'By model' }));
  const input = models.getByRole('cell', { name: /626/ });
  expect([input.textContent, input.title]).toEqual(['626.1M', '626,112,900']);
  expect(screen.getByTitle('626,113,760').textContent).toBe('626.1M');
});

it('draw the bars of a year without gaps, and those of a month with gaps', async () => {
  open([row()]);
  const widths = () =>
    [...screen.getByRole('img').querySelectorAll('rect:not([fill="transparent"])')].map((bar) =>
      bar.getAttribute('width'),
    );
  await screen.findByRole('img');
  expect(new Set(widths())).toEqual(new Set(['14']));
  fireEvent.change(screen.getByLabelText('Period'), { target: { value: '365' } });
  expect(new Set(widths())).toEqual(new Set(['20']));
});

it('are exported for the visible period', async () => {
  const host = open([row()]);
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Export as CSV…' });
  await waitFor(() => expect(save.disabled).toBe(false));
  fireEvent.click(save);
  expect(await screen.findByText('Saved to /home/me/u.csv')).toBeTruthy();
  expect(host.asked('usage.save')).toEqual([{ from: lastDays(today, 30)[0], to: today }]);
});

it('say once, in place, why the export failed', async () => {
  const told: unknown[] = [];
  const undo = onIntent((intent) => told.push(intent));
  open([row()], { 'usage.save': () => fail('storage', 'external', { text: 'The disk is full.' }) });
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Export as CSV…' });
  await waitFor(() => expect(save.disabled).toBe(false));
  fireEvent.click(save);
  expect(await screen.findByText('The disk is full.')).toBeTruthy();
  expect(told).toEqual([]);
  undo();
});

it('say that nothing was sent', async () => {
  open([]);
  expect(await screen.findByText(/No requests in this period/)).toBeTruthy();
});
