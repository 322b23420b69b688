import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Disk, Spelling } from './system';

/** A disk with these paths. `folds`: names that differ only in case or accent composition are the same. */
function diskWith(paths: readonly string[], folds: boolean): Disk {
  const key = (path: string) => (folds ? path.normalize('NFC').toLowerCase() : path);
  const all = new Map(paths.map((path) => [key(`/r/${path}`), `/r/${path}`]));
  return {
    identityOf: (path) => all.get(key(path)) ?? null,
    namesIn: (folder) =>
      [...all.values()]
        .filter((path) => key(path.slice(0, path.lastIndexOf('/'))) === key(folder))
        .map((path) => path.slice(path.lastIndexOf('/') + 1)),
  };
}

const spelledOnDisk = (root: string, path: string, disk?: Disk) => new Spelling(root, disk).of(path);

describe('the spelling of a path on the disk [safety 31]', () => {
  const paths = ['README', 'Src', 'Src/caf\u00e9.ts', '1.2'];
  it.each([
    ['README', 'README'],
    ['readme', 'README'],
    ['ReadMe', 'README'],
    ['src/CAFE\u0301.ts', 'Src/caf\u00e9.ts'],
    ['src/new.ts', 'Src/new.ts'],
    ['1.2', '1.2'],
    ['gone/x', 'gone/x'],
  ])('%j is %j on disks that ignore case and composition', (path, spelled) => {
    expect(spelledOnDisk('/r', path, diskWith(paths, true))).toBe(spelled);
    expect(spelledOnDisk('/r', path, diskWith(paths, false))).toBe(path);
  });

  it('is the requested one when a file has two names', () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-spelled-')));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/b'), '');
    expect(spelledOnDisk(root, 'd/b')).toBe('d/b');
    try {
      linkSync(join(root, 'd/b'), join(root, 'd/B'));
    } catch {
      // On a case-insensitive disk they are one entry.
      return;
    }
    expect([spelledOnDisk(root, 'd/b'), spelledOnDisk(root, 'd/B')]).toEqual(['d/b', 'd/B']);
  });
});
