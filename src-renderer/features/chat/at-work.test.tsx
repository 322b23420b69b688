import type { Writing } from '@contract/conversation';
import { TurnId } from '@contract/ids';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AtWork, endOf } from './at-work';

afterEach(cleanup);
const draw = (since: number, writing?: Writing) =>
  render(
    <AtWork
      turn={{ phase: 'running', turnId: TurnId.parse('t'), startedAt: 1, ...(writing ? { writing } : {}) }}
      since={since}
    />,
  );

it.each([
  [{ display: 'write', path: '/p/src/pricing.ts', lines: 83 }, 'Writing pricing.ts · 84 lines'],
  [{ display: 'edit', path: '/p/a.ts', lines: 0 }, 'Editing a.ts'],
  [{ display: 'command', path: null, lines: 3 }, 'Writing a command'],
  [{ display: 'write', path: null, lines: 0 }, 'Working'],
] as const)('tells what the agent writes: %o', (writing, expected) => {
  draw(Date.now(), writing);
  expect(screen.getByText(expected)).toBeTruthy();
});

it('shows for how long the agent has been working, but not immediately', () => {
  draw(Date.now());
  expect(screen.getByText('Working')).toBeTruthy();
  cleanup();
  draw(Date.now() - 12_500);
  expect(screen.getByText(/^Working · 1[23] s$/)).toBeTruthy();
});

it('counts from the end of the last call', () => {
  const call = { callId: 'c', name: 'x', args: {}, status: 'done', startedAt: 50, durationMs: 25 };
  const message = { role: 'agent', id: 'a', at: 10, text: '', reasoning: '', phase: 'done', calls: [call] };
  expect([endOf(message as never), endOf(undefined)]).toEqual([75, 0]);
});
