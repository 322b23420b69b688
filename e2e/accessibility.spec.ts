import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import { inTurn } from './providers/script';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { violations } from './support/axe';
import { allow, cards, chooseModel, composer, idle, messages, say, skipFirstRun } from './support/window';

const LOOK = process.env.DEEPDESK_LOOK;

/**
 * Checks this screen, or the dialog over it, for accessibility problems in both themes. The journey checks all screens
 * before it fails.
 */
async function check(page: Page, name: string, within?: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    if (LOOK) await page.screenshot({ path: join(LOOK, `${name}-${theme}.png`), animations: 'disabled' });
    const about = theme === 'light' ? 'all' : 'colors';
    expect.soft(await violations(page, within, about), `${name}, ${theme}`).toEqual([]);
  }
}

const settingsOf = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

async function openSettings(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  await expect(settingsOf(page)).toBeVisible();
}

test('a session can be followed and decided with a screen reader', async ({ sharedApp }) => {
  test.setTimeout(180_000);
  const { page } = sharedApp;
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
  await expect(page.getByRole('dialog', { name: 'Waiting for you', exact: true })).toBeVisible();
  await check(page, 'inbox');
  await page.keyboard.press('Escape');
  await allow(page);
  await idle(page);
  await say(page, 'run node --test; echo seen > seen.txt');
  await expect(cards(page)).toHaveCount(1);
  await allow(page);
  await idle(page);
  await say(page, 'remember test: The tests run with node --test then plan: Read; Fix; Test');
  await idle(page);
  for (const name of ['Changes', 'Memories', 'Plan', 'Files']) {
    await page.getByRole('tab', { name, exact: true }).click();
    await check(page, name);
  }
  await page.keyboard.press('Control+f');
  await check(page, 'search');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+Y');
  await expect(page.getByRole('dialog', { name: 'Auto-approved calls' })).toBeVisible();
  await check(page, 'activity');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('show');
  await check(page, 'palette');
});

test('every settings page can be read and set with a screen reader', async ({ sharedApp }) => {
  test.setTimeout(180_000);
  const { page } = sharedApp;
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

test('external content and sent messages can be read with a screen reader', async ({ launchApp }) => {
  const library = spawn(
    process.execPath,
    [join(import.meta.dirname, 'support/mcp-server.mjs'), 'http', 'library'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const model = await startAnthropic(inTurn([{ text: 'All seen.' }]));
  try {
    const [printed]: Buffer[] = await once(library.stdout, 'data');
    const dataDir = makeFolder('data');
    const trial = { url: String(printed).trim() };
    writeFileSync(join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers: { trial } }));
    const folder = makeFolder('offered');
    const theirs = { command: 'node', args: ['server.js', '--all'], env: { TOKEN: 'x' } };
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { theirs } }));
    giveToApp(folder);
    const { page } = await launchApp({
      dataDir,
      env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url },
      args: [`deepdesk://project?path=${encodeURIComponent(folder)}`],
    });
    const offer = page.getByRole('dialog', { name: 'Open this folder as a project?' });
    await expect(offer).toContainText(folder);
    await check(page, 'offered folder', '[role="dialog"]');
    await offer.getByRole('button', { name: 'Open folder' }).click();
    await skipFirstRun(page);

    await openSettings(page);
    await settingsOf(page).getByRole('tab', { name: 'MCP servers', exact: true }).click();
    await expect(settingsOf(page)).toContainText('This folder wants to start a server.');
    await expect(settingsOf(page).getByRole('listitem', { name: 'trial' }).getByRole('status')).toHaveText(
      'Ready',
    );
    await check(page, 'consent', '[role="dialog"]');
    await page.keyboard.press('Escape');

    await composer(page).pressSequentially('/trial');
    await page.getByRole('option', { name: /trial:review/ }).click();
    await expect(page.getByRole('dialog', { name: '/trial:review' })).toBeVisible();
    await check(page, 'prompt form', '[role="dialog"]');
    await page.keyboard.press('Escape');

    await chooseModel(page, 'Anthropic', 'claude-sonnet-4-5', 'Claude Sonnet 4.5');
    await say(page, 'What is here?');
    await expect(messages(page)).toContainText('All seen.');
    await idle(page);
    await page
      .getByRole('banner')
      .getByRole('button', { name: /context|tokens/ })
      .click();
    await page.getByRole('button', { name: 'Inspect request' }).click();
    await expect(page.getByRole('dialog', { name: 'Request inspector' })).toBeVisible();
    await check(page, 'inspector', '[role="dialog"]');
  } finally {
    library.kill('SIGKILL');
    await model.close();
  }
});

test('high contrast, large text and Chinese are just as accessible', async ({ sharedApp }) => {
  test.setTimeout(120_000);
  const running = sharedApp;
  const { page } = running;
  await skipFirstRun(page);
  await openSettings(page);
  await settingsOf(page).getByRole('tab', { name: 'Appearance' }).click();
  await settingsOf(page).getByLabel('Contrast').selectOption('more');
  await settingsOf(page).getByLabel('Text size').selectOption('150');
  await check(page, 'high contrast settings');
  await settingsOf(page).getByLabel('Language').selectOption('zh');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh');
  await page.keyboard.press('Escape');
  await check(page, 'high contrast chinese');
});
