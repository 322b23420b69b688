import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkDataFolders } from './data-folders';

const newFolder = () => mkdtempSync(join(tmpdir(), 'data-'));

it('accepts a data folder that is new, missing, or whose folders are elsewhere', async () => {
  const [dataDir, elsewhere] = [newFolder(), newFolder()];
  mkdirSync(join(dataDir, 'media'));
  symlinkSync(elsewhere, join(dataDir, 'attachments'));
  for (const folder of [newFolder(), join(dataDir, 'missing'), dataDir])
    expect(await checkDataFolders(folder)).toMatchObject({ ok: true });
  expect(readdirSync(elsewhere)).toEqual([]);
});

it.each(['agents', 'attachments', 'command-output', 'skills'])(
  'names a file in the place of %s',
  async (name) => {
    const path = join(newFolder(), name);
    writeFileSync(path, 'x');
    expect(await checkDataFolders(join(path, '..'))).toMatchObject({
      error: { kind: 'storage', code: 'data_folder_blocked', values: { path } },
    });
  },
);
