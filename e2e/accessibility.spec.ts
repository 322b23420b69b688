import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type RunningApp, test } from './support/app';
import { violations } from './support/axe';
import { allow, cards, idle, say, skipFirstRun } from './support/window';

const LOOK = process.env.DEEPDESK_LOOK;

/** Nothing to stumble over on this screen, in both themes. All screens are looked at before the journey fails. */
async function check(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    if (LOOK) await page.screenshot({ path: join(LOOK, `${name}-${theme}.png`), animations: 'disabled' });
    expect.soft(await violations(page), `${name}, ${theme}`).toEqual([]);
  }
}

const settingsOf = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

async function openSettings(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  await expect(settingsOf(page)).toBeVisible();
}

test('a session can be followed and decided without sight', async ({ launchApp }) => {
  test.setTimeout(180_000);
  const { page } = await launchApp();
  await expect(page.getByRole('button', { name: 'Skip' })).toBeVisible();
  await check(page, 'first run');
  await skipFirstRun(page);
  await check(page, 'new thread');
  await say(page, 'help');
  await idle(page);
  await say(page, 'read README.md then find "sum" in src');
  await idle(page);
  await say(page, 'replace "a - b" with "a + b" in src/sum.js');
  const allowOnce = cards(page).getByRole('button', { name: /^Allow once/ });
  await expect(allowOnce).toHaveAttribute('aria-disabled', 'false');
  await check(page, 'decision');
  await page.keyboard.press('Control+Shift+A');
  await expect(page.getByRole('dialog', { name: 'Decisions that wait', exact: true })).toBeVisible();
  await check(page, 'inbox');
  await page.keyboard.press('Escape');
  await allow(page);
  await idle(page);
  await say(page, 'run node --test');
  await allow(page);
  await idle(page);
  await say(page, 'remember test: The tests run with node --test then plan: Read; Mend; Test');
  await idle(page);
  for (const name of ['Changes', 'Memories', 'Plan', 'Files']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await check(page, name);
  }
  await page.keyboard.press('Control+f');
  await check(page, 'search');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+Y');
  await expect(page.getByRole('dialog', { name: 'What ran without asking' })).toBeVisible();
  await check(page, 'activity');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('show');
  await check(page, 'palette');
});

test('every page of the settings can be read and set without sight', async ({ launchApp }) => {
  test.setTimeout(180_000);
  const { page } = await launchApp();
  await skipFirstRun(page);
  await page
    .getByRole('button', { name: /^Model:/ })
    .last()
    .click();
  await expect(page.getByRole('region', { name: 'Anthropic', exact: true })).toBeVisible();
  await check(page, 'models');
  await page.keyboard.press('Escape');
  await openSettings(page);
  const tabs = settingsOf(page).getByRole('tab');
  for (const name of await tabs.allTextContents()) {
    await settingsOf(page).getByRole('tab', { name, exact: true }).click();
    await check(page, `settings ${name.toLowerCase()}`);
  }
});

test('high contrast, large letters and Chinese hold the same', async ({ launchApp }) => {
  test.setTimeout(120_000);
  const running: RunningApp = await launchApp();
  const { page } = running;
  await skipFirstRun(page);
  await openSettings(page);
  await settingsOf(page).getByRole('tab', { name: 'Appearance' }).click();
  await settingsOf(page).getByLabel('Contrast').selectOption('more');
  await settingsOf(page).getByLabel('Size of letters').selectOption('150');
  await check(page, 'high contrast settings');
  await settingsOf(page).getByLabel('Language').selectOption('zh');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh');
  await page.keyboard.press('Escape');
  await check(page, 'high contrast chinese');
});
