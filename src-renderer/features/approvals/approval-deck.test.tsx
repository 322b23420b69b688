import type { Approval } from '@contract/approvals';
import { ApprovalId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { start } from '../../link';
import { fakeHost } from '../../testing/fake-host';
import { commandApproval } from '../../testing/sample-approvals';
import { sampleApp } from '../../testing/samples';
import { ApprovalDeck } from './approval-deck';
import { focusApproval } from './focus-approval';
import { ARM_AFTER } from './use-armed';

let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  decided = [];
  const host = fakeHost(sampleApp(), [], {
    'thread.decide': ({ approvalId, decision }) => {
      decided.push(`${approvalId} ${decision.type}`);
      return approvalId === 'stale' ? fail('stale', 'external', { text: 'The call changed.' }) : ok({});
    },
  });
  stop = start(host.port);
});
afterEach(() => {
  cleanup();
  stop();
  vi.useRealTimers();
});

const waits = (id: string, risk: Approval['risk']) =>
  commandApproval({
    id,
    digest: `d-${id}`,
    risk,
    preview: { kind: 'command', command: `echo ${id}`, cwd: '/home/me/my-api', timeoutSeconds: 9 },
  });
const five = [
  waits('a', 'low'),
  waits('b', 'high'),
  waits('c', 'low'),
  waits('d', 'medium'),
  waits('e', 'low'),
];
const onLeft = vi.fn();
const draw = (approvals: readonly Approval[]) => (
  <ApprovalDeck approvals={approvals} mount="/home/me/my-api" mac={false} onLeft={onLeft} />
);
const wait = () => act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
const show = async (approvals: readonly Approval[] = five) => {
  const view = render(draw(approvals));
  await wait();
  return view;
};
const card = () => screen.getByRole('dialog');
const press = async (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await act(() => vi.advanceTimersByTimeAsync(0));
};
let decided: string[] = [];

it('shows one call at a time with its position, and moves with N and P', async () => {
  await show();
  expect(screen.getByRole('status').textContent).toBe('1 of 5Approval 1 of 5');
  expect(card().textContent).toContain('echo a');
  card().focus();
  fireEvent.keyDown(card(), { key: 'n' });
  expect(card().textContent).toContain('echo b');
  expect(document.activeElement).toBe(card());
  fireEvent.keyDown(card(), { key: 'p' });
  fireEvent.keyDown(card(), { key: 'p' });
  expect(card().textContent).toContain('echo a');
  await press('Run a command, High risk');
  expect(card().textContent).toContain('echo b');
});

it('stays on the next call after a decision, and waits again before it takes a key', async () => {
  const view = await show();
  await press('Next');
  await wait();
  view.rerender(draw(five.filter(({ id }) => id !== 'b')));
  expect(card().textContent).toContain('echo c');
  fireEvent.keyDown(card(), { key: 'Enter' });
  await wait();
  expect(decided).toEqual([]);
  fireEvent.keyDown(card(), { key: 'Enter' });
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(decided).toEqual(['c approve']);
});

it('keeps showing the same call when another one is decided or added', async () => {
  const view = await show();
  await press('Run a command, Medium risk');
  view.rerender(draw(five.slice(2)));
  expect(card().textContent).toContain('echo d');
  view.rerender(draw([waits('z', 'low'), ...five.slice(2)]));
  expect(card().textContent).toContain('echo d');
});

it('allows all low-risk calls with one button, and no others', async () => {
  await show();
  await press('Allow the 3 low-risk ones');
  expect(decided).toEqual(['a approve', 'c approve', 'e approve']);
});

it('rejects all, and stops at the first decision that fails', async () => {
  await show([waits('a', 'low'), waits('stale', 'high'), waits('c', 'low')]);
  await press('Reject all 3');
  expect(decided).toEqual(['a reject', 'stale reject']);
  expect(screen.getByRole('alert').textContent).toBe('The call changed.');
});

it('ignores clicks on the buttons for several calls for half a second after the calls changed', async () => {
  const view = await show();
  view.rerender(draw(five.slice(1)));
  await press('Allow the 2 low-risk ones');
  await press('Reject all 4');
  expect(decided).toEqual([]);
});

it('offers no such buttons if only one call is left', async () => {
  await show(five.slice(0, 1));
  expect(screen.queryByRole('button', { name: /low-risk|Reject all/ })).toBeNull();
  expect(screen.queryByText('1 of 1')).toBeNull();
});

it('goes to a call on request', async () => {
  await show();
  act(() => {
    expect(focusApproval(ApprovalId.parse('d'))).toBe(true);
    expect(focusApproval(ApprovalId.parse('none'))).toBe(false);
  });
  expect(within(card()).getByText('echo d')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(document.activeElement).toBe(card());
});

it('shows the first call even if it arrived last, until the user uses the deck', async () => {
  const [first, second, third, ...rest] = five;
  if (!first || !second || !third) throw new Error('There are five.');
  const { rerender } = await show([third]);
  rerender(draw([second, third]));
  expect(card().textContent).toContain('echo b');
  await wait();
  fireEvent.keyDown(card(), { key: 'Shift' });
  rerender(draw([first, second, third, ...rest]));
  expect(card().textContent).toContain('echo b');
  expect(screen.getByRole('status').textContent).toContain('2 of 5');
});

it('keeps the focused call when one before it arrives', async () => {
  const [first, second, third] = five;
  if (!first || !second || !third) throw new Error('There are five.');
  const { rerender } = await show([second, third]);
  act(() => card().focus());
  rerender(draw([first, second, third]));
  expect(card().textContent).toContain('echo b');
  expect(document.activeElement).toBe(card());
});

it('allows no call that arrived while Enter is held on its buttons', async () => {
  const view = await show();
  const allow = () => screen.getByRole('button', { name: /low-risk/ });
  allow().focus();
  view.rerender(draw([...five, waits('f', 'low')]));
  await wait();
  expect(fireEvent.keyDown(allow(), { key: 'Enter', repeat: true })).toBe(false);
  expect(fireEvent.keyDown(allow(), { key: 'Enter' })).toBe(true);
});

it('allows only the calls that were low-risk when the button was drawn', async () => {
  const view = await show();
  const allow = screen.getByRole('button', { name: /low-risk/ });
  const riskier = five.map((one) =>
    one.id === 'c' ? { ...one, risk: 'high' as const, digest: 'other' } : one,
  );
  view.rerender(draw([waits('new', 'high'), ...riskier]));
  fireEvent.click(allow);
  await wait();
  expect(decided).toEqual([]);
  fireEvent.click(allow);
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(decided).toEqual(['a approve', 'e approve']);
});
