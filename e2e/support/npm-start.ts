import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { root } from '../../scripts/process.mjs';
import { cacheFolder } from '../../scripts/runtime/cache.mjs';
import { isOnPath } from '../../scripts/runtime/system-packages.mjs';
import { makeFolder } from './app';
import { currentRun } from './run';

/** `npm start` as a person types it: the user who runs the tests runs the app, on a display that the script starts. */
export interface NpmStart {
  npm: ChildProcess;
  dataDir: string;
  output(): string;
  /** Resolves as soon as the output matches. Rejects if npm exits first. */
  says(words: RegExp): Promise<void>;
  page(): Promise<Page>;
  /** npm, its script, Xvfb, the app with its helpers and their children: all that still run. */
  processes(): number[];
  /** Electron's main process, once it exists. */
  main(): number | null;
  exit: Promise<{ code: number | null; signal: string | null }>;
  /** Kills what is left. */
  clean(): Promise<void>;
}

/** Processes that were started with this in their environment, without zombies. */
function startedWith(assignment: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const environ = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
      return environ.includes(assignment) ? [Number(name)] : [];
    } catch {
      // It has exited, or it belongs to somebody else.
      return [];
    }
  });
}

export function npmStart(options: { dataDir?: string } = {}): NpmStart {
  const { runtime } = currentRun();
  const dataDir = options.dataDir ?? makeFolder('data');
  const home = makeFolder('home');
  const runtimeDir = join(home, 'run');
  mkdirSync(runtimeDir, { mode: 0o700 });
  const display = isOnPath('Xvfb')
    ? {}
    : { DISPLAY: process.env.DISPLAY, XAUTHORITY: process.env.XAUTHORITY };
  const npm = spawn('npm', ['start', '--', '--remote-debugging-port=0'], {
    cwd: root,
    // A separate process group, as a shell creates for a command.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)].join(delimiter),
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      HOME: home,
      TMPDIR: tmpdir(),
      XDG_RUNTIME_DIR: runtimeDir,
      ...display,
      ELECTRON_OVERRIDE_DIST_PATH: runtime.dist,
      DEEPDESK_CACHE: cacheFolder(),
      DEEPDESK_DATA_DIR: dataDir,
      DEEPDESK_TITLES: 'off',
    },
  });
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    npm.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const says = (words: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => words.test(printed) && resolve();
      npm.stdout.on('data', look);
      npm.stderr.on('data', look);
      npm.once('exit', () => reject(new Error(`npm start ended\n${printed}`)));
      look();
    });
  const processes = () => startedWith(`DEEPDESK_DATA_DIR=${dataDir}`);
  let browser: Browser | undefined;
  return {
    npm,
    dataDir,
    output: () => printed,
    says,
    exit,
    processes,
    main: () =>
      processes().find((pid) => {
        const [program = '', ...words] = commandLine(pid);
        return program.endsWith('/electron') && !words.some((word) => word.startsWith('--type='));
      }) ?? null,
    page: async () => {
      await says(/DevTools listening on ws:\S+/);
      const address = /DevTools listening on (ws:\S+)/.exec(printed)?.[1] ?? '';
      browser ??= await chromium.connectOverCDP(address);
      const [context] = browser.contexts();
      if (context === undefined) throw new Error('the app has no browser context');
      return context.pages()[0] ?? context.waitForEvent('page');
    },
    clean: async () => {
      await browser?.close().catch(() => undefined);
      for (const pid of processes()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has exited.
        }
      }
      await exit;
    },
  };
}

/** The arguments of a process's command line; empty if it has exited. */
export function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
