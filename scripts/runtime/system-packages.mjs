// System requirements that npm cannot install: shared libraries, a virtual display, a compiler.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { log } from '../log.mjs';
import { run } from '../process.mjs';
import { isRoot } from './cache.mjs';
import { stillAt } from './progress.mjs';

/**
 * @typedef {object} Need
 * @property {string} what for the person: what is missing
 * @property {string[]} packages the Debian packages that provide it
 */

/** Provides every library that Electron links, including their dependencies, and a font for text. */
const ELECTRON_PACKAGES = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'fonts-dejavu-core'];

/** Maximum number of missing libraries to name; a bare system lacks 26. */
const NAMED = 3;

/** @param {string} program */
export function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Shared libraries that a program links and this system lacks. Linux only. @param {string} executable */
async function missingLibraries(executable) {
  const { output } = await run('ldd', [executable]);
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
}

/** @param {string} executable of Electron @returns {Promise<Need[]>} */
export async function libraryNeeds(executable) {
  if (process.platform !== 'linux') return [];
  const missing = await missingLibraries(executable);
  if (missing.length === 0) return [];
  const rest = missing.length > NAMED ? ` and ${missing.length - NAMED} more libraries` : '';
  return [{ what: `${missing.slice(0, NAMED).join(', ')}${rest}`, packages: ELECTRON_PACKAGES }];
}

/** @returns {Need[]} */
export function displayNeeds() {
  return isOnPath('Xvfb') ? [] : [{ what: 'Xvfb, a display without a screen', packages: ['xvfb'] }];
}

/** @returns {Need[]} */
export function compilerNeeds() {
  const missing = ['gcc', 'g++'].filter((program) => !isOnPath(program));
  return missing.length > 0 ? [{ what: missing.join(' and '), packages: missing }] : [];
}

/**
 * What the command sandbox needs. Without it the app asks more often, and its sandbox tests are skipped.
 * @returns {Need[]}
 */
export function sandboxNeeds() {
  if (process.platform !== 'linux' || isOnPath('bwrap')) return [];
  return [{ what: 'bubblewrap, the sandbox for commands', packages: ['bubblewrap'] }];
}

/** Newer Debian and Ubuntu releases renamed some libraries for 64-bit time. @param {string[]} names */
async function asThisReleaseNamesThem(names) {
  const named = names.map(async (name) => {
    const renamed = await run('apt-cache', ['show', '--no-all-versions', `${name}t64`]);
    return renamed.code === 0 && renamed.stdout.includes('Package:') ? `${name}t64` : name;
  });
  return Promise.all(named);
}

/** The command that installs packages. @param {string[]} wanted */
export async function installLine(wanted) {
  if (!existsSync('/usr/bin/apt-get'))
    return `install the packages that bring it (on Debian they are ${wanted.join(' ')})`;
  const packages = (await asThisReleaseNamesThem(wanted)).join(' ');
  return `sudo apt-get update && sudo apt-get install --no-install-recommends -y ${packages}`;
}

/** @param {string[]} args */
async function aptGet(args) {
  const ran = await run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    // Stopping it midway would leave packages half installed.
    outlives: true,
  });
  return ran;
}

/**
 * Makes sure that the system meets the requirements. As root on Debian and its derivatives it installs the packages;
 * otherwise it changes nothing and throws with the exact command for the person to run.
 * @param {Need[]} needs
 */
export async function meet(needs) {
  if (needs.length === 0) return;
  const what = needs.map((need) => need.what).join('; ');
  const wanted = [...new Set(needs.flatMap((need) => need.packages))];
  if (!existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `this system lacks ${what}. Install the packages that bring it (on Debian they are ${wanted.join(' ')}).`,
    );
  }
  if (!isRoot) {
    throw new Error(
      `this system lacks ${what}. Run this, then try again:\n\n  ${await installLine(wanted)}\n`,
    );
  }
  log('system', `installing packages of the system (once; lacking: ${what})`);
  const stop = stillAt('system', 'still installing');
  // A fresh system has no package lists, and old ones name removed files.
  const updated = await aptGet(['update']);
  const packages = await asThisReleaseNamesThem(wanted);
  const installed = await aptGet(['install', '--no-install-recommends', '-y', ...packages]).finally(stop);
  if (installed.code !== 0) {
    throw new Error(`apt-get could not install ${packages.join(' ')}:\n${updated.output}${installed.output}`);
  }
}

/** Like `meet`, but only warns if the system stays without them. @param {Need[]} needs */
export async function meetIfPossible(needs) {
  try {
    await meet(needs);
  } catch (error) {
    log('system', `going on without: ${error instanceof Error ? error.message : String(error)}`);
  }
}
