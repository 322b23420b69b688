import type { Page } from '@playwright/test';
import { expect, type RunningApp, test } from './support/app';
import { runsInLayers } from './support/sandbox';
import { allow, cards, idle, messages, say, skipFirstRun } from './support/window';

// The gallery: every screen in both themes and three sizes, from real runs. Only for npm run screenshots.
test.skip(process.env.DEEPDESK_SCREENSHOTS !== '1', 'takes pictures, proves nothing');

const SIZES = [
  { width: 900, height: 600 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1440 },
];
const THEMES = ['light', 'dark'] as const;

/** Long words as in German, and Chinese, to test narrow columns. */
const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen-软件项目说明文件.md';

async function resize({ app }: RunningApp, width: number, height: number): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
    { width, height },
  );
}

/** Below this width, in pixels, the panels on the right overlap the conversation. */
const DRAWER_BELOW = 1_100;

/** Saves one screen in all sizes and themes, as screens/NAME-THEME-WIDTH.png. `keys` open the panel to show. */
async function picture(running: RunningApp, name: string, keys?: string): Promise<void> {
  const { page, shot } = running;
  for (const { width, height } of SIZES) {
    await resize(running, width, height);
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width);
    const drawer = page.getByRole('dialog', { name: 'Files, changes, memories and plan' });
    if (keys !== undefined) await page.keyboard.press(keys);
    if (keys !== undefined && width < DRAWER_BELOW) await expect(drawer).toBeVisible();
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await shot(`screens/${name}-${theme}-${width}`);
    }
    if (keys !== undefined && width < DRAWER_BELOW) {
      await page.keyboard.press('Escape');
      await expect(drawer).toHaveCount(0);
    }
  }
  await resize(running, 1280, 800);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** A session on the sample project: a look around, a failing test run, and a pending fix. */
async function session(page: Page): Promise<void> {
  await say(page, 'read README.md then find "sum" in src');
  await idle(page);
  await say(page, 'run node --test');
  if (!(await runsInLayers(page))) await allow(page);
  await idle(page);
  await say(page, 'replace "a - b" with "a + b" in src/sum.js');
  await expect(cards(page).getByRole('button', { name: /^Allow once/ })).toHaveAttribute(
    'aria-disabled',
    'false',
  );
}

test('first run', async ({ launchApp }) => {
  const running = await launchApp();
  await expect(running.page.getByRole('button', { name: 'Skip' })).toBeVisible();
  await picture(running, 'first-run');
});

test('a session, its changes, files, memories and plan', async ({ launchApp }) => {
  const running = await launchApp();
  const { page, shot } = running;
  await skipFirstRun(page);
  await session(page);
  await shot('session');
  await page.emulateMedia({ colorScheme: 'dark' });
  await shot('session-dark');
  await picture(running, 'decision');
  await allow(page);
  await idle(page);
  await say(
    page,
    `remember ${LONG_NAME}: The tests run with node --test then plan: Read; Fix the sum of all numbers in the project; Test`,
  );
  await idle(page);
  await picture(running, 'changes', 'Control+Shift+G');
  await picture(running, 'memories', 'Control+Shift+M');
  await picture(running, 'plan', 'Control+Shift+P');
  await picture(running, 'files', 'Control+Shift+E');
});

test('tables and code in an answer', async ({ launchApp }) => {
  const running = await launchApp();
  await skipFirstRun(running.page);
  await say(running.page, 'help');
  await idle(running.page);
  await expect(messages(running.page).getByRole('table')).toBeVisible();
  await picture(running, 'answer');
});

test('the model picker', async ({ launchApp }) => {
  const running = await launchApp();
  const { page } = running;
  await skipFirstRun(page);
  await page
    .getByRole('button', { name: /^Model:/ })
    .last()
    .click();
  await expect(page.getByRole('region', { name: 'Anthropic', exact: true })).toBeVisible();
  await picture(running, 'models');
});

/** Each page is taken in every theme and size, which takes seconds. */
const PARTS = 4;

for (let part = 0; part < PARTS; part += 1)
  test(`the pages of the settings, part ${part + 1} of ${PARTS}`, async ({ launchApp }) => {
    const running = await launchApp();
    const { page } = running;
    await skipFirstRun(page);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    const pages = await settings.getByRole('tab').allTextContents();
    for (const name of pages.filter((_, at) => at % PARTS === part)) {
      await settings.getByRole('tab', { name, exact: true }).click();
      await picture(running, `settings-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`);
    }
  });
