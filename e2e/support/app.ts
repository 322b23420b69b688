import {
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { _electron, test as base, type ElectronApplication, type Page } from '@playwright/test';
import { root } from '../../scripts/process.mjs';
import { withoutNoise } from '../../scripts/runtime/chromium-noise.mjs';
import {
  endRecording,
  isRecording,
  keepEvents,
  recordedArguments,
  shareEvents,
  startRecording,
  useSharedEvents,
} from './recording';
import { currentRun } from './run';
import { prepareSharing, resetApp } from './shared';
import { ownDisplay } from './worker-display';

export { expect } from '@playwright/test';

export interface LaunchOptions {
  /** A folder for the agent, created by the test; default: a new empty one. The app's user becomes its owner. */
  folder?: string;
  /** The app's data folder: that of an earlier launch to continue with, or else a new one. */
  dataDir?: string;
  /** Additional variables for the app's minimal environment. */
  env?: Record<string, string>;
  /** Command-line arguments after the app's folder. */
  args?: string[];
  /** Blocks the host's start until `answerDisk`. */
  slowDisk?: boolean;
}

export interface RunningApp {
  app: ElectronApplication;
  /** The first window. */
  page: Page;
  dataDir: string;
  /** Absolute real path. The app does not know it: answer the folder dialog with it, or pass it in `args`. */
  folder: string;
  /** The output of the main process so far, both streams. */
  output(): string;
  /** Quits like a person who confirms, and waits until the process has exited. */
  close(): Promise<void>;
  /** Kills the main process like a power cut: no handler runs. Waits until it has exited. */
  kill9(): Promise<void>;
  /** With DEEPDESK_SCREENSHOTS=1 writes gallery/NAME.png; otherwise does nothing. */
  shot(name: string): Promise<void>;
}

/** Gives a folder and its contents to the user who runs the app. Only needed if the tests run as root. */
export function giveToApp(path: string): void {
  const { user } = currentRun();
  if (user === null) return;
  chownOnce(path, user);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) giveToApp(below);
    else if (!entry.isSymbolicLink()) chownOnce(below, user);
  }
}

/** A second time would count as a change of the file. */
function chownOnce(path: string, { uid, gid }: { uid: number; gid: number }): void {
  const stats = lstatSync(path);
  if (stats.uid !== uid || stats.gid !== gid) chownSync(path, uid, gid);
}

/** A new folder owned by the app's user and removed after the run. Absolute real path. */
export function makeFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(currentRun().temp, `${name}-`)));
  giveToApp(folder);
  return folder;
}

/** Answers the next folder dialogs with a path, as if the person had chosen it; null cancels them. */
export async function answerFolderDialog(app: ElectronApplication, path: string | null): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () =>
      Promise.resolve({ canceled: chosen === null, filePaths: chosen === null ? [] : [chosen] });
  }, path);
}

/** Lets the host of an app with a slow disk start. */
export const answerDisk = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ app }) => void app.emit('disk-answers'));

/**
 * From now on, the app's process is killed right after it put the `nth` file with this name in place. Returns a function that waits
 * until the process has ended.
 */
export async function killAfter(electron: ElectronApplication, name: string, nth: number) {
  const ended = new Promise<void>((resolve) => electron.once('close', () => resolve()));
  await electron.evaluate(
    (_, wanted) => {
      const { promises } = process.getBuiltinModule('node:fs');
      const { rename } = promises;
      let left = wanted.nth;
      promises.rename = async (from, to) => {
        await rename(from, to);
        if (String(to).endsWith(`/${wanted.name}`) && --left === 0) process.kill(process.pid, 'SIGKILL');
      };
      process.getBuiltinModule('node:module').syncBuiltinESMExports();
    },
    { name, nth },
  );
  return () => ended;
}

