import { join } from 'node:path';
import { bundleWriter } from '../../../storage/testing/killed';
import { bundleHost } from '../../testing/bundle-host';
import { killedApprovals } from './approvals';
import { jumpingClock } from './clock';
import { killedEdits } from './edits';
import { lockedDatabase } from './locked';
import { killedMemories } from './memories';
import { killedMigrations } from './migrations';
import { lostPower } from './power';
import { poweredDisk } from './powered-disk';
import { compilePreload } from './preload';
import { killedRuns } from './runs';
import { sleepingComputer } from './sleep';
import type { FaultOptions, Tally } from './tally';
import { killedUpdates } from './updates';

/** The programs that the faults kill, in a folder that finds the native packages. */
export async function bundleFaults(outDir: string): Promise<void> {
  await bundleHost(outDir, {
    edits: join(import.meta.dirname, 'child.ts'),
    updating: join(import.meta.dirname, '../../../updates/testing/child.ts'),
  });
  await bundleWriter(join(outDir, 'storage'));
}

type Provoke = (options: FaultOptions) => Promise<Tally>;

const withWriter =
  (provoke: Provoke): Provoke =>
  (options) =>
    provoke({ ...options, bundle: join(options.bundle, 'storage') });

/** By the names that `npm run test:faults -- --row` takes. */
export const FAULTS: Record<string, Provoke> = {
  runs: killedRuns,
  approvals: killedApprovals,
  keeps: async (options) => {
    // It tries the sandbox as soon as it is imported.
    const { killedKeeps } = await import('./keeps');
    return killedKeeps(options);
  },
  'power-keeps': async (options) => {
    const { killedKeeps } = await import('./keeps');
    return killedKeeps(options, () => poweredDisk(options.place));
  },
  memories: withWriter(killedMemories),
  edits: killedEdits,
  migrations: withWriter(killedMigrations),
  updates: killedUpdates,
  power: (options) => lostPower(libraryIn(options, 'unsynced'), options),
  locked: lockedDatabase,
  clock: (options) => jumpingClock(libraryIn(options, 'clock'), options),
  sleep: (options) => sleepingComputer(libraryIn(options, 'clock'), options),
};

function libraryIn({ place }: FaultOptions, name: 'clock' | 'unsynced'): string {
  const compiled = compilePreload(name, join(place, 'library'));
  if ('whyNot' in compiled) throw new Error(compiled.whyNot);
  return compiled.library;
}
