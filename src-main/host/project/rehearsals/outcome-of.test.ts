import { expect, it } from 'vitest';
import type { Change, Manifest } from '../../../harness/sandbox/rehearsal';
import { isShown, withConflicts } from './outcome-conflicts';
import { outcomeOf } from './outcome-of';

const file = { type: 'file', size: 2, mode: 0o644 } as const;
const created = (path: string, more: Partial<Change> = {}): Change => ({
  path,
  kind: 'created',
  after: file,
  ...more,
});

function outcomeWith(changes: readonly Change[], git: Manifest['git'] = []) {
  const manifest: Manifest = { hash: 'h', place: '/p', layer: 'l', folder: '/f', changes, git };
  const run = { exitCode: 0, output: '', refused: [], durationMs: 1, manifest };
  return outcomeOf(run, { exitCode: 0, output: '' }, changes, async () => ({}));
}

const MANY = Array.from({ length: 600 }, (_, index) => created(`!${String(index).padStart(3, '0')}`));

it('lists what must not be missed, however many other files there are', async () => {
  const { rows, more } = await outcomeWith([
    ...MANY,
    created('.vscode/tasks.json', { protected: true }),
    created('link', { leadsOutside: true }),
    created('z', { conflict: 'changed' }),
  ]);
  expect([rows.length, more]).toEqual([500, 103]);
  expect(rows.slice(-3)).toMatchObject([
    { path: '.vscode/tasks.json', protected: true },
    { path: 'link', leadsOutside: true },
    { path: 'z', conflict: true },
  ]);
});

it('counts what undo cannot bring back, also in folders that are one row, but no build output', async () => {
  const large = { ...file, size: 6_000_000 };
  const gone = (path: string, more: Partial<Change> = {}): Change => ({
    path,
    kind: 'deleted',
    before: large,
    ...more,
  });
  const { beyondUndo } = await outcomeWith([
    gone('data.csv'),
    gone('dev.db', { ignored: true, kind: 'changed', after: large }),
    gone('vendor/model.bin'),
    gone('.git/objects/pack/pack-1.pack', { git: '.git' }),
    gone('.git/index', { git: '.git', kind: 'changed', after: large }),
    gone('dist/bundle.js', { ignored: true }),
    gone('small', { before: file }),
    gone('script', { kind: 'mode', after: large }),
    created('new', { after: large }),
  ]);
  expect(beyondUndo).toBe(4);
  expect((await outcomeWith([gone('small', { before: file })])).beyondUndo).toBeUndefined();
});

it('counts written build files of the project, but not those of its output', async () => {
  const { buildFiles } = await outcomeWith([
    created('package.json'),
    created('tools/Makefile'),
    created('out/package.json', { ignored: true }),
    created('src/main.ts'),
    { path: 'old/package.json', kind: 'deleted', before: file },
    // The project keeps its own files in a folder with such a name.
    { path: 'build/webpack.config.js', kind: 'changed', before: file, after: file, tracked: true },
  ]);
  expect(buildFiles).toBe(3);
  expect((await outcomeWith([created('src/main.ts')])).buildFiles).toBeUndefined();
});

it('counts written code of installed packages, even if git ignores it, but no caches beside it', async () => {
  const ignored = { ignored: true } as const;
  const { buildFiles } = await outcomeWith([
    created('node_modules/a/lib/index.js', ignored),
    created('web/Node_Modules/.bin/tsc', ignored),
    created('.venv/lib/python3.11/site-packages/a/__init__.py', ignored),
    created('node_modules/.cache/babel.json', ignored),
    created('node_modules/.vite/vitest/results.json', ignored),
    created('.venv/lib/python3.11/site-packages/a/__pycache__/x.pyc', ignored),
    created('node_modules/b', { ...ignored, after: { ...file, type: 'folder' } }),
    { path: 'node_modules/a/old.js', kind: 'deleted', before: file, ...ignored },
  ]);
  expect(buildFiles).toBe(3);
});

it('marks a repository that has changed since', async () => {
  const git = [{ path: '.git', facts: [{ what: 'staged' as const, count: 1 }] }];
  const changes = [created('.git/index', { git: '.git', conflict: 'changed' })];
  expect((await outcomeWith(changes, git)).git).toMatchObject([{ path: '.git', conflict: true }]);
});

it('shows a later conflict once, wherever it is', async () => {
  const changes = [...MANY, created('new', { after: { ...file, type: 'folder' } }), created('new/f')];
  const all = await outcomeWith(changes);
  const outcome = { ...all, rows: all.rows.filter(({ path }) => path !== 'new') };
  const manifest = { changes } as unknown as Manifest;
  for (const path of ['!001', '!599', 'new/f']) {
    const conflict = { path, reason: 'changed' } as const;
    expect(isShown(conflict, outcome)).toBe(false);
    const marked = withConflicts(outcome, manifest, [conflict]);
    expect(isShown(conflict, marked)).toBe(true);
    expect(marked.rows.filter((row) => row.conflict)).toMatchObject([{ path }]);
  }
});
