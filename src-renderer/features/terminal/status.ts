import type { TerminalInfo } from '@contract/app';
import type { ThreadId } from '@contract/ids';

/** How a terminal stands, for its icon and word. An exit code other than 0 is a failure of the command, not of ours. */
export type Standing = 'running' | 'done' | 'failed' | 'timedOut' | 'stopped' | 'lost';

export function standingOf(terminal: TerminalInfo): Standing {
  switch (terminal.status) {
    case 'running':
      return 'running';
    case 'timed_out':
      return 'timedOut';
    case 'stopped':
      return 'stopped';
    case 'lost':
      return 'lost';
    case 'exited':
      return terminal.exitCode === 0 || terminal.exitCode === null ? 'done' : 'failed';
    default:
      return terminal.status satisfies never;
  }
}

/** Milliseconds that it ran, up to `now` where it still does. */
export const durationOf = (terminal: TerminalInfo, now: number): number =>
  Math.max(0, (terminal.endedAt ?? now) - terminal.startedAt);

/** The terminals of a place, newest first: the thread's commands and the person's own shells in the project. */
export function terminalsOf(
  terminals: readonly TerminalInfo[],
  projectId: string,
  threadId: ThreadId | null,
): TerminalInfo[] {
  return terminals
    .filter((terminal) =>
      terminal.kind === 'agent'
        ? threadId !== null && terminal.threadId === threadId
        : terminal.projectId === projectId,
    )
    .toSorted((a, b) => b.startedAt - a.startedAt);
}
