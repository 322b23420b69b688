import type { TerminalInfo } from '@contract/app';
import type { TerminalId, ThreadId } from '@contract/ids';

/**
 * The status of a terminal, for its icon and word. An exit code other than 0 is a failure of the command, not of the app.
 */
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

/** The run time in milliseconds, up to `now` if it is still running. */
export const durationOf = (terminal: TerminalInfo, now: number): number =>
  Math.max(0, (terminal.endedAt ?? now) - terminal.startedAt);

/** What a terminal is called until the person names it. */
export const unnamed = ({ command, number }: TerminalInfo): string =>
  number === undefined ? command : `${command} ${number}`;

export const nameOf = (terminal: TerminalInfo): string => terminal.title ?? unnamed(terminal);

/**
 * The terminals to show, newest first: the thread's commands, the person's own shells in the project, running commands of
 * other threads, and the selected terminal.
 */
export function terminalsOf(
  terminals: readonly TerminalInfo[],
  projectId: string,
  threadId: ThreadId | null,
  chosen: TerminalId | null = null,
): TerminalInfo[] {
  return terminals
    .filter(
      (terminal) =>
        terminal.projectId === projectId &&
        (terminal.kind === 'person' ||
          terminal.threadId === threadId ||
          terminal.status === 'running' ||
          terminal.id === chosen),
    )
    .toSorted((a, b) => b.startedAt - a.startedAt);
}

/** A tab: the commands of one run, or one of the person's terminals. */
export type TabOf =
  | { kind: 'run'; id: string; threadId: ThreadId | null; terminals: TerminalInfo[] }
  | { kind: 'own'; id: string; terminal: TerminalInfo };

/** One tab per thread, the open thread first, and one for each of the person's terminals, oldest first. */
export function tabsOf(terminals: readonly TerminalInfo[], threadId: ThreadId | null): TabOf[] {
  const commands = terminals.filter(({ kind }) => kind === 'agent');
  const threads = [...new Set(commands.map((one) => one.threadId))].toSorted(
    (a, b) => Number(b === threadId) - Number(a === threadId),
  );
  return [
    ...threads.map((one): TabOf => {
      const ofThread = commands.filter((command) => command.threadId === one);
      return { kind: 'run', id: `run-${one}`, threadId: one, terminals: ofThread };
    }),
    ...terminals
      .filter(({ kind }) => kind === 'person')
      .toReversed()
      .map((terminal): TabOf => ({ kind: 'own', id: `own-${terminal.id}`, terminal })),
  ];
}

export const isOf = (tab: TabOf, terminal: TerminalInfo): boolean =>
  tab.kind === 'own' ? tab.terminal.id === terminal.id : tab.terminals.some(({ id }) => id === terminal.id);

/** Maximum number of UTF-16 units of output quoted in a message; the end is the most relevant. */
const QUOTED = 4_000;

/** A terminal's output as quoted in a message: fenced, so that none of it is parsed as formatting. */
export function quoteOf(command: string | null, output: string, leftOut: string): string {
  const text = output.trimEnd();
  const cut =
    text.length <= QUOTED
      ? text
      : `${leftOut}\n${text.slice(text.indexOf('\n', text.length - QUOTED) + 1).slice(-QUOTED)}`;
  const body = command === null ? cut : `$ ${command}\n${cut}`;
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n${fence}console\n${body}\n${fence}\n`;
}
