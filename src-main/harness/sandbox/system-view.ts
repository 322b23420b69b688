import { lstat, readlink, realpath } from 'node:fs/promises';
import { SHOWN_OF_SYS, SYSTEM_FOLDERS } from '../../base/system-places';
import type { SandboxAccess } from '../backends/commands';
import { type EtcOptions, etcView } from './etc-view';
import { recently } from './recent';
import { leadsToShown, type Shown } from './shown';

/** Milliseconds. Nix profiles, drivers and the like change while the app runs, but rarely. */
const KEEP_FOR = 10_000;

/** What each command sees of this machine; a read-only one sees a copy of `/etc`. */
export const systemView = async (access: SandboxAccess, etc: EtcOptions): Promise<Shown[]> =>
  access === 'read-write' ? systemPaths(access) : [...(await systemPaths(access)), ...(await etcView(etc))];

const systemPaths = recently(KEEP_FOR, async (access): Promise<Shown[]> => {
  const paths =
    access === 'read-write' ? [...SYSTEM_FOLDERS, '/etc', '/sys'] : [...SYSTEM_FOLDERS, ...SHOWN_OF_SYS];
  const shown = await Promise.all(paths.map(shownAt));
  return shown.filter((one) => one !== null);
});

/** Null if there is nothing that a command could read. */
async function shownAt(path: string): Promise<Shown | null> {
  try {
    const stats = await lstat(path);
    if (!stats.isSymbolicLink()) return { path };
    const link = await readlink(path);
    // A link with the same target in the sandbox is recreated; any other shows its target's content here.
    const real = await realpath(path);
    return leadsToShown(real, path) ? { path, link } : { path };
  } catch {
    // Missing, or a dangling link.
    return null;
  }
}
