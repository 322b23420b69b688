import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { answerFolderDialog, expect, giveToApp, makeFolder, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { see } from './support/see';
import { addFolder, allow, cards, idle, messages, say, skipFirstRun } from './support/window';

const settings = (page: Page) => page.getByRole('dialog').filter({ has: page.getByRole('tablist') });

/** A folder of notes beside the project. */
function makeHandbook(): string {
  const handbook = makeFolder('handbook');
  mkdirSync(join(handbook, 'guides'));
  writeFileSync(join(handbook, 'guides/start.md'), '# Start\n\nBegin with the tests.\n');
  giveToApp(handbook);
  return handbook;
}

test('a folder becomes a place, the agent works in it, and a change there is undone', async ({
  sharedApp,
}) => {
  const { app, page, shot } = sharedApp;
  const project = makeFolder('project');
  const handbook = makeHandbook();
  await skipFirstRun(page);
  await addFolder({ app, page }, project);
  const tree = page.getByRole('tree', { name: 'Files' });
  await expect(tree).toBeVisible();

  await page.getByRole('button', { name: 'Add a place…' }).click();
  const dialog = settings(page);
  await dialog.getByRole('button', { name: 'Add place…' }).click();
  await answerFolderDialog(app, handbook);
  await dialog.getByRole('button', { name: 'Choose…' }).click();
  await expect(dialog.getByLabel('Folder', { exact: true })).toHaveValue(handbook);
  await dialog.getByLabel('Path', { exact: true }).fill('handbook');
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();
  await see(page, 'places-form');
  await answerConfirmations(app, true);
  await dialog.getByRole('button', { name: 'Add place', exact: true }).click();
  const item = dialog.getByRole('listitem', { name: '/handbook/' });
  await expect(item).toContainText('Reads without asking, asks before changes');
  await expect(item.getByRole('status')).toHaveText('Connected');
  const question = (await askedOutside(app)).at(-1);
  expect(question?.message).toContain('/handbook/');
  expect(question?.detail).toContain(handbook);
  await item.getByRole('button', { name: 'Activity' }).click();
  await expect(item).toContainText("The agent hasn't used it yet.");
  await item.getByRole('button', { name: 'Activity' }).click();
  await shot('places');
  await see(page, 'places-list');
  await page.keyboard.press('Escape');

  await tree.getByRole('treeitem', { name: '/handbook/' }).click();
  await tree.getByRole('treeitem', { name: 'guides' }).click();
  await tree.getByRole('treeitem', { name: 'start.md' }).click();
  const viewer = page.getByRole('region', { name: '/handbook/guides/start.md' });
  await expect(viewer).toContainText('Begin with the tests.');
  await see(page, 'places-tree');

  await page.keyboard.press('Control+p');
  await page.getByRole('combobox', { name: 'Open file' }).fill('start.md');
  await expect(page.getByRole('option', { name: /handbook.*start\.md|start\.md.*handbook/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await say(page, 'read /handbook/guides/start.md');
  await idle(page);
  await say(page, 'replace "the tests" with "the docs" in /handbook/guides/start.md');
  await expect(cards(page)).toContainText('It changes a file in /handbook/.');
  await see(page, 'places-card');
  await allow(page);
  await idle(page);
  expect(readFileSync(join(handbook, 'guides/start.md'), 'utf8')).toContain('Begin with the docs.');
  await expect(viewer).toContainText('Begin with the docs.');

  await page.getByRole('tab', { name: 'Changes' }).click();
  const changes = page.getByRole('tabpanel', { name: 'Changes' });
  await expect(changes).toContainText('start.md');
  await see(page, 'places-changes');
  await changes.getByRole('button', { name: 'Undo all' }).click();
  await expect
    .poll(() => readFileSync(join(handbook, 'guides/start.md'), 'utf8'))
    .toContain('Begin with the tests.');
});

test('a place that is gone says so in the settings, in the tree and to the agent, until it is back', async ({
  sharedApp,
}) => {
  const { app, page } = sharedApp;
  const project = makeFolder('project');
  const handbook = makeHandbook();
  await skipFirstRun(page);
  await addFolder({ app, page }, project);
  await page.getByRole('button', { name: 'Add a place…' }).click();
  const dialog = settings(page);
  await dialog.getByRole('button', { name: 'Add place…' }).click();
  await dialog.getByLabel('Folder', { exact: true }).fill(handbook);
  await dialog.getByLabel('Path', { exact: true }).fill('/handbook/');
  await dialog.getByLabel('Writing').selectOption('Read-only');
  await answerConfirmations(app, true);
  await dialog.getByRole('button', { name: 'Add place', exact: true }).click();
  const item = dialog.getByRole('listitem', { name: '/handbook/' });
  await expect(item.getByRole('status')).toHaveText('Connected');

  renameSync(handbook, `${handbook}-away`);
  await item.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(item.getByRole('status')).toHaveText('Offline');
  await expect(item.getByRole('alert')).toContainText(`The folder ${handbook} doesn't exist.`);
  await see(page, 'places-offline');
  await page.keyboard.press('Escape');
  const tree = page.getByRole('tree', { name: 'Files' });
  await expect(tree.getByRole('treeitem', { name: '/handbook/' })).toContainText('Offline');
  await say(page, 'read /handbook/guides/start.md');
  await idle(page);
  await expect(messages(page)).toContainText('cannot be used now');

  renameSync(`${handbook}-away`, handbook);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await dialog.getByRole('tab', { name: 'Places' }).click();
  await item.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(item.getByRole('status')).toHaveText('Connected');

  await item.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(item).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(item).toBeVisible();
});

const hasSsh = process.platform !== 'win32' && spawnSync('ssh', ['-V']).status === 0;

test('another computer that cannot be reached says so before it is added', async ({ sharedApp }) => {
  test.skip(!hasSsh, 'the OpenSSH client is not installed');
  const { app, page } = sharedApp;
  await skipFirstRun(page);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = settings(page);
  await dialog.getByRole('tab', { name: 'Places' }).click();
  await dialog.getByRole('button', { name: 'Add place…' }).click();
  await dialog.getByLabel('Kind').selectOption('Folder on another computer (SSH)');
  // Nothing listens on the port.
  await dialog.getByLabel('Host', { exact: true }).fill('ssh://nobody@127.0.0.1:1');
  await answerConfirmations(app, true);
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible();
  await expect(dialog.getByRole('alert')).toContainText("Couldn't reach");
  expect((await askedOutside(app)).at(-1)?.message).toBe('Connect to ssh://nobody@127.0.0.1:1?');
  await see(page, 'places-ssh');
});

test('a container that cannot be used says so before it is added', async ({ sharedApp }) => {
  const { app, page, shot } = sharedApp;
  await skipFirstRun(page);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = settings(page);
  await dialog.getByRole('tab', { name: 'Places' }).click();
  await dialog.getByRole('button', { name: 'Add place…' }).click();
  await dialog.getByLabel('Kind').selectOption('Container (Docker, Podman)');
  await dialog.getByLabel('Container', { exact: true }).fill('build-box');
  await dialog.getByLabel('Remote folder').fill('/work');
  await answerConfirmations(app, true);
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  // Without Docker, without its service, or without the container.
  await expect(dialog.getByRole('alert')).toContainText('Docker');
  await shot('container-form');
  await see(page, 'container-form');
});
