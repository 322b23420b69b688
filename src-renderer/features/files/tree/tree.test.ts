import { FileEntry } from '@contract/app';
import { describe, expect, it } from 'vitest';
import {
  emptyTree,
  isWithin,
  type Root,
  type Row,
  reduceTree,
  rowsOf,
  staleListings,
  type Tree,
} from './tree';
import { findTyped, treeKey } from './tree-keys';

const project: Root = { path: '/home/me/api', label: 'api', kind: 'project', without: [] };
const scratch: Root = {
  path: '/',
  label: 'Scratch',
  kind: 'scratch',
  without: ['/home/me/api', '/memories'],
};
const entry = (path: string, kind: FileEntry['kind'] = 'file') =>
  FileEntry.parse({ path, name: path.slice(path.lastIndexOf('/') + 1), kind });
const listed = (
  path: string,
  entries: FileEntry[],
  more: { total?: number; nextOffset?: number; offset?: number } = {},
) => ({
  type: 'listed' as const,
  path,
  offset: more.offset ?? 0,
  entries,
  total: more.total ?? entries.length,
  nextOffset: more.nextOffset ?? null,
});
const opened = (...actions: Parameters<typeof reduceTree>[1][]): Tree =>
  actions.reduce(reduceTree, emptyTree([]));
const shown = (row: Row) =>
  `${'  '.repeat(row.level - 1)}${row.kind === 'entry' ? row.entry.name : row.kind === 'root' ? row.root.label : row.kind}`;

describe('the tree', () => {
  it('shows directories before files, below the open directory', () => {
    const tree = opened(
      { type: 'expanded', path: '/home/me/api' },
      listed('/home/me/api', [entry('/home/me/api/a.ts'), entry('/home/me/api/src', 'directory')]),
      { type: 'expanded', path: '/home/me/api/src' },
      listed('/home/me/api/src', [entry('/home/me/api/src/sum.ts')]),
    );
    expect(rowsOf(tree, [project]).map(shown)).toEqual(['api', '  src', '    sum.ts', '  a.ts']);
  });

  it('keeps the mounts, and the directories that lead to them, out of the scratch files', () => {
    const tree = opened(
      { type: 'expanded', path: '/' },
      listed('/', [entry('/home', 'directory'), entry('/memories', 'directory'), entry('/homework.md')]),
    );
    expect(rowsOf(tree, [scratch]).map(shown)).toEqual(['Scratch', '  homework.md']);
  });

  it('shows empty, loading and failed states in place', () => {
    const tree = opened({ type: 'expanded', path: '/' }, listed('/', []), {
      type: 'expanded',
      path: '/home/me/api',
    });
    expect(rowsOf(tree, [project, scratch]).map(shown)).toEqual(['api', '  loading', 'Scratch', '  empty']);
    const failed = reduceTree(tree, {
      type: 'failed',
      path: '/home/me/api',
      error: { kind: 'denied', message: 'No.' },
    });
    expect(rowsOf(failed, [project]).map(shown)).toEqual(['api', '  failed']);
  });

  it('appends the next page and offers to load the rest', () => {
    const first = listed('/home/me/api', [entry('/home/me/api/1'), entry('/home/me/api/2')], {
      total: 3,
      nextOffset: 2,
    });
    const tree = opened({ type: 'expanded', path: '/home/me/api' }, first);
    expect(rowsOf(tree, [project]).at(-1)).toMatchObject({ kind: 'more', offset: 2, left: 1 });
    const whole = reduceTree(
      tree,
      listed('/home/me/api', [entry('/home/me/api/3')], { offset: 2, total: 3 }),
    );
    expect(rowsOf(whole, [project]).map(shown)).toEqual(['api', '  1', '  2', '  3']);
  });

  it('lists an open directory again after a change and forgets a closed one', () => {
    const tree = opened(
      { type: 'expanded', path: '/a' },
      listed('/a', []),
      { type: 'expanded', path: '/b' },
      listed('/b', []),
      { type: 'collapsed', path: '/b' },
    );
    expect(staleListings(tree, () => true)).toEqual({ relist: ['/a'], forget: ['/b'] });
    expect(staleListings(tree, (path) => path === '/c')).toEqual({ relist: [], forget: [] });
  });

  it('lists a directory again that changed before its first list arrived', () => {
    expect(staleListings(emptyTree(['/a']), () => true)).toEqual({ relist: ['/a'], forget: [] });
  });

  it('compares paths by segment', () => {
    expect([
      isWithin('/a/b', '/a'),
      isWithin('/ab', '/a'),
      isWithin('/a', '/a'),
      isWithin('/a', '/'),
    ]).toEqual([true, false, true, true]);
  });
});

describe('tree keys', () => {
  const rows = rowsOf(
    opened(
      { type: 'expanded', path: '/home/me/api' },
      listed('/home/me/api', [entry('/home/me/api/src', 'directory'), entry('/home/me/api/sum.ts')]),
      { type: 'expanded', path: '/home/me/api/src' },
    ),
    [project],
  );
  // api, src, loading, sum.ts

  it('skips rows that cannot be focused', () => {
    expect(treeKey(rows, 1, 'ArrowDown', 10)).toEqual({ do: 'focus', index: 3 });
    expect(treeKey(rows, 3, 'ArrowUp', 10)).toEqual({ do: 'focus', index: 1 });
    expect(treeKey(rows, 3, 'Home', 10)).toEqual({ do: 'focus', index: 0 });
    expect(treeKey(rows, 0, 'End', 10)).toEqual({ do: 'focus', index: 3 });
  });

  it('opens and closes with the arrow keys and goes from a leaf to its parent', () => {
    expect(treeKey(rows, 1, 'ArrowLeft', 10)).toEqual({ do: 'collapse', index: 1 });
    expect(treeKey(rows, 3, 'ArrowLeft', 10)).toEqual({ do: 'focus', index: 0 });
    expect(treeKey(rows, 3, 'ArrowRight', 10)).toEqual({ do: 'nothing' });
    expect(treeKey(rows, 3, 'Enter', 10)).toEqual({ do: 'activate', index: 3 });
  });

  it('finds names by their first letters, starting after the focused row', () => {
    expect([
      findTyped(rows, 0, 's'),
      findTyped(rows, 1, 's'),
      findTyped(rows, 3, 'su'),
      findTyped(rows, 0, 'x'),
    ]).toEqual([1, 3, 3, undefined]);
  });
});
