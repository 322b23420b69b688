import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScanPlace } from '../search/scan/job';
import { scan } from '../search/scan/scan';
import { ENTRY } from '../search/scan/stats';
import { ScanWorkers } from '../search/scan/workers';
import { builtSearchWorker } from '../search/testing/search-worker';
import { DirectoryListings } from './directory-listing';
import type { HeldDirectory } from './guard';

const FILES = 2_500;
let folder: string;
let workers: ScanWorkers;

const held = (): HeldDirectory => ({
  path: folder,
  place: folder,
  child: (name) => join(folder, name),
  close: async () => undefined,
});

const place = (): ScanPlace => ({ kind: 'folder', path: folder, outerRules: '', hidden: 'all' });

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-listing-')));
  for (let n = 0; n < FILES; n += 1) writeFileSync(join(folder, `file-${n}.txt`), 'x'.repeat(n % 7));
  utimesSync(join(folder, 'file-3.txt'), 1_000, 1.5);
  mkdirSync(join(folder, 'folder'));
  symlinkSync('nowhere', join(folder, 'link'));
  workers = new ScanWorkers(await builtSearchWorker());
});
afterAll(async () => {
  await workers.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a listing of a large folder', () => {
  it('is the same with and without a worker', async () => {
    const byWorker = await new DirectoryListings(workers).page(held(), '/', {});
    const without = await new DirectoryListings(new ScanWorkers(null)).page(held(), '/', {});
    expect(byWorker.files?.length).toBe(FILES + 2);
    expect(byWorker).toEqual(without);
    expect(byWorker.files?.find(({ path }) => path === '/folder/')?.is_dir).toBe(true);
    expect(byWorker.files?.find(({ path }) => path === '/file-3.txt')).toEqual({
      path: '/file-3.txt',
      is_dir: false,
      size: 3,
      modified_at: '1970-01-01T00:00:01.500Z',
    });
  });

  it('consists of numbers, with none for entries that were deleted in between', () => {
    const found: number[] = [];
    const names = ['file-4.txt', 'not there', 'folder', 'link', 'file-3.txt'];
    scan({ kind: 'stats', names }, place(), {
      stopped: () => false,
      write: (bytes) => {
        found.push(...new Float64Array(bytes.slice().buffer));
        return true;
      },
    });
    const seconds = (name: string) => lstatSync(join(folder, name)).mtime.getTime();
    expect(found).toEqual([
      ...[ENTRY.file, 4, seconds('file-4.txt')],
      ...[ENTRY.gone, 0, 0],
      ...[ENTRY.folder, 0, seconds('folder')],
      ...[ENTRY.file, 'nowhere'.length, seconds('link')],
      ...[ENTRY.file, 3, 1_500],
    ]);
  });

  it('rejects with the reason when it is canceled', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const page = new DirectoryListings(workers).page(held(), '/', { signal: controller.signal });
    controller.abort(reason);
    await expect(page).rejects.toBe(reason);
  });
});
