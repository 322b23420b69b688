// The checks of `npm run doctor`; each tries the real thing. Imports nothing that `npm ci` installs.
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../process.mjs';
import { cacheFolder, isRoot } from './cache.mjs';
import { capability, chromiumHere, NO_BUBBLEWRAP } from './capabilities.mjs';
import { withoutNoise } from './chromium-noise.mjs';
import { display, needsDisplay } from './display.mjs';
import { electronThere } from './electron.mjs';
import { bindingThere, mustBuildBinding } from './sqlite.mjs';
import { compilerNeeds, displayNeeds, installLine, libraryNeeds } from './system-packages.mjs';

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {'works' | 'missing' | 'fatal'} state missing: the app works without it; fatal: it cannot start
 * @property {string} found
 * @property {string} [meaning] what the app does without it
 * @property {string} [help] what to do
 *
 * @typedef {import('./electron.mjs').Electron & { isFallback: boolean }} There
 */

/** Milliseconds for a trial in another process. */
const TRIAL_WITHIN = 20_000;
/** Bytes that the runtime, the binding and the build need, including temporary files. */
const SPACE = 1_200_000_000;

/** @param {string} name @param {string} found @returns {Check} */
const works = (name, found) => ({ name, state: 'works', found });

/** Whether a Node version meets the range in package.json. @param {string} version @param {string} range `>=20.18` */
export function isNewEnough(version, range) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [least = 0, leastMinor = 0] = range.replace(/^>=/, '').split('.').map(Number);
  return major > least || (major === least && minor >= leastMinor);
}

/** @returns {Check} */
function node() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = 'Node';
  if (isNewEnough(process.version, engines.node)) return works(name, process.version);
  return {
    name,
    state: 'fatal',
    found: `${process.version}, which is too old`,
    help: `install Node ${engines.node.replace('>=', '')} or newer, preferably the latest LTS version, from https://nodejs.org`,
  };
}

/** @returns {Check} */
function packages() {
  const name = 'packages';
  if (existsSync(join(root, 'node_modules', 'electron', 'package.json'))) return works(name, 'installed');
  return { name, state: 'fatal', found: 'node_modules is missing', help: 'npm ci' };
}

/** @param {There | undefined} electron @returns {Check} */
function runtime(electron) {
  const name = 'runtime';
  if (electron) {
    const origin = electron.isFallback ? 'fallback runtime, assembled from an npm package' : "Electron's own";
    return works(name, `Electron ${electron.version} (${origin}), ${electron.dist}`);
  }
  return {
    name,
    state: 'missing',
    found: 'none yet',
    meaning: 'nothing yet: npm start gets it the first time (about 200 MB)',
    help: 'npm start',
  };
}

/** @param {string} name @param {import('./system-packages.mjs').Need[]} needs @param {string} found @returns {Promise<Check>} */
async function systemPart(name, needs, found) {
  if (needs.length === 0) return works(name, found);
  const what = needs.map((need) => need.what).join('; ');
  const line = await installLine(needs.flatMap((need) => need.packages));
  return isRoot && existsSync('/usr/bin/apt-get')
    ? {
        name,
        state: 'missing',
        found: `missing: ${what}`,
        meaning: 'npm start installs it, because you are root',
      }
    : { name, state: 'fatal', found: `missing: ${what}`, help: line };
}

/** @param {There | undefined} electron @returns {Promise<Check>} */
async function sqlite(electron) {
  const name = 'SQLite binding';
  if (!electron) return { name, state: 'missing', found: 'not checked without a runtime' };
  if (mustBuildBinding(electron.nodeApi)) {
    return compilerNeeds().length > 0
      ? systemPart(name, compilerNeeds(), '')
      : {
          name,
          state: 'missing',
          found: 'not compiled yet',
          meaning: 'nothing yet: npm start compiles it once',
        };
  }
  const binding = bindingThere(electron.nodeApi);
  const script = `const Database = require(${JSON.stringify(join(root, 'node_modules', 'better-sqlite3'))});
    const db = new Database(':memory:', ${JSON.stringify(binding ? { nativeBinding: binding } : {})});
    console.log(db.prepare('select sqlite_version() as v').get().v);`;
  const ran = await run(electron.executable, ['-e', script], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    timeout: TRIAL_WITHIN,
  });
  if (ran.code === 0) return works(name, `SQLite ${ran.stdout.trim()}, ${binding ?? "the package's own"}`);
  return {
    name,
    state: 'fatal',
    found: `it does not load: ${ran.output.trim().split('\n')[0] ?? ''} (${ran.code})`,
    help: binding ? `remove ${binding}, then npm start` : 'npm ci',
  };
}

