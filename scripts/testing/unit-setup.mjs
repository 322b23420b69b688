// Vitest runs this once before the unit tests.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareNode } from '../runtime/prepare.mjs';

/**
 * Storage tests open real databases, for which this Node may need a build. And all tests get a home folder of their own:
 * a shell that a test starts would otherwise read the start files of whoever runs the tests, which may wait for a lock.
 */
export default async function setup() {
  Object.assign(process.env, await prepareNode());
  const home = await mkdtemp(join(tmpdir(), 'deepdesk-test-home-'));
  for (const name of Object.keys(process.env))
    if (/^(XDG_\w+_HOME|ZDOTDIR|BASH_ENV|ENV)$/.test(name)) delete process.env[name];
  Object.assign(process.env, { HOME: home, USERPROFILE: home });
  return () => rm(home, { recursive: true, force: true, maxRetries: 3 });
}
