import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder, makeFolderSync } from './make-folder';

const root = mkdtempSync(join(tmpdir(), 'make-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

const ways: [string, (path: string, mode?: number) => Promise<void>][] = [
  ['makeFolder', makeFolder],
  ['makeFolderSync', async (path, mode) => makeFolderSync(path, mode)],
];

for (const [name, make] of ways) {
  it(`${name} creates all missing parents with the mode, and accepts an existing folder`, async () => {
    const path = join(root, name, 'a', 'b');
    await make(path, 0o700);
    await make(path, 0o700);
    expect(statSync(path).isDirectory()).toBe(true);
    if (process.platform !== 'win32') expect(statSync(join(root, name, 'a')).mode & 0o777).toBe(0o700);
  });

  it(`${name} works while others create the same folders`, async () => {
    const path = join(root, `${name}-at-once`, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => make(path)));
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it(`${name} throws if a file is in the way`, async () => {
    const file = join(root, `${name}-file`);
    writeFileSync(file, '');
    await expect(make(file)).rejects.toThrow('EEXIST');
    await expect(make(join(file, 'a'))).rejects.toThrow(/ENOTDIR|EEXIST/);
  });

  it.skipIf(!existsSync('/proc/self'))(`${name} throws where a file system takes no folders`, async () => {
    await expect(make('/proc/deepdesk/data')).rejects.toThrow('ENOENT');
  });
}