/** @param {There | undefined} electron @param {Check[]} before @returns {Promise<Check[]>} */
async function chromium(electron, before) {
  const name = "Chromium's sandbox";
  if (!electron || before.some(({ state }) => state !== 'works'))
    return [{ name, state: 'missing', found: 'not checked, because something above is missing' }];
  const screen = await display();
  try {
    const here = await chromiumHere(electron.executable, { env: screen.env, again: true });
    if (!here.starts) {
      const said = withoutNoise(here.said).trim();
      return [{ name: 'start of a page', state: 'fatal', found: `Electron cannot show a page: ${said}` }];
    }
    /** @type {Check} */
    const sandbox =
      here.sandboxOff === null
        ? works(name, 'works')
        : {
            name,
            state: 'missing',
            found: here.sandboxOff,
            meaning:
              'the app runs with --no-sandbox: whoever takes over a page can do everything that you can',
            ...(isRoot ? { help: 'start the app as an ordinary user' } : {}),
          };
    /** @type {Check} */
    const keychain = here.keychain
      ? works('keychain', here.keychainBackend)
      : {
          name: 'keychain',
          state: 'missing',
          found: 'none that Electron can use',
          meaning: 'keys for models come from the environment, or last until you quit the app',
          help: 'run a keyring service such as gnome-keyring or KWallet',
        };
    return [sandbox, keychain, works('screens', `${here.displays}`)];
  } finally {
    screen.stop();
  }
}

/** @param {import('./capabilities.mjs').Tried} what @returns {Promise<Check>} */
async function tried(what) {
  const { name, works: does, reason, meaning } = await capability(what);
  return does ? works(name, 'works') : { name, state: 'missing', found: reason ?? '', meaning };
}

/** @returns {Promise<Check>} */
async function commandSandbox() {
  const check = await tried('commandSandbox');
  // A bubblewrap that cannot be used does not become usable if it is installed again.
  return check.found === NO_BUBBLEWRAP ? { ...check, help: await installLine(['bubblewrap']) } : check;
}

/**
 * Runs a program from an npm package for its answer.
 * @param {string} name
 * @param {string} script
 * @param {string} meaning
 * @returns {Promise<Check>}
 */
async function fromPackage(name, script, meaning) {
  const ran = await run(process.execPath, ['--input-type=module', '-e', script], { timeout: TRIAL_WITHIN });
  if (ran.code === 0) return works(name, ran.stdout.trim().split('\n')[0] ?? '');
  return { name, state: 'missing', found: 'it does not run', meaning, help: 'npm ci' };
}

/** @returns {Check} */
function space() {
  const { bavail, bsize } = statfsSync(cacheFolder());
  const free = bavail * bsize;
  const found = `${(free / 1e9).toFixed(1)} GB free in ${cacheFolder()}`;
  const name = 'free space';
  if (free >= SPACE || electronThere()) return works(name, found);
  return {
    name,
    state: 'fatal',
    found,
    help: `free ${(SPACE / 1e9).toFixed(1)} GB, or set DEEPDESK_CACHE to a folder on a disk with enough space`,
  };
}

/** @returns {Promise<Check[]>} */
export async function checkMachine() {
  const basis = [node(), packages()];
  if (basis.some(({ state }) => state === 'fatal')) return [...basis, space()];
  const electron = electronThere();
  const libraries = electron ? await libraryNeeds(electron.executable) : [];
  const needed = [
    runtime(electron),
    await systemPart('system libraries', libraries, electron ? 'all there' : 'not checked without a runtime'),
    await systemPart(
      'display',
      needsDisplay() ? displayNeeds() : [],
      needsDisplay()
        ? 'none; the app uses Xvfb'
        : `${process.env.WAYLAND_DISPLAY ?? process.env.DISPLAY ?? "the system's"}`,
    ),
    await sqlite(electron),
  ];
  return [
    ...basis,
    ...needed,
    ...(await chromium(electron, needed)),
    await commandSandbox(),
    await tried('userNamespaces'),
    await tried('reflink'),
    await fromPackage(
      'ripgrep',
      `import { rgPath } from '@vscode/ripgrep'; import { execFileSync } from 'node:child_process';
       console.log(execFileSync(rgPath, ['--version'], { encoding: 'utf8' }));`,
      'searching is slower',
    ),
    await fromPackage(
      'terminals',
      `import { spawn } from 'node-pty';
       const { onExit } = spawn(process.execPath, ['-e', ''], {});
       onExit(({ exitCode }) => { console.log('work'); process.exit(exitCode); });`,
      'no command runs',
    ),
    space(),
  ];
}
