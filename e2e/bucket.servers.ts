import type { Page } from '@playwright/test';
import { startS3 } from '../src-main/harness/backends/testing/s3-server';
import { expect, makeFolder, test } from './support/app';
import { answerConfirmations, askedOutside } from './support/confirmations';
import { see } from './support/see';
import { addFolder, allow, cards, idle, messages, say, skipFirstRun } from './support/window';

const KEY = { accessKeyId: 'AKIAEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG' };

const settings = (page: Page) => page.getByRole('dialog').filter({ has: page.getByRole('tablist') });

async function openPlaces(page: Page) {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const dialog = settings(page);
  await dialog.getByRole('tab', { name: 'Places' }).click();
  return dialog;
}

test('a bucket becomes a place, the agent changes a file there, and says so when nobody answers', async ({
  sharedApp,
}) => {
  const { app, page, shot } = sharedApp;
  const server = await startS3('kept', KEY);
  server.fill(['notes/guides/start.md'], '# Start\n\nBegin with the tests.\n');
  try {
    await skipFirstRun(page);
    await addFolder({ app, page }, makeFolder('project'));

    const dialog = await openPlaces(page);
    await dialog.getByRole('button', { name: 'Add place…' }).click();
    await dialog.getByLabel('Kind').selectOption('Bucket (S3)');
    await dialog.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Enter the bucket name.');
    await dialog.getByLabel('Bucket', { exact: true }).fill(server.bucket);
    await dialog.getByLabel('Folder in the bucket').fill('notes');
    await dialog.getByLabel('Server').fill(server.url);
    await dialog.getByLabel('Access key ID').fill(KEY.accessKeyId);
    await dialog.getByLabel('Secret access key').fill('wrong');
    await answerConfirmations(app, true);
    await dialog.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(dialog.getByRole('status').filter({ hasText: 'Refused' })).toBeVisible();
    await expect(dialog.getByRole('alert')).toContainText("doesn't accept the key");
    await see(page, 'bucket-refused');
    await dialog.getByLabel('Secret access key').fill(KEY.secret);
    await dialog.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(dialog.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();
    await see(page, 'bucket-form');
    await shot('bucket-form');
    await dialog.getByRole('button', { name: 'Add place', exact: true }).click();
    const item = dialog.getByRole('listitem', { name: '/notes/' });
    await expect(item).toContainText(`s3://files/notes (${server.url})`);
    await expect(item.getByRole('status')).toHaveText('Connected');
    const asked = (await askedOutside(app)).slice(-2);
    expect(asked.map(({ message }) => message)).toEqual([
      `Connect to ${new URL(server.url).host}?`,
      expect.stringContaining('/notes/'),
    ]);
    expect(JSON.stringify(asked)).not.toContain(KEY.secret);
    await page.keyboard.press('Escape');

    const tree = page.getByRole('tree', { name: 'Files' });
    await tree.getByRole('treeitem', { name: '/notes/' }).click();
    await tree.getByRole('treeitem', { name: 'guides' }).click();
    await tree.getByRole('treeitem', { name: 'start.md' }).click();
    const viewer = page.getByRole('region', { name: '/notes/guides/start.md' });
    await expect(viewer).toContainText('Begin with the tests.');

    await say(page, 'replace "the tests" with "the docs" in /notes/guides/start.md');
    await expect(cards(page)).toContainText('It changes a file in /notes/.');
    await allow(page);
    await idle(page);
    expect(server.text('notes/guides/start.md')).toContain('Begin with the docs.');
    await expect(viewer).toContainText('Begin with the docs.');
    await see(page, 'bucket-changed');
    await page.getByRole('tab', { name: 'Changes' }).click();
    const changes = page.getByRole('tabpanel', { name: 'Changes' });
    await changes.getByRole('button', { name: 'Undo all' }).click();
    await expect.poll(() => server.text('notes/guides/start.md')).toContain('Begin with the tests.');

    server.cut();
    await say(page, 'read /notes/guides/start.md');
    await idle(page);
    await expect(messages(page)).toContainText('cannot be used now');
    await openPlaces(page);
    await expect(item.getByRole('status')).toHaveText('Offline');
    await see(page, 'bucket-offline');
    server.restore();
    await item.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(item.getByRole('status')).toHaveText('Connected');
  } finally {
    await server.close();
  }
});
