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
  await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
  await expect(composer(page)).toBeFocused();
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

test('a turn ends in a receipt that reviews, undoes and restores its files, even after more turns', async ({
  sharedApp,
}) => {
  const { page, folder, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'create a.txt with "one\\ntwo" then run ls a.txt then remember color: blue');
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
  await shot('undo');

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

test('a step that is opened, and a message that is edited, stay where they are at the end of a thread', async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  const files = Array.from({ length: 12 }, () => 'read README.md').join(' then ');
  for (let turn = 0; turn < 3; turn += 1) {
    await say(page, `${files} then plan: One; Two; Three`);
    await idle(page);
  }
  const log = messages(page);
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toHaveCount(0);
  const topOf = async (element: ReturnType<typeof log.locator>) => (await element.boundingBox())?.y ?? -1;
  const settled = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  for (const line of [
    log.getByRole('button', { name: /^Read 12 files/ }).last(),
    log.getByRole('button', { name: /Updated the plan/ }).last(),
  ]) {
    const before = await topOf(line);
    await line.click();
    await expect(line).toHaveAttribute('aria-expanded', 'true');
    for (let frame = 0; frame < 10; frame += 1) await settled();
    expect(Math.abs((await topOf(line)) - before)).toBeLessThan(2);
    await line.click();
  }
  await say(page, 'help');
  await idle(page);
  const said = log.getByRole('article', { name: 'You' }).last();
  await said.hover();
  await said.getByRole('button', { name: 'Message actions' }).click();
  const before = await topOf(said);
  await page.getByRole('menuitem', { name: 'Edit and resend' }).click();
  await expect(log.getByRole('button', { name: 'Send in a new thread' })).toBeVisible();
  for (let frame = 0; frame < 10; frame += 1) await settled();
  expect(Math.abs((await topOf(said)) - before)).toBeLessThan(2);
  await see(page, 'edit-held');
});

test('a file that an answer names opens in the viewer at its line, and edits show their lines', async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'replace "a - b" with "a + b" in src/sum.js');
  await allow(page);
  await idle(page);
  const line = messages(page).getByRole('button', { name: /^Edited/ });
  await expect(line).toContainText('+1');
  await expect(line).toContainText('−1');
  await see(page, 'path-links');
  await messages(page).getByRole('article').getByRole('button', { name: 'src/sum.js', exact: true }).click();
  await expect(
    page
      .getByRole('region', { name: 'src/sum.js' })
      .or(page.getByRole('heading', { name: 'sum.js' }))
      .first(),
  ).toBeVisible();
});
