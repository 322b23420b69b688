import { mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEEP_TIME, thisMoment, unsteadyFolders } from './steady-folders';

const folders = new Set(['a', 'a/b/c', 'd', '']);
let root: string;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'deepdesk-steady-'));
  for (const folder of ['a/b/c', 'd']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'd/file.txt'), '');
  // Longer than the system's tick.
  await sleep(150);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function unsteadyAfter(change: () => void): Promise<string[]> {
  const since = thisMoment();
  change();
  const unsteady = await unsteadyFolders(root, folders, since);
  return ['', 'a', 'a/b', 'a/b/c', 'd'].filter((folder) => unsteady.has(folder));
}

const keepsTime = process.platform === 'linux' && KEEP_TIME.has(statfsSync(tmpdir()).type);

describe.skipIf(!keepsTime)('folders of a file system that maintains their times', () => {
  it.each<[string, () => void, string[]]>([
    ['nothing', () => undefined, []],
    ['what a file holds', () => writeFileSync(join(root, 'd/file.txt'), 'x'), []],
    ['a name in one', () => writeFileSync(join(root, 'd/new.txt'), ''), ['d']],
    ['a name above others', () => writeFileSync(join(root, 'a/new.txt'), ''), ['a', 'a/b', 'a/b/c']],
    [
      'a name in the held one',
      () => writeFileSync(join(root, 'new.txt'), ''),
      ['', 'a', 'a/b', 'a/b/c', 'd'],
    ],
    [
      'a folder that is put aside and back',
      () => {
        renameSync(join(root, 'a/b'), join(root, 'd/b'));
        renameSync(join(root, 'd/b'), join(root, 'a/b'));
      },
      ['a', 'a/b', 'a/b/c', 'd'],
    ],
    [
      'a link in place of one',
      () => {
        renameSync(join(root, 'a/b/c'), join(root, 'a/b/x'));
        symlinkSync('x', join(root, 'a/b/c'));
      },
      ['a/b', 'a/b/c'],
    ],
  ])('are unsteady after a change of %s [safety 19]', async (_name, change, unsteady) => {
    expect(await unsteadyAfter(change)).toEqual(unsteady);
  });

  it('are all unsteady if somebody set the clock in between [safety 19]', async () => {
    const { wall, steady } = thisMoment();
    expect((await unsteadyFolders(root, folders, { wall: wall + 3_600_000, steady })).has('d')).toBe(true);
  });
});
