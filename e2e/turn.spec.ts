import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/app';
import { see } from './support/see';
import { allow, cards, composer, idle, messages, say, skipFirstRun } from './support/window';

test('Stop keeps queued messages until they are sent, or edited in the composer', async ({ sharedApp }) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'create a.txt with "1"');
  await expect(cards(page)).toHaveCount(1);
  await say(page, 'list files');
  await say(page, 'files *.md');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const kept = page.getByRole('region', { name: '2 messages kept' });
  await expect(kept).toBeVisible();
  await idle(page);
  await see(page, 'kept-queue');
  await kept.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(composer(page)).toHaveValue('list files\nfiles *.md');
  await expect(composer(page)).toBeFocused();
  await composer(page).press('Enter');
  await expect(messages(page).locator('[data-call]')).toHaveCount(3);
  await idle(page);
});

test('a turn ends in a receipt that reviews, undoes and restores its files, also after more turns', async ({
  sharedApp,
}) => {
  const { page, folder, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'create a.txt with "one\\ntwo" then run ls a.txt then remember colour: blue');
  await allow(page);
  const receipt = messages(page).getByRole('group', { name: 'What this turn did' }).first();
  await expect(receipt).toContainText('a.txt');
  await expect(receipt).toContainText('+2');
  await expect(receipt).toContainText('ls a.txt exit 0');
  await expect(receipt).toContainText('1 memory changed');
  await idle(page);
  await see(page, 'receipt');
  await shot('receipt');
  await receipt.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('tab', { name: 'Changes' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText('a.txt');

  await say(page, 'list files');
  await idle(page);
  await receipt.getByRole('button', { name: 'Undo the file changes of this turn' }).click();
  await expect(receipt.getByRole('status')).toHaveText('Undone');
  expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  await see(page, 'receipt-undone');
  await receipt.getByRole('button', { name: 'Restore' }).click();
  await expect(receipt.getByRole('button', { name: 'Undo the file changes of this turn' })).toBeVisible();
  expect(existsSync(join(folder, 'a.txt'))).toBe(true);
  await receipt.getByRole('button', { expanded: false }).click();
  await see(page, 'receipt-open');
});
