import { lstatSync } from 'node:fs';
import { systemPath } from '../../../../base/path-names';
import type { ScanOutput } from './job';

/** Numbers per entry in a block: its kind, its size in bytes, and its change time (milliseconds). */
export const NUMBERS = 3;
/** The kind of an entry. Gone: deleted since its folder was read. */
export const ENTRY = { gone: 0, file: 1, folder: 2 } as const;

/** Entries per block: about 5 ms. */
const BLOCK_SIZE = 500;

/**
 * Stats names of a folder one after another, synchronously: for a worker. It takes half the time of asking from the main
 * thread, which mostly goes into switching threads. Writes 64-bit numbers. Throws system errors.
 */
export function writeStats(folder: string, names: readonly string[], output: ScanOutput): void {
  for (let from = 0; from < names.length && !output.stopped(); from += BLOCK_SIZE) {
    const some = names.slice(from, from + BLOCK_SIZE);
    const numbers = new Float64Array(some.length * NUMBERS);
    for (const [n, name] of some.entries()) {
      const stat = lstatSync(systemPath(`${folder}/${name}`), { throwIfNoEntry: false });
      // Zeros mean that the entry is gone.
      if (stat === undefined) continue;
      const isFolder = stat.isDirectory();
      numbers[n * NUMBERS] = isFolder ? ENTRY.folder : ENTRY.file;
      numbers[n * NUMBERS + 1] = isFolder ? 0 : stat.size;
      numbers[n * NUMBERS + 2] = stat.mtime.getTime();
    }
    if (!output.write(new Uint8Array(numbers.buffer))) return;
  }
}
