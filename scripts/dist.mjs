// npm run dist [-- FORMAT ...] [--release]: installable packages with their checksums, in dist/packages. With --release it
// refuses whatever may not be handed out.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ensureBuilt } from './build/app.mjs';
import { writeChecksums } from './installers/checksums.mjs';
import { FORMATS, makePackage, needsFor } from './installers/linux.mjs';
import { whyNoRelease } from './installers/release.mjs';
import { log } from './log.mjs';
import { packageApp } from './package/app.mjs';
import { root } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { prepareMachine } from './runtime/prepare.mjs';
import { meetIfPossible } from './runtime/system-packages.mjs';

const words = process.argv.slice(2);
const isRelease = words.includes('--release');
const named = words.filter((word) => !word.startsWith('--'));
const unknown = [
  ...named.filter((word) => !FORMATS.includes(word)),
  ...words.filter((word) => word.startsWith('--') && word !== '--release'),
];
if (unknown.length > 0) {
  console.error(`dist: unknown: ${unknown.join(', ')}; there are ${FORMATS.join(', ')} and --release`);
  process.exit(2);
}
const formats = named.length > 0 ? named : FORMATS;

await exitWith(async () => {
  const { electron, env } = await prepareMachine();
  const reasons = await whyNoRelease(electron.version);
  if (isRelease && reasons.length > 0) {
    log('dist', `this is no release:\n${reasons.map((reason) => `  - ${reason}`).join('\n')}`);
    return 1;
  }
  if (reasons.length > 0) log('dist', `for trying, not for handing out: ${reasons.join('; ')}`);
  if (!(await ensureBuilt())) return 1;
  const app = await packageApp({
    dist: electron.dist,
    binding: env.DEEPDESK_SQLITE_BINDING,
    into: join(root, 'release'),
  });
  const into = join(root, 'dist', 'packages');
  rmSync(into, { recursive: true, force: true });
  for (const format of formats) {
    await meetIfPossible(needsFor(format));
    const missing = needsFor(format);
    if (missing.length > 0) {
      log(
        'dist',
        `${format}: skipped, because this system lacks ${missing.map((need) => need.what).join(', ')}`,
      );
      if (isRelease) return 1;
      continue;
    }
    const started = Date.now();
    const file = await makePackage(format, { app, electron: electron.version, into });
    const megabytes = (statSync(file).size / 1_000_000).toFixed(1);
    log('dist', `${basename(file)}: ${megabytes} MB in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
  if (readdirSync(into).length === 0) return 1;
  log('dist', `checksums: ${await writeChecksums(into)}`);
  return 0;
});
