import { expect, it } from 'vitest';
import type { Change, Manifest } from '../layer/shapes';
import { rowsOf } from './rows';

const created = (path: string, type: 'file' | 'folder' = 'file') =>
  ({
    kind: 'created',
    path,
    after: { type, size: type === 'file' ? 3 : 0, mode: 0o644 },
  }) as unknown as Change;

it('counts the files of a group, without its empty folders', () => {
  const changes = [
    created('out', 'folder'),
    created('out/a.txt'),
    created('out/b.txt'),
    created('out/deep', 'folder'),
    created('out/deep/empty', 'folder'),
  ];
  expect(rowsOf({ changes } as unknown as Manifest)).toEqual([
    { kind: 'group', path: 'out', count: 2, bytes: 6 },
  ]);
});
