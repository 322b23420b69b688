// Builds the app into out/, and checks whether it is up to date.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { licensesForApp } from '../licenses/for-app.mjs';
import { log } from '../log.mjs';
import { root, runBin } from '../process.mjs';
import { removedAfter } from '../runtime/at-exit.mjs';

const out = join(root, 'out');
const stamp = join(out, 'built-from');
const INPUTS = [
  'src-main',
  'src-renderer',
  // The pages that the window shows.
  'docs/guide',
  ...['editor', 'formats', 'headless', 'security'].map((page) => `docs/${page}.md`),
  'electron.vite.config.ts',
  'scripts/build',
  'scripts/licenses',
  'package.json',
  'project.json',
  'package-lock.json',
  'tsconfig.base.json',
];

/** @param {string} path @returns {string[]} all files at or below it, in a stable order */
function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path).sort();
  return entries.flatMap((entry) => filesBelow(join(path, entry)));
}

/**
 * One hash of everything the build is made from. It uses contents, not times: a fresh clone or a copy has only new times.
 * @param {readonly string[]} [more] additional files and folders, relative to the repository
 */
export function fingerprint(more = []) {
  const hash = createHash('sha256');
  for (const file of [...INPUTS, ...more].flatMap((input) => filesBelow(join(root, input)))) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** True if out/ was built from the current sources. */
function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

/**
 * Builds the app. The new build replaces the old one when it is complete, so an interrupted or failed build leaves a
 * working out/ behind. On failure it returns false and prints the tool's messages to stderr.
 * @param {{ show?: boolean }} [options] show passes the build output through
 */
export async function build({ show = false } = {}) {
  const from = fingerprint();
  const fresh = join(root, `.out-${process.pid}`);
  return removedAfter(fresh, async () => {
    const ran = await runBin('electron-vite', ['build'], {
      show,
      env: { ...process.env, NODE_ENV: 'production', DEEPDESK_OUT: fresh },
    });
    if (ran.code !== 0) {
      log('build', `failed\n${ran.output}`);
      return false;
    }
    writeFileSync(join(fresh, 'main', 'licenses.json'), JSON.stringify(licensesForApp(fresh)));
    writeFileSync(join(fresh, 'built-from'), from);
    const old = `${fresh}-old`;
    if (existsSync(out)) renameSync(out, old);
    renameSync(fresh, out);
    rmSync(old, { recursive: true, force: true });
    return true;
  });
}

/** Builds only if out/ is stale, and logs one line then, because it takes seconds. */
export async function ensureBuilt() {
  if (isBuilt()) return true;
  log('build', 'building the app');
  return build();
}
