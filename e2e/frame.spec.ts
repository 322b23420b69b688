import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app';
import { currentRun } from './support/run';
import { skipFirstRun } from './support/window';

test('opens a window', async ({ sharedApp }) => {
  const { page } = sharedApp;
  await expect(page).toHaveTitle(/Deepdesk/);
  await expect(page.locator('#root > *').first()).toBeVisible();
});

test('runs the renderer in a sandbox that the kernel enforces', async ({ sharedApp }) => {
  const { sandboxOff, user } = currentRun();
  test.skip(process.platform !== 'linux', 'reads /proc');
  test.skip(sandboxOff !== null, sandboxOff ?? '');
  const { app, page } = sharedApp;
  await expect(page.locator('#root > *').first()).toBeVisible();
  const pids = await app.evaluate(({ app }) => ({
    main: process.pid,
    renderer: app.getAppMetrics().find((metric) => metric.type === 'Tab')?.pid,
  }));
  const status = (pid: number | undefined) =>
    Object.fromEntries(
      readFileSync(`/proc/${pid}/status`, 'utf8')
        .split('\n')
        .map((line) => [line.split(':')[0], line.split(':')[1]?.trim()]),
    );
  // 2 is SECCOMP_MODE_FILTER: every system call of the renderer is filtered.
  expect(status(pids.renderer).Seccomp).toBe('2');
  if (user !== null) expect(status(pids.main).Uid).toBe(Array(4).fill(user.uid).join('\t'));
});

test('exposes nothing of Node to the renderer', async ({ sharedApp }) => {
  const { page } = sharedApp;
  const seen = await page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'global', 'electron'].filter((name) => name in window),
  );
  expect(seen).toEqual([]);
});

test('restarts on the same data, and in the same place, after being killed', async ({ launchApp }) => {
  const first = await launchApp();
  const place = { x: 40, y: 30, width: 1_010, height: 640 };
  await first.app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), place);
  const saved = join(first.dataDir, 'window.json');
  await expect.poll(() => existsSync(saved) && readFileSync(saved, 'utf8')).toContain('"width":1010');
  await first.kill9();
  const second = await launchApp({ dataDir: first.dataDir });
  await expect(second.page).toHaveTitle(/Deepdesk/);
  const bounds = await second.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getBounds(),
  );
  expect(bounds).toMatchObject(place);
});

test('the side panel has its own width again after the app was quit with an open file', async ({
  launchApp,
}) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  const width = (page: Page) =>
    page.evaluate(() => document.querySelector('[data-part=dock]')?.getBoundingClientRect().width ?? 0);
  await expect.poll(() => width(first.page)).toBeGreaterThan(200);
  const narrow = await width(first.page);
  await first.page.getByRole('treeitem', { name: 'package.json' }).click();
  await expect.poll(() => width(first.page)).toBeGreaterThan(narrow + 50);
  await first.close();
  const { page } = await launchApp({ dataDir: first.dataDir });
  await expect(page.getByRole('treeitem', { name: 'package.json' })).toBeVisible();
  await expect.poll(async () => Math.abs((await width(page)) - narrow)).toBeLessThanOrEqual(1);
});

test('the panels at the sides follow the text size, and are as before after it', async ({ launchApp }) => {
  const { page } = await launchApp();
  await skipFirstRun(page);
  const resize = async (width: number, height: number) => {
    await page.setViewportSize({ width, height });
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width);
  };
  const setText = async (percent: string) => {
    await page.keyboard.press('Control+,');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('tab', { name: 'Appearance' }).click();
    await settings.getByLabel('Text size').selectOption(percent);
    await page.keyboard.press('Escape');
    await expect(settings).toHaveCount(0);
  };
  const part = (name: string) =>
    page.evaluate(
      (of) => Math.round(document.querySelector(`[data-part=${of}]`)?.getBoundingClientRect().width ?? 0),
      name,
    );
  await resize(1_920, 1_000);
  // A third of what the threads leave.
  await expect.poll(() => part('dock')).toBeGreaterThan(500);
  const dock = await part('dock');
  await setText('150');
  await expect.poll(() => part('threads')).toBeGreaterThan(300);
  // It takes no more than the conversation can spare.
  await expect.poll(() => part('dock')).toBeGreaterThan(dock * 1.3);
  // Too narrow for the dock at this text size, and then for the threads.
  await resize(1_280, 800);
  await expect.poll(() => part('dock')).toBe(0);
  await resize(900, 600);
  await expect.poll(() => part('threads')).toBe(0);
  await setText('100');
  await expect.poll(() => part('threads')).toBe(232);
  await resize(1_920, 1_000);
  await expect.poll(async () => Math.abs((await part('dock')) - dock)).toBeLessThanOrEqual(1);
});
