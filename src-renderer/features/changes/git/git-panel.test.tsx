import type { GitFile, GitRepository } from '@contract/git';
import { ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { onIntent, usePort } from '../../../link';
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
  moreStaged: 0,
  moreOpen: 0,
  hasIdentity: true,
  identity: null,
  hooks: null,
  ignored: [],
};

giveElementsSize();
let stop = () => {};
let toasts: { message: string; undo?: () => void }[] = [];
afterEach(() => {
  cleanup();
  stop();
});

function open(more: Partial<GitRepository>, answers: Parameters<typeof panelHost>[1] = {}) {
  const host = panelHost({}, answers);
  toasts = [];
  const listening = onIntent((intent) => {
    if (intent.type === 'toast') toasts.push(intent);
  });
  stop = () => {
    listening();
    host.stop();
  };
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
  // Clicks that follow each other quickly all count, in their order.
  for (const box of boxes) {
    fireEvent.click(box);
    expect(box.disabled).toBe(false);
  }
  await waitFor(() =>
    expect(host.asked('git.stage')).toEqual([
      { threadId, paths: ['a.ts'], staged: true },
      { threadId, paths: ['b.ts'], staged: true },
      { threadId, paths: ['c.ts'], staged: false },
    ]),
  );
});

it('stages what changed in a renamed file, whose old name git does not know anymore', async () => {
  const renamed = file('new.ts', { from: 'old.ts', staged: 'renamed' });
  const host = open(
    { files: [renamed, file('only.ts', { from: 'was.ts', staged: 'renamed', unstaged: null })] },
    { 'git.stage': () => ok({}) },
  );
  for (const name of ['Stage all', 'Stage new.ts', 'Stage only.ts']) {
    const role = name === 'Stage all' ? 'button' : 'checkbox';
    fireEvent.click(await screen.findByRole(role, { name }));
  }
  await waitFor(() =>
    expect(host.asked('git.stage')).toEqual([
      { threadId, paths: ['new.ts'], staged: true },
      { threadId, paths: ['new.ts'], staged: true },
      { threadId, paths: ['only.ts', 'was.ts'], staged: false },
    ]),
  );
});

it('counts the files that are not listed', async () => {
  open({ files: [file('a.ts')], more: 5_000 });
  expect((await screen.findByText(/files changed/)).textContent).toBe('5,001 files changed, 0 staged');
});

it('does nothing that waits behind an action that is stopped', async () => {
  const host = open({ files: [file('a.ts')] }, { 'git.stage': () => new Promise(() => {}) });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Stage a.ts' }));
  fireEvent.click(screen.getByRole('button', { name: 'Stage all' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Stop git' }, { timeout: 3_000 }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop git' })).toBeNull());
  expect(host.asked('git.stage')).toEqual([{ threadId, paths: ['a.ts'], staged: true }]);
});

it('stops an action that takes long, and says nothing then', async () => {
  open(
    { files: [file('a.ts', { staged: 'modified', unstaged: null })] },
    { 'git.commit': () => new Promise(() => {}) },
  );
  fireEvent.change(await screen.findByRole('textbox', { name: 'Commit message' }), {
    target: { value: 'm' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Commit' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Stop git' }, { timeout: 3_000 }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop git' })).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Commit message' }).value).toBe('m');
});

