import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, giveToApp, makeFolder, type RunningApp, test } from './support/app';
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

// Screens beyond the gallery: other languages, text sizes and contrasts, panels as drawers, dialogs, inline errors.
// DEEPDESK_LOOK=DIR npm run e2e -- look.spec writes the screenshots to DIR.
const LOOK = process.env.DEEPDESK_LOOK;
test.skip(LOOK === undefined, 'takes pictures, proves nothing');

const SMALL = { width: 900, height: 600, theme: 'light' } as const;
const USUAL = { width: 1280, height: 800, theme: 'dark' } as const;
const FULL_HD = { width: 1920, height: 1080, theme: 'dark' } as const;
const LARGE = { width: 2560, height: 1440, theme: 'light' } as const;
const NARROW = { width: 640, height: 700, theme: 'dark' } as const;
type Look = typeof SMALL | typeof USUAL | typeof FULL_HD | typeof LARGE | typeof NARROW;

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';
const CHINESE = '软件项目说明文件与长期维护计划';

/** Writes NAME-WIDTH.png for each appearance. `open` reopens the subject if another size has closed it. */
async function see(
  { app, page }: RunningApp,
  name: string,
  looks: readonly Look[] = [SMALL, USUAL],
  open?: () => Promise<void>,
): Promise<void> {
  for (const { width, height, theme } of looks) {
    await app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
      { width, height },
    );
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await open?.();
    await page.screenshot({ path: join(LOOK ?? '', `${name}-${width}.png`), animations: 'disabled' });
    if (open) await page.keyboard.press('Escape');
  }
}

const settings = (page: Page) => page.getByRole('dialog').filter({ has: page.getByRole('tablist') });

async function change(page: Page, values: Record<string, string>): Promise<void> {
  await page.keyboard.press('Control+,');
  await settings(page).getByRole('tab', { name: 'Appearance' }).click();
  for (const [label, value] of Object.entries(values))
    await settings(page).getByLabel(label).selectOption(value);
  await page.keyboard.press('Escape');
}

/** Every page of the settings. */
async function seeSettings(running: RunningApp, name: string, looks?: readonly Look[]): Promise<void> {
  const { page } = running;
  await page.keyboard.press('Control+,');
  const tabs = settings(page).getByRole('tab');
  for (let index = 0; index < (await tabs.count()); index++) {
    await tabs.nth(index).click();
    await see(running, `${name}-${String(index).padStart(2, '0')}`, looks);
  }
  await page.keyboard.press('Escape');
}

/** A session with a table, calls, changes, memories, a plan and an approval, in a project with long names. */
async function session(running: RunningApp): Promise<void> {
  const { app, page } = running;
  const folder = join(makeFolder('names'), `${LONG}-${CHINESE}`);
  mkdirSync(join(folder, `${CHINESE}-${LONG}`, 'src'), { recursive: true });
  writeFileSync(join(folder, `${LONG}-${CHINESE}.md`), `# ${LONG}\n\n${CHINESE}。\n`);
  writeFileSync(join(folder, 'sum.js'), 'export const sum = (a, b) => a - b;\n');
  giveToApp(join(folder, '..'));
  await skipFirstRun(page);
  await addFolder({ app, page }, folder);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(LONG);
  await say(page, `find "${CHINESE}" then read ${LONG}-${CHINESE}.md`);
  await idle(page);
  await say(page, `remember ${LONG} ${CHINESE}: ${CHINESE} ${LONG}`);
  await idle(page);
  await say(page, `plan: ${LONG} ${LONG}; ${CHINESE}${CHINESE}${CHINESE}; Test`);
  await idle(page);
  await say(page, 'replace "a - b" with "a + b" in sum.js');
  await allow(page);
  await idle(page);
  await say(page, `run echo ${LONG} ${LONG} ${CHINESE} >> ${LONG}.txt`);
  // Allowed before it runs, or kept after it ran in a layer.
  await expect(cards(page).locator('[data-allow]')).toBeVisible();
}

const PANELS = { files: 'E', changes: 'G', memories: 'M', plan: 'P' };

/** The conversation with an approval and every panel, beside it or as a drawer. */
async function seeSession(running: RunningApp, name: string, looks?: readonly Look[]): Promise<void> {
  const { page } = running;
  await see(running, `${name}-decision`, looks);
  for (const [panel, key] of Object.entries(PANELS))
    await see(running, `${name}-${panel}`, looks, () => page.keyboard.press(`Control+Shift+${key}`));
  await see(running, `${name}-inbox`, looks, () => page.keyboard.press('Control+Shift+A'));
  await see(running, `${name}-activity`, looks, () => page.keyboard.press('Control+Shift+Y'));
}

