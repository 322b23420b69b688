// npm run package: the app as people install it, in release/.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { ensureBuilt } from './build/app.mjs';
import { log } from './log.mjs';
import { PACKAGE_NAME, packageApp, sizeOf } from './package/app.mjs';
import { root } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { prepareMachine } from './runtime/prepare.mjs';

readArguments({ options: {} }, 'npm run package');

await exitWith(async () => {
  const { electron, env } = await prepareMachine();
  if (!(await ensureBuilt())) return 1;
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (electron.version !== devDependencies.electron) {
    log(
      'package',
      `this Electron is not ${devDependencies.electron}: the package is for testing only, do not publish it`,
    );
  }
  const started = Date.now();
  const made = await packageApp({
    dist: electron.dist,
    binding: env.DEEPDESK_SQLITE_BINDING,
    into: join(root, 'release'),
  });
  const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  const whole = sizeOf(made);
  log(
    'package',
    `${PACKAGE_NAME} in ${((Date.now() - started) / 1000).toFixed(1)} s: ${megabytes(whole)} ` +
      `(Electron as npm brings it: ${megabytes(sizeOf(electron.dist))}): ${made}`,
  );
  return 0;
});
