// npm run screenshots [-- --readme | --docs | options of playwright test]: runs all journeys and saves their screenshots in
// gallery/, which is not in git. Renews those shown in the documents in docs/images. `--docs` runs only the journeys that take
// these, and `--readme` only the one whose frames become the animation at the top of the README.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { log } from './log.mjs';
import { animation } from './pictures/animation.mjs';
import { compact } from './pictures/png.mjs';
import { root, runBin } from './process.mjs';
import { endOnSignals } from './runtime/at-exit.mjs';

endOnSignals();

const README = 'turn.png';
const README_JOURNEY = 'e2e/readme-animation.spec.ts';
const gallery = join(root, 'gallery');
const frames = join(gallery, 'turn');
const shown = join(root, 'docs', 'images');

const words = process.argv.slice(2);
const names = readdirSync(shown).filter((name) => name.endsWith('.png'));

/** The endings of the journeys, those with servers last, and what Playwright needs in order to run them. */
const KINDS = [
  { ending: '.spec.ts', env: {} },
  { ending: '.servers.ts', env: { DEEPDESK_E2E_SERVERS: '1' } },
];

/** The journeys that take a picture which a document shows. @param {string} ending */
function journeysOfDocs(ending) {
  const taken = new Set(names.map((name) => `shot('${name.replace(/\.png$/, '')}')`));
  return readdirSync(join(root, 'e2e'))
    .filter((name) => name.endsWith(ending))
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

/** The journeys to run; empty: all. @param {string} ending */
function chosen(ending) {
  if (words.includes('--readme')) return [README_JOURNEY].filter((path) => path.endsWith(ending));
  return words.includes('--docs') ? journeysOfDocs(ending) : [];
}

const began = Date.now();
rmSync(frames, { recursive: true, force: true });
const options = words.filter((word) => word !== '--readme' && word !== '--docs');
const isChosen = options.length < words.length;
for (const { ending, env } of KINDS) {
  const journeys = chosen(ending);
  if (isChosen && journeys.length === 0) continue;
  const args = ['test', '--pass-with-no-tests', ...journeys, ...options];
  const { code } = await runBin(['@playwright/test', 'playwright'], args, {
    show: true,
    env: { ...process.env, DEEPDESK_SCREENSHOTS: '1', ...env },
  });
  if (code !== 0) process.exitCode = code;
}
joinFrames();
for (const name of names) {
  const taken = join(gallery, name);
  if (!existsSync(taken) || statSync(taken).mtimeMs < began) continue;
  writeFileSync(join(shown, name), compact(readFileSync(taken)));
}
