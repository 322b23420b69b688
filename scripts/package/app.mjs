// Makes the app that people install, out of the Electron that is there and the build.
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
import { layOut, OUTSIDE_ARCHIVE } from './contents.mjs';
import { desktopEntry } from './desktop-entry.mjs';
import { setFuses } from './fuses.mjs';

/** Names the package's folder and says what it was made for. */
export const PACKAGE_NAME = `Deepdesk-${process.platform}-${process.arch}`;
/** Of the program in it. Another name than `electron` is what makes Electron call an app packaged. */
export const PROGRAM = 'deepdesk';

/** Bytes of all files at or below a path, links not followed. @param {string} path @returns {number} */
export function sizeOf(path) {
  const { size } = statSync(path);
  if (!statSync(path).isDirectory()) return size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** @typedef {{ size?: number, unpacked?: boolean, files?: Record<string, Entry> }} Entry of an archive's index */

/** Bytes below an entry, without what lies beside the archive. @param {Entry} entry @returns {number} */
function packed({ size = 0, unpacked = false, files = {} }) {
  return Object.values(files).reduce((sum, entry) => sum + packed(entry), unpacked ? 0 : size);
}

/** What an archive holds, two folders deep, with its bytes. @param {string} archive */
export function archiveParts(archive) {
  const { files = {} } = /** @type {Entry} */ (getRawHeader(archive).header);
  return Object.entries(files).flatMap(([name, entry]) =>
    Object.entries(entry.files ?? { '': entry }).map(([below, part]) => ({
      name: below === '' ? name : `${name}/${below}`,
      bytes: packed(part),
    })),
  );
}

/**
 * Packages what out/ holds now. Only for Linux so far; throws elsewhere.
 * @param {object} options
 * @param {string} options.dist the folder of the Electron to take; it stays as it is
 * @param {string | undefined} options.binding of SQLite for that Electron; undefined where the package's own fits
 * @param {string} options.into the folder in which the package's own is made; an older one there is replaced
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
    renameSync(join(made, 'electron'), join(made, PROGRAM));
    renameSync(join(made, 'LICENSE'), join(made, 'LICENSE.electron.txt'));

    const resources = join(made, 'resources');
    cpSync(join(root, 'resources'), resources, { recursive: true });
    layOut(staged, binding);
    await createPackageWithOptions(staged, join(resources, 'app.asar'), { unpack: OUTSIDE_ARCHIVE });
    cpSync(join(root, 'resources', 'icon.png'), join(made, 'deepdesk.png'));
    writeFileSync(join(made, 'deepdesk.desktop'), desktopEntry());
    for (const file of ['LICENSE', 'THIRD_PARTY.md']) cpSync(join(root, file), join(made, file));

    await setFuses(join(made, PROGRAM));
    // Readable by every user whatever the umask was; nobody but the owner writes.
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
