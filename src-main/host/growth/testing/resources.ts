import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What this process holds at a moment. */
export interface Held {
  /** Bytes of objects that are in use. */
  heap: number;
  descriptors: number;
  /** Directories that the kernel watches for it. */
  watches: number;
  /** Timers that are waiting. */
  timers: number;
  /** Child processes. */
  processes: number;
}

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

/** Counts after a garbage collection (Linux only). */
export async function held(): Promise<Held> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const names = readdirSync('/proc/self/fd');
  return {
    heap: process.memoryUsage().heapUsed,
    // Without the one that lists them, which is gone.
    descriptors: names.filter((name) => targetOf(name) !== null).length,
    watches: names.reduce((sum, name) => sum + watchesOf(name), 0),
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    processes: readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
      .length,
  };
}

function targetOf(name: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${name}`);
  } catch {
    return null;
  }
}

function watchesOf(name: string): number {
  if (targetOf(name) !== 'anon_inode:inotify') return 0;
  return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('inotify ')).length;
}
