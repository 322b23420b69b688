// npm run screenshots [-- options of playwright test]: runs the journeys and saves their screenshots in gallery/, which is
// not in git. Updates those shown in the documents in docs/images, compressed with pngquant if the system has it.
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { log } from './log.mjs';
import { root, run, runBin } from './process.mjs';
import { isOnPath } from './runtime/system-packages.mjs';

const began = Date.now();
const ran = await runBin(['@playwright/test', 'playwright'], ['test', ...process.argv.slice(2)], {
  show: true,
  env: { ...process.env, DEEPDESK_SCREENSHOTS: '1' },
});
process.exitCode = ran.code;

const gallery = join(root, 'gallery');
const shown = join(root, 'docs', 'images');
for (const name of readdirSync(shown)) {
  const taken = join(gallery, name);
  if (!existsSync(taken) || statSync(taken).mtimeMs < began) continue;
  const target = join(shown, name);
  copyFileSync(taken, target);
  if (!isOnPath('pngquant')) {
    log('screenshots', `${name} is kept as large as it is: pngquant is not installed`);
    continue;
  }
  const made = await run('pngquant', ['--force', '--ext', '.png', '--quality', '80-98', '--strip', target]);
  if (made.code !== 0) log('screenshots', `pngquant left ${name} as it was: ${made.output.trim()}`);
}
