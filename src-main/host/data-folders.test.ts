import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkDataFolders, DATA_FOLDERS } from './data-folders';

const newFolder = () => mkdtempSync(join(tmpdir(), 'data-'));

it('accepts a data folder that is new, missing, or whose folders are elsewhere', async () => {
  const [dataDir, elsewhere] = [newFolder(), newFolder()];
  mkdirSync(join(dataDir, 'media'));
  symlinkSync(elsewhere, join(dataDir, 'attachments'));
  for (const folder of [newFolder(), join(dataDir, 'missing'), dataDir])
    expect(await checkDataFolders(folder)).toMatchObject({ ok: true });
  expect(readdirSync(elsewhere)).toEqual([]);
});

it.each(DATA_FOLDERS)('names a file in the place of %s', async (name) => {
  const path = join(newFolder(), name);
  writeFileSync(path, 'x');
  expect(await checkDataFolders(join(path, '..'))).toMatchObject({
    error: { kind: 'storage', code: 'data_folder_blocked', values: { path } },
  });
});

it('knows every folder that the source names in the data folder', () => {
  const root = join(import.meta.dirname, '..');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('testing'),
  );
  const named = sources.flatMap((path) =>
    // A name with a dot is a file.
    [
      ...readFileSync(join(root, path), 'utf8').matchAll(
        /join\([\w.]*\b(?:dataDir|dataFolder)(?:\(\))?, '([\w-]+)'/g,
      ),
    ].map(([, name]) => name),
  );
  const files = ['known_hosts'];
  expect([...new Set(named)].filter((name) => !files.includes(name ?? '')).sort()).toEqual([...DATA_FOLDERS]);
});
