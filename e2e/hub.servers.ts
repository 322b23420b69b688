import type { Page } from '@playwright/test';
import { startHub } from '../src-main/harness/backends/testing/hub-server';
import { expect, makeFolder, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { see } from './support/see';
import { addFolder, allow, cards, idle, say, skipFirstRun } from './support/window';

const KEY = 'lsv2-key-of-the-test';

const settings = (page: Page) => page.getByRole('dialog').filter({ has: page.getByRole('tablist') });

test('a repository of the Hub becomes a place, and changes there are commits', async ({ sharedApp }) => {
  const { app, page, shot } = sharedApp;
  const server = await startHub(KEY);
  server.commit('notes', { 'style.md': 'Indent with two spaces.\n' });
  try {
    await skipFirstRun(page);
    await addFolder({ app, page }, makeFolder('project'));

    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const dialog = settings(page);
    await dialog.getByRole('tab', { name: 'Places' }).click();
    await dialog.getByRole('button', { name: 'Add place…' }).click();
    await dialog.getByLabel('Kind').selectOption('Prompts and memories (LangSmith Hub)');
    await dialog.getByLabel('Repository').fill('me/notes');
    await dialog.getByLabel('Server').fill(server.url);
    await dialog.getByLabel('API key').fill('wrong');
    await answerConfirmations(app, true);
    await dialog.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(dialog.getByRole('status').filter({ hasText: 'Refused' })).toBeVisible();
    await expect(dialog.getByRole('alert')).toContainText("doesn't accept the API key");
    await dialog.getByLabel('API key').fill(KEY);
    await dialog.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(dialog.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();
    await see(page, 'hub-form');
    await shot('hub-form');
    await dialog.getByRole('button', { name: 'Add place', exact: true }).click();
    const item = dialog.getByRole('listitem', { name: '/notes/' });
    await expect(item).toContainText(`me/notes (${server.url})`);
    await expect(item.getByRole('status')).toHaveText('Connected');
    expect(JSON.stringify(await askedOutside(app))).not.toContain(KEY);
    await see(page, 'hub-list');
    await page.keyboard.press('Escape');

    const tree = page.getByRole('tree', { name: 'Files' });
    await tree.getByRole('treeitem', { name: '/notes/' }).click();
    await tree.getByRole('treeitem', { name: 'style.md' }).click();
    const viewer = page.getByRole('region', { name: '/notes/style.md' });
    await expect(viewer).toContainText('Indent with two spaces.');

    await say(page, 'replace "two" with "four" in /notes/style.md');
    await expect(cards(page)).toContainText('It changes a file in /notes/.');
    await allow(page);
    await idle(page);
    expect(server.files('notes')).toEqual({ 'style.md': 'Indent with four spaces.\n' });
    expect(server.history('notes')).toHaveLength(2);
    await expect(viewer).toContainText('Indent with four spaces.');
    await see(page, 'hub-changed');

    await page.getByRole('tab', { name: 'Changes' }).click();
    const changes = page.getByRole('tabpanel', { name: 'Changes' });
    await changes.getByRole('button', { name: 'Undo all' }).click();
    await expect.poll(() => server.files('notes')).toEqual({ 'style.md': 'Indent with two spaces.\n' });
  } finally {
    await server.close();
  }
});
