import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { root } from '../scripts/process.mjs';
import { startAnthropic } from './providers/anthropic';
import { startOllama } from './providers/ollama';
import { expect, test } from './support/app';
import { see } from './support/see';
import { allow, cards, composer, idle, messages, say, skipFirstRun } from './support/window';

test('a new user gets an answer without a key, a network or a manual', async ({ launchApp }) => {
  const { app, page, shot } = await launchApp();
  await expect(page.getByRole('heading', { name: 'Welcome to Deepdesk' })).toBeVisible();
  await expect(page.getByText('sample project where you can safely try everything')).toBeVisible();
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'));
  const runs = await app.evaluate(() => process.versions.electron);
  const footnote = page.getByText(`Runs on Electron ${runs} (fallback runtime)`);
  await expect(footnote).toHaveCount(runs === version ? 0 : 1);
  await shot('first-run');
  await see(page, 'first-run-start');
  const next = page.getByRole('button', { name: 'Next' });
  const place = await next.boundingBox();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText("isn't a language model")).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('radio', { name: /^Plan only/ })).toBeVisible();
  await expect(page.getByText('Recommended')).toHaveCount(1);
  await shot('first-run-modes');
  await see(page, 'first-run-modes');
  // The card keeps its height, so the button stays under the pointer.
  expect(await next.boundingBox()).toEqual(place);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('button', { name: /^Approvals/ })).toContainText('Ask before changes');
  // The first prompt is filled in, and another one replaces it.
  const prompt = /^replace "a - b" with "a \+ b" in src\/sum\.js then run/;
  await expect(composer(page)).toHaveValue(prompt);
  await see(page, 'first-run-prompts');
  await page.getByRole('button', { name: /List the files/ }).click();
  await expect(composer(page)).toHaveValue('list files');
  await page.getByRole('button', { name: /Fix the failing test/ }).click();
  await expect(composer(page)).toHaveValue(prompt);
  await composer(page).press('Enter');
  // The change is shown before it is made, then the test runs, and both can be undone.
  await expect(cards(page).first()).toContainText('return a + b;');
  await allow(page);
  await allowUntilIdle(page);
  await expect(messages(page)).toContainText('exit code 0');
  await page.getByRole('button', { name: 'Undo the file changes of this turn' }).click();
  await expect(messages(page)).toContainText('Undone');
  await say(page, 'lsit files');
  await idle(page);
  await see(page, 'did-you-mean');
  await messages(page).getByRole('button', { name: 'list files', exact: true }).click();
  await expect(composer(page)).toHaveValue('list files');
  await composer(page).press('Enter');
  await idle(page);
  await expect(messages(page)).toContainText('README.md');
});

/** Allows what asks until the turn ends. Where there is a sandbox, the tests run in it without asking. */
async function allowUntilIdle(page: Page): Promise<void> {
  const ended = composer(page).and(page.getByPlaceholder(/^Ask a question/));
  await expect(ended.or(cards(page).first()).first()).toBeVisible();
  if (await cards(page).first().isVisible()) await allow(page);
  await idle(page);
}

test('the first-run card stays dismissed', async ({ launchApp }) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await first.close();
  const second = await launchApp({ dataDir: first.dataDir });
  await expect(composer(second.page)).toBeVisible();
  await expect(second.page.getByRole('heading', { name: 'Welcome to Deepdesk' })).toHaveCount(0);
});

test('a message instead of the first steps ends them', async ({ launchApp }) => {
  const { page } = await launchApp();
  await expect(page.getByRole('heading', { name: 'Welcome to Deepdesk' })).toBeVisible();
  await say(page, 'list files');
  await idle(page);
  await page.getByRole('button', { name: 'New thread', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'What should the agent do?' })).toBeVisible();
});

test('a key in the environment and a local server are used with one click', async ({ launchApp }) => {
  const anthropic = await startAnthropic(() => ({ text: 'Four files.' }));
  const ollama = await startOllama(() => ({ text: 'OK' }), { models: ['qwen3'] });
  try {
    const { page, shot } = await launchApp({
      env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: anthropic.url, OLLAMA_HOST: ollama.url },
    });
    await page.getByRole('button', { name: /^Model.*2 model services found/ }).click();
    const found = page.getByRole('list', { name: 'Models found' }).getByRole('listitem');
    await expect(found.filter({ hasText: 'qwen3' })).toContainText('1 model · Ready');
    const row = found.filter({ hasText: 'Key in ANTHROPIC_API_KEY' });
    await see(page, 'first-run-found');
    await shot('models');
    await row.getByRole('button', { name: /^Use / }).click();
    await expect(row.getByRole('button')).toHaveText('In use');
    await expect(row).toContainText('Ready');
    expect(anthropic.requests).toHaveLength(1);
    await page.getByRole('button', { name: 'Skip' }).click();
    await say(page, 'how many files are there?');
    await idle(page);
    await expect(messages(page)).toContainText('Four files.');
  } finally {
    await anthropic.close();
    await ollama.close();
  }
});
