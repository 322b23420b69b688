import { expect, test } from './support/app';
import { idle, messages, say, skipFirstRun } from './support/window';

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
  await say(page, 'remember colour: blue');
  await idle(page);
  await page.getByRole('button', { name: /Undo the change to/ }).click();
  await expect(messages(page)).toContainText('Undone');
  await page.getByRole('tab', { name: 'Memories' }).click();
  await expect(page.getByText('What the agent learns for later threads')).toBeVisible();
});
