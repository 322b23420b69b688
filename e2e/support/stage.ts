import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { root } from '../../scripts/process.mjs';
import { capability } from '../../scripts/runtime/capabilities.mjs';

/** A copy of the app that an unprivileged user can run, wherever the checkout is. */
interface Staged {
  appFolder: string;
  /** For ELECTRON_OVERRIDE_DIST_PATH: its `electron` drops root privileges first. */
  dist: string;
  user: { uid: number; gid: number };
  env: Record<string, string>;
  /** Electron's own program, which drops none. */
  program: string;
  /** Chromium's fallback for its sandbox, the setuid helper, is what works here. */
  needsHelper: boolean;
}

const USER = 'nobody';

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));
}

/** The installed `dependencies` of package.json, including transitive ones: what the bundle leaves out. */
function nativePackages(): string[] {
  const found = new Set<string>();
  const visit = (folder: string): void => {
    const manifest: { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> } =
      JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      if (found.has(name) || !existsSync(join(root, 'node_modules', name))) continue;
      found.add(name);
      visit(join(root, 'node_modules', name));
    }
  };
  visit(root);
  return [...found];
}

/** True if every user can enter each folder on the path and read its target. */
function isOpenToAll(path: string): boolean {
  if ((statSync(path).mode & 0o005) !== 0o005) return false;
  const parent = dirname(path);
  return parent === path || isOpenToAll(parent);
}

function unprivileged(user: Staged['user'], command: string[]): string[] {
  return ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--', ...command];
}

/**
 * Sets the ownership and mode that Chromium's helper needs to create a sandbox for users who cannot create namespaces. Only
 * root can.
 */
export function allowHelper(runtime: string): void {
  const helper = join(runtime, 'chrome-sandbox');
  chownSync(helper, 0, 0);
  chmodSync(helper, 0o4755);
}

/** The runtime itself if the user can run it in place, otherwise a copy. Chromium's fallback is a helper owned by root. */
function stageRuntime(folder: string, dist: string, needsHelper: boolean): string {
  if (!needsHelper && isOpenToAll(dist)) return dist;
  const copy = join(folder, 'runtime');
  cpSync(dist, copy, { recursive: true });
  return copy;
}

/** Copies what the app needs to `folder`, as root. `env` is the result of prepareElectron; files in it are copied too. */
export async function stage(folder: string, dist: string, env: Record<string, string>): Promise<Staged> {
  const user = { uid: idOf('-u'), gid: idOf('-g') };
  const appFolder = join(folder, 'app');
  for (const part of ['package.json', 'out', 'resources']) {
    if (existsSync(join(root, part))) cpSync(join(root, part), join(appFolder, part), { recursive: true });
  }
  for (const name of nativePackages()) {
    // The C sources of SQLite are 10 MB that nobody runs.
    const isSource = new RegExp(`/${name}/(deps|src)$`);
    const from = join(root, 'node_modules', name);
    cpSync(from, join(appFolder, 'node_modules', name), {
      recursive: true,
      filter: (path) => !isSource.test(path),
    });
  }

  // Playwright passes Electron a script of its own from the checkout.
  const fromPlaywright = createRequire(
    createRequire(import.meta.url).resolve('@playwright/test/package.json'),
  );
  const playwright = dirname(fromPlaywright.resolve('playwright-core/package.json'));
  const loader = join(folder, 'playwright-loader.cjs');
  copyFileSync(join(playwright, 'lib/server/electron/loader.js'), loader);

  const copied: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!existsSync(value)) continue;
    const copy = join(folder, basename(value));
    copyFileSync(value, copy);
    copied[name] = copy;
  }
  const needsHelper = !(await capability('userNamespaces', { user })).works;
  const runtime = stageRuntime(folder, dist, needsHelper);
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  if (needsHelper) allowHelper(runtime);
  // The cookie grants access to the display, so only the app's user may read it.
  const authority = copied.XAUTHORITY;
  if (authority !== undefined) {
    chmodSync(authority, 0o600);
    chownSync(authority, user.uid, user.gid);
  }

  const wrapper = join(folder, 'wrapper', 'electron');
  mkdirSync(dirname(wrapper), { recursive: true });
  const command = unprivileged(user, [join(runtime, 'electron'), '-r', loader]);
  // Playwright's own "-r <loader>" comes first and is left out.
  const quoted = command.map((word) => `'${word}'`).join(' ');
  writeFileSync(wrapper, `#!/bin/sh\n[ "$1" = "-r" ] || exit 64\nshift 2\nexec ${quoted} "$@"\n`, {
    mode: 0o755,
  });
  chmodSync(dirname(wrapper), 0o755);
  return {
    appFolder,
    dist: dirname(wrapper),
    user,
    env: { ...ownDisplay(env), ...env, ...copied },
    program: join(runtime, 'electron'),
    needsHelper,
  };
}

/** Root's own display, if prepareElectron did not start one. */
function ownDisplay(env: Record<string, string>): Record<string, string> {
  const { DISPLAY } = process.env;
  return DISPLAY && !env.DISPLAY ? { DISPLAY } : {};
}
