import type { RevertOutcome, RevertScope } from '@contract/changes';
import type { Output } from '@contract/commands';
import { ThreadId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onIntent, toast, usePort, useThread } from '../../link';
import { giveElementsSize } from '../../testing/layout';
import { panelHost } from '../../testing/panel-host';
import { sampleThread } from '../../testing/samples';
import { CopyToldProvider } from '../../ui';
import { ChangesPanel } from './changes-panel';
import { useRevertQuestion } from './revert';
import { RevertQuestion } from './revert-question';

const threadId = ThreadId.parse('t1');
const at = Date.now();
const files: Output<'changes.list'>['files'] = [
  { path: 'docs/a.md', change: 'changed', added: 2, removed: 1, lost: false, moved: null, others: true, at },
  { path: 'gone.ts', change: 'removed', added: 0, removed: 9, lost: false, moved: null, others: false, at },
  {
    path: 'huge.bin',
    change: 'changed',
    added: null,
    removed: null,
    lost: true,
    moved: null,
    others: false,
    at,
  },
];
const file: Output<'changes.file'> = {
  kind: 'text',
  hunks: [
    { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-one', '+two'] },
    { oldStart: 20, oldLines: 0, newStart: 20, newLines: 1, lines: ['+end'] },
  ],
  cut: false,
  moved: null,
  digest: 'd1',
  timeline: [
    { at, author: { by: 'person' }, change: 'changed' },
    {
      at,
      author: {
        by: 'agent',
        threadId,
        callId: 'c1' as never,
        agent: 'tester',
        tool: 'execute',
        command: 'npm run format',
      },
      change: 'changed',
    },
  ],
};

const said = ['first', 'second'].map((text, index) => ({ role: 'user', id: `u${index + 1}`, at, text }));
/** The conversation beside the panel, with the thread open. */
const Conversation = () => {
  useThread(threadId);
  return null;
};

giveElementsSize();
let stop = () => {};
let toasts: { message: string; undo?: () => void }[] = [];
let shown = file;
beforeEach(() => {
  toasts = [];
  shown = file;
});
afterEach(() => {
  cleanup();
  stop();
  useRevertQuestion.setState({ question: null });
});

/** `answers`: the result of each revert, in order. */
function open(
  list: Output<'changes.list'>['files'],
  answers: RevertOutcome[] = [],
  left: { more?: number; uncounted?: number } = {},
  messages: object[] = said,
) {
  const opened: string[] = [];
  let now = list;
  const host = panelHost(
    {},
    {
      'thread.open': () => ok(sampleThread({ messages: messages as never })),
      'changes.list': () => ok({ files: now, more: 0, ready: true, ...left }),
      'changes.file': () => ok(shown),
      'changes.revert': () => {
        const outcome = answers.shift();
        if (outcome === undefined) throw new Error('not expected');
        return ok(outcome);
      },
    },
  );
  const undo = onIntent((intent) => {
    if (intent.type === 'toast') toasts.push(intent);
  });
  stop = () => {
    undo();
    host.stop();
  };
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <CopyToldProvider value={toast}>
        <Conversation />
        <ChangesPanel threadId={threadId} onOpenFile={(path) => opened.push(path)} />
        <RevertQuestion />
      </CopyToldProvider>
    ) : null;
  render(<Gate />);
  const asked = () => host.asked('changes.revert') as { scope: RevertScope; force: boolean }[];
  return { asked, opened, host, lists: (next: typeof list) => (now = next) };
}

const done: RevertOutcome = { status: 'done', revertId: 'r1', files: 1, conflicts: [] };

it('lists changes with counts, other authors and what cannot be undone', async () => {
  open(files);
  const list = await screen.findByRole('list', { name: 'Changes' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((row) => row.textContent),
  ).toEqual([
    'a.mddocsalso changed by others+22 lines added−11 line removedchanged',
    'gone.ts+00 lines added−99 lines removeddeleted',
    'huge.binoriginal not keptchanged',
  ]);
  expect(screen.getByText('3 files changed')).toBeTruthy();
  const button = screen.getByRole('button', { name: 'Undo the changes to huge.bin' });
  expect(button).toHaveProperty('disabled', true);
});

it('says where a file without a copy was moved, which only an undo of all undoes', async () => {
  const way = { added: null, removed: null, lost: false, others: false, at };
  shown = { ...file, kind: 'lost', moved: 'd/new.bin' };
  open([
    { ...way, path: 'old.bin', change: 'removed', moved: 'd/new.bin' },
    { ...way, path: 'd/new.bin', change: 'added', moved: 'old.bin' },
  ]);
  const list = await screen.findByRole('list', { name: 'Changes' });
  const rows = within(list).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'old.binmoved to d/new.bindeleted',
    'new.bindmoved from old.binnew',
  ]);
  for (const path of ['old.bin', 'd/new.bin'])
    expect(screen.getByRole('button', { name: `Undo the changes to ${path}` })).toHaveProperty(
      'disabled',
      true,
    );
  fireEvent.contextMenu(rows[0] as HTMLElement);
  expect(
    await screen.findByText('Deepdesk keeps no copy of this file. Undo all moves it back.'),
  ).toBeTruthy();
  fireEvent.click(screen.getByRole('menuitem', { name: 'Show changes' }));
  expect(await screen.findByText(/This file was only moved. The other path is d\/new.bin./)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Undo' })).toHaveProperty('disabled', true);
});

