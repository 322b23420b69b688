// npm run screenshots [-- --readme | --docs | options of playwright test]: runs the journeys and saves their screenshots in
// gallery/, which is not in git. Renews those shown in the documents in docs/images. `--docs` runs only the journeys that take
// these, and `--readme` only the one whose frames become the animation at the top of the README.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { log } from './log.mjs';
import { animation } from './pictures/animation.mjs';
import { compact } from './pictures/png.mjs';
import { root, runBin } from './process.mjs';

const README = 'turn.png';
const README_JOURNEY = 'e2e/readme-animation.spec.ts';
const gallery = join(root, 'gallery');
const frames = join(gallery, 'turn');
const shown = join(root, 'docs', 'images');

const words = process.argv.slice(2);
const names = readdirSync(shown).filter((name) => name.endsWith('.png'));

/** The journeys that take a picture which a document shows. */
function journeysOfDocs() {
  const taken = new Set(names.map((name) => `shot('${name.replace(/\.png$/, '')}')`));
  return readdirSync(join(root, 'e2e'))
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `e2e/${name}`)
    .filter((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return [...taken].some((call) => text.includes(call));
    });
}

/** Joins the frames, whose names are their order and the milliseconds that each is shown: `03-1500.png`. */
function joinFrames() {
  if (!existsSync(frames)) return;
  const taken = readdirSync(frames)
    .filter((name) => /^\d+-\d+\.png$/.test(name))
    .sort()
    .map((name) => ({
      screenshot: readFileSync(join(frames, name)),
      milliseconds: Number(/-(\d+)/.exec(name)?.[1]),
    }));
  if (taken.length === 0) return;
  const made = animation(taken);
  writeFileSync(join(shown, README), made);
  log('screenshots', `${README}: ${taken.length} frames, ${Math.round(made.length / 1_000)} kB`);
}

const journeys = words.includes('--readme')
  ? [README_JOURNEY]
  : words.includes('--docs')
    ? journeysOfDocs()
    : [];
const began = Date.now();
rmSync(frames, { recursive: true, force: true });
const options = words.filter((word) => word !== '--readme' && word !== '--docs');
const ran = await runBin(['@playwright/test', 'playwright'], ['test', ...journeys, ...options], {
  show: true,
  env: { ...process.env, DEEPDESK_SCREENSHOTS: '1' },
});
process.exitCode = ran.code;
joinFrames();
for (const name of names) {
  const taken = join(gallery, name);
  if (!existsSync(taken) || statSync(taken).mtimeMs < began) continue;
  writeFileSync(join(shown, name), compact(readFileSync(taken)));
}
