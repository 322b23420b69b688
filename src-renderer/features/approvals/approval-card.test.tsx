import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { start } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { commandApproval, sampleApp } from '../../testing/samples';
import { ApprovalCard } from './approval-card';
import { ARM_AFTER } from './use-armed';

const approval = commandApproval();
const decided = (host: FakeHost) =>
  host.calls.filter((one) => one.command === 'thread.decide').map((one) => one.input);
const decision = (value: unknown) => ({ threadId: 't1', approvalId: 'a2', digest: 'd2', decision: value });

describe('the card of a call that waits', () => {
  let host: FakeHost;
  let stop: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    host = fakeHost(sampleApp(), [], { 'thread.decide': () => ok({}) });
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    stop();
    vi.useRealTimers();
  });

  const draw = (place: { index: number; total: number } = { index: 0, total: 1 }) => (
    <ApprovalCard
      approval={approval}
      {...place}
      mount="/home/me/my-api"
      mac={false}
      onRejectAll={async () => undefined}
    />
  );
  const show = async (place?: { index: number; total: number }) => {
    const view = render(draw(place));
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    return view;
  };
  const card = () => screen.getByRole('dialog', { name: 'Run a command' });
  const press = async (name: RegExp | string) => {
    fireEvent.click(screen.getByRole('button', { name }));
    await act(() => vi.advanceTimersByTimeAsync(0));
  };

  it('shows the exact command with what cannot be seen as escapes', async () => {
    await show();
    expect(screen.getByRole('region', { name: 'Exact command' }).textContent).toBe(
      'npm test && rm -rf ./out \\u202e# gnp.exe',
    );
  });

  it('takes no focus and no decision in its first half second', async () => {
    render(draw());
    expect(document.activeElement).toBe(document.body);
    await press(/Allow once/);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    await press('Reject');
    expect(screen.queryByRole('textbox')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    expect(decided(host)).toEqual([]);
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });

  it('waits again when it moves up to where another card stood', async () => {
    const view = await show({ index: 1, total: 2 });
    view.rerender(draw({ index: 0, total: 1 }));
    await press(/Allow once/);
    expect(decided(host)).toEqual([]);
  });

  it('allows by Ctrl+Enter only while the focus is in it, and not by a held key', async () => {
    await show();
    fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
    fireEvent.keyDown(card(), { key: 'Enter' });
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true, repeat: true });
    expect(decided(host)).toEqual([]);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });

  it('never allows from the field in which a reason is written', async () => {
    await show();
    await press('Reject');
    const field = screen.getByRole('textbox');
    fireEvent.change(field, { target: { value: ' use rm -i ' } });
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
    expect(decided(host)).toEqual([]);
    await press('Reject');
    expect(decided(host)).toEqual([decision({ type: 'reject', message: 'use rm -i' })]);
  });

  it('sends the edited command with the other arguments as they were', async () => {
    await show();
    await press('Edit');
    const field = within(card()).getByRole('textbox', { name: 'Command' });
    fireEvent.change(field, { target: { value: 'npm test -- --bail' } });
    await press('Allow as edited');
    expect(decided(host)).toEqual([decision({ type: 'edit', args: { command: 'npm test -- --bail' } })]);
  });

  it('stays and says why when a decision is refused', async () => {
    host.answers['thread.decide'] = () => fail('stale', 'The call changed. Look at it again.');
    await show();
    await press(/Allow once/);
    expect(within(card()).getByRole('alert').textContent).toBe('The call changed. Look at it again.');
  });
});
