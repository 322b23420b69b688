import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { moveNew } from './move-new';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deepdesk-move-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
const at = (name: string) => join(folder, name);

/** Something appears at the target after the check that nothing is there. */
const meanwhile = vi.hoisted(() => ({ target: '', appear: (): void => undefined }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const lstat = async (path: string) => {
    const found = await real.lstat(path).catch((error: unknown) => error);
    if (path === meanwhile.target) meanwhile.appear();
    if (found instanceof Error) throw found;
    return found;
  };
  return { ...real, lstat };
});

function make() {
  writeFileSync(at('file'), 'mine');
  symlinkSync('nowhere', at('link'));
  mkdirSync(at('folder'));
  writeFileSync(at('folder/a'), 'mine');
}

it.runIf(process.platform !== 'win32')('moves files, links and folders to a free name', async () => {
  make();
  for (const name of ['file', 'link', 'folder']) await moveNew(at(name), at(`${name} 2`), name);
  expect(readdirSync(folder).sort()).toEqual(['file 2', 'folder 2', 'link 2']);
  expect(readlinkSync(at('link 2'))).toBe('nowhere');
  await expect(moveNew(at('file 2'), at('link 2'), 'link 2')).rejects.toMatchObject({ code: 'EEXIST' });
});

it.runIf(process.platform !== 'win32').each(['file', 'link', 'folder'])(
  'replaces nothing with a %s that appears at the new name meanwhile',
  async (name) => {
    make();
    meanwhile.target = at('to');
    meanwhile.appear = () => writeFileSync(at('to'), 'theirs');
    await expect(moveNew(at(name), at('to'), 'to')).rejects.toThrow();
    expect(readFileSync(at('to'), 'utf8')).toBe('theirs');
    expect(existsSync(at('folder/a'))).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['file', 'folder', 'link', 'to']);
  },
);
