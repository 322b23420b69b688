import {
  type BigIntStats,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hasMark, isMarked, linkedMarkOf, markOf } from './entry';

const base = mkdtempSync(join(tmpdir(), 'entry-'));
afterAll(() => rmSync(base, { recursive: true }));
writeFileSync(join(base, 'file'), 'content');
linkSync(join(base, 'file'), join(base, 'other'));
mkdirSync(join(base, 'folder'));

/** Differs from the entry on the disk as given. Methods stay. */
function statsOf(name: string, change: Partial<BigIntStats> = {}): BigIntStats {
  return Object.assign(lstatSync(join(base, name), { bigint: true }), change);
}

it.each(['file', 'folder'])('recognizes a %s on a disk that has another device number', (name) => {
  expect(hasMark(statsOf(name, { dev: 4_711n }), markOf(statsOf(name)))).toBe(true);
});

it('recognizes a file with several names on a disk that has another device number', () => {
  const mark = linkedMarkOf(statsOf('file'));
  for (const byIdentity of [true, false])
    expect(isMarked(statsOf('file', { dev: 4_711n }), mark, byIdentity)).toBe(true);
  expect(isMarked(statsOf('file', { size: 8n }), mark, false)).toBe(false);
  expect(isMarked(statsOf('file', { size: 8n }), mark, true)).toBe(true);
  expect(isMarked(statsOf('file', { ino: 8n }), mark, true)).toBe(false);
});

it.each([
  ['file', { ino: 8n }],
  ['file', { size: 8n }],
  ['file', { mtimeNs: 8n }],
  ['file', { ctimeNs: 8n }],
  ['folder', { ino: 8n }],
] as const)('does not take another %s for it: %o', (name, change) => {
  expect(hasMark(statsOf(name, change), markOf(statsOf(name)))).toBe(false);
});

it('tells a folder apart that got the inode number of a deleted one, where the file system has times of creation', () => {
  const mark = markOf(statsOf('folder', { birthtimeNs: 5n }));
  expect(hasMark(statsOf('folder', { birthtimeNs: 6n }), mark)).toBe(false);
  expect(hasMark(statsOf('folder', { birthtimeNs: 5n }), mark)).toBe(true);
  const none = { birthtimeNs: 0n };
  expect(hasMark(statsOf('folder', none), markOf(statsOf('folder', none)))).toBe(true);
});

it('reads the marks that older versions stored', () => {
  const file = statsOf('file');
  const folder = statsOf('folder');
  const by = (stats: BigIntStats) => `${stats.dev}-${stats.ino}`;
  expect(hasMark(folder, `folder-${by(folder)}`)).toBe(true);
  expect(hasMark(file, `${by(file)}-${file.size}-${file.mtimeNs}-${file.ctimeNs}`)).toBe(true);
  expect(hasMark(file, `${by(file)}-8-${file.mtimeNs}-${file.ctimeNs}`)).toBe(false);
  expect(isMarked(file, `linked-${by(file)}-${file.size}-${file.mtimeNs}`, false)).toBe(true);
  expect(isMarked(file, `linked-${by(file)}-1-1`, true)).toBe(true);
});
