import { expect, makeFolder, test } from './support/app';
import { addFolder, idle, messages, say, skipFirstRun } from './support/window';

test('one thread reads what another one remembered, and the user corrects it', async ({ sharedApp }) => {
  const { page, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'remember test command: run the tests with node --test');
  await idle(page);
  await expect(messages(page)).toContainText('Remembered');
  await expect(page.getByRole('button', { name: /Undo the change to/ })).toBeVisible();

  await page
    .getByRole('button', { name: /^New thread/ })
    .first()
    .click();
  await expect(page.getByText('Remembered')).toHaveCount(0);
  await say(page, 'what do you remember about tests');
  await idle(page);
  await expect(messages(page)).toContainText('run the tests with node --test');

  await page.getByRole('tab', { name: 'Memories' }).click();
  await page.getByRole('button', { name: /^test-command\.md/ }).click();
  await shot('memories');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('run the tests with npm test');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('article', { name: 'test-command.md' })).toContainText(
    'run the tests with npm test',
  );
  await say(page, 'what do you remember about tests');
  await idle(page);
  await expect(messages(page)).toContainText('run the tests with npm test');
});

test('a memory can be undone in the conversation', async ({ sharedApp }) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'remember color: blue');
  await idle(page);
  await page.getByRole('button', { name: /Undo the change to/ }).click();
  await expect(messages(page)).toContainText('Undone');
  await page.getByRole('tab', { name: 'Memories' }).click();
  await expect(page.getByText('What the agent learns for later threads')).toBeVisible();
});

test('a memory is for its project until the user moves it to everywhere', async ({ sharedApp }) => {
  const { app, page, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'remember color: blue as the sea');
  await idle(page);
  await page.getByRole('tab', { name: 'Memories' }).click();
  await page.getByRole('button', { name: 'New memory' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('sky');
  await page.getByRole('combobox', { name: 'For' }).selectOption('Everywhere');
  await page.getByRole('textbox', { name: 'Text' }).fill('the sky is blue');
  await shot('memory-new');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('article', { name: 'sky.md' })).toContainText('Everywhere');
  await page.getByRole('button', { name: 'All memories' }).click();
  await expect(page.getByText('2 memories')).toBeVisible();
  await shot('memory-scopes');

  const other = makeFolder('other');
  await addFolder({ app, page }, other);
  const rows = page.getByRole('list', { name: 'Memories' }).getByRole('button');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('sky.md');
  await say(page, 'what do you remember about blue');
  await idle(page);
  await expect(messages(page)).toContainText('the sky is blue');
  await expect(messages(page)).not.toContainText('blue as the sea');

  // The one for everywhere goes to this project, and back with Undo.
  await rows.click();
  await page.getByRole('button', { name: 'Move to this project' }).click();
  const memory = page.getByRole('article', { name: 'sky.md' });
  await expect(memory).not.toContainText('Everywhere');
  await expect(page.getByRole('button', { name: 'Move to everywhere' })).toBeVisible();
  await shot('memory-moved');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(memory).toContainText('Everywhere');
});
