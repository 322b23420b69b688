// npm run package: the app as people install it, in release/.
import { join } from 'node:path';
import { ensureBuilt } from './build/app.mjs';
import { log } from './log.mjs';
import { PACKAGE_NAME, packageApp, sizeOf } from './package/app.mjs';
import { root } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { prepareMachine } from './runtime/prepare.mjs';

await exitWith(async () => {
  const { electron, env } = await prepareMachine();
  if (!(await ensureBuilt())) return 1;
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
    `${PACKAGE_NAME} in ${((Date.now() - started) / 1000).toFixed(1)} s: ${megabytes(whole)}, ` +
      `${megabytes(whole - sizeOf(electron.dist))} of it ours: ${made}`,
  );
  return 0;
});
