import { expect, test } from './support/app';
import { see } from './support/see';
import { cards, composer, idle, messages, say, skipFirstRun } from './support/window';

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
