import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/process.mjs';
import { expect, test } from './support/app';
import { composer, idle, messages, skipFirstRun } from './support/window';

test('a new user gets an answer without a key, a network or a manual', async ({ launchApp }) => {
  const { app, page, shot } = await launchApp();
  await expect(page.getByRole('heading', { name: 'Welcome to Deepdesk' })).toBeVisible();
  await expect(page.getByText('sample project where you can safely try everything')).toBeVisible();
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'));
  const runs = await app.evaluate(() => process.versions.electron);
  const footnote = page.getByText(`Runs on Electron ${runs} (fallback runtime)`);
  await expect(footnote).toHaveCount(runs === version ? 0 : 1);
  await shot('first-run');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText("isn't a language model")).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('radio', { name: /^Plan only/ })).toBeVisible();
  await expect(page.getByText('Recommended')).toHaveCount(1);
  await shot('first-run-modes');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /List the files in this folder/ }).click();
  await expect(composer(page)).toHaveValue('list files');
  await composer(page).press('Enter');
  await idle(page);
  await expect(messages(page)).toContainText('README.md');
});

test('the first-run card stays dismissed', async ({ launchApp }) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await first.close();
  const second = await launchApp({ dataDir: first.dataDir });
  await expect(composer(second.page)).toBeVisible();
  await expect(second.page.getByRole('heading', { name: 'Welcome to Deepdesk' })).toHaveCount(0);
});
