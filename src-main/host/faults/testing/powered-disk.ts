import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PoweredDisk } from '../../../harness/sandbox/rehearsal/testing/killed';
import { folderForTest } from '../../../harness/sandbox/testing/bubblewrap';

/** Bytes. */
const SIZE = 48 * 1024 * 1024;

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });

/**
 * A file with an ext4 file system, mounted through a loop device. When its power is cut, a copy of the file takes its place:
 * the kernel had written to it exactly what a disk would have received. `place`: for the files.
 */
export function poweredDisk(place: string): PoweredDisk {
  const [folder, at] = [mkdtempSync(join(place, 'disk-')), folderForTest()];
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  try {
    writeFileSync(first, '');
    truncateSync(first, SIZE);
    run('mkfs.ext4', '-q', first);
    run('mount', '-o', 'loop', first, at);
  } catch (error) {
    for (const path of [at, folder]) rmSync(path, { recursive: true });
    throw error;
  }
  return {
    place: at,
    flush: () => void run('sync', '-f', at),
    cutPower: () => {
      copyFileSync(first, second);
      run('umount', '--lazy', at);
      run('mount', '-o', 'loop', second, at);
    },
    remove: () => {
      run('umount', '--lazy', at);
      for (const path of [at, folder]) rmSync(path, { recursive: true });
    },
  };
}

/** Why this machine cannot have such a disk; null if it can, found by trying. */
export function whyNoDisk(place: string): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'Only root may mount a disk of its own.';
  try {
    poweredDisk(place).remove();
    return null;
  } catch {
    return 'This system mounts no file as a disk.';
  }
}
