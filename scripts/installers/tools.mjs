// The tools in packaging/, which have a lock file of their own: neither the app nor its tests need their 300 packages.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { log } from '../log.mjs';
import { root, run } from '../process.mjs';
import { alone } from '../runtime/cache.mjs';

const folder = join(root, 'packaging');
const lock = join(folder, 'package-lock.json');
const installed = join(folder, 'node_modules', '.installed-lock');

function isCurrent() {
  return existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8');
}

/** Installs the packaging tools if they are missing or old. Throws if npm cannot. @returns {Promise<NodeJS.Require>} */
export async function packagingTools() {
  if (!isCurrent())
    await alone('packaging-tools', async () => {
      if (isCurrent()) return;
      log('dist', 'installing the packaging tools (once)');
      const ran = await run('npm', ['ci'], { cwd: folder });
      if (ran.code !== 0)
        throw new Error(`npm could not install the packaging tools in packaging/:\n${ran.output}`);
      copyFileSync(lock, installed);
    });
  return createRequire(join(folder, 'package.json'));
}
