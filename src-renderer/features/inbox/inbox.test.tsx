import type { WaitingDecision } from '@contract/activity';
import { ThreadSummary } from '@contract/app';
import { ApprovalId, ProjectId, ThreadId } from '@contract/ids';
import { ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { onIntent, usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { commandApproval } from '../../testing/sample-approvals';
import { sampleApp } from '../../testing/samples';
import { InboxButton } from './inbox-button';
import { InboxPanel } from './inbox-panel';

const p1 = ProjectId.parse('p1');
const sub = {
  ...commandApproval(),
  id: ApprovalId.parse('a9'),
  threadId: ThreadId.parse('t2'),
  agent: 'tester',
};
const all: WaitingDecision[] = [
  {
    approval: { ...commandApproval(), id: ApprovalId.parse('a1') },
    projectId: p1,
    title: 'Fix the failing test',
  },
  { approval: sub, projectId: p1, title: '' },
];

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
  vi.useRealTimers();
});

function open(waiting: () => readonly WaitingDecision[], approvalId: ApprovalId | null = null) {
  const host = panelHost(sampleApp(), { 'inbox.list': () => ok({ waiting: [...waiting()] }) });
  stop = host.stop;
  const onShowThread = vi.fn();
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <>
        <InboxButton shortcut="Ctrl+Shift+A" pressed={false} />
        <InboxPanel
          approvalId={approvalId}
          headingOf={({ tool }) => `Do ${tool} of \u202egnp.sh`}
          renderCard={({ id }) => <p>card {id}</p>}
          onShowThread={onShowThread}
          onClose={() => undefined}
        />
      </>
    ) : null;
  render(<Gate />);
  return { ...host, onShowThread };
}
const summary = (waiting: number) =>
  ThreadSummary.parse({
    id: 't1',
    projectId: 'p1',
    title: 'Fix',
    updatedAt: 1,
    status: waiting > 0 ? 'waiting' : 'idle',
    waiting,
  });
const rows = () => screen.getAllByRole('listitem');

describe('the inbox', () => {
  it('lists pending decisions with place, agent, age and risk, and opens the oldest', async () => {
    open(() => all);
    await screen.findByText('card a1');
    expect(rows()).toHaveLength(2);
    const second = rows()[1];
    expect(second?.textContent).toContain('of \\u202egnp.sh');
    expect(second?.textContent).toContain('my-api › New thread');
    expect(second?.textContent).toContain('sub-agent tester');
    expect(second?.textContent).toContain('High risk');
    expect(screen.queryByText('card a9')).toBe(null);
  });

  it('counts how long a decision is pending while nothing else happens', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    open(() => all.slice(0, 1).map((one) => ({ ...one, approval: { ...one.approval, at: Date.now() } })));
    await screen.findByText('card a1');
    expect(rows()[0]?.textContent).toContain('asked now');
    // The clock starts once the row is on the screen.
    await waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    act(() => void vi.advanceTimersByTime(5 * 60_000));
    expect(rows()[0]?.textContent).toContain('asked 5 min. ago');
  });

  it('opens one row at a time by click, and moves from row to row with the arrow keys', async () => {
    open(() => all);
    await screen.findByText('card a1');
    const [first, second] = rows().map((row) => within(row).getAllByRole('button')[0]);
    first?.focus();
    fireEvent.keyDown(first as HTMLElement, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(second);
    fireEvent.click(second as HTMLElement);
    expect(screen.getByText('card a9')).toBeTruthy();
    expect(screen.queryByText('card a1')).toBe(null);
  });

  it('starts with the decision of a notification, and links to its thread', async () => {
    const host = open(() => all, sub.id);
    await screen.findByText('card a9');
    fireEvent.click(screen.getByRole('button', { name: 'Show in thread' }));
    expect(host.onShowThread).toHaveBeenCalledWith('t2', 'a9');
  });

  it('refreshes after each decision, and says when nothing is pending', async () => {
    let waiting: readonly WaitingDecision[] = all;
    const host = open(() => waiting);
    await screen.findByText('card a1');
    waiting = all.slice(1);
    host.emit({ type: 'summary.changed', summary: summary(1) });
    await screen.findByText('card a9');
    waiting = [];
    host.emit({ type: 'summary.changed', summary: summary(0) });
    await screen.findByText(/^Pending approvals from all projects and threads appear here/);
  });

  it('shows the count in the title bar, and opens from there', async () => {
    const host = open(() => all);
    const intents: string[] = [];
    const undo = onIntent(({ type }) => intents.push(type));
    fireEvent.click(await screen.findByRole('button', { name: '2 pending approvals' }));
    expect(intents).toEqual(['openInbox']);
    host.emit({ type: 'summary.changed', summary: summary(0) });
    await waitFor(() => screen.getByRole('button', { name: 'Waiting for you' }));
    undo();
  });

  it('lists commands that wait for an answer in the terminal, and opens their terminal', async () => {
    const host = open(() => []);
    const intents: string[] = [];
    const undo = onIntent(({ type }) => intents.push(type));
    await screen.findByText(/^Pending approvals from all projects/);
    const [terminal] = sampleApp().terminals;
    if (terminal === undefined) throw new Error('No terminal.');
    host.emit({
      type: 'terminal.changed',
      terminal: { ...terminal, endedAt: null, status: 'running', awaitsInput: true },
    });
    await screen.findByRole('button', { name: /A command is waiting for your answer$/ });
    fireEvent.click(screen.getByRole('button', { name: 'Show terminal' }));
    expect(intents).toContain('showTerminal');
    undo();
  });
});
