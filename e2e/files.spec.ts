import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerFolderDialog, expect, giveToApp, makeFolder, test } from './support/app';
import { skipFirstRun } from './support/window';

test('a folder that the person picks is shown, and what others change in it shows up', async ({
  launchApp,
}) => {
  const folder = makeFolder('project');
  writeFileSync(join(folder, 'notes.txt'), 'first line\n');
  const { app, page, shot } = await launchApp({ folder });
  await skipFirstRun(page);
  await answerFolderDialog(app, folder);
  await page.getByRole('button', { name: 'Add a folder' }).click();
  const tree = page.getByRole('tree', { name: 'Files' });
  await expect(tree.getByRole('treeitem', { name: /notes\.txt/ })).toBeVisible();

  writeFileSync(join(folder, 'made-outside.txt'), 'x');
  giveToApp(folder);
  await expect(tree.getByRole('treeitem', { name: /made-outside\.txt/ })).toBeVisible();

  await tree.getByRole('treeitem', { name: /notes\.txt/ }).click();
  const viewer = page.getByRole('region', { name: join(folder, 'notes.txt') });
  await expect(viewer).toContainText('first line');
  writeFileSync(join(folder, 'notes.txt'), 'changed outside\n');
  await expect(viewer).toContainText('changed outside');
  await shot('files');
});
