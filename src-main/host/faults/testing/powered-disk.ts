import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PoweredDisk } from '../../../harness/sandbox/rehearsal/testing/killed';
import { folderForTest } from '../../../harness/sandbox/testing/bubblewrap';

/** Bytes. */
const SIZE = 48 * 1024 * 1024;

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });

/**
 * A file with an ext4 file system, mounted through a loop device. When its power is cut, a copy of the file takes its place:
 * the kernel had written to it exactly what a disk would have received. `place`: for the files.
 */
export function poweredDisk(place: string): PoweredDisk {
  const [folder, at] = [mkdtempSync(join(place, 'disk-')), folderForTest()];
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  let device = '';
  const remove = () => {
    if (device !== '') run('losetup', '--detach', device);
    for (const path of [at, folder]) rmSync(path, { recursive: true });
  };
  try {
    writeFileSync(first, '');
    truncateSync(first, SIZE);
    run('mkfs.ext4', '-q', first);
    device = run('losetup', '--find', '--show', first).trim();
    run('mount', device, at);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    place: at,
    flush: () => void run('sync', '-f', at),
    cutPower: () => {
      copyFileSync(first, second);
      // The number of the first is taken as long as it is attached.
      const other = run('losetup', '--find', '--show', second).trim();
      run('umount', at);
      run('losetup', '--detach', device);
      device = other;
      run('mount', device, at);
    },
    remove: () => {
      run('umount', at);
      remove();
    },
  };
}

/** Why this machine cannot have such a disk; null if it can, found by trying. */
export function whyNoDisk(place: string): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'Only root may mount a disk of its own.';
  try {
    const disk = poweredDisk(place);
    try {
      disk.cutPower();
    } finally {
      disk.remove();
    }
    return null;
  } catch {
    return 'This system mounts no file as a disk.';
  }
}
