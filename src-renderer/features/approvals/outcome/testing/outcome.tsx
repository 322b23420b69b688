import type { Approval, DiffHunk } from '@contract/approvals';
import { ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { vi } from 'vitest';
import { start } from '../../../../link';
import { type FakeHost, fakeHost } from '../../../../testing/fake-host';
import { outcomeApproval } from '../../../../testing/sample-approvals';
import { sampleApp } from '../../../../testing/samples';
import { ApprovalCard } from '../../approval-card';
import { ARM_AFTER } from '../../use-armed';

export let host: FakeHost;
let stop: () => void;
export let decided: unknown[] = [];

export function startOutcome() {
  vi.useFakeTimers();
  decided = [];
  host = fakeHost(sampleApp(), [], {
    'thread.decide': ({ decision }) => {
      decided.push(decision);
      return ok({});
    },
    'rehearsal.diff': () => ok({ kind: 'text', hunks, cut: false }),
  });
  stop = start(host.port);
}

export function stopOutcome() {
  cleanup();
  stop();
  vi.useRealTimers();
}

const hunk = (line: number): DiffHunk => ({
  oldStart: line,
  oldLines: 1,
  newStart: line,
  newLines: 1,
  lines: [`-old ${line}`, `+new ${line}`],
});
const hunks = [hunk(1), hunk(20)];

export const settle = () => act(() => vi.advanceTimersByTimeAsync(0));
export async function show(approval: Approval = outcomeApproval()) {
  render(<ApprovalCard approval={approval} mount="/home/me/my-api" mac={false} />);
  await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
}
export const card = () => screen.getByRole('dialog');
export const key = async (name: string, more: object = {}, target: Element = card()) => {
  fireEvent.keyDown(target, { key: name, ...more });
  await settle();
};
export const press = async (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
};

/** Chooses from the menu of the buttons. */
export const choose = async (name: string) => {
  fireEvent.keyDown(screen.getByRole('button', { name: 'More choices' }), { key: 'Enter' });
  await settle();
  fireEvent.click(screen.getByRole('menuitem', { name }));
  await settle();
};
export const box = (path: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Keep ${path}` });

/** An outcome that can be kept completely, with no refusals. */
export const clean = (change: Record<string, unknown> = {}, outcome: Record<string, unknown> = {}) => {
  const whole = outcomeApproval(change);
  const rows = whole.outcome?.rows.filter(({ conflict }) => conflict !== true);
  const totals = { files: 1_210, added: 6, removed: 2, bytes: 31_014_145 };
  return outcomeApproval(change, { rows, totals, refused: [], ...outcome });
};
