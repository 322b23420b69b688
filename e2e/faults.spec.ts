// security.md section 3: failures around the window, and what the person sees then.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import { expect, makeFolder, test } from './support/app';
import {
  addFolder,
  allow,
  cards,
  chooseModel,
  composer,
  idle,
  messages,
  say,
  skipFirstRun,
} from './support/window';

const crash = (app: ElectronApplication) =>
  app.evaluate(({ webContents }) => webContents.getAllWebContents()[0]?.forcefullyCrashRenderer());

/** Evaluates in the page through the main process: Playwright gives up on a page that crashed. */
const inPage = (app: ElectronApplication, script: string): Promise<unknown> =>
  app.evaluate(
    ({ webContents }, text) => webContents.getAllWebContents()[0]?.executeJavaScript(text),
    script,
  );
const text = (app: ElectronApplication) =>
  inPage(app, `document.querySelector('[role="log"]')?.textContent ?? ''`);

test('a renderer that crashes reloads with the same question, and one that keeps crashing is not reloaded', async ({
  launchApp,
}) => {
  const { app, page, output } = await launchApp();
  await skipFirstRun(page);
  await say(page, 'run echo once >> once.txt');
  await expect(cards(page).first()).toBeVisible();
  const asked = await cards(page).first().getAttribute('data-approval');
  await app.evaluate(({ dialog, webContents }) => {
    const said: string[] = [];
    Object.assign(globalThis, { noted: { said, loads: 0 } });
    dialog.showMessageBox = (...args: unknown[]) => {
      const { message, detail = '', buttons = [] } = args.at(-1) as Electron.MessageBoxOptions;
      said.push(message, detail, ...buttons);
      return Promise.resolve({ response: buttons.length - 1, checkboxChecked: false });
    };
    webContents.getAllWebContents()[0]?.on('did-finish-load', () => {
      noted.loads += 1;
    });
  });
  const loads = () => app.evaluate(() => noted.loads);
  for (let death = 1; death <= 3; death += 1) {
    await crash(app);
    await expect.poll(loads).toBe(death);
    await expect
      .poll(() => inPage(app, `document.querySelector('[data-approval]')?.getAttribute('data-approval')`))
      .toBe(asked);
  }
  await crash(app);
  await expect
    .poll(() => app.evaluate(() => noted.said))
    .toEqual([
      "Deepdesk can't show its window",
      expect.stringContaining('Messages, decisions and changes are saved'),
      ...['Restart in safe mode', 'Quit', 'Not now'],
    ]);
  expect(await loads()).toBe(3);
  expect(output()).toContain('The page died several times in a row');
});

test('a renderer that crashes while an answer streams shows the whole answer once', async ({ launchApp }) => {
  let go: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    go = resolve;
  });
  const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
  const server = await startAnthropic(() => {
    go();
    return { text: `Begin. ${words} The end.` };
  });
  try {
    const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const { app, page } = await launchApp({ env });
    await skipFirstRun(page);
    await chooseModel(page, 'Anthropic', 'claude-test');
    await say(page, 'tell me');
    await reached;
    // A query to a page that does not exist yet is never answered.
    await app.evaluate(({ webContents }) => {
      const contents = webContents.getAllWebContents()[0];
      return new Promise<void>((resolve) => {
        contents?.once('did-finish-load', () => resolve());
        contents?.forcefullyCrashRenderer();
      });
    });
    await expect.poll(() => text(app)).toContain('The end.');
    const shown = String(await text(app));
    expect([
      shown.split('Begin.').length,
      shown.split('The end.').length,
      shown.split('word399').length,
    ]).toEqual([2, 2, 2]);
    expect(server.requests.length).toBe(1);
  } finally {
    await server.close();
  }
});

test('a damaged database is kept aside, replaced by a new one, and reported', async ({ launchApp }) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await say(first.page, 'remember tea: I drink green tea');
  await idle(first.page);
  await first.close();
  const file = join(first.dataDir, 'deepdesk.db');
  const bytes = readFileSync(file);
  // The header identifies the file, so only later bytes are overwritten. A file of which all is left would be repaired.
  bytes.fill(0x5a, Math.floor(bytes.length * 0.1), Math.floor(bytes.length * 0.9));
  writeFileSync(file, bytes);
  const second = await launchApp({ dataDir: first.dataDir });
  await second.page.getByRole('button', { name: /warning/ }).click();
  await expect(second.page.getByText(/was damaged and could not be read/).first()).toBeVisible();
  const kept = readdirSync(first.dataDir).find((name) => name.includes('.corrupt-'));
  expect(kept).toBeDefined();
  expect(readFileSync(join(first.dataDir, kept ?? '')).equals(bytes)).toBe(true);
});

test('a folder that is moved away blocks nothing else, is not recreated, and is found again when it returns', async ({
  launchApp,
}) => {
  const parent = makeFolder('moving');
  const folder = join(parent, 'project');
  mkdirSync(folder);
  const { app, page } = await launchApp({ folder });
  await skipFirstRun(page);
  await addFolder({ app, page }, folder);
  await expect(composer(page)).toBeVisible();
  await say(page, 'create one.txt with "1"');
  await allow(page);
  await idle(page);
  renameSync(folder, `${folder}-moved`);
  await say(page, 'create two.txt with "2"');
  await expect(messages(page).getByRole('alert')).toContainText(/folder/i);
  expect(existsSync(folder)).toBe(false);
  renameSync(`${folder}-moved`, folder);
  await messages(page).getByRole('button', { name: 'Continue' }).click();
  await allow(page);
  await idle(page);
  expect(readdirSync(folder).sort()).toEqual(['one.txt', 'two.txt']);
});
