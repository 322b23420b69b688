import { readFileSync } from 'node:fs';
import { expect, test } from './support/app';
import { currentRun } from './support/run';

test('opens a window', async ({ sharedApp }) => {
  const { page } = sharedApp;
  await expect(page).toHaveTitle(/Deepdesk/);
  await expect(page.locator('#root > *').first()).toBeVisible();
});

test('runs the renderer in a sandbox that the kernel enforces', async ({ launchApp }) => {
  const { sandboxOff, user } = currentRun();
  test.skip(process.platform !== 'linux', 'reads /proc');
  test.skip(sandboxOff !== null, sandboxOff ?? '');
  const { app, page } = await launchApp();
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

test('restarts on the same data after being killed', async ({ launchApp }) => {
  const first = await launchApp();
  await first.kill9();
  const second = await launchApp({ dataDir: first.dataDir });
  await expect(second.page).toHaveTitle(/Deepdesk/);
});
