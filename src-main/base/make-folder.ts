import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's own recursive `mkdir` never returns where the file system has an existing
 * folder but answers "no such file" to a new one in it, as `/proc` does.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  for (const folder of await missing(resolve(path)))
    await mkdir(folder, { mode }).catch(async (error: unknown) => {
      if (!(await isFolder(folder))) throw error;
    });
}

/** The same before anything else runs, where nothing can wait. */
export function makeFolderSync(path: string, mode = 0o777): void {
  for (const folder of missingSync(resolve(path))) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    }
  }
}

/** The folder and its parents that are missing, the outermost first. The first one may be a file, which `mkdir` reports. */
async function missing(path: string): Promise<string[]> {
  if (path === dirname(path) || (await isFolder(path))) return [];
  return [...(await missing(dirname(path))), path];
}

function missingSync(path: string): string[] {
  if (path === dirname(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return [];
  return [...missingSync(dirname(path)), path];
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
