import type { GitFile, GitRepository } from '@contract/git';
import { ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../../link';
import { giveElementsSize } from '../../../testing/layout';
import { panelHost } from '../../../testing/panel-host';
import { GitPanel } from './git-panel';

const threadId = ThreadId.parse('t1');
const file = (path: string, more: Partial<GitFile> = {}): GitFile => ({
  path,
  staged: null,
  unstaged: 'modified',
  submodule: false,
  by: 'person',
  ...more,
});
const repository: GitRepository = {
  branch: 'main',
  head: { id: '1234567890', message: 'the last one', pushed: false },
  upstream: { name: 'origin/main', ahead: 2, behind: 0 },
  hasRemote: true,
  operation: null,
  files: [],
  more: 0,
  hasIdentity: true,
  identity: null,
  hooks: null,
  ignored: [],
};

giveElementsSize();
let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

function open(more: Partial<GitRepository>, answers: Parameters<typeof panelHost>[1] = {}) {
  const host = panelHost({}, answers);
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <GitPanel threadId={threadId} repository={{ ...repository, ...more }} reload={() => undefined} />
    ) : null;
  render(<Gate />);
  return host;
}

it('marks who changed each file and stages whole files', async () => {
  const files = [
    file('a.ts', { by: 'agent' }),
    file('b.ts', { by: 'both', staged: 'modified' }),
    file('c.ts', { staged: 'added', unstaged: null }),
  ];
  const host = open({ files }, { 'git.stage': () => ok({}) });
  const list = await screen.findByRole('list', { name: 'Changes in the repository' });
  const rows = within(list).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'a.tsagentchanged',
    'b.tsagent and youchanged',
    'c.tsnew',
  ]);
  const boxes = within(list).getAllByRole<HTMLInputElement>('checkbox');
  expect(boxes.map((box) => (box.indeterminate ? 'partly' : box.checked))).toEqual([false, 'partly', true]);
  for (const box of boxes) {
    fireEvent.click(box);
    await waitFor(() => expect(box.disabled).toBe(false));
  }
  expect(host.asked('git.stage')).toEqual([
    { threadId, paths: ['a.ts'], staged: true },
    { threadId, paths: ['b.ts'], staged: true },
    { threadId, paths: ['c.ts'], staged: false },
  ]);
});

it('draws only the visible ones of ten thousand files', async () => {
  open({ files: Array.from({ length: 10_000 }, (_, at) => file(`f${at}`)) });
  await screen.findByText('10,000 files changed, 0 staged');
  expect(screen.getAllByRole('listitem').length).toBeLessThan(200);
});

it('drafts a message with its cost and commits only on request', async () => {
  const host = open(
    { files: [file('a.ts', { staged: 'modified', unstaged: null })] },
    {
      'git.draft': () => ok({ message: 'Say hello', costMicroDollars: 12_000 }),
      'git.commit': () => ok({ id: '1234567890', skippedHooks: true }),
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Draft message' }));
  const message = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Commit message' });
  await waitFor(() => expect(message.value).toBe('Say hello'));
  expect(screen.getByText('$0.01')).toBeTruthy();
  expect(host.asked('git.commit')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Commit' }));
  await waitFor(() => expect(message.value).toBe(''));
  expect(host.asked('git.commit')).toEqual([{ threadId, message: 'Say hello', amend: false }]);
});

it('asks before a push, names what it pushes, and shows why it failed', async () => {
  const transfer = { remote: 'origin', branch: 'main', commits: 2, id: '1', isNew: true };
  const host = open(
    {},
    {
      'git.compare': () => ok({ transfer }),
      'git.transfer': () => fail('conflict', 'git_rejected', {}, 'raw'),
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Push' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('Deepdesk pushes 2 commits to the branch main of origin.');
  expect(dialog.textContent).toContain('The branch is new there.');
  expect(host.asked('git.transfer')).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Push' }));
  expect((await screen.findByRole('alert')).textContent).toContain('newer commits. Pull first.');
  expect(host.asked('git.transfer')).toEqual([{ threadId, direction: 'push', transfer }]);
});

it('offers to amend only what was not pushed, and asks for a name if git has none', async () => {
  open({
    head: { id: '1', message: 'm', pushed: true },
    hasIdentity: false,
    files: [file('a', { staged: 'added' })],
  });
  await screen.findByRole('textbox', { name: 'Email address' });
  expect(screen.queryByRole('checkbox', { name: 'Amend the last commit' })).toBeNull();
  fireEvent.change(screen.getByRole('textbox', { name: 'Commit message' }), { target: { value: 'm' } });
  expect(screen.getByRole('button', { name: 'Commit' })).toHaveProperty('disabled', true);
});

it('offers the name and address of an earlier commit again', async () => {
  const identity = { name: 'Ada', email: 'ada@example.com' };
  const host = open(
    { hasIdentity: false, identity, files: [file('a', { staged: 'added' })] },
    { 'git.commit': () => ok({ id: '1234567890', skippedHooks: false }) },
  );
  await screen.findByText('Commits as Ada <ada@example.com>');
  fireEvent.change(screen.getByRole('textbox', { name: 'Commit message' }), { target: { value: 'm' } });
  fireEvent.click(screen.getByRole('button', { name: 'Commit' }));
  await waitFor(() => expect(host.asked('git.commit')).toMatchObject([{ identity }]));
  fireEvent.click(screen.getByRole('button', { name: 'Change' }));
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Ada');
});

it('says that hooks and settings of the repository do not run', async () => {
  const hooks = { names: ['pre-commit'], digest: 'd', allowed: false };
  const host = open(
    { hooks, ignored: ['core.fsmonitor'], operation: 'merge' },
    { 'git.allowHooks': () => ok({}) },
  );
  await screen.findByText(/This repository has hooks.*pre-commit/);
  screen.getByText(/core\.fsmonitor/);
  screen.getByText(/A merge is in progress/);
  fireEvent.click(screen.getByRole('button', { name: 'Run hooks' }));
  await waitFor(() => expect(host.asked('git.allowHooks')).toEqual([{ threadId, digest: 'd' }]));
});

it('keeps the message that is being written while a file is shown', async () => {
  open({ files: [file('a.ts')] }, { 'git.file': () => fail('not_found', 'git_no_repository') });
  const message = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Commit message' });
  fireEvent.change(await message(), { target: { value: 'Half a message' } });
  const list = await screen.findByRole('list', { name: 'Changes in the repository' });
  fireEvent.click(within(list).getByRole('button', { name: /^a\.ts/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'All changes' }));
  expect((await message()).value).toBe('Half a message');
});
