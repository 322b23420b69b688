import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { see } from './support/see';
import { addFolder, allow, cards, idle, say, skipFirstRun } from './support/window';

const MODULE = `import { readFile, writeFile } from 'node:fs/promises';
const table = async () => JSON.parse(await readFile('notes.json', 'utf8'));
export default {
  list: async () => Object.keys(await table()).map((name) => ({ path: '/' + name })),
  read: async (path) => (await table())[path.slice(1)] ?? null,
  write: async (path, content) => {
    const notes = { ...(await table()), [path.slice(1)]: content.toString() };
    await writeFile('notes.json', JSON.stringify(notes));
  },
};
`;

const settings = (page: Page) => page.getByRole('dialog').filter({ has: page.getByRole('tablist') });

async function openPlaces(page: Page) {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = settings(page);
  await dialog.getByRole('tab', { name: 'Places' }).click();
  return dialog;
}

/** A project with a module, opened in the app. */
function makeProject() {
  const project = makeFolder('project');
  const module = join(project, '.deepdesk/places.mjs');
  mkdirSync(join(project, '.deepdesk'));
  writeFileSync(module, MODULE);
  writeFileSync(join(project, 'notes.json'), JSON.stringify({ 'start.md': 'Begin with the tests.' }));
  giveToApp(project);
  return { project, module };
}

test('a module of a project is read, allowed and used, and asks again after a change', async ({
  sharedApp,
}) => {
  const { app, page, shot } = sharedApp;
  const { project, module } = makeProject();
  await skipFirstRun(page);
  await addFolder({ app, page }, project);
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible();

  const dialog = await openPlaces(page);
  await dialog.getByRole('button', { name: 'Add place…' }).click();
  await dialog.getByLabel('Kind').selectOption('Project module');
  await expect(dialog).toContainText("Choose the module's project");
  await dialog.getByLabel('Available in').selectOption(project.split('/').at(-1) ?? '');
  await expect(dialog.locator('pre')).toContainText('export default');
  await answerConfirmations(app, true);
  await see(page, 'module-form');
  await shot('module-form');
  await dialog.getByRole('button', { name: 'Add place', exact: true }).click();
  const item = dialog.getByRole('listitem', { name: '/module/' });
  await expect(item).toContainText(module);
  await expect(item.getByRole('status')).toHaveText('Connected');
  expect((await askedOutside(app)).at(-1)?.detail).toContain("readFile('notes.json', 'utf8')");
  await page.keyboard.press('Escape');

  const tree = page.getByRole('tree', { name: 'Files' });
  await tree.getByRole('treeitem', { name: '/module/' }).click();
  await tree.getByRole('treeitem', { name: 'start.md' }).click();
  await expect(page.getByRole('region', { name: '/module/start.md' })).toContainText('Begin with the tests.');
  await say(page, 'replace "the tests" with "the docs" in /module/start.md');
  await expect(cards(page)).toContainText('It changes a file in /module/.');
  await allow(page);
  await idle(page);
  expect(readFileSync(join(project, 'notes.json'), 'utf8')).toContain('Begin with the docs.');

  // The process that runs keeps the content that was allowed. A new one is asked about.
  // The app is shared, and asks about a content once.
  const line = `// changed in ${project}`;
  appendFileSync(module, `${line}\n`);
  await openPlaces(page);
  await item.getByRole('button', { name: 'Edit…' }).click();
  await expect(dialog.locator('pre')).toContainText(line);
  await answerConfirmations(app, false);
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await expect.poll(async () => (await askedOutside(app)).at(-1)?.message).toBe(`Run ${module}?`);
  await expect(dialog.getByRole('status').filter({ hasText: 'Connected' })).toHaveCount(1);
  await answerConfirmations(app, true);
  await dialog.getByRole('button', { name: 'Save place' }).click();
  await expect(item.getByRole('button', { name: 'Edit…' })).toBeVisible();
  await item.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(item.getByRole('status')).toHaveText('Connected');
});
