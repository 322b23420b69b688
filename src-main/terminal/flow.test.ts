import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Flow, PAUSE_ABOVE, RESUME_BELOW, STALLED_AFTER } from './flow';

let happened: string[];
let flow: Flow;

beforeEach(() => {
  vi.useFakeTimers();
  happened = [];
  flow = new Flow({ pause: () => happened.push('pause'), resume: () => happened.push('resume') });
});
afterEach(() => vi.useRealTimers());

describe('flow control', () => {
  it('never blocks a terminal that nobody watches', () => {
    flow.weigh(10 * PAUSE_ABOVE);
    expect(happened).toEqual([]);
  });

  it('pauses above the high mark and resumes at the low one', () => {
    flow.attach('a', 0);
    flow.weigh(PAUSE_ABOVE);
    expect(happened).toEqual([]);
    const end = PAUSE_ABOVE + 1;
    flow.weigh(end);
    flow.weigh(end);
    expect(happened).toEqual(['pause']);
    flow.ack('a', end - RESUME_BELOW - 1, end);
    expect(happened).toEqual(['pause']);
    flow.ack('a', end - RESUME_BELOW, end);
    expect(happened).toEqual(['pause', 'resume']);
  });

  it('waits for the slowest viewer, and not for viewers that left', () => {
    const end = PAUSE_ABOVE + 1;
    flow.attach('fast', 0);
    flow.attach('slow', 0);
    flow.weigh(end);
    flow.ack('fast', end, end);
    expect(happened).toEqual(['pause']);
    flow.detach('slow', end);
    expect(happened).toEqual(['pause', 'resume']);
  });

  it('ignores acknowledgments for output that was not printed yet', () => {
    flow.attach('a', 0);
    flow.ack('a', Number.MAX_SAFE_INTEGER, 10);
    flow.weigh(PAUSE_ABOVE + 11);
    expect(happened).toEqual(['pause']);
  });

  it('skips a window that stays silent, until it acknowledges again', () => {
    const end = PAUSE_ABOVE + 1;
    flow.attach('a', 0);
    flow.weigh(end);
    vi.advanceTimersByTime(STALLED_AFTER);
    expect(happened).toEqual(['pause', 'resume']);
    expect(flow.watched).toBe(false);
    expect(flow.attached).toBe(true);
    flow.ack('a', 5, end * 2);
    expect(flow.watched).toBe(true);
    flow.weigh(end * 2 + PAUSE_ABOVE);
    expect(happened).toEqual(['pause', 'resume']);
  });
});
