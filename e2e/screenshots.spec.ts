import type { Page } from '@playwright/test';
import { expect, type RunningApp, test } from './support/app';
import { allow, cards, idle, messages, say, skipFirstRun } from './support/window';

// Pictures that no journey comes by: one working session in each look. Only for npm run screenshots.
test.skip(process.env.DEEPDESK_SCREENSHOTS !== '1', 'takes pictures, proves nothing');

/** A session on the sample project: a look around, a failing test run, and a repair that waits. */
async function session(page: Page): Promise<void> {
  await say(page, 'read README.md then find "sum" in src');
  await idle(page);
  await say(page, 'run node --test');
  await allow(page);
  await idle(page);
  await say(page, 'replace "a - b" with "a + b" in src/sum.js');
  await expect(cards(page).getByRole('button', { name: /^Allow once/ })).toHaveAttribute(
    'aria-disabled',
    'false',
  );
}

async function resize({ app }: RunningApp, width: number, height: number): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
    { width, height },
  );
}

test('a session in light, dark and a small window', async ({ launchApp }) => {
  const running = await launchApp();
  const { page, shot } = running;
  await skipFirstRun(page);
  await session(page);
  await shot('session');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await shot('session-dark');
  await resize(running, 900, 600);
  await expect(page.getByRole('tree', { name: 'Files' })).toHaveCount(0);
  await shot('session-small-dark');
});

test('what the offline assistant understands, in dark', async ({ launchApp }) => {
  const { page, shot } = await launchApp();
  await skipFirstRun(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await say(page, 'help');
  await idle(page);
  await expect(messages(page).getByRole('table')).toBeVisible();
  await shot('markdown-dark');
});

test('settings and the model picker', async ({ launchApp }) => {
  const { page, shot } = await launchApp();
  await skipFirstRun(page);
  await page
    .getByRole('button', { name: /^Model:/ })
    .last()
    .click();
  await expect(page.getByRole('region', { name: 'Anthropic', exact: true })).toBeVisible();
  await shot('model-picker');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await shot('settings');
});
