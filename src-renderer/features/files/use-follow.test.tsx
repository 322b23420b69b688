import type { Output } from '@contract/commands';
import type { ThreadState } from '@contract/conversation';
import { CallId, ProjectId, ThreadId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePort, useThread } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { sampleThread } from '../../testing/samples';
import { useFollow } from './use-follow';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const PATH = '/home/me/my-api/src/sum.ts';
const threadWith = (call: object): ThreadState =>
  sampleThread({
    messages: [
      {
        role: 'agent',
        id: 'm1',
        at: 1,
        text: '',
        reasoning: '',
        phase: 'done',
        calls: [{ callId: 'c1', status: 'done', ...call }],
      },
    ],
  });
const blame = (callId: string): Output<'files.blame'> => ({
  steps: [
    { at: 1, author: { by: 'person' } },
    {
      at: 2,
      author: {
        by: 'agent',
        threadId: ThreadId.parse('t1'),
        callId: CallId.parse(callId),
        agent: null,
        tool: 'edit_file',
      },
    },
  ],
  runs: [
    { count: 4, step: null },
    { count: 2, step: 0 },
    { count: 1, step: 1 },
  ],
});

function follow(thread: ThreadState, answers: Answers) {
  const opened: [string, number | null][] = [];
  const host = panelHost({}, { 'thread.open': () => ok(thread), ...answers });
  stop = host.stop;
  const Follower = () => {
    useThread(thread.thread.id);
    useFollow({
      projectId: ProjectId.parse('p1'),
      threadId: thread.thread.id,
      on: true,
      open: (path, line) => opened.push([path, line]),
    });
    return null;
  };
  const Gate = () => (usePort().phase === 'ready' ? <Follower /> : null);
  render(<Gate />);
  return { ...host, opened };
}

it('opens a file that the agent reads, at the line that it reads', async () => {
  const { opened } = follow(
    threadWith({ name: 'read_file', display: 'read', args: { file_path: PATH, offset: 41 } }),
    {},
  );
  await waitFor(() => expect(opened).toEqual([[PATH, 42]]));
});

it('goes to the line that an edit changed', async () => {
  const { opened } = follow(
    threadWith({ name: 'edit_file', display: 'edit', args: { file_path: PATH, new_string: 'x' } }),
    {
      'files.blame': () => ok(blame('c1')),
    },
  );
  await waitFor(() => expect(opened.at(-1)).toEqual([PATH, 7]));
});

it('goes there as soon as the edit is recorded, and searches for its text until then', async () => {
  let callId = 'another';
  const { opened, emit } = follow(
    threadWith({
      name: 'edit_file',
      display: 'edit',
      args: { file_path: PATH, new_string: '\nreturn a + b;\n}' },
    }),
    {
      'files.blame': () => ok(blame(callId)),
      'files.search': ({ query }) => ok({ lines: query === 'return a + b;' ? [2, 9] : [], cut: false }),
    },
  );
  await waitFor(() => expect(opened.at(-1)).toEqual([PATH, 3]));
  callId = 'c1';
  emit({ type: 'changes.recorded', projectId: ProjectId.parse('p1'), threadId: ThreadId.parse('t1') });
  await waitFor(() => expect(opened.at(-1)).toEqual([PATH, 7]));
});
