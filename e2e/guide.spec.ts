import { expect, test } from './support/app';
import { composer, skipFirstRun } from './support/window';

test('the guide is in the app, and its links lead from page to page without a network', async ({
  sharedApp: { page, shot },
}) => {
  await skipFirstRun(page);
  await composer(page).click();
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings', exact: true });
  await dialog.getByRole('tab', { name: 'About', exact: true }).click();
  await dialog.getByRole('button', { name: 'Show the guide' }).click();
  await expect(dialog.getByRole('heading', { name: 'Guide', level: 1 })).toBeVisible();
  await shot('guide');
  await dialog.getByRole('link', { name: 'Approvals', exact: true }).click();
  await expect(
    dialog.getByRole('heading', { name: 'Approve what the agent wants to do', level: 1 }),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'All pages' }).click();
  await expect(dialog.getByRole('heading', { name: 'Guide', level: 1 })).toBeVisible();
});
