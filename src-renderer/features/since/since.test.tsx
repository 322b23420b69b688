import type { SinceSeen } from '@contract/activity';
import { ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onIntent, start } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { sampleApp, sampleThread } from '../../testing/samples';
import { SinceStrip } from './since-strip';
import { AWAY_FOR } from './use-since';

const happened: SinceSeen = {
  at: Date.now() - 7_200_000,
  files: [
    { path: 'src/sum.ts', change: 'changed' },
    { path: '/handbook/start.md', change: 'changed' },
    { path: 'old.ts', change: 'removed' },
  ],
  more: 0,
  commands: { run: 3, failed: [{ callId: 'c7' as never, text: 'npm test', exitCode: 1 }], failedCount: 1 },
  memories: [{ path: '/memories/a.md', change: 'created', undone: false }],
  autoApproved: 2,
  costMicroDollars: 20_000,
  unpriced: 0,
  waiting: 2,
};

describe('the summary of an absence', () => {
  let host: FakeHost;
  let stop: () => void;
  let answer: SinceSeen | null = happened;
  let focused = true;
  beforeEach(() => {
    answer = happened;
    focused = true;
    vi.useFakeTimers();
    vi.spyOn(document, 'hasFocus').mockImplementation(() => focused);
    host = fakeHost(sampleApp(), [], { 'thread.since': () => ok(answer), 'thread.seen': () => ok({}) });
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    stop();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const asked = (command: string) => host.calls.filter((one) => one.command === command);
  const settle = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms));
  const draw = (seq = 40) => (
    <SinceStrip thread={sampleThread({ seq })} mount="/home/me/my-api" onShowWaiting={() => undefined} />
  );
  const strip = () => screen.getByRole('region', { name: 'Since you left' });
  const focus = async (now: boolean) => {
    focused = now;
    window.dispatchEvent(new Event(now ? 'focus' : 'blur'));
    await settle();
  };

  it('summarizes what happened in one line, and lists it on request', async () => {
    render(draw());
    await settle();
    for (const fact of [
      'Since you left, 2 hr. ago',
      '3 files changed',
      '3 commands run',
      '1 failed',
      '1 memory written',
      '2 ran without asking',
      '$0.02 spent',
      '2 pending approvals',
    ])
      expect(strip().textContent).toContain(fact);
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    fireEvent.click(within(strip()).getByRole('button', { name: 'Details' }));
    fireEvent.click(within(strip()).getByRole('button', { name: 'src/sum.ts' }));
    fireEvent.click(within(strip()).getByRole('button', { name: '/handbook/start.md' }));
    expect(intents).toEqual([
      { type: 'openFile', path: '/home/me/my-api/src/sum.ts' },
      { type: 'openFile', path: '/handbook/start.md' },
    ]);
    expect(within(strip()).queryByRole('button', { name: 'old.ts' })).toBe(null);
    expect(strip().textContent).toContain('npm testexit 1');
    expect(strip().textContent).toContain('Memory written: /memories/a.md');
    undo();
  });

  it('stays until it is dismissed', async () => {
    render(draw());
    await settle();
    fireEvent.click(within(strip()).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('region', { name: 'Since you left' })).toBe(null);
  });

  it('is hidden if nothing happened, or only text arrived', async () => {
    answer = {
      ...happened,
      files: [],
      commands: { run: 0, failed: [], failedCount: 0 },
      memories: [],
      autoApproved: 0,
      costMicroDollars: 0,
      waiting: 0,
    };
    const { container } = render(draw());
    await settle();
    expect(container.textContent).toBe('');
  });

  it('records what the user saw after loading the summary, and keeps recording while the thread is open', async () => {
    const view = render(draw());
    await settle();
    const commands = host.calls.map(({ command }) => command).filter((one) => one.startsWith('thread.s'));
    expect(commands).toEqual(['thread.since', 'thread.seen']);
    view.rerender(draw(44));
    await settle(3_000);
    expect(asked('thread.seen').map(({ input }) => input)).toEqual([
      { threadId: 't1', seq: 40 },
      { threadId: 't1', seq: 44 },
    ]);
    await settle(9_000);
    expect(asked('thread.seen')).toHaveLength(2);
  });

  it('refreshes when the user returns to the window after a while, but not after a moment', async () => {
    const view = render(draw());
    await settle();
    await focus(false);
    view.rerender(draw(50));
    await settle(5_000);
    await focus(true);
    expect(asked('thread.since')).toHaveLength(1);
    await focus(false);
    const seen = asked('thread.seen').length;
    view.rerender(draw(60));
    await settle(AWAY_FOR);
    expect(asked('thread.seen')).toHaveLength(seen);
    await focus(true);
    await settle();
    expect(asked('thread.since')).toHaveLength(2);
  });
});