/** The environment of the app's process, with a separate home; from the tests' environment only what is listed here. */
export function environment(
  home: string,
  dataDir: string,
  added: Record<string, string>,
): Record<string, string> {
  const run = currentRun();
  const runtimeDir = join(home, 'run');
  mkdirSync(runtimeDir, { recursive: true, mode: 0o700 });
  giveToApp(home);
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    NODE_ENV: 'production',
    ...(process.platform === 'linux' ? {} : inherited()),
    HOME: home,
    TMPDIR: tmpdir(),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_RUNTIME_DIR: runtimeDir,
    ...run.env,
    DEEPDESK_DATA_DIR: dataDir,
    DEEPDESK_TITLES: 'off',
    ...added,
  };
}

/** macOS and Windows programs need more system variables than can be listed; npm's are left out. */
function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || name.startsWith('npm_') ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

/**
 * Makes `app.evaluate` run each function once and always return its result. V8's inspector holds the promise that it awaits
 * only weakly, so a garbage collection between its end and the inspector's callback loses the result ("Resulting promise was
 * garbage collected"): 25 of 2,000 calls beside code that produces garbage. The main process keeps the last results by
 * number, so that such a call can request its result again without running twice.
 *
 * Each function runs in a task of its own. The inspector evaluates in the middle of whatever runs, even while the app reads rows of
 * its database: a quit at such a moment fails.
 */
function keepAnswers(app: ElectronApplication): void {
  const evaluate = app.evaluate.bind(app) as (run: unknown, argument?: unknown) => Promise<unknown>;
  let calls = 0;
  const once = async (run: unknown, argument?: unknown) => {
    const text = `(electron, { call, argument }) => {
      const answers = (globalThis.answersOfJourney ??= new Map());
      if (!answers.has(call)) {
        const task = new Promise((resolve) => setImmediate(resolve));
        answers.set(call, task.then(() => (${String(run)})(electron, argument)));
        answers.delete(call - ${KEPT_ANSWERS});
      }
      return answers.get(call);
    }`;
    const asText = Object.assign(() => undefined, { toString: () => text });
    const call = calls++;
    for (;;) {
      try {
        return await evaluate(asText, { call, argument });
      } catch (error) {
        if (!String(error).includes('Resulting promise was garbage collected')) throw error;
      }
    }
  };
  app.evaluate = once as ElectronApplication['evaluate'];
}

/** More than a journey awaits at the same time. */
const KEPT_ANSWERS = 50;

/** Milliseconds that a start may take on a busy machine. What a journey then waits for is not part of the start. */
const STARTED_WITHIN = 30_000;

/** Waits until the main process has answered the window, or the window shows an error instead. */
async function untilAnswered(page: Page): Promise<void> {
  const isAnswered = () => {
    const main = document.querySelector('main');
    return main === null
      ? document.querySelector('button, [role="alert"]') !== null
      : main.getAttribute('aria-busy') === 'false';
  };
  // A window that never gets there fails the journey's own expectation. The facts tell a missing answer from missing frames.
  await page.waitForFunction(isAnswered, undefined, { timeout: STARTED_WITHIN }).catch(async () => {
    const facts = await page.evaluate(async () => {
      const late = new Promise<string>((resolve) => setTimeout(() => resolve('no frame'), 2_000));
      const frame = new Promise<string>((resolve) => requestAnimationFrame(() => resolve('frames')));
      const busy = document.querySelector('main')?.getAttribute('aria-busy');
      return [document.visibilityState, `busy ${busy}`, await Promise.race([frame, late])].join(', ');
    });
    console.error(`The window did not start within ${STARTED_WITHIN / 1000} s: ${facts}`);
  });
}

/**
 * Starts the built app on the real Electron and waits until its first window is ready. Prefer the `launchApp` fixture of `test`, which
 * also closes it.
 */
