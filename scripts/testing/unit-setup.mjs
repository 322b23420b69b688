// Vitest runs this before the unit tests.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../runtime/cache.mjs';
import { prepareNode } from '../runtime/prepare.mjs';
import { MEMORY_DISK } from './memory-disk.mjs';
import { makeTemporaryFolder, runFolder } from './temporary.mjs';

const SET_UP = 'DEEPDESK_UNIT_SETUP';

/**
 * Storage tests open real databases, for which this Node may need a build. All tests get a separate home folder and
 * temporary folder. Otherwise a shell in a test would read the startup files of whoever runs the tests, which may wait for a
 * lock, and a failing test would leave its folders behind.
 */
export default async function setup() {
  // Vitest calls this for each project, in one process.
  if (process.env[SET_UP]) return;
  process.env[SET_UP] = '1';
  Object.assign(process.env, await prepareNode(), { DEEPDESK_CACHE: cacheFolder() });
  // Not below /tmp: a sandbox has its own /tmp, where a folder of the person is the exception.
  const { folder, remove } = runFolder('deepdesk-unit-', cacheFolder());
  const home = join(folder, 'home');
  mkdirSync(home);
  const onDisk = join(folder, 'tmp');
  makeTemporaryFolder(onDisk);
  // each-file.ts chooses between the two.
  const inMemory = process.env[MEMORY_DISK] ?? onDisk;
  Object.assign(process.env, { DEEPDESK_UNIT_DISK: onDisk, [MEMORY_DISK]: inMemory });
  for (const name of Object.keys(process.env))
    if (/^(XDG_\w+_HOME|ZDOTDIR|BASH_ENV|ENV)$/.test(name)) delete process.env[name];
  // AWS warns about Node.js versions that it will drop, which is irrelevant to the tests.
  Object.assign(process.env, {
    HOME: home,
    USERPROFILE: home,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  });
  return remove;
}
