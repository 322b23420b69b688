// security.md section 3: how the app exits, with and without work in progress, and what a second start does.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElectronApplication, Page } from '@playwright/test';
import { environment, expect, makeFolder, test } from './support/app';
import { processTree } from './support/processes';
import { currentRun } from './support/run';
import { allow, cards, composer, idle, messages, say, skipFirstRun } from './support/window';

test.skip(process.platform !== 'linux', 'reads /proc');

// Unique to this run: the tests search for them among all processes of the machine.
const STUBBORN = `sleep 4321.${process.pid}`;
const TERMINATED = `sleep 4322.${process.pid}`;
const AT_SHUTDOWN = `sleep 4325.${process.pid}`;

/** Milliseconds that the app may take to exit, plus a margin for a slow machine. */
const ENDS_WITHIN = 3_000 + 1_500;

/** Answers system dialogs, and records their text. */
async function answerQuestions(app: ElectronApplication, response: number): Promise<void> {
  await app.evaluate(({ dialog }, answer) => {
    const asked: string[] = [];
    Object.assign(globalThis, { noted: { asked } });
    dialog.showMessageBox = (async (...words: unknown[]) => {
      const { message, detail } = words.at(-1) as Electron.MessageBoxOptions;
      asked.push(`${message} ${detail}`);
      return { response: answer, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
  }, response);
}
const askedOf = (app: ElectronApplication) => app.evaluate(() => noted.asked);

/** Processes of the system whose command line contains these words. */
const running = (words: string) =>
  processTree(1).filter((process) => process.words.join(' ').includes(words));

function whenGone(app: ElectronApplication): Promise<number> {
  const began = performance.now();
  const main = app.process();
  return new Promise((resolve) => {
    if (main.exitCode !== null || main.signalCode !== null) resolve(0);
    else main.once('exit', () => resolve(performance.now() - began));
  });
}

test('closing the window while the agent works asks first: no keeps it running, yes stops everything within three seconds', async ({
  launchApp,
}) => {
  const { app, page } = await launchApp();
  await skipFirstRun(page);
  await say(page, `run trap "" TERM; ${STUBBORN} & setsid ${STUBBORN} & ${STUBBORN}`);
  await allow(page);
  await expect.poll(() => running(STUBBORN).length).toBeGreaterThanOrEqual(3);
  await answerQuestions(app, 0);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect
    .poll(() => askedOf(app))
    .toEqual([
      'Quit while the agent is working? The agent is working in 1 thread.\nQuitting stops this. Finished work is kept, and each thread can continue later.',
    ]);
  await expect(page.getByRole('button', { name: 'Stop', exact: true }).first()).toBeVisible();
  await answerQuestions(app, 1);
  const gone = whenGone(app);
  // The connection closes with the app.
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()).catch(() => undefined);
  expect(await gone).toBeLessThan(ENDS_WITHIN);
  expect(running(STUBBORN)).toEqual([]);
});

test('quits without asking when nothing runs, and keeps a pending approval for the next start', async ({
  launchApp,
}) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await say(first.page, 'run echo waited >> waited.txt');
  await expect(cards(first.page).first()).toBeVisible();
  await answerQuestions(first.app, 0);
  const gone = whenGone(first.app);
  await first.app
    .evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
    .catch(() => undefined);
  expect(await gone).toBeLessThan(ENDS_WITHIN);
  const second = await launchApp({ dataDir: first.dataDir });
  await allow(second.page);
  await idle(second.page);
  await expect(messages(second.page)).toContainText('exit code 0');
});

test('SIGTERM stops the app and a running command without asking and without leftovers', async ({
  launchApp,
}) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await say(first.page, `run ${TERMINATED} & setsid ${TERMINATED} & ${TERMINATED}`);
  await allow(first.page);
  await expect.poll(() => running(TERMINATED).length).toBeGreaterThanOrEqual(3);
  const gone = whenGone(first.app);
  first.app.process().kill('SIGTERM');
  expect(await gone).toBeLessThan(ENDS_WITHIN);
  expect(running(TERMINATED)).toEqual([]);
  // The next start reports where the turn stopped.
  const second = await launchApp({ dataDir: first.dataDir });
  await expect(messages(second.page)).toContainText(`run ${TERMINATED}`);
  await expect(second.page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
});

test('the end of the desktop session stops the app and a running command, and delays the shutdown until then', async ({
  launchApp,
}) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await say(first.page, `run ${AT_SHUTDOWN}`);
  await allow(first.page);
  await expect.poll(() => running(AT_SHUTDOWN).length).toBeGreaterThanOrEqual(1);
  const gone = whenGone(first.app);
  const waits = await first.app.evaluate(({ powerMonitor }) => {
    let prevented = false;
    powerMonitor.emit('shutdown', {
      preventDefault: () => {
        prevented = true;
      },
    });
    return prevented;
  });
  expect(waits).toBe(true);
  expect(await gone).toBeLessThan(ENDS_WITHIN);
  expect(running(AT_SHUTDOWN)).toEqual([]);
  const second = await launchApp({ dataDir: first.dataDir });
  await expect(messages(second.page)).toContainText(`run ${AT_SHUTDOWN}`);
  await expect(second.page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
});

/** A pipe that `count` threads of the app's pool open for reading; each waits for a writer. */
async function holdThreads(app: ElectronApplication, count: number): Promise<string> {
  const pipe = join(makeFolder('pipes'), 'pipe');
  execFileSync('mkfifo', ['-m', '666', pipe]);
  await app.evaluate(
    (_electron, held) => {
      const { open } = process.getBuiltinModule('node:fs');
      for (let thread = 0; thread < held.count; thread += 1) open(held.pipe, 'r', () => undefined);
    },
    { pipe, count },
  );
  return pipe;
}

test('a worker that hangs in the file system does not keep the app from quitting', async ({ launchApp }) => {
  const { app, page } = await launchApp();
  await skipFirstRun(page);
  // The whole pool.
  await holdThreads(app, 4);
  const gone = whenGone(app);
  app.process().kill('SIGTERM');
  expect(await gone).toBeLessThan(ENDS_WITHIN);
});

test('a slow disk does not kill the app at its exit, which would lose the draft', async ({ launchApp }) => {
  const { app, page, dataDir } = await launchApp();
  await skipFirstRun(page);
  await composer(page).fill('to be continued');
  const pipe = await holdThreads(app, 1);
  const main = app.process();
  const gone = whenGone(app);
  main.kill('SIGTERM');
  await sleep(500);
  // This lets the thread go on.
  closeSync(openSync(pipe, 'r+'));
  await gone;
  expect(main.signalCode).toBeNull();
  const second = await launchApp({ dataDir });
  await expect(composer(second.page)).toHaveValue('to be continued');
});

/** Whether Chromium has this text of a page in its files. */
const isOnDisk = (dataDir: string, text: string): boolean => {
  const folder = join(dataDir, 'profile', 'Local Storage', 'leveldb');
  return readdirSync(folder).some((name) => readFileSync(join(folder, name), 'latin1').includes(text));
};

/** Opens the form of the card, once it takes decisions. */
async function openReason(page: Page): Promise<void> {
  const decides = cards(page).getByRole('button', { name: /^Allow once/ });
  await expect(decides).toHaveAttribute('aria-disabled', 'false');
  await cards(page)
    .getByRole('button', { name: /^Reject with reason/ })
    .click();
}

test('a draft and the field of a card are on the disk soon after they were typed, and survive a kill', async ({
  launchApp,
}) => {
  const { app, page, dataDir, kill9 } = await launchApp();
  await skipFirstRun(page);
  await say(page, 'create draft.txt with "d"');
  await openReason(page);
  await cards(page).getByRole('textbox').fill('for no reason yet');
  await expect.poll(() => isOnDisk(dataDir, 'for no reason yet')).toBe(true);
  await app.evaluate(({ session }) => {
    Object.assign(globalThis, { noted: { flushes: 0 } });
    const { flushStorageData } = session.defaultSession;
    session.defaultSession.flushStorageData = function flushAndCount() {
      noted.flushes += 1;
      flushStorageData.call(this);
    };
  });
  await composer(page).fill('to be continued');
  // Not by Chromium itself, which waits longer the more there was to write.
  await expect.poll(() => app.evaluate(() => noted.flushes)).toBeGreaterThan(0);
  await expect.poll(() => isOnDisk(dataDir, 'to be continued')).toBe(true);
  await kill9();
  const second = await launchApp({ dataDir });
  await expect(composer(second.page)).toHaveValue('to be continued');
  await openReason(second.page);
  await expect(cards(second.page).getByRole('textbox')).toHaveValue('for no reason yet');
});

test('a second start focuses the window of the first one and exits', async ({ launchApp }) => {
  const { app, page, dataDir } = await launchApp();
  await skipFirstRun(page);
  await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0];
    Object.assign(globalThis, { noted: { focused: 0 } });
    if (window) {
      const { focus } = window;
      window.focus = () => {
        noted.focused += 1;
        focus.call(window);
      };
    }
  });
  const run = currentRun();
  const program = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const second = spawn(
    run.program,
    [
      run.appFolder,
      `--user-data-dir=${join(dataDir, 'profile')}`,
      ...(run.sandboxOff === null ? [] : ['--no-sandbox']),
    ],
    { cwd: run.temp, env: environment(makeFolder('home'), dataDir, {}), stdio: 'ignore', ...run.user },
  );
  expect(program).toBeDefined();
  const ended = await new Promise<number | null>((resolve) => second.once('exit', resolve));
  expect(ended).toBe(0);
  await expect.poll(() => app.evaluate(() => noted.focused)).toBeGreaterThan(0);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  // One process has the database open for writing.
  const holders = readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(
        `--user-data-dir=${join(dataDir, 'profile')}`,
      );
    } catch {
      return false;
    }
  });
  expect(holders.map(Number)).toContain(await app.evaluate(() => process.pid));
});
