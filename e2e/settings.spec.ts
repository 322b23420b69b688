import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { startOpenAI } from './providers/openai';
import { expect, giveToApp, makeFolder, type RunningApp, test } from './support/app';
import { answerConfirmations } from './support/confirmations';
import { see } from './support/see';
import { allow, chooseModel, composer, idle, say, skipFirstRun } from './support/window';

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Settings', exact: true });
const section = (page: Page, name: string) => dialog(page).getByRole('tab', { name, exact: true }).click();

async function openSettings(page: Page): Promise<void> {
  await composer(page).click();
  await page.keyboard.press('Control+,');
  await expect(dialog(page)).toBeVisible();
}

/** Answers the file dialogs, and prevents an automatic restart of the app: the test restarts it. */
async function answerFiles(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ app: own, dialog: dialogs }, chosen) => {
    dialogs.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen });
    dialogs.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
    own.relaunch = () => undefined;
  }, path);
}

const small = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));

test('a setting is found by a search, changed immediately, undone, and kept across a restart', async ({
  launchApp,
}) => {
  const first = await launchApp();
  const { page } = first;
  await skipFirstRun(page);
  await small(first.app);
  await openSettings(page);
  const search = dialog(page).getByRole('searchbox', { name: 'Search settings' });
  await search.fill('主题');
  await expect(dialog(page).getByRole('button', { name: /^Theme/ })).toBeVisible();
  await see(page, 'search');
  await search.press('Enter');
  const theme = dialog(page).getByLabel('Theme', { exact: true });
  await expect(theme).toBeFocused();
  await theme.selectOption('dark');
  await expect(dialog(page).getByText('Changed: Theme')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await expect(theme).toHaveValue('system');

  await section(page, 'Models and keys');
  await dialog(page)
    .getByRole('checkbox', { name: /^Let the model title/ })
    .uncheck();
  await see(page, 'models');
  await first.close();
  const { page: again } = await launchApp({ dataDir: first.dataDir });
  await openSettings(again);
  await dialog(again).getByRole('button', { name: 'Changed', exact: true }).click();
  await expect(
    dialog(again).getByRole('button', { name: /^Reset to default: Let the model title/ }),
  ).toBeVisible();
});

test('testing a provider explains what went wrong on the wire', async ({ launchApp }) => {
  const server = await startOpenAI(() => ({ text: 'OK' }), { models: ['gpt-5', 'gpt-5-mini'] });
  const closed = await startOpenAI(() => ({ text: 'OK' }));
  await closed.close();
  try {
    const { page, app } = await launchApp({
      env: { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: server.url },
    });
    await skipFirstRun(page);
    await small(app);
    await openSettings(page);
    const openai = dialog(page).getByRole('listitem', { name: 'OpenAI', exact: true });
    const tested = async (words: RegExp) => {
      await openai.getByRole('button', { name: 'Test OpenAI' }).click();
      await expect(openai.getByText(words)).toBeVisible();
    };
    await openai.getByRole('combobox').selectOption('gpt-5');
    await tested(/answered in/);
    await see(page, 'test-answered');
    server.failNext({ rateLimited: { retryAfter: 150 } });
    await tested(/is limiting requests\. Test again in 2 min 30 s/);
    await see(page, 'test-limit');
    server.failNext('unauthorized');
    await tested(/rejected the key/);
    server.failNext('overloaded');
    await tested(/overloaded or down/);
    await openai.getByRole('combobox').selectOption('gpt-4.1');
    await tested(/doesn't know openai:gpt-4\.1/);
    await see(page, 'test-model');

    await answerConfirmations(app, true);
    const at = async (address: string) => {
      await openai.getByRole('button', { name: 'Set address…' }).click();
      await openai.getByRole('textbox').first().fill(address);
      await openai.getByRole('button', { name: 'Save address' }).click();
      await expect(openai.getByRole('button', { name: 'Set address…' })).toBeFocused();
    };
    await at(closed.url);
    await tested(/No server answers at this address/);
    await at(server.url.replace(/v1$/u, 'v2'));
    await tested(/it isn't a model service/);
    await see(page, 'test-address');
    // The change is reported once, with an undo.
    await expect(dialog(page).getByText('Changed: Address of OpenAI')).toBeVisible();
    await expect(page.getByText('Address saved')).toHaveCount(0);
    await expect(page.getByText('test-key')).toHaveCount(0);
  } finally {
    await server.close();
  }
});

test('a removed key can be restored, and a part of the data can be cleared', async ({ launchApp }) => {
  const { page } = await launchApp();
  await skipFirstRun(page);
  await say(page, 'run touch one && ls');
  await allow(page);
  await idle(page);
  await openSettings(page);
  const anthropic = dialog(page).getByRole('listitem', { name: 'Anthropic', exact: true });
  await anthropic.getByRole('button', { name: 'Enter key…' }).click();
  await anthropic.getByLabel('Key for Anthropic').fill('sk-ant-of-the-journey');
  await anthropic.getByRole('button', { name: 'Save key' }).press('Enter');
  await expect(anthropic.getByRole('button', { name: 'Change key…' })).toBeFocused();
  await anthropic.getByRole('button', { name: 'More actions for Anthropic' }).click();
  await page.getByRole('menuitem', { name: 'Remove key' }).click();
  await expect(anthropic.getByText('No key')).toBeVisible();
  await see(page, 'key-removed');
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await expect(anthropic.getByRole('button', { name: 'More actions for Anthropic' })).toBeVisible();
  expect(await page.content()).not.toContain('sk-ant-of-the-journey');

  await section(page, 'Data');
  const terminals = dialog(page).getByRole('row', { name: /terminal output/ });
  await terminals.getByRole('button').click();
  await expect(
    dialog(page).getByText(/^Deletes the output and tabs of all finished terminals/),
  ).toBeVisible();
  await see(page, 'data-clear');
  await dialog(page).getByRole('button', { name: 'Clear permanently' }).click();
  await expect(terminals.getByRole('button')).toBeDisabled();
});

/** Presses the button that quits the app, and waits for its exit without another query. */
async function goesBy({ app }: RunningApp, button: Locator): Promise<void> {
  const ended = app.waitForEvent('close');
  await button.click();
  await ended;
}

test('a backup is made, verified and restored, and a wipe removes all user data', async ({ launchApp }) => {
  const first = await launchApp();
  const { page, app, dataDir, shot } = first;
  await skipFirstRun(page);
  await say(page, 'list files');
  await idle(page);
  const to = join(makeFolder('backup'), 'mine.backup');
  await answerFiles(app, to);
  await small(app);
  await openSettings(page);
  await section(page, 'Data');
  await expect(dialog(page).getByRole('row', { name: /^Total.*\d/ })).toBeVisible();
  await see(page, 'data');
  await shot('data');
  await dialog(page).getByRole('button', { name: 'Back up…' }).click();
  await expect(dialog(page).getByText(/^Backup verified. Threads: 1,/)).toBeVisible();
  await see(page, 'data-backup');
  expect(statSync(to).mode & 0o777).toBe(0o600);

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New thread', exact: true }).click();
  await say(page, 'read README.md');
  await idle(page);
  await openSettings(page);
  await section(page, 'Data');
  await dialog(page).getByRole('button', { name: 'Choose a backup…' }).click();
  await goesBy(first, dialog(page).getByRole('button', { name: 'Restore and restart' }));

  const second = await launchApp({ dataDir });
  const threads = second.page.getByRole('navigation', { name: 'Projects and threads' });
  await expect(threads.getByRole('button', { name: 'list files' }).first()).toBeVisible();
  await expect(threads.getByRole('button', { name: 'read README.md' })).toHaveCount(0);
  expect(readdirSync(dataDir).some((name) => name.startsWith('deepdesk.db.before-'))).toBe(true);
  await answerFiles(second.app, to);
  mkdirSync(join(dataDir, 'skills', 'mine'), { recursive: true });
  writeFileSync(join(dataDir, 'skills', 'mine', 'notes.md'), 'mine');
  giveToApp(dataDir);
  await openSettings(second.page);
  await section(second.page, 'Data');
  await dialog(second.page).getByRole('button', { name: 'Delete everything…' }).click();
  const sure = dialog(second.page).getByRole('button', { name: 'Delete and restart' });
  await expect(sure).toBeDisabled();
  await dialog(second.page).getByLabel('Type DELETE to continue').fill('DELETE');
  await see(second.page, 'data-wipe');
  await answerConfirmations(second.app, true);
  await goesBy(second, sure);

  const { page: fresh } = await launchApp({ dataDir });
  await expect(fresh.getByRole('button', { name: 'list files' })).toHaveCount(0);
  await skipFirstRun(fresh);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('deepdesk.db.'))).toEqual([]);
  expect(existsSync(join(dataDir, 'skills', 'mine', 'notes.md'))).toBe(true);
});

test('usage is charted by day, model and project, shown as a table, and exported', async ({ launchApp }) => {
  // Long enough for a cost that does not round to zero.
  const server = await startOpenAI(() => ({ text: 'Hello from the loopback provider. '.repeat(60) }));
  const folder = makeFolder('second');
  try {
    const env = { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: server.url };
    const { page, app } = await launchApp({ folder, env });
    await skipFirstRun(page);
    await small(app);
    await openSettings(page);
    await section(page, 'Usage');
    await expect(dialog(page).getByText(/No requests in this period/)).toBeVisible();
    await expect(dialog(page).getByRole('button', { name: 'Export as CSV…' })).toBeDisabled();
    await see(page, 'usage-empty');
    await page.keyboard.press('Escape');

    await chooseModel(page, 'OpenAI', 'gpt-5', 'GPT-5');
    await say(page, 'Hello');
    await idle(page);
    await answerFiles(app, folder);
    await page.getByRole('button', { name: 'Add folder' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(basename(folder));
    await chooseModel(page, 'OpenAI', 'some-new-model');
    await say(page, 'Hello');
    await idle(page);
    expect(server.requests.map(({ status }) => status)).toEqual([200, 200]);

    const to = join(makeFolder('usage'), 'usage.csv');
    await answerFiles(app, to);
    await openSettings(page);
    await section(page, 'Usage');
    await expect(dialog(page).getByRole('img', { name: /^Tokens by day/ })).toBeVisible();
    await expect(dialog(page).getByText(/^1 request used a model with an unknown price/)).toBeVisible();
    await see(page, 'usage');
    const models = dialog(page).getByRole('region', { name: 'By model' });
    const projects = dialog(page).getByRole('region', { name: 'By project' });
    await expect(models.getByRole('row', { name: /openai:some-new-model 1 .* unknown$/ })).toBeVisible();
    await expect(models.getByRole('row', { name: /openai:gpt-5 1 .* \$0\.\d+$/ })).toBeVisible();
    await expect(projects.getByRole('row', { name: /^sample-project 1 .* \$0\.\d+$/ })).toBeVisible();
    await expect(projects.getByRole('row', { name: new RegExp(`^${basename(folder)} 1 `) })).toBeVisible();
    await dialog(page).getByLabel('Metric', { exact: true }).selectOption('cost');
    await expect(dialog(page).getByRole('img', { name: /^Cost by day/ })).toBeVisible();
    await see(page, 'usage-cost');
    await dialog(page).getByLabel('View').selectOption('table');
    const days = dialog(page).getByRole('region', { name: 'By day' });
    await expect(days.getByRole('row', { name: /^\d{4}-\d\d-\d\d 2 .* ≥ \$0\.\d+$/ })).toBeVisible();
    await see(page, 'usage-table');
    await dialog(page).getByRole('button', { name: 'Export as CSV…' }).click();
    await expect(dialog(page).getByText(`Saved to ${to}`)).toBeVisible();
    const lines = readFileSync(to, 'utf8').trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines.join('\n')).toContain(',openai:gpt-5,sample-project,1,');
    expect(lines.join('\n')).toContain(`,openai:some-new-model,${basename(folder)},1,`);
  } finally {
    await server.close();
  }
});

test('diagnostics can be copied for a bug report without anything private, and licenses can be read', async ({
  launchApp,
}) => {
  const { app, page, dataDir } = await launchApp();
  await skipFirstRun(page);
  await say(page, 'hello canary message');
  await idle(page);
  await openSettings(page);
  await section(page, 'About');
  await dialog(page).getByRole('button', { name: 'Copy diagnostics' }).click();
  await expect(page.getByText('Diagnostics copied')).toBeVisible();
  const text = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(text).toMatch(/^Deepdesk \d+\.\d+\.\d+\nruntime: Electron /);
  expect(text).toMatch(/projects: 1, threads: 1/);
  expect(text).toMatch(/Z start \d+\.\d+\.\d+, Electron /);
  for (const secret of ['canary', dataDir, 'sample-project']) expect(text).not.toContain(secret);

  await dialog(page).getByRole('button', { name: 'Show licenses' }).click();
  await dialog(page).getByRole('searchbox', { name: 'Search packages' }).fill('zustand');
  await dialog(page)
    .getByRole('button', { name: /^zustand/ })
    .click();
  await expect(dialog(page).getByText('Permission is hereby granted')).toBeVisible();
  await small(app);
  await see(page, 'about');
});
