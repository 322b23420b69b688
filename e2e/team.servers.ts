import type { ElectronApplication, Page } from '@playwright/test';
import { hasPostgres, startPostgres } from '../src-main/storage/testing/postgres';
import { lineTo } from '../src-main/storage/testing/postgres-line';
import { expect, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { see } from './support/see';
import { allow, cards, idle, messages, say, skipFirstRun } from './support/window';

const settings = (page: Page) => page.getByRole('dialog').filter({ has: page.getByRole('tablist') });

async function addTeam({ app, page }: { app: ElectronApplication; page: Page }, address: string) {
  await skipFirstRun(page);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = settings(page);
  await dialog.getByRole('tab', { name: 'Places' }).click();
  await dialog.getByRole('button', { name: 'Add place…' }).click();
  await dialog.getByLabel('Kind').selectOption('Team memories (Postgres)');
  await dialog.getByLabel('Database address').fill(address);
  await answerConfirmations(app, true);
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();
  await see(page, 'team-form');
  await dialog.getByRole('button', { name: 'Add place', exact: true }).click();
  await expect(dialog.getByRole('listitem', { name: '/team/' })).toContainText('Team memories (Postgres)');
  await page.keyboard.press('Escape');
}

async function writeMemory(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('button', { name: 'New memory' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Text' }).fill(text);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'All memories' }).click();
}

async function expectInTree(page: Page, text: string) {
  const tree = page.getByRole('tree', { name: 'Files' });
  await tree.getByRole('treeitem', { name: '/team/' }).click();
  await tree.getByRole('treeitem', { name: 'style.md' }).click();
  await expect(page.getByRole('region', { name: '/team/style.md' })).toContainText(text);
}

test('a person moves memories of a project to their team, and back', async ({ launchApp }) => {
  test.skip(!hasPostgres, 'there is no Postgres for this system');
  const server = await startPostgres();
  const at = await server.database();
  const line = await lineTo(at);
  try {
    const { app, page, shot } = await launchApp();
    await addTeam({ app, page }, `postgresql://${at.user}@127.0.0.1:${line.port}/${at.database}`);
    await page.getByRole('tab', { name: 'Memories' }).click();
    await writeMemory(page, 'style', 'two spaces');
    await writeMemory(page, 'people/ada', 'Ada likes tests.');
    const copy = page.getByRole('dialog', { name: 'Copy or move memories' });
    const openCopy = async () => {
      await page.getByRole('button', { name: 'More actions' }).last().click();
      await page.getByRole('menuitem', { name: 'Copy or move to a team…' }).click();
    };
    await openCopy();
    await expect(copy.getByRole('status')).toHaveText('2 memories to copy');
    await shot('memories-to-team');
    await see(page, 'memories-to-team');

    line.cut();
    await copy.getByRole('button', { name: 'Move', exact: true }).click();
    await expect(copy.getByRole('alert')).toContainText('What was copied stays there.');
    await see(page, 'memories-to-team-offline');
    line.restore();
    await copy.getByRole('button', { name: 'Compare again' }).click();
    await expect(copy.getByRole('status')).toContainText('2 memories to copy');
    await copy.getByRole('button', { name: 'Move', exact: true }).click();
    await expect(copy.getByRole('status')).toHaveText('Moved 2 memories');
    await copy.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(page.getByRole('listitem').filter({ hasText: 'style.md' })).toHaveCount(0);

    // The other one of the same name stays as it is.
    await writeMemory(page, 'style', 'four spaces');
    await openCopy();
    const [from, to] = [copy.getByLabel('From'), copy.getByLabel('To')];
    await from.selectOption({ index: 2 });
    await expect(to.getByRole('option')).toHaveText(['This project', 'Everywhere']);
    await expect(copy.getByRole('status')).toContainText('1 stays where it is');
    await see(page, 'memories-from-team');
    await copy.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(copy.getByRole('status')).toHaveText('Copied 1 memory');
    await see(page, 'memories-from-team-done');
    await copy.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(page.getByRole('listitem').filter({ hasText: 'people/ada.md' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'style.md' })).toContainText('four spaces');
  } finally {
    await line.close();
    await server.stop();
  }
});

test('two people share the memories of a team, and each is told when the database is away', async ({
  launchApp,
}) => {
  test.skip(!hasPostgres, 'there is no Postgres for this system');
  const server = await startPostgres();
  const at = await server.database();
  const line = await lineTo(at);
  try {
    const address = `postgresql://${at.user}@127.0.0.1:${line.port}/${at.database}`;
    const ada = await launchApp();
    const ben = await launchApp();
    await addTeam(ada, address);
    await addTeam(ben, address);
    expect((await askedOutside(ada.app))[0]?.message).toBe('Connect to 127.0.0.1?');

    await say(ada.page, 'create /team/style.md with two spaces');
    await expect(cards(ada.page)).toContainText('/team/');
    await allow(ada.page);
    await idle(ada.page);
    await expectInTree(ben.page, 'two spaces');
    await see(ben.page, 'team-read');

    // The window of the one shows what the other's agent changed.
    await say(ben.page, 'replace "two" with "four" in /team/style.md');
    await allow(ben.page);
    await idle(ben.page);
    await expectInTree(ada.page, 'four spaces');

    line.cut();
    await say(ada.page, 'read /team/style.md');
    await idle(ada.page);
    await expect(messages(ada.page)).toContainText('cannot be used now');
    await ada.page.getByRole('button', { name: 'Settings', exact: true }).click();
    const dialog = settings(ada.page);
    await dialog.getByRole('tab', { name: 'Places' }).click();
    const item = dialog.getByRole('listitem', { name: '/team/' });
    await expect(item.getByRole('status')).toHaveText('Offline');
    await see(ada.page, 'team-offline');
    line.restore();
    await item.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(item.getByRole('status')).toHaveText('Connected');
  } finally {
    await line.close();
    await server.stop();
  }
});