test('the first run, step by step', async ({ launchApp }) => {
  const running = await launchApp();
  const { page } = running;
  await expect(page.getByRole('button', { name: 'Skip' })).toBeVisible();
  for (const step of [1, 2, 3]) {
    await see(running, `first-run-${step}`, [SMALL, USUAL, FULL_HD, LARGE]);
    if (step < 3) await page.getByRole('button', { name: 'Next' }).click();
  }
  await page.getByRole('button', { name: 'Skip' }).click();
  await see(running, 'new-thread', [SMALL, LARGE, NARROW]);
});

test('long names', async ({ launchApp }) => {
  test.setTimeout(180_000);
  const running = await launchApp();
  const { page } = running;
  await session(running);
  await seeSession(running, 'names', [SMALL, USUAL, FULL_HD, LARGE]);
  await see(running, 'names-palette', undefined, async () => {
    await page.keyboard.press('Control+K');
    await page.keyboard.type('o');
  });
  await see(running, 'names-quick-open', undefined, async () => {
    await page.keyboard.press('Control+P');
    await page.keyboard.type('md');
  });
  await see(running, 'narrow', [NARROW]);
  await see(running, 'narrow-threads', [NARROW], () => page.keyboard.press('Control+B'));
  await see(running, 'narrow-files', [NARROW], () => page.keyboard.press('Control+Shift+E'));
  await page.keyboard.press('Control+J');
  await see(running, 'terminal', [SMALL, USUAL, FULL_HD, LARGE]);
});

test('Chinese', async ({ launchApp }) => {
  test.setTimeout(180_000);
  const running = await launchApp();
  await session(running);
  await change(running.page, { Language: 'zh' });
  await seeSession(running, 'zh');
  await running.page.keyboard.press('Control+,');
  await running.page.keyboard.press('Escape');
  await seeSettings(running, 'zh-settings');
});

test('large text and high contrast', async ({ launchApp }) => {
  test.setTimeout(180_000);
  const running = await launchApp();
  const { page } = running;
  await session(running);
  await change(page, { 'Text size': '150' });
  await seeSession(running, 'large', [SMALL, USUAL, FULL_HD, LARGE]);
  await seeSettings(running, 'large-settings', [SMALL]);
  await change(page, { 'Text size': '100', Contrast: 'more' });
  await seeSession(running, 'contrast');
  await seeSettings(running, 'contrast-settings', [USUAL]);
});

test('inline errors', async ({ launchApp }) => {
  const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
  const running = await launchApp({ env });
  const { page, dataDir } = running;
  await skipFirstRun(page);
  await chooseModel(page, 'Anthropic', `claude-${LONG.toLowerCase()}`);
  await see(running, 'long-model');
  await say(page, 'hello out there');
  await expect(messages(page).getByRole('alert')).toContainText("Couldn't reach");
  await see(running, 'error-network');
  await page.getByRole('button', { name: /^Approval mode/ }).click();
  await see(running, 'mode-menu');
  await page.keyboard.press('Escape');
  renameSync(join(dataDir, 'sample-project'), join(dataDir, 'moved'));
  await expect(page.getByRole('alert', { name: /was moved or deleted/ })).toBeVisible();
  await see(running, 'error-folder');
});

test('dialogs and forms', async ({ launchApp }) => {
  test.setTimeout(120_000);
  const running = await launchApp();
  const { page } = running;
  await skipFirstRun(page);
  await say(page, 'replace "a - b" with "a + b" in src/sum.js');
  await allow(page);
  await idle(page);
  await say(page, 'run ls -la');
  await idle(page);
  await page.keyboard.press('Control+Shift+G');
  await page.getByRole('button', { name: 'Undo all' }).click();
  await see(running, 'dialog-revert');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Actions for sample-project/ }).click();
  await see(running, 'menu-project');
  await page.keyboard.press('Escape');
  await composer(page).fill('/');
  await see(running, 'composer-commands');
  await composer(page).fill('@s');
  await see(running, 'composer-files');
  await composer(page).fill('');
  await page.keyboard.press('Control+,');
  await settings(page).getByRole('tab', { name: 'MCP servers' }).click();
  await page.getByRole('button', { name: 'Add server…' }).click();
  await see(running, 'form-mcp');
  await settings(page).getByRole('tab', { name: 'Rules' }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await see(running, 'form-rule');
  await settings(page).getByRole('tab', { name: 'Models and keys' }).click();
  await page.getByRole('button', { name: 'Enter key…' }).first().click();
  await see(running, 'form-key');
  await settings(page).getByRole('searchbox').fill('key');
  await see(running, 'settings-search');
  await settings(page).getByRole('searchbox').fill('');
  await settings(page).getByRole('tab', { name: 'Appearance' }).click();
  await settings(page).getByLabel('Theme').click();
  await see(running, 'select-open');
});
