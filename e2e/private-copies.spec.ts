import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, giveToApp, makeFolder, type SharedApp, test } from './support/app';
import { see } from './support/see';
import { addFolder, allow, cards, idle, say, skipFirstRun } from './support/window';

const LINES = Array.from({ length: 10 }, (_, at) => `line ${at}\n`).join('');

async function openProject({ app, page }: SharedApp, folder: string): Promise<void> {
  await skipFirstRun(page);
  await addFolder({ app, page }, folder);
  await expect(page.getByRole('treeitem', { name: /notes\.txt/ })).toBeVisible();
}

/** Starts the shown blank thread in a private copy. */
async function startInCopy(page: Page, name?: string): Promise<void> {
  await page.getByRole('button', { name: 'Private copy…' }).click();
  const blank = await page.locator('[data-thread][aria-current="true"]').getAttribute('data-thread');
  const dialog = page.getByRole('dialog', { name: 'Work in a private copy' });
  await expect(dialog.getByText(/Deepdesk copies \d+ files?/)).toBeVisible();
  if (name !== undefined) await see(page, name);
  await dialog.getByRole('button', { name: 'Start in a copy' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Private copy…' })).toHaveCount(0);
  // The new thread takes its place.
  await expect(page.locator(`[data-thread="${blank}"]`)).toHaveCount(0);
}

/** Lets the agent do something that needs one approval. */
async function work(page: Page, task: string): Promise<void> {
  await say(page, task);
  await expect(cards(page).first()).toBeVisible();
  await allow(page);
  await idle(page);
}

const newThread = (page: Page) =>
  page.getByRole('button', { name: 'New thread', exact: true }).first().click();
const showChanges = (page: Page) => page.getByRole('tab', { name: 'Changes' }).click();
const changes = (page: Page) => page.getByRole('list', { name: 'Changes in the private copy' });
const toast = (page: Page) => page.locator('[aria-live=polite] > *').filter({ hasText: 'Brought in 1 file' });
const threads = (page: Page) => page.locator('[data-thread]');

test('two threads work in private copies; both are brought in, with one conflict', async ({ sharedApp }) => {
  const { page, shot } = sharedApp;
  const folder = makeFolder('project');
  writeFileSync(join(folder, 'notes.txt'), LINES);
  giveToApp(folder);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  await openProject(sharedApp, folder);

  await startInCopy(page, 'copy-start');
  await work(page, 'replace "line 1" with "one" in notes.txt');
  await newThread(page);
  await startInCopy(page);
  await work(page, 'replace "line 1" with "uno" in notes.txt');
  await work(page, 'replace "line 8" with "eight" in notes.txt');
  expect(read('notes.txt')).toBe(LINES);
  await expect(threads(page).filter({ hasText: 'Private copy' })).toHaveCount(2);

  await threads(page).filter({ hasText: '"one"' }).click();
  await showChanges(page);
  await expect(changes(page).getByRole('listitem')).toHaveText([/notes\.txt/]);
  await changes(page).getByRole('listitem').getByRole('button').focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu').getByRole('menuitem')).toHaveText([
    'Show changes',
    'Show file',
    'Copy relative path',
  ]);
  await expect(page.getByRole('menuitemcheckbox', { name: 'Bring in this file' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await see(page, 'copy-changes');
  await shot('private-copy');
  await page.getByRole('button', { name: 'Bring in', exact: true }).click();
  await expect(page.getByText('Brought in 1 file')).toBeVisible();
  await expect.poll(() => read('notes.txt')).toBe(LINES.replace('line 1\n', 'one\n'));
  await expect(page.getByText(/The copy has no changes to bring in/)).toBeVisible();
  // The button is disabled now, and the keyboard is not at the top of the window.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  await toast(page).getByRole('button', { name: 'Close' }).click();
  await expect(toast(page)).toHaveCount(0);

  await threads(page).filter({ hasText: '"uno"' }).click();
  await expect(page.getByText('1 file was changed in the folder too. Open it to choose.')).toBeVisible();
  await changes(page)
    .getByRole('button', { name: /notes\.txt/ })
    .click();
  await expect(page.getByRole('button', { name: 'Bring in this file' })).toBeDisabled();
  await expect(page.getByRole('group', { name: 'Changes to notes.txt' }).last()).toContainText('eight');
  await page.getByRole('radio', { name: 'Both' }).check();
  await see(page, 'copy-conflict');
  // The open file and the choice are still there.
  await page.getByRole('tab', { name: /^Files/ }).click();
  await expect(page.getByRole('radio', { name: 'Both' })).toHaveCount(0);
  await page.getByRole('tab', { name: /^Changes/ }).click();
  await expect(page.getByRole('radio', { name: 'Both' })).toBeChecked();
  await page.getByRole('button', { name: 'Bring in this file' }).click();
  await expect
    .poll(() => read('notes.txt'))
    .toBe(LINES.replace('line 1\n', 'one\nuno\n').replace('line 8\n', 'eight\n'));

  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => read('notes.txt')).toBe(LINES.replace('line 1\n', 'one\n'));
  await expect(changes(page).getByText('conflict', { exact: true })).toBeVisible();
});

test('a private copy with changes is thrown away after a question', async ({ sharedApp }) => {
  const { page } = sharedApp;
  const folder = makeFolder('project');
  writeFileSync(join(folder, 'notes.txt'), LINES);
  giveToApp(folder);
  await openProject(sharedApp, folder);
  await startInCopy(page);
  await work(page, 'create other.txt with "x"');
  await showChanges(page);
  await expect(changes(page).getByRole('listitem')).toHaveText([/other\.txt/]);
  await page.getByRole('button', { name: 'Throw away' }).click();
  const question = page.getByRole('dialog', { name: 'Throw away this private copy?' });
  await expect(question).toContainText("1 changed file isn't in the folder");
  await see(page, 'copy-throw-away');
  await question.getByRole('button', { name: 'Throw away' }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByText(/You threw this private copy away/).first()).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message to the agent' })).toHaveCount(0);
  // The turn that made the file: its changes are gone, so that there is nothing to review or undo.
  const receipt = page.getByRole('group', { name: 'What this turn did' });
  await expect(receipt).toContainText('other.txt');
  await expect(receipt).toContainText('The folder is missing.');
  await expect(receipt.getByRole('button', { name: /^(Undo|Review|Restore)/ })).toHaveCount(0);
  await see(page, 'copy-gone');
  expect(readdirSync(folder)).toEqual(['notes.txt']);
  expect(existsSync(join(folder, 'other.txt'))).toBe(false);
});
