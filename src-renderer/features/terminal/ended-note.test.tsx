import { TerminalInfo } from '@contract/app';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { EndedNote } from './ended-note';

afterEach(cleanup);

const ended = (more: Record<string, unknown>) =>
  TerminalInfo.parse({
    id: 'a',
    kind: 'person',
    projectId: 'p',
    threadId: null,
    callId: null,
    command: 'build',
    cwd: '/srv',
    startedAt: 1,
    endedAt: 2_001,
    exitCode: 255,
    status: 'exited',
    cols: 80,
    rows: 24,
    ...more,
  });

it("says that the connection of the person's shell on another machine may have broken, and tries again", () => {
  const restart = vi.fn();
  render(<EndedNote terminal={ended({ machine: 'build' })} onRestart={restart} />);
  expect(screen.getByText(/exit code 255\. The connection to build may have broken\./)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(restart).toHaveBeenCalledOnce();
});

it.each([
  ['a shell there that ended by itself', { machine: 'build', exitCode: 1 }],
  ['a shell on this machine', {}],
])('says nothing of a connection for %s', (_name, more) => {
  render(<EndedNote terminal={ended(more)} onRestart={() => undefined} />);
  expect(screen.queryByText(/connection/)).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});
