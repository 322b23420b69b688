import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { removeTestFolder } from '../../testing/bubblewrap';
import { folderIn } from './options';
import { makeBase, writeIn } from './place';

/** The place of the test that runs, and its folder. */
export let base = '';
export let folder = '';

/** Files in a folder, two folders deep. */
export const FILES = { 'src/a.txt': 'a\n', 'src/b.txt': 'b\n', 'c.txt': 'c\n', 'deep/er/d.txt': 'd\n' };

/** Gives each test of a file a place of its own, with these files in its folder. */
export function eachTestHas(files: Record<string, string>): void {
  beforeEach(() => {
    base = makeBase();
    folder = folderIn(base);
    writeIn(folder, files);
  });
  afterEach(() => removeTestFolder(base));
}

export const read = (path: string) => readFileSync(join(folder, path), 'utf8');
export const mode = (path: string) => lstatSync(join(folder, path)).mode & 0o7777;
export const layers = () => join(base, 'data/layers');
