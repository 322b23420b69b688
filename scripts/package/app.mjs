// Builds the installable app from an existing Electron and the build.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createPackageWithOptions, getRawHeader } from '@electron/asar';
import { root } from '../process.mjs';
import { CHROMIUM_LANGUAGES, layOut, OUTSIDE_ARCHIVE } from './contents.mjs';
import { desktopEntry } from './desktop-entry.mjs';
import { setFuses } from './fuses.mjs';

/** Names the package folder and its platform. */
export const PACKAGE_NAME = `Deepdesk-${process.platform}-${process.arch}`;
/** The name of the executable. Electron considers an app packaged if the name is not `electron`. */
export const PROGRAM = 'deepdesk';

/** Bytes of all files at or below a path, without following links. @param {string} path @returns {number} */
export function sizeOf(path) {
  const { size } = statSync(path);
  if (!statSync(path).isDirectory()) return size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** @typedef {{ size?: number, unpacked?: boolean, files?: Record<string, Entry> }} Entry of an archive's index */

/** Bytes below an entry, without unpacked files beside the archive. @param {Entry} entry @returns {number} */
function packed({ size = 0, unpacked = false, files = {} }) {
  return Object.values(files).reduce((sum, entry) => sum + packed(entry), unpacked ? 0 : size);
}

/** The contents of an archive, two folders deep, with their sizes in bytes. @param {string} archive */
export function archiveParts(archive) {
  const { files = {} } = /** @type {Entry} */ (getRawHeader(archive).header);
  return Object.entries(files).flatMap(([name, entry]) =>
    Object.entries(entry.files ?? { '': entry }).map(([below, part]) => ({
      name: below === '' ? name : `${name}/${below}`,
      bytes: packed(part),
    })),
  );
}

/** The files of the languages that are not packaged, for a folder with an Electron. @param {string} dist */
export const unusedLanguages = (dist) =>
  readdirSync(join(dist, 'locales'))
    .filter((name) => !CHROMIUM_LANGUAGES.includes(name.replace(/\.pak$/, '')))
    .map((name) => join(dist, 'locales', name));

/** Shared libraries are loaded, not started; npm packages and Electron's archive mark some as programs. @param {string} folder */
function makeLibrariesData(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.(?:node|so(?:\.\d+)*)$/.test(name)) chmodSync(join(folder, name), 0o644);
}

/**
 * Packages the current contents of out/. Only for Linux so far; throws elsewhere.
 * @param {object} options
 * @param {string} options.dist the Electron folder to use; it stays unchanged
 * @param {string | undefined} options.binding the SQLite binding for that Electron; undefined if the one in its package fits
 * @param {string} options.into the parent of the package folder; an older package in it is replaced
 * @returns {Promise<string>} the package's folder
 */
export async function packageApp({ dist, binding, into }) {
  if (process.platform !== 'linux') {
    throw new Error(
      `packages are made on Linux so far; ${process.platform} lays its programs out in another way`,
    );
  }
  mkdirSync(into, { recursive: true });
  const made = join(into, `.${PACKAGE_NAME}-${process.pid}`);
  const staged = `${made}-app`;
  try {
    cpSync(dist, made, { recursive: true });
    rmSync(join(made, 'resources'), { recursive: true, force: true });
    rmSync(join(made, 'version'), { force: true });
    for (const file of unusedLanguages(made)) rmSync(file);
    renameSync(join(made, 'electron'), join(made, PROGRAM));
    renameSync(join(made, 'LICENSE'), join(made, 'LICENSE.electron.txt'));

    const resources = join(made, 'resources');
    cpSync(join(root, 'resources'), resources, { recursive: true });
    layOut(staged, { binding });
    await createPackageWithOptions(staged, join(resources, 'app.asar'), { unpack: OUTSIDE_ARCHIVE });
    cpSync(join(root, 'resources', 'icon.png'), join(made, 'deepdesk.png'));
    writeFileSync(join(made, 'deepdesk.desktop'), desktopEntry());
    cpSync(join(root, 'packaging', 'linux', 'apparmor-profile'), join(made, 'apparmor-profile'));
    for (const file of ['LICENSE', 'THIRD_PARTY.md']) cpSync(join(root, file), join(made, file));

    makeLibrariesData(made);
    await setFuses(join(made, PROGRAM));
    // Readable by every user whatever the umask was; only the owner can write.
    chmodSync(made, 0o755);
    const target = join(into, PACKAGE_NAME);
    rmSync(target, { recursive: true, force: true });
    renameSync(made, target);
    return target;
  } finally {
    rmSync(staged, { recursive: true, force: true });
    rmSync(made, { recursive: true, force: true });
  }
}
