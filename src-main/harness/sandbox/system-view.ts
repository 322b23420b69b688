import { lstat, readlink, realpath } from 'node:fs/promises';
import type { SandboxAccess } from '../backends/protocol';
import { type EtcOptions, etcView } from './etc-view';
import { recently } from './recent';
import { leadsToShown, type Shown, SYSTEM } from './shown';

/** Of `/sys`: how many processors there are, and how much memory a container may use. */
const OF_SYS = ['/sys/devices/system/cpu', '/sys/devices/system/node', '/sys/fs/cgroup'];

/** Milliseconds. Profiles of Nix, drivers and the like come and go while the app runs, but seldom. */
const KEEP_FOR = 10_000;

/** What each command finds of this machine; of `/etc` a copy where it only reads. */
export const systemView = async (access: SandboxAccess, etc: EtcOptions): Promise<Shown[]> =>
  access === 'read-write' ? systemPaths(access) : [...(await systemPaths(access)), await etcView(etc)];

const systemPaths = recently(KEEP_FOR, async (access): Promise<Shown[]> => {
  const paths = access === 'read-write' ? [...SYSTEM, '/etc', '/sys'] : [...SYSTEM, ...OF_SYS];
  const shown = await Promise.all(paths.map(shownAt));
  return shown.filter((one) => one !== null);
});

/** Null where there is nothing that a command could read. */
async function shownAt(path: string): Promise<Shown | null> {
  try {
    const stats = await lstat(path);
    if (!stats.isSymbolicLink()) return { path };
    const link = await readlink(path);
    // A link to the same place as it is in the sandbox is made again; one that leads elsewhere shows its target here.
    const real = await realpath(path);
    return leadsToShown(real, path) ? { path, link } : { path };
  } catch {
    // Not there, or a link to nowhere.
    return null;
  }
}
