import { FileEntry } from '@contract/app';
import { cleanup, renderHook } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { Root, Row } from './tree';
import { useReveal } from './use-reveal';

afterEach(cleanup);

const root: Root = { path: '/api', label: 'api', kind: 'project', without: [] };
const rows: Row[] = [
  { kind: 'root', key: 'project:/api', path: '/api', level: 1, root, expanded: true },
  {
    kind: 'entry',
    key: 'project:/api/a.ts',
    path: '/api/a.ts',
    level: 2,
    entry: FileEntry.parse({ path: '/api/a.ts', name: 'a.ts', kind: 'file' }),
    expanded: false,
    position: 1,
    siblings: 1,
  },
];

it('focuses the open file together with its row, before any key can move the focus', () => {
  const shown: number[] = [];
  const shownWithRows: number[][] = [];
  renderHook(() => {
    useReveal(
      '/api/a.ts',
      rows,
      [root],
      () => undefined,
      (index) => shown.push(index),
    );
    useLayoutEffect(() => void shownWithRows.push([...shown]));
  });
  expect(shownWithRows).toEqual([[1]]);
  expect(shown).toEqual([1]);
});
