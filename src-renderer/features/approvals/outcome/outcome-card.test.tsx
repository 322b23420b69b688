import { Rule } from '@contract/control';
import { fail, ok } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outcomeApproval } from '../../../testing/sample-approvals';
import {
  box,
  card,
  choose,
  clean,
  decided,
  host,
  key,
  press,
  settle,
  show,
  startOutcome,
  stopOutcome,
} from './testing/outcome';

beforeEach(startOutcome);
afterEach(stopOutcome);

it('shows the scripts that the command runs', async () => {
  const part = { text: 'npm run build', verdict: 'ask', reason: because('runs_scripts'), risk: 'medium' };
  const file = { path: '/home/me/my-api/package.json', version: 'v1', text: '' };
  await show(
    clean({
      preview: {
        kind: 'command',
        command: 'npm run build',
        cwd: '/home/me/my-api',
        timeoutSeconds: 120,
        parts: [{ ...part, script: 'sh ./build.sh' }],
        files: [file],
      },
    }),
  );
  expect(card().textContent).toContain('runs the script sh ./build.sh');
  expect(card().textContent).toContain('Depends on package.json');
});

it('lists what the command did, file by file', async () => {
  await show();
  expect(screen.getByRole('heading').textContent).toBe('Keep what the command did?');
  const text = card().textContent ?? '';
  for (const part of [
    'Exit code 1',
    'took 2.1 s',
    'The throwaway layer blocked attempts to:connect to registry.npmjs.org',
    '1 snapshot written',
    'Stages 3 files',
    '1,211 files+66 lines added−22 lines removed31 MB',
  ])
    expect(text).toContain(part);
  const list = screen.getByRole('list', { name: 'Changed files' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((row) => row.textContent),
  ).toEqual([
    'Changedsrc/sum.ts+22 lines added−11 line removed',
    'Createdtest/snapshots/sum.snap+44 lines added−00 lines removed',
    'Deletedold.txt+00 lines added−11 line removed',
    'Changedlogo.pngbinary12 kB → 14 kB',
    'Permissionsrun.sh644 → 755runs or configures other programs',
    'Linklatestv1 → v2',
    'Changednotes.md5 B → 6 Bchanged in your folderIt changed in your folder since the command started. Deepdesk keeps your version.',
    'Foldernode_modules1,204 files31 MBignored by git',
  ]);
});

it('shows a line end in a name, and no sum of lines if some files were not counted', async () => {
  const after = { type: 'file', size: 1, mode: 0o644 };
  const rows = [
    { kind: 'created', path: 'new\nline.txt', after, added: 1, removed: 0 },
    { kind: 'created', path: 'big.txt', after },
  ];
  const totals = { files: 2, added: 1, removed: 0, bytes: 300_001 };
  await show(clean({}, { rows, totals }));
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual(
    expect.arrayContaining([expect.stringContaining('Creatednew\\nline.txt')]),
  );
  expect(card().textContent).toContain('2 files300 kB');
});

it.each([
  ['a clone', { what: 'created' }, 'A new repository'],
  ['a removal', { what: 'deleted' }, 'Deletes the repository and its history'],
  ['commits', { what: 'commits', branch: 'main', count: 2 }, '2 commits on main'],
  ['a switch', { what: 'switched', branch: 'next' }, 'Switches to the branch next'],
  ['a branch', { what: 'branch', branch: 'x', change: 'deleted' }, 'Deletes the branch x'],
  ['hooks', { what: 'hooks', names: ['pre-commit'] }, 'Changes hooks, which git runs: pre-commit'],
  [
    'what it obeys',
    { what: 'obeyed', names: ['commondir', 'info/attributes'], count: 7 },
    'Changes 7 files that git runs or follows: commondir, info/attributes',
  ],
])('describes what happened to git: %s', async (_name, fact, words) => {
  await show(outcomeApproval({}, { git: [{ path: '.git', facts: [fact] }] }));
  expect(within(screen.getByRole('list', { name: 'Git' })).getByText(words)).toBeTruthy();
});

it.each([
  ['k', {}],
  ['Enter', {}],
  ['Enter', { ctrlKey: true }],
])('keeps everything with one key: %s %j', async (name, more) => {
  await show(clean());
  expect(screen.getByRole('button', { name: 'Keep all' })).toBeTruthy();
  await key(name, more);
  expect(decided).toEqual([{ type: 'keep', manifest: 'm1' }]);
});

it('keeps a high-risk outcome on Ctrl+Enter only', async () => {
  await show(clean({ risk: 'high' }));
  await key('Enter');
  await key('k');
  expect(decided).toEqual([]);
  await key('Enter', { ctrlKey: true });
  expect(decided).toEqual([{ type: 'keep', manifest: 'm1' }]);
});

it('keeps a high-risk outcome on Shift+K where Ctrl+Enter runs the command for real', async () => {
  await show(clean({ risk: 'high' }, { refused: [{ what: 'network', name: 'registry.npmjs.org' }] }));
  expect(screen.getByRole('button', { name: /^Keep all/ }).textContent).toContain('Shift K');
  await key('k');
  expect(decided).toEqual([]);
  await key('K', { shiftKey: true });
  expect(decided).toEqual([{ type: 'keep', manifest: 'm1' }]);
});

it('leaves out files that have changed in the folder since', async () => {
  await show(outcomeApproval({}, { refused: [] }));
  expect(box('notes.md').disabled).toBe(true);
  expect(box('notes.md').checked).toBe(false);
  await press('Keep 1,210 of 1,211 files');
  expect(decided).toEqual([
    {
      type: 'keep',
      manifest: 'm1',
      paths: [
        'src/sum.ts',
        'test/snapshots/sum.snap',
        'old.txt',
        'logo.png',
        'run.sh',
        'latest',
        'node_modules',
        '.git',
      ],
    },
  ]);
});

it.each([
  ['deleted', 6_000_000, true],
  ['changed', 6_000_000, true],
  ['deleted', 5_000_001, true],
  ['deleted', 5_000_000, false],
  ['mode', 6_000_000, false],
])(
  'announces what undo cannot bring back: a file that is %s, of %i bytes',
  async (kind, size, isAnnounced) => {
    const before = { type: 'file', size, mode: 0o644 };
    const after = kind === 'deleted' ? {} : { after: { ...before, mode: 0o755 } };
    await show(outcomeApproval({}, { rows: [{ kind, path: 'data.bin', before, ...after }] }));
    const said = screen.queryByText("If you keep this, undo can't bring the file back: it is over 5 MB.");
    expect(said !== null).toBe(isAnnounced);
  },
);

it.each([
  [{ names: 3 }, 'This file has 2 other names (hard links), which get the same content.'],
  [{}, null],
])('says that other names of a file get its content: %j', async (more, words) => {
  const file = { type: 'file', size: 5, mode: 0o644 };
  await show(
    clean({}, { rows: [{ kind: 'changed', path: 'a', before: { ...file, ...more }, after: file }] }),
  );
  expect(card().textContent?.includes('hard link')).toBe(words !== null);
  if (words !== null) expect(card().textContent).toContain(words);
});

it('marks a link that leads out of the folder, and leaves out a repository that has changed since', async () => {
  const link = { type: 'link', size: 0, mode: 0o777, target: '/etc' };
  const rows = [{ kind: 'created', path: 'away', after: link, leadsOutside: true }];
  const git = [{ path: '.git', facts: [{ what: 'staged', count: 1 }], conflict: true }];
  await show(clean({}, { rows, git, totals: { files: 1, added: 0, removed: 0, bytes: 0 } }));
  expect(card().textContent).toContain('link to /etc');
  expect(card().textContent).toContain('leads out of the folder');
  expect(card().textContent).toContain('It changed in your folder since the command started.');
  expect(box('.git').disabled).toBe(true);
  await press('Keep selected');
  expect(decided).toEqual([{ type: 'keep', manifest: 'm1', paths: ['away'] }]);
});

it('says why a diff could not be loaded, and tries again', async () => {
  host.answers['rehearsal.diff'] = () => fail('not_found', 'call_not_pending');
  await show();
  await press(/^Deleted ?old\.txt/);
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toBe('This call is no longer waiting for a decision.Try again');
  host.answers['rehearsal.diff'] = () => ok({ kind: 'lost', hunks: [], cut: false });
  await press('Try again');
  expect(screen.getByText('The throwaway layer is gone.')).toBeTruthy();
  expect(alert.isConnected).toBe(false);
});

it('discards on Esc, and with a message on D, the text and Enter', async () => {
  await show();
  await key('Escape');
  await key('d');
  const field = screen.getByRole('textbox', { name: 'Message to the agent (optional)' });
  fireEvent.change(field, { target: { value: 'keep the old file' } });
  await key('Enter', {}, field);
  expect(decided).toEqual([{ type: 'discard' }, { type: 'discard', message: 'keep the old file' }]);
});

it('runs for real on Enter if the layer lacked something, and still keeps on K', async () => {
  await show();
  await key('Enter');
  await key('k');
  expect(decided).toMatchObject([{ type: 'run' }, { type: 'keep' }]);
});

it('asks whether to run if there is nothing to keep', async () => {
  const allowed = ['discard', 'run', 'approve', 'reject', 'respond'];
  await show(outcomeApproval({ allowed }, { rows: [], git: [] }));
  expect(screen.getByRole('heading').textContent).toBe('Run the command for real?');
  await choose('Run outside the sandbox');
  await press('Run for real');
  expect(decided).toEqual([{ type: 'approve' }, { type: 'run' }]);
});

it.each([
  ['wait', 'Run again with more time', { limit: 'time' }, ['discard', 'run', 'wait']],
  ['again', 'Run again in a layer', { lost: true }, ['again', 'discard']],
])('offers the next step if there is no outcome to keep: %s', async (type, name, outcome, allowed) => {
  await show(outcomeApproval({ allowed }, { rows: [], git: [], ...outcome }));
  await press(name);
  await key('Enter');
  expect(decided).toEqual([{ type }, { type }]);
});

it('takes no decision on a letter that is typed into its menu', async () => {
  await show();
  fireEvent.keyDown(screen.getByRole('button', { name: 'More choices' }), { key: 'Enter' });
  await settle();
  await key('k', {}, screen.getByRole('menu'));
  expect(decided).toEqual([]);
});

it.each([
  ['keeps', clean(), 'Save rule and keep', { type: 'keep' }],
  ['runs for real, if the layer lacked something,', outcomeApproval(), 'Save rule and run', { type: 'run' }],
])('shows the rule of Always before it is saved, and then %s', async (_what, approval, name, decision) => {
  const match = { kind: 'command' as const, words: ['npm', 'run', 'build'], exact: true };
  const saved: unknown[] = [];
  host.answers['rules.suggest'] = () => ok({ matches: [match], refused: null });
  host.answers['rules.preview'] = () =>
    ok({ refused: null, checked: 7, covered: [], coveredCalls: 2, nearMiss: null });
  host.answers['rules.save'] = ({ draft }) => {
    saved.push(draft);
    return ok(Rule.parse({ ...draft, id: 'r1', createdAt: 1 }));
  };
  await show(approval);
  await key('a');
  expect(screen.getByRole('radio', { name: 'npm run build' })).toBe(document.activeElement);
  expect(card().textContent).toContain('without a throwaway layer and without asking');
  expect(card().textContent).toContain('It would have allowed 2 of the last 7 calls');
  await press(name);
  expect(saved).toEqual([{ effect: 'allow', match, scope: { kind: 'thread', threadId: approval.threadId } }]);
  expect(decided).toMatchObject([decision]);
});

it('says that unlisted rows are left out once only some are kept', async () => {
  await show(clean({}, { more: 40 }));
  expect(card().textContent).toContain("40 more files aren't listed.");
  expect(card().textContent).not.toContain('leaves them out');
  fireEvent.click(box('old.txt'));
  expect(card().textContent).toContain('They are left out if you keep only some.');
});