it('has a menu for each file, whose disabled items say why', async () => {
  const files = [
    file('a.ts'),
    file('b.ts', { staged: 'added', unstaged: null }),
    file('c.ts', { unstaged: 'conflict' }),
    file('d', { submodule: true }),
  ];
  const host = open({ files }, { 'git.stage': () => ok({}) });
  const itemsOf = async (path: string) => {
    const row = await screen.findByTitle(path);
    row.focus();
    fireEvent.contextMenu(row);
    const menu = await screen.findByRole('menu', { name: `Actions for ${path}` });
    const items = within(menu)
      .getAllByRole('menuitem')
      .map(({ textContent }) => textContent);
    return { items, menu };
  };
  const leave = async () => {
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  };
  const { items, menu } = await itemsOf('a.ts');
  expect(items).toEqual(['Show changes', 'Copy relative path', 'Stage', 'Discard changes']);
  fireEvent.click(within(menu).getByRole('menuitem', { name: 'Stage' }));
  await waitFor(() => expect(host.asked('git.stage')).toEqual([{ threadId, paths: ['a.ts'], staged: true }]));
  const reasons = {
    'b.ts': 'All its changes are staged. Unstage them first.',
    'c.ts': 'It has a conflict. Resolve it first.',
    d: 'It is a submodule.',
  };
  for (const [path, why] of Object.entries(reasons)) {
    expect((await itemsOf(path)).items.at(-1)).toBe(`Discard changes${why}`);
    await leave();
  }
  expect((await itemsOf('b.ts')).items[2]).toBe('Unstage');
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

it('gives back the message that a draft replaced', async () => {
  open(
    { files: [file('a.ts', { staged: 'modified', unstaged: null })] },
    { 'git.draft': () => ok({ message: 'Drafted', costMicroDollars: 0 }) },
  );
  const message = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Commit message' });
  fireEvent.change(message, { target: { value: 'What I wrote' } });
  fireEvent.click(screen.getByRole('button', { name: 'Draft message' }));
  await waitFor(() => expect(message.value).toBe('Drafted'));
  await waitFor(() => expect(toasts).toHaveLength(1));
  expect(toasts[0]?.message).toBe('Replaced your message with the draft.');
  act(() => toasts[0]?.undo?.());
  expect(message.value).toBe('What I wrote');
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

it('withdraws the consent to run hooks', async () => {
  const hooks = { names: ['pre-commit'], digest: 'd', allowed: true };
  const host = open({ hooks }, { 'git.disallowHooks': () => ok({}) });
  await screen.findByText('Hooks of this repository run: pre-commit.');
  fireEvent.click(screen.getByRole('button', { name: "Don't run hooks" }));
  await waitFor(() => expect(host.asked('git.disallowHooks')).toEqual([{ threadId, digest: 'd' }]));
});

it('stages and counts files beyond those that are listed', async () => {
  const host = open(
    { files: [file('a.ts', { staged: 'added', unstaged: null })], more: 5, moreStaged: 2, moreOpen: 3 },
    { 'git.stageAll': () => ok({}) },
  );
  await screen.findByText('6 files changed, 3 staged');
  fireEvent.click(screen.getByRole('button', { name: 'Stage all' }));
  await waitFor(() => expect(host.asked('git.stageAll')).toEqual([{ threadId }]));
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

it('keeps what is typed while a commit runs its hooks, and the focus where it is', async () => {
  let finish = () => {};
  const host = open(
    { files: [file('a.ts', { staged: 'modified', unstaged: null })] },
    {
      'git.commit': async () => {
        await new Promise<void>((done) => {
          finish = done;
        });
        return ok({ id: 'abcdef1234', skippedHooks: false });
      },
    },
  );
  const message = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Commit message' });
  fireEvent.change(message, { target: { value: 'One' } });
  fireEvent.click(screen.getByRole('button', { name: 'Commit' }));
  fireEvent.change(message, { target: { value: 'Two' } });
  const elsewhere = document.body.appendChild(document.createElement('textarea'));
  elsewhere.focus();
  await waitFor(() => expect(host.asked('git.commit')).toHaveLength(1));
  await act(async () => finish());
  await waitFor(() => expect(toasts.map((one) => one.message)).toEqual(['Committed abcdef1.']));
  expect(message.value).toBe('Two');
  expect(document.activeElement).toBe(elsewhere);
  elsewhere.remove();
});

it('says at the name of a new branch that there is one', async () => {
  open(
    { files: [] },
    {
      'git.branches': () => ok({ branches: ['main'] }),
      'git.switch': () => fail('conflict', 'git_branch_exists'),
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Branch main' }));
  const dialog = await screen.findByRole('dialog', { name: 'Branches' });
  const name = within(dialog).getByRole('textbox');
  fireEvent.change(name, { target: { value: 'main' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Create' }));
  const alert = await within(dialog).findByRole('alert');
  expect(name.getAttribute('aria-describedby')).toBe(alert.id);
  // Not in the panel behind it, too.
  expect(screen.getAllByText('A branch with this name already exists.')).toEqual([alert]);
});

it('shows the error of another action below the branch only', async () => {
  open(
    { files: [file('a.ts')] },
    {
      'git.stage': () => fail('storage', 'external', { text: 'The index is locked.' }),
      'git.branches': () => ok({ branches: ['main', 'other'] }),
      'git.switch': () => fail('conflict', 'external', { text: 'The branch is used elsewhere.' }),
    },
  );
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Stage a.ts' }));
  await screen.findByText('The index is locked.');
  fireEvent.click(screen.getByRole('button', { name: 'Branch main' }));
  const dialog = await screen.findByRole('dialog', { name: 'Branches' });
  expect(within(dialog).queryByRole('alert')).toBeNull();
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Switch' }));
  await within(dialog).findByText('The branch is used elsewhere.');
});