async function launchApp(options: LaunchOptions = {}): Promise<RunningApp> {
  const run = currentRun();
  const folder = realpathSync(options.folder ?? makeFolder('folder'));
  const dataDir = options.dataDir ?? makeFolder('data');
  giveToApp(folder);
  giveToApp(dataDir);
  const slowDisk = join(makeFolder('slow-disk'), 'slow-disk.cjs');
  if (options.slowDisk) copyFileSync(join(import.meta.dirname, 'slow-disk.cjs'), slowDisk);
  const app = await _electron.launch({
    args: [
      ...(options.slowDisk ? ['-r', slowDisk] : []),
      ...recordedArguments(makeFolder),
      run.appFolder,
      `--user-data-dir=${join(dataDir, 'profile')}`,
      ...(options.args ?? []),
    ],
    cwd: run.temp,
    chromiumSandbox: run.sandboxOff === null,
    env: environment(makeFolder('home'), dataDir, options.env ?? {}),
  });
  keepAnswers(app);
  let printed = '';
  const main = app.process();
  for (const stream of [main.stdout, main.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (printed += text));
  const gone = new Promise<void>((resolve) => {
    if (main.exitCode !== null || main.signalCode !== null) resolve();
    else main.once('exit', () => resolve());
  });
  const isGone = () => main.exitCode !== null || main.signalCode !== null;
  const page = await app.firstWindow();
  if (!options.slowDisk) await untilAnswered(page);

  return {
    app,
    page,
    dataDir,
    folder,
    output: () => printed,
    close: async () => {
      if (!isGone()) {
        // The answer may not arrive before the end. `close` of Playwright quits in the middle of what runs.
        const quit = app.evaluate(({ app: own, dialog }) => {
          dialog.showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false });
          own.quit();
        });
        await quit.catch(() => undefined);
      }
      await gone;
    },
    kill9: async () => {
      if (!isGone()) main.kill('SIGKILL');
      await gone;
    },
    shot: async (name) => {
      if (process.env.DEEPDESK_SCREENSHOTS !== '1') return;
      const running = await app.firstWindow();
      await running.screenshot({ path: join(root, 'gallery', `${name}.png`), animations: 'disabled' });
    },
  };
}

/** The app that the journeys of a worker share and must not close. `folder`: the folder of its only project. */
export type SharedApp = Omit<RunningApp, 'close' | 'kill9' | 'dataDir'>;

interface Fixtures {
  recording: undefined;
  launchApp: (options?: LaunchOptions) => Promise<RunningApp>;
  sharedApp: SharedApp;
}
interface WorkerFixtures {
  display: undefined;
  workerApp: RunningApp;
}

/**
 * Playwright's test with `launchApp`, which closes its apps after the test, and `sharedApp`, which resets the worker's app
 * before the test. A failed test keeps the output of its apps.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  display: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that a fixture needs from this pattern.
    async ({}, use, { parallelIndex }) => {
      const stop = await ownDisplay(parallelIndex);
      await use(undefined);
      stop();
    },
    { scope: 'worker', auto: true },
  ],
  workerApp: [
    async ({ display: _ }, use) => {
      const running = await launchApp();
      shareEvents();
      await prepareSharing(running);
      await use(running);
      await running.close();
    },
    { scope: 'worker' },
  ],
  recording: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that a fixture needs from this pattern.
    async ({}, use, info) => {
      if (isRecording)
        startRecording(basename(info.file), info.titlePath.slice(1).join(' '), currentRun().temp);
      await use(undefined);
      await endRecording(info.status === 'passed');
    },
    { auto: true },
  ],
  sharedApp: async ({ workerApp }, use, info) => {
    const { close: _, kill9: __, dataDir: ___, ...shared } = workerApp;
    const before = workerApp.output().length;
    const folder = await resetApp(workerApp);
    useSharedEvents();
    await use({ ...shared, folder, output: () => workerApp.output().slice(before) });
    await keepEvents();
    if (info.status === info.expectedStatus) return;
    await info.attach('output of the shared app', {
      body: workerApp.output().slice(before),
      contentType: 'text/plain',
    });
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that a fixture needs from this pattern.
  launchApp: async ({}, use, info) => {
    const running: RunningApp[] = [];
    await use(async (options) => {
      const launched = await launchApp(options);
      running.push(launched);
      return launched;
    });
    await keepEvents();
    for (const [index, launched] of running.entries()) {
      await launched.close();
      if (info.status === info.expectedStatus) continue;
      await info.attach(`output of app ${index + 1}`, {
        body: withoutNoise(launched.output()),
        contentType: 'text/plain',
      });
    }
  },
});