it('says how many files are not listed, and how many have no line counts', async () => {
  open(files, [], { more: 7, uncounted: 1 });
  expect(await screen.findByText('10 files changed')).toBeTruthy();
  expect(screen.getByText('and 7 more')).toBeTruthy();
  expect(screen.getByText('The list is long: the lines of 1 file are not counted.')).toBeTruthy();
});

it.each<[string, string, call: object]>([
  ['says', 'without a layer', {}],
  ['says', 'for real after its layer', { rehearsal: { state: 'ran', paths: 0 } }],
  ['does not say', 'in a layer', { rehearsal: { state: 'kept_ignored', paths: 2 } }],
  ['does not say', 'with the folder read-only', { sandbox: { refused: [], readOnly: true } }],
  ['does not say', 'never', { startedAt: undefined }],
])('%s that ignored files are not listed if a command ran %s', async (says, _how, more) => {
  const isShown = says === 'says';
  const call = { callId: 'c1', name: 'execute', display: 'command', args: {}, status: 'done', startedAt: 1 };
  const agent = { role: 'agent', id: 'a1', at: 1, text: '', reasoning: '', phase: 'done' };
  const panel = open(files, [], {}, [...said, { ...agent, calls: [{ ...call, ...more }] }]);
  await screen.findByText('3 files changed');
  expect(screen.queryAllByText(/files that git ignores isn't listed/)).toHaveLength(isShown ? 1 : 0);
  panel.lists([]);
  panel.host.emit({ type: 'changes.recorded', projectId: 'p1' as never, threadId });
  const empty = await screen.findByText(/appear here/);
  expect(empty.textContent?.includes("isn't listed")).toBe(isShown);
});

it('reverts one file and offers to undo that', async () => {
  const panel = open(files, [done, { ...done, revertId: 'r2' }]);
  fireEvent.click(await screen.findByRole('button', { name: 'Undo the changes to gone.ts' }));
  await waitFor(() => expect(toasts.map(({ message }) => message)).toEqual(['Undid the changes to 1 file']));
  toasts[0]?.undo?.();
  await waitFor(() => expect(toasts.at(-1)?.message).toBe('Restored 1 file'));
  expect(panel.asked()).toEqual([
    { threadId, scope: { kind: 'file', path: 'gone.ts' }, force: false },
    { threadId, scope: { kind: 'revert', revertId: 'r1' }, force: false },
  ]);
});

it('asks first if others changed the same file, and does nothing until the user answers', async () => {
  const panel = open(files, [
    {
      status: 'asks',
      files: 2,
      conflicts: [{ path: 'docs/a.md', reason: 'others', author: { by: 'person' } }],
    },
    { ...done, files: 2, conflicts: [{ path: 'huge.bin', reason: 'lost' }] },
  ]);
  fireEvent.click(await screen.findByRole('button', { name: 'Undo all' }));
  const dialog = await screen.findByRole('dialog', { name: 'Some files have changed since' });
  expect(within(dialog).getByText('docs/a.md')).toBeTruthy();
  expect(within(dialog).getByText('You, or another program')).toBeTruthy();
  expect(panel.asked()).toHaveLength(1);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Undo anyway' }));
  await waitFor(() =>
    expect(toasts.map(({ message }) => message)).toEqual([
      'Undid the changes to 2 files. 1 file was left as it is',
    ]),
  );
  expect(panel.asked().at(-1)).toEqual({ threadId, scope: { kind: 'thread' }, force: true });
  expect(screen.queryByRole('dialog')).toBe(null);
});

it('shows a file part by part with the author, and reverts one part', async () => {
  const panel = open(files, [done]);
  fireEvent.click(await screen.findByTitle('docs/a.md'));
  const timeline = await screen.findByRole('region', { name: 'History' });
  expect(within(timeline).getByText('Sub-agent tester by npm run format')).toBeTruthy();
  expect(within(timeline).getByText('You, or another program')).toBeTruthy();
  const part = screen.getByRole('region', { name: 'Part 2 of 2' });
  fireEvent.click(within(part).getByRole('button', { name: 'Undo this change' }));
  await waitFor(() => expect(toasts).toHaveLength(1));
  expect(panel.asked()).toEqual([
    { threadId, scope: { kind: 'hunk', path: 'docs/a.md', hunk: 1, digest: 'd1' }, force: false },
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Show file' }));
  expect(panel.opened).toEqual(['docs/a.md']);
  fireEvent.click(screen.getByRole('button', { name: 'All changes' }));
  expect(await screen.findByRole('list', { name: 'Changes' })).toBeTruthy();
});

it('shows changes after a message of the user, and reverts to that message', async () => {
  const panel = open(files, [done, done]);
  fireEvent.change(await screen.findByRole('combobox', { name: 'Since' }), { target: { value: 'u2' } });
  await waitFor(() => expect(panel.host.asked('changes.list').at(-1)).toEqual({ threadId, since: 'u2' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Undo all' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Undo the changes to gone.ts' }));
  await waitFor(() =>
    expect(panel.asked().map(({ scope }) => scope)).toEqual([
      { kind: 'message', messageId: 'u2' },
      { kind: 'file', path: 'gone.ts', since: 'u2' },
    ]),
  );
  fireEvent.click(screen.getByTitle('docs/a.md'));
  await screen.findByRole('region', { name: 'Part 2 of 2' });
  expect(panel.host.asked('changes.file')).toEqual([{ threadId, path: 'docs/a.md', since: 'u2' }]);
});

it('shows old and new side by side when the user chooses so', async () => {
  open(files);
  fireEvent.click(await screen.findByTitle('docs/a.md'));
  const part = await screen.findByRole('region', { name: 'Part 1 of 2' });
  expect(within(part).getAllByRole('row')).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: 'Side by side' }));
  expect(within(part).getAllByRole('row')).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Side by side' }));
});

it('refreshes when a change is recorded', async () => {
  const panel = open([]);
  expect(await screen.findByText(/appear here/)).toBeTruthy();
  panel.lists(files);
  panel.host.emit({ type: 'changes.recorded', projectId: 'p1' as never, threadId });
  expect(await screen.findByText('3 files changed')).toBeTruthy();
});

it('has a menu for each row by right click and the menu key, whose disabled items say why', async () => {
  const copied = vi.fn((_text: string) => Promise.resolve());
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: copied } });
  const { opened } = open(files);
  const items = async (path: string, button?: number) => {
    const row = await screen.findByTitle(path);
    row.focus();
    fireEvent.contextMenu(row, button === undefined ? {} : { button });
    const menu = await screen.findByRole('menu', { name: `Actions for ${path}` });
    return within(menu)
      .getAllByRole('menuitem')
      .map(({ textContent }) => textContent);
  };
  const leave = async () => {
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  };
  const all = ['Show changes', 'Show file', 'Copy relative path', 'Undo'];
  expect(await items('docs/a.md', 2)).toEqual(all);
  await leave();
  expect(await items('docs/a.md')).toEqual(all);
  fireEvent.click(screen.getByRole('menuitem', { name: 'Copy relative path' }));
  expect(copied.mock.calls).toEqual([['docs/a.md']]);
  await waitFor(() => expect(toasts.map(({ message }) => message)).toEqual(['Path copied']));
  await items('docs/a.md');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Show file' }));
  expect(opened).toEqual(['docs/a.md']);
  expect(await items('gone.ts')).toContain('Show fileThe file was deleted.');
  await leave();
  expect(await items('huge.bin')).toContain("UndoDeepdesk didn't keep the original of this file.");
  vi.unstubAllGlobals();
});

it('moves from row to row with the arrow keys', async () => {
  open(files);
  const first = await screen.findByTitle('docs/a.md');
  first.focus();
  fireEvent.keyDown(first, { key: 'End' });
  expect(document.activeElement).toBe(screen.getByTitle('huge.bin'));
  fireEvent.keyDown(screen.getByTitle('huge.bin'), { key: 'ArrowUp' });
  expect(document.activeElement).toBe(screen.getByTitle('gone.ts'));
});
