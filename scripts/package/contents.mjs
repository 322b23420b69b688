// Selects what goes into the packaged app from the build and node_modules: what it runs, and nothing else.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { root } from '../process.mjs';

/**
 * Parts of the build that the app does not run: maps are for developers, the headless entry runs on plain Node, the rest is
 * for other scripts.
 */
const NOT_RUN = /\.map$|^third-party\.json$|^built-from$|^cli\.js$/;

/**
 * The files of each native package that its code reads on this system, without sources, files for other systems and
 * documentation.
 * @param {readonly string[]} architectures
 * @returns {Record<string, string[]>}
 */
function nativeFiles(architectures) {
  const { platform } = process;
  return {
    'better-sqlite3': ['lib', 'LICENSE'],
    'node-pty': ['.'],
    '@vscode/ripgrep': ['lib', 'LICENSE'],
    ...Object.fromEntries(architectures.map((arch) => [`@lydell/node-pty-${platform}-${arch}`, ['.']])),
    ...Object.fromEntries(
      architectures.map((arch) => [`@vscode/ripgrep-${platform}-${arch}`, ['bin', 'LICENSE']]),
    ),
  };
}
const NOT_NEEDED = /\.(md|map|ts)$/i;

/**
 * The languages of Chromium's own few texts that are packaged: those of the window. In any other, Chromium speaks English, as
 * the window does. All 55 take 40 MB.
 */
export const CHROMIUM_LANGUAGES = ['en-US', 'zh-CN', 'zh-TW'];

/** Placed outside the archive, because the system loads or runs it by path. A glob of @electron/asar. */
export const OUTSIDE_ARCHIVE = '{*.node,rg,spawn-helper}';

/** The first place where better-sqlite3 looks for a binding. */
const BINDING = join('build', 'Release', 'better_sqlite3.node');

/** @param {string} name of a package */
const packageFolder = (name) => join(root, 'node_modules', name);

function linuxIsMusl() {
  return process.platform === 'linux' && existsSync('/etc/alpine-release');
}

/** The prebuilt binding of the package for this system, relative to the package. @param {string} arch */
function shippedBinding(arch) {
  return join('prebuilds', `${linuxIsMusl() ? 'linuxmusl' : process.platform}-${arch}.node`);
}

/**
 * Every installed package from `dependencies` in package.json must be listed here, so that a new one is not forgotten.
 * @param {Record<string, string[]>} native
 */
function checkNative(native) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const unknown = Object.keys(manifest.dependencies).filter((name) => !(name in native));
  if (unknown.length > 0)
    throw new Error(`scripts/package/contents.mjs does not say what to ship of ${unknown.join(', ')}`);
}

/**
 * Writes the future contents of the archive to `folder`.
 * @param {string} folder must not exist
 * @param {object} [options]
 * @param {string | undefined} [options.binding] the SQLite binding for the runtime; undefined if the one in its package fits
 * @param {readonly string[]} [options.architectures] that the app runs on; more than one for a universal app
 * @returns {string[]} the names of the packages in it
 */
export function layOut(folder, { binding, architectures = [process.arch] } = {}) {
  const native = nativeFiles(architectures);
  checkNative(native);
  const { name, productName, version, description, license, type, main } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name,
      productName,
      version,
      description,
      license,
      type,
      main,
      desktopName: 'deepdesk.desktop',
    }),
  );
  for (const part of ['main', 'preload', 'renderer']) {
    cpSync(join(root, 'out', part), join(folder, 'out', part), {
      recursive: true,
      filter: (path) => !NOT_RUN.test(basename(path)),
    });
  }
  for (const [name, parts] of Object.entries(native)) {
    const from = packageFolder(name);
    const to = join(folder, 'node_modules', name);
    for (const part of ['package.json', ...parts]) {
      cpSync(join(from, part), join(to, part), {
        recursive: true,
        filter: (path) =>
          !NOT_NEEDED.test(basename(path)) && !relative(from, path).includes(`node_modules${sep}`),
      });
    }
  }
  const sqlite = join(folder, 'node_modules', 'better-sqlite3');
  for (const arch of architectures) {
    // Without one at the first place, the package takes the one of the processor that it runs on.
    const target = join(sqlite, architectures.length === 1 ? BINDING : shippedBinding(arch));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(binding ?? join(packageFolder('better-sqlite3'), shippedBinding(arch)), target);
  }
  return Object.keys(native);
}
