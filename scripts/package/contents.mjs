// What of the build and of node_modules goes into the packaged app: what it runs, and nothing else.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { root } from '../process.mjs';

/** Of the build: maps are for developers, the headless entry runs on plain Node, the rest is for other scripts. */
const NOT_RUN = /\.map$|^third-party\.json$|^built-from$|^cli\.js$/;

/**
 * Of each native package, what its own code reads when it runs on this system. Their sources, the files of other systems
 * and their documents stay away.
 * @type {Record<string, string[]>}
 */
const NATIVE = {
  'better-sqlite3': ['lib', 'LICENSE'],
  'node-pty': ['.'],
  [`@lydell/node-pty-${process.platform}-${process.arch}`]: ['.'],
  '@vscode/ripgrep': ['lib', 'LICENSE'],
  [`@vscode/ripgrep-${process.platform}-${process.arch}`]: ['bin', 'LICENSE'],
};
const NOT_NEEDED = /\.(md|map|ts)$/i;

/** Lies outside the archive: the system loads or runs it by its path. A glob of @electron/asar. */
export const OUTSIDE_ARCHIVE = '{*.node,rg,spawn-helper}';

/** Where better-sqlite3 looks for a binding first. */
const BINDING = join('build', 'Release', 'better_sqlite3.node');

/** @param {string} name of a package */
const packageFolder = (name) => join(root, 'node_modules', name);

function linuxIsMusl() {
  return process.platform === 'linux' && existsSync('/etc/alpine-release');
}

/** The binding that the package ships for this system. */
function shippedBinding() {
  const system = linuxIsMusl() ? 'linuxmusl' : process.platform;
  return join(packageFolder('better-sqlite3'), 'prebuilds', `${system}-${process.arch}.node`);
}

/**
 * Every package that `dependencies` of package.json bring and that is installed must have been looked at here, so that
 * a new one is not forgotten.
 */
function checkNative() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const unknown = Object.keys(manifest.dependencies).filter((name) => !(name in NATIVE));
  if (unknown.length > 0)
    throw new Error(`scripts/package/contents.mjs does not say what to ship of ${unknown.join(', ')}`);
}

/**
 * Lays out in `folder` what the archive will hold.
 * @param {string} folder not there yet
 * @param {string | undefined} binding of SQLite for the runtime; undefined where the package's own fits
 */
export function layOut(folder, binding) {
  checkNative();
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
  for (const [native, parts] of Object.entries(NATIVE)) {
    const from = packageFolder(native);
    const to = join(folder, 'node_modules', native);
    for (const part of ['package.json', ...parts]) {
      cpSync(join(from, part), join(to, part), {
        recursive: true,
        filter: (path) =>
          !NOT_NEEDED.test(basename(path)) && !relative(from, path).includes(`node_modules${sep}`),
      });
    }
  }
  const target = join(folder, 'node_modules', 'better-sqlite3', BINDING);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(binding ?? shippedBinding(), target);
}
