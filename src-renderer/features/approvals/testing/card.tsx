import type { Approval } from '@contract/approvals';
import { ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { vi } from 'vitest';
import { start as startLink } from '../../../link';
import { type FakeHost, fakeHost } from '../../../testing/fake-host';
import { commandApproval } from '../../../testing/sample-approvals';
import { sampleApp } from '../../../testing/samples';
import { ApprovalCard } from '../approval-card';
import { ARM_AFTER } from '../use-armed';

export let approval: Approval = commandApproval();
export let host: FakeHost;
let stopLink: () => void;

export function setApproval(other: Approval) {
  approval = other;
}

export const decided = (host: FakeHost) =>
  host.calls.filter((one) => one.command === 'thread.decide').map((one) => one.input);
export const decision = (value: unknown) => ({
  threadId: 't1',
  approvalId: 'a2',
  digest: 'd2',
  decision: value,
});

export function start() {
  approval = commandApproval();
  vi.useFakeTimers();
  host = fakeHost(sampleApp(), [], { 'thread.decide': () => ok({}) });
  stopLink = startLink(host.port);
}

export function stop() {
  cleanup();
  stopLink();
  vi.useRealTimers();
}

export const draw = (place = '') => (
  <ApprovalCard approval={approval} place={place} mount="/home/me/my-api" mac={false} />
);
export const show = async (place?: string) => {
  const view = render(draw(place));
  await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
  return view;
};
export const card = () => screen.getByRole('dialog', { name: 'Run a command' });
export const press = async (name: RegExp | string) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await act(() => vi.advanceTimersByTimeAsync(0));
};

export const key = async (name: string, more: object = {}, target: Element = card()) => {
  fireEvent.keyDown(target, { key: name, ...more });
  await act(() => vi.advanceTimersByTimeAsync(0));
};

export const asks = (change: Record<string, unknown>) => {
  const preview = {
    kind: 'command',
    command: 'npm test',
    cwd: '/home/me/my-api',
    timeoutSeconds: 9,
    ...change,
  };
  approval = commandApproval({ preview });
};
