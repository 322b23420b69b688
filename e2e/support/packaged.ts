import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { PACKAGE_NAME, PROGRAM, packageApp } from '../../scripts/package/app.mjs';
import { environment, giveToApp, makeFolder } from './app';
import { currentRun } from './run';
import { allowHelper } from './stage';

/** The packaged app's program. It is packaged once per run, from the build that the other journeys use. */
export async function packagedProgram(): Promise<string> {
  const { runtime, temp } = currentRun();
  const into = join(temp, 'release');
  const program = join(into, PACKAGE_NAME, PROGRAM);
  if (existsSync(program)) return program;
  mkdirSync(into, { recursive: true });
  await packageApp({ dist: runtime.dist, binding: runtime.binding, into });
  chmodSync(into, 0o755);
  sandboxed(dirname(program));
  return program;
}

/** Applies the fix in docs/packaging.md for systems that refuse namespaces to a copy of the package. */
export function sandboxed(folder: string): void {
  if (currentRun().needsHelper) allowHelper(folder);
}

export interface PackagedApp {
  /** The main process's. */
  pid: number;
  dataDir: string;
  output(): string;
  /** The first window, driven from outside over Chromium's protocol: the program accepts no Node debugger. */
  page(): Promise<Page>;
  /** Null while it runs. */
  ended(): { code: number | null; signal: string | null } | null;
  /** Terminates it like the system, and waits until it has exited. */
  close(): Promise<void>;
}

/** Starts a program as the app's user. `debugging` false: without Chromium's port, as people start it. */
export function startPackaged(
  program: string,
  options: { args?: string[]; env?: Record<string, string>; debugging?: boolean } = {},
): PackagedApp {
  const run = currentRun();
  const dataDir = makeFolder('data');
  const home = makeFolder('home');
  const { DEEPDESK_SQLITE_BINDING: _, ...env } = environment(home, dataDir, options.env ?? {});
  giveToApp(home);
  const args = [
    `--user-data-dir=${join(dataDir, 'profile')}`,
    ...(options.debugging === false ? [] : ['--remote-debugging-port=0']),
    ...(run.sandboxOff === null ? [] : ['--no-sandbox']),
    ...(options.args ?? []),
  ];
  const child = spawn(program, args, {
    cwd: run.temp,
    // The test's variables apply even if the helper leaves them out.
    env: { ...env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(run.user === null ? {} : run.user),
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isGone = () => child.exitCode !== null || child.signalCode !== null;
  let browser: Browser | undefined;
  return {
    pid: child.pid ?? 0,
    dataDir,
    output: () => printed,
    page: async () => {
      browser ??= await chromium.connectOverCDP(await debuggerAddress(child, () => printed, isGone));
      const [context] = browser.contexts();
      if (context === undefined) throw new Error('the app has no browser context');
      return context.pages()[0] ?? context.waitForEvent('page');
    },
    ended: () => (isGone() ? { code: child.exitCode, signal: child.signalCode } : null),
    close: async () => {
      await browser?.close();
      if (!isGone()) child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Chromium prints the address of its port when it listens. Rejects if the app exits first. */
function debuggerAddress(child: ChildProcess, printed: () => string, isGone: () => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = /DevTools listening on (ws:\S+)/.exec(printed())?.[1];
      if (found !== undefined) resolve(found);
    };
    const ended = () => reject(new Error(`the app ended\n${printed()}`));
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', look);
    child.once('exit', ended);
    look();
    if (isGone()) ended();
  });
}
