import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { answerDisk, expect, test } from './support/app';
import { see } from './support/see';
import { composer, idle, messages, say, skipFirstRun } from './support/window';

const main = (page: Page) => page.getByRole('main');
const place = (page: Page) =>
  composer(page).evaluate((field: HTMLTextAreaElement) => {
    const { x, y, width, height } = field.getBoundingClientRect();
    return { x, y, width, height, caret: field.selectionStart };
  });

test('a message typed before the main process has read its data arrives once', async ({ launchApp }) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await say(first.page, 'hello apple');
  await idle(first.page);
  await first.close();

  const { app, page, dataDir, close } = await launchApp({ dataDir: first.dataDir, slowDisk: true });
  await expect(composer(page)).toBeFocused();
  await expect(main(page)).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('hello apple');
  await page.keyboard.type('hello banan');
  await page.keyboard.press('ArrowLeft');
  const before = await place(page);
  await see(page, 'before-the-answer');
  // Typing continues while the answer arrives.
  await answerDisk(app);
  await expect(messages(page)).toContainText('hello apple');
  await expect(main(page)).toHaveAttribute('aria-busy', 'false');
  expect(await place(page)).toEqual(before);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type('a');
  await expect(composer(page)).toHaveValue('hello banana');
  await see(page, 'after-the-answer');
  await close();

  const third = await launchApp({ dataDir, slowDisk: true });
  await expect(composer(third.page)).toHaveValue('hello banana');
  await third.page.keyboard.press('Enter');
  await expect(third.page.getByText('Sends when Deepdesk is ready')).toBeVisible();
  await see(third.page, 'sent-before-the-answer');
  await answerDisk(third.app);
  await expect(composer(third.page)).toHaveValue('');
  await idle(third.page);
  const sent = messages(third.page)
    .getByRole('paragraph')
    .filter({ hasText: /^hello banana$/ });
  await expect(sent).toHaveCount(1);
  await see(third.page, 'sent');
  await third.close();

  // The data is gone, and so is the saved screen.
  for (const name of readdirSync(dataDir))
    if (name.startsWith('deepdesk.db')) rmSync(join(dataDir, name), { force: true });
  const last = await launchApp({ dataDir, slowDisk: true });
  await expect(last.page.getByText('Opening Deepdesk')).toBeVisible();
  await answerDisk(last.app);
  await expect(last.page.getByText('hello apple')).toHaveCount(0);
  await expect(last.page.getByText('Pick a folder to work with')).toBeVisible();
});
