import { basename, dirname, join } from 'node:path';
import type { SandboxFound } from '../../detect';
import type { RehearseOptions } from '../layer/shapes';
import { inShell } from '../run/run';

/** Includes the program that runs the tests. */
const PATH = `/usr/local/bin:/usr/bin:/bin:${dirname(process.execPath)}`;

/** The bubblewrap options for the tests and their child. */
export const bubblewrapAt = (program: string): Extract<SandboxFound, { kind: 'bubblewrap' }> => ({
  kind: 'bubblewrap',
  program,
  bridge: null,
});

/** A place for tests: `home/pro:ject,1` is the folder and `data` the app's. */
export const folderIn = (base: string): string => join(base, 'home/pro:ject,1');

export function optionsFor(
  base: string,
  found: RehearseOptions['sandbox']['found'],
  folder = folderIn(base),
): Omit<RehearseOptions, 'layer' | 'run'> {
  return {
    sandbox: {
      found,
      folder,
      home: join(base, 'home'),
      own: [join(base, 'data')],
      temporary: join(base, 'data/tmp/thread'),
      isSecret: (path) => basename(path) === '.env',
      hosts: () => ({ allow: [], deny: [] }),
      env: { PATH },
    },
    layersFolder: join(base, 'data/layers'),
  };
}

export const shell = (base: string, command: string, folder = folderIn(base)): RehearseOptions['run'] =>
  inShell({ command, cwd: folder, environment: { PATH, HOME: join(base, 'home'), LC_ALL: 'C.UTF-8' } });
