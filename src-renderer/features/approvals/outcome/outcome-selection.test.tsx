import { ok } from '@contract/result';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  box,
  card,
  clean,
  decided,
  host,
  key,
  press,
  show,
  startOutcome,
  stopOutcome,
} from './testing/outcome';

beforeEach(startOutcome);
afterEach(stopOutcome);

it('keeps the selected files, and the git folder as a unit', async () => {
  await show(clean());
  for (const path of ['old.txt', 'node_modules', '.git', 'logo.png', 'run.sh', 'latest'])
    fireEvent.click(box(path));
  await press('Keep 2 of 1,210 files');
  expect(decided).toEqual([
    { type: 'keep', manifest: 'm1', paths: ['src/sum.ts', 'test/snapshots/sum.snap'] },
  ]);
});

it('leaves out what is below a kept row: a file in a folder with another mode, and a repository in a group', async () => {
  const folder = { type: 'folder', size: 0, mode: 0o755 };
  const file = { type: 'file', size: 1, mode: 0o644 };
  const rows = [
    { kind: 'mode', path: 'src', before: folder, after: { ...folder, mode: 0o700 } },
    { kind: 'created', path: 'src/a', after: file },
    { kind: 'created', path: 'src/b', after: file },
    { kind: 'group', path: 'vendor', count: 3, bytes: 3 },
  ];
  const git = [{ path: 'vendor/x/.git', facts: [{ what: 'created' }] }];
  await show(clean({}, { rows, git, totals: { files: 5, added: 0, removed: 0, bytes: 5 } }));
  for (const path of ['src/a', 'vendor/x/.git']) fireEvent.click(box(path));
  await press('Keep 4 of 5 files');
  expect(decided).toEqual([
    {
      type: 'keep',
      manifest: 'm1',
      paths: ['src', 'src/b', 'vendor'],
      except: ['src/a', 'vendor/x/.git'],
    },
  ]);
});

it('counts the files that it keeps: those in a group, not the folders, and no repository', async () => {
  const folder = { type: 'folder', size: 0, mode: 0o755 };
  const file = { type: 'file', size: 1, mode: 0o644 };
  const rows = [
    { kind: 'created', path: 'out', after: folder },
    { kind: 'created', path: 'out/a.txt', after: file, added: 1, removed: 0 },
    { kind: 'group', path: 'out/parts', count: 3, bytes: 30 },
    { kind: 'deleted', path: 'old.txt', before: file, added: 0, removed: 1 },
  ];
  const totals = { files: 5, added: 1, removed: 1, bytes: 31 };
  await show(
    clean({ digest: 'counted' }, { rows, totals, git: [{ path: '.git', facts: [{ what: 'stash' }] }] }),
  );
  const text = () => document.querySelector('footer')?.lastElementChild?.textContent;
  expect(card().textContent).toContain('5 files31 B');
  fireEvent.click(box('out'));
  fireEvent.click(box('.git'));
  expect(text()).toBe('Keep selectedK');
  fireEvent.click(box('out/parts'));
  expect(text()).toBe('Keep 2 of 5 filesK');
  fireEvent.click(box('.git'));
  fireEvent.click(box('out/a.txt'));
  fireEvent.click(box('old.txt'));
  expect(text()).toBe('Keep selectedK');
});

it('keeps nothing if nothing is selected', async () => {
  const [row] = clean().outcome?.rows ?? [];
  await show(
    clean(
      { digest: 'one row' },
      { rows: [row], git: [], totals: { files: 1, added: 2, removed: 1, bytes: 96 } },
    ),
  );
  fireEvent.click(box('src/sum.ts'));
  await press('Keep 0 of 1 file');
  await key('k');
  expect(decided).toEqual([]);
});

it('keeps the selection while another thread is shown', async () => {
  const outcome = clean({ digest: 'shown twice' });
  await show(outcome);
  fireEvent.click(box('src/sum.ts'));
  cleanup();
  await show(outcome);
  expect(box('src/sum.ts').checked).toBe(false);
});

it('loads a diff when it is expanded, and keeps the selected hunks', async () => {
  await show(clean());
  const asked = () =>
    host.calls.filter(({ command }) => command === 'rehearsal.diff').map(({ input }) => input);
  expect(asked()).toEqual([]);
  await press(/^Changed ?src\/sum\.ts/);
  expect(asked()).toEqual([{ threadId: 't1', approvalId: 'a5', path: 'src/sum.ts' }]);
  expect(card().textContent).toContain('new 20');
  const [first, second] = screen.getAllByRole<HTMLInputElement>('checkbox', { name: /^Keep lines/ });
  fireEvent.click(second as HTMLElement);
  await press('Keep selected');
  const paths = clean().outcome?.rows.map(({ path }) => path) ?? [];
  expect(decided).toEqual([
    { type: 'keep', manifest: 'm1', paths: [...paths, '.git'], hunks: { 'src/sum.ts': [0] } },
  ]);
  // With no hunk selected, the file is not kept; with all of them, it is kept whole.
  fireEvent.click(first as HTMLElement);
  expect(box('src/sum.ts').checked).toBe(false);
  fireEvent.click(second as HTMLElement);
  fireEvent.click(first as HTMLElement);
  expect(screen.getByRole('button', { name: 'Keep all' })).toBeTruthy();
});

it.each([
  ['too_large', 'This file is too large to compare.'],
  ['lost', 'The throwaway layer is gone.'],
] as const)('says why there is no diff: %s', async (kind, words) => {
  host.answers['rehearsal.diff'] = () => ok({ kind, hunks: [], cut: false });
  await show();
  await press(/^Deleted ?old\.txt/);
  expect(screen.getByText(words)).toBeTruthy();
});
