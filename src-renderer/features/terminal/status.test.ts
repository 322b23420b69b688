import { TerminalInfo } from '@contract/app';
import { TerminalId, ThreadId } from '@contract/ids';
import { expect, it } from 'vitest';
import { quoteOf, tabsOf, terminalsOf } from './status';

const terminal = (id: string, startedAt: number, more: Record<string, unknown> = {}) =>
  TerminalInfo.parse({
    id,
    kind: 'agent',
    projectId: 'p',
    threadId: 'a',
    callId: 'c',
    command: 'make',
    cwd: '/p',
    startedAt,
    endedAt: 9,
    exitCode: 0,
    status: 'exited',
    cols: 80,
    rows: 24,
    ...more,
  });
const own = { kind: 'person', threadId: null, callId: null };
const running = { status: 'running', endedAt: null };
const all = [
  terminal('a1', 1),
  terminal('a2', 5),
  terminal('b1', 2, { threadId: 'b' }),
  terminal('b2', 3, { threadId: 'b', ...running }),
  terminal('o1', 4, own),
  terminal('o2', 6, own),
  terminal('q1', 7, { projectId: 'q', ...running }),
];

it('shows the commands of the thread, running ones elsewhere in the project, and the selected one', () => {
  const ids = (chosen: string | null) =>
    terminalsOf(all, 'p', ThreadId.parse('a'), chosen === null ? null : TerminalId.parse(chosen)).map(
      ({ id }) => id,
    );
  expect(ids(null)).toEqual(['o2', 'a2', 'o1', 'b2', 'a1']);
  expect(ids('b1')).toEqual(['o2', 'a2', 'o1', 'b2', 'b1', 'a1']);
});

it('has a tab for each run, the current thread first, and for each terminal of the user', () => {
  const threadId = ThreadId.parse('a');
  expect(tabsOf(terminalsOf(all, 'p', threadId), threadId).map(({ id }) => id)).toEqual([
    'run-a',
    'run-b',
    'own-o1',
    'own-o2',
  ]);
});

it('quotes the end of an output so that none of it is parsed as formatting', () => {
  expect(quoteOf('make', 'a\n```\nb\n', 'cut')).toBe('\n````console\n$ make\na\n```\nb\n````\n');
  const long = quoteOf(null, `${'x'.repeat(99)}\n`.repeat(200), '[cut]');
  expect(long.startsWith('\n```console\n[cut]\nxxx')).toBe(true);
  expect(long.length).toBeLessThan(4_100);
});
