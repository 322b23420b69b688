import { expect, test } from './support/app';
import { idle, messages, say, skipFirstRun } from './support/window';

test('versions, provenance, and what a turn was shown', async ({ launchApp }) => {
  const { page, shot } = await launchApp();
  await skipFirstRun(page);
  await say(page, 'remember colour: blue');
  await idle(page);
  await say(page, 'what do you remember about blue');
  await idle(page);
  const strip = page.getByRole('button', { name: /memory used/ });
  await expect(strip).toBeVisible();
  await strip.click();
  const mute = page.getByRole('button', { name: 'Do without colour.md in this thread' });
  await mute.click();
  await expect(mute).toHaveAttribute('aria-pressed', 'true');
  await shot('memories-used');
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Memories' }).click();
  await page.getByRole('button', { name: /^colour\.md/ }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('green');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await page.getByRole('button', { name: /^Version 1/ }).click();
  await shot('memories-history');
  await page.getByRole('button', { name: 'Restore this version' }).click();
  const memory = page.getByRole('article', { name: 'colour.md' });
  await expect(memory).toContainText('blue');
  await memory.getByTitle('Open the thread').click();
  await expect(messages(page)).toContainText('Remembered');

  // Muted: this thread does without it.
  await say(page, 'what do you remember about blue');
  await idle(page);
  await expect(messages(page).getByRole('article', { name: 'The agent' }).last()).not.toContainText(
    'colour.md',
  );
});
