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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LargeFolders } from './large-folders';
import { listDirectory } from './listing';
import { inOrder } from './listing-order';

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
  it('has directories first and sorts numbers naturally', async () => {
    touch('file10', 'file2', 'B', 'a');
    mkdirSync(join(folder, 'z'));
    expect(await names()).toEqual(['z', 'a', 'B', 'file2', 'file10']);
  });

  it.skipIf(process.platform !== 'linux')(
    'names entries that are not UTF-8 and lists below them [safety 31]',
    async () => {
      const bytes = (name: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
      mkdirSync(bytes('d\xe4'));
      for (const name of ['b\xff', 'd\xe4/\xfe', 'b\\xff', 'a\\b']) writeFileSync(bytes(name), 'text');
      expect(await names()).toEqual(['d\\xe4', 'a\\b', 'b\\x5cxff', 'b\\xff']);
      const below = await listDirectory(folder, join(folder, 'd\\xe4'));
      expect(below).toMatchObject({
        ok: true,
        value: { entries: [{ path: `${folder}/d\\xe4/\\xfe`, name: '\\xfe', kind: 'file', size: 4 }] },
      });
      const large = await new LargeFolders().page(folder, folder, 0, 10);
      expect(large.ok && large.value.entries.map(({ name, size }) => [name, size])).toEqual([
        ['d\\xe4', undefined],
        ['a\\b', 4],
        ['b\\x5cxff', 4],
        ['b\\xff', 4],
      ]);
    },
  );

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

  it('accepts names that only look like an escape from the folder', async () => {
    mkdirSync(join(folder, '..a'));
    writeFileSync(join(folder, '..a', 'x'), '');
    expect(await names(join(folder, '..a'))).toEqual(['x']);
  });

  it('rejects anything outside the folder', async () => {
    expect(await names(join(folder, '..'))).toBe('denied');
    expect(await names(`${folder}-secrets`)).toBe('denied');
    symlinkSync('/etc', join(folder, 'link'));
    expect(await names(join(folder, 'link'))).toBe('denied');
    symlinkSync('.', join(folder, 'self'));
    expect(await names(join(folder, 'self'))).toBe('denied');
  });

  it('reports what is missing', async () => {
    touch('file');
    expect(await names(join(folder, 'gone'))).toBe('not_found');
    expect(await names(join(folder, 'file'))).toBe('invalid');
    rmSync(folder, { recursive: true });
    expect(await names()).toBe('folder_gone');
  });
});

describe('a listing of many entries', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => `f${n}`).toSorted((a, b) => (a < b ? -1 : 1));

  it('has the same order and pages for every reader', async () => {
    touch(...many(1_200));
    mkdirSync(join(folder, 'z'));
    symlinkSync('/etc', join(folder, 'link'));
    const all = await names();
    expect([all[0], all[1], all[11], all.at(-1)]).toEqual(['z', 'f0', 'f10', 'link']);
    const page = await listDirectory(folder, folder, { offset: 1, limit: 2 });
    expect(page).toMatchObject({
      value: {
        entries: [
          { path: join(folder, 'f0'), name: 'f0', kind: 'file', size: 4 },
          { name: 'f1', kind: 'file' },
        ],
        total: 1_202,
        nextOffset: 3,
      },
    });
  });

  it('keeps the names for further pages until the directory changes', async () => {
    touch(...many(1_200));
    const large = new LargeFolders();
    const page = async (begin: number) => {
      const read = await large.page(folder, '/shown', begin, begin + 1);
      return read.ok && [read.value.entries[0]?.path, read.value.total];
    };
    expect(await page(0)).toEqual(['/shown/f0', 1_200]);
    touch('f0a');
    const before = lstatSync(folder, { bigint: true }).mtimeNs;
    utimesSync(folder, Number(before) / 1e9 + 1, Number(before) / 1e9 + 1);
    expect(await page(1)).toEqual(['/shown/f0a', 1_201]);
    rmSync(folder, { recursive: true });
    expect(await large.page(folder, '/shown', 1, 2)).toMatchObject({
      ok: false,
      error: { kind: 'not_found' },
    });
  });

  it('sorts more than ten thousand entries by code unit and knows the kind of each', () => {
    const given = [
      ...many(10_001).map((name) => ({ name, kind: 'file' as const })),
      { name: 'B', kind: 'link' as const },
      { name: 'z', kind: 'directory' as const },
    ];
    const order = inOrder(given.toReversed());
    expect(order.slice(0, 4)).toEqual([
      { name: 'z', kind: 'directory' },
      { name: 'B', kind: 'link' },
      { name: 'f0', kind: 'file' },
      { name: 'f1', kind: 'file' },
    ]);
    expect(order[4]?.name).toBe('f10');
  });
});
