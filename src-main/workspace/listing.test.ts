import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listDirectory } from './listing';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'listing-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const touch = (...names: string[]) => {
  for (const name of names) writeFileSync(join(folder, name), 'text');
};

async function names(path = folder, options = {}) {
  const page = await listDirectory(folder, path, options);
  return page.ok ? page.value.entries.map(({ name }) => name) : page.error.kind;
}

describe('a listing', () => {
  it('has directories first and counts as people do', async () => {
    touch('file10', 'file2', 'B', 'a');
    mkdirSync(join(folder, 'z'));
    expect(await names()).toEqual(['z', 'a', 'B', 'file2', 'file10']);
  });

  it('describes each entry without following links', async () => {
    touch('file');
    mkdirSync(join(folder, 'dir'));
    symlinkSync('/etc', join(folder, 'link'));
    const path = (name: string) => join(folder, name);
    const times = { size: expect.any(Number), modifiedAt: expect.any(Number) };
    expect(await listDirectory(folder, folder)).toEqual({
      ok: true,
      value: {
        entries: [
          { path: path('dir'), name: 'dir', kind: 'directory' },
          { path: path('file'), name: 'file', kind: 'file', ...times, size: 4 },
          { path: path('link'), name: 'link', kind: 'link', ...times },
        ],
        total: 3,
        nextOffset: null,
      },
    });
  });

  it('comes in pages', async () => {
    touch('a', 'b', 'c');
    expect(await listDirectory(folder, folder, { offset: 1, limit: 1 })).toMatchObject({
      value: { entries: [{ name: 'b' }], total: 3, nextOffset: 2 },
    });
    expect(await names(folder, { offset: 2, limit: 5 })).toEqual(['c']);
  });

  it('takes names that only look like a way out', async () => {
    mkdirSync(join(folder, '..a'));
    writeFileSync(join(folder, '..a', 'x'), '');
    expect(await names(join(folder, '..a'))).toEqual(['x']);
  });

  it('of anything outside the folder is refused', async () => {
    expect(await names(join(folder, '..'))).toBe('denied');
    expect(await names(`${folder}-secrets`)).toBe('denied');
    symlinkSync('/etc', join(folder, 'link'));
    expect(await names(join(folder, 'link'))).toBe('denied');
    symlinkSync('.', join(folder, 'self'));
    expect(await names(join(folder, 'self'))).toBe('denied');
  });

  it('says what is missing', async () => {
    touch('file');
    expect(await names(join(folder, 'gone'))).toBe('not_found');
    expect(await names(join(folder, 'file'))).toBe('invalid');
    rmSync(folder, { recursive: true });
    expect(await names()).toBe('folder_gone');
  });
});
