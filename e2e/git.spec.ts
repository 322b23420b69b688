import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, giveToApp, makeFolder, type SharedApp, test } from './support/app';
import { git } from './support/git';
import { see } from './support/see';
import { addFolder, allow, cards, idle, say, skipFirstRun } from './support/window';

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join('');
const LONG = 'a-branch-with-a-very-long-name/that-does-not-fit-into-the-panel-at-any-size';

async function openGit({ app, page }: SharedApp, folder: string): Promise<void> {
  giveToApp(folder);
  await skipFirstRun(page);
  await addFolder({ app, page }, folder);
  await expect(page.getByRole('treeitem', { name: /notes\.txt/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Changes' }).click();
  await page.getByRole('tab', { name: 'Git', exact: true }).click();
}

const files = (page: Page) => page.getByRole('list', { name: 'Changes in the repository' });
const staged = (page: Page, name: string) => page.getByRole('checkbox', { name: `Stage ${name}` });

test('one hunk of two is staged, committed on a new branch and pushed', async ({ sharedApp }) => {
  const { page } = sharedApp;
  const remote = makeFolder('remote');
  git(remote, 'init', '-q', '--bare');
  const folder = makeFolder('project');
  git(folder, 'init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'notes.txt'), LINES);
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
  git(folder, 'remote', 'add', 'origin', remote);
  const ran = join(makeFolder('ran'), 'ran');
  git(folder, 'config', 'core.fsmonitor', `touch ${ran}`);
  writeFileSync(
    join(folder, 'notes.txt'),
    LINES.replace('line 1\n', 'one\n').replace('line 30\n', 'thirty\n'),
  );
  giveToApp(remote);
  await openGit(sharedApp, folder);
  await expect(page.getByText(/Ignored settings of this repository.*core\.fsmonitor/)).toBeVisible();
  await see(page, 'git-changes');

  await files(page)
    .getByRole('button', { name: /^notes\.txt/ })
    .click();
  const second = page.getByRole('region', { name: 'Part 2 of 2' });
  await expect(second).toContainText('thirty');
  await see(page, 'git-file');
  await second.getByRole('button', { name: 'Stage this change' }).click();
  await expect(page.getByRole('region', { name: 'Staged', exact: true })).toContainText('thirty');
  await expect(page.getByRole('region', { name: 'Not staged' })).not.toContainText('thirty');
  await see(page, 'git-file-staged');
  await page.getByRole('button', { name: 'All changes' }).click();

  await page.getByRole('button', { name: 'Branch main' }).click();
  const branches = page.getByRole('dialog', { name: 'Branches' });
  await branches.getByRole('textbox', { name: 'New branch' }).fill(LONG);
  await see(page, 'git-branches');
  await branches.getByRole('button', { name: 'Create' }).click();
  await expect(branches).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Branch ${LONG}` })).toBeVisible();

  const message = page.getByRole('textbox', { name: 'Commit message' });
  await page.getByRole('button', { name: 'Draft message' }).click();
  await expect(message).toHaveValue('Change notes.txt');
  await see(page, 'git-draft');
  expect(git(folder, 'log', '--format=%s').trim()).toBe('first');
  await message.fill('Say thirty');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ann');
  await page.getByRole('textbox', { name: 'Email address' }).fill('ann@example.com');
  await see(page, 'git-commit');
  await page.getByRole('button', { name: 'Commit', exact: true }).click();
  await expect(message).toHaveValue('');
  await expect(message).toBeFocused();
  expect(git(folder, 'log', '-1', '--format=%s').trim()).toBe('Say thirty');
  expect(git(folder, 'show', 'HEAD:notes.txt')).toBe(LINES.replace('line 30\n', 'thirty\n'));

  await page.getByRole('button', { name: 'Push', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Push to the remote?' });
  await expect(question).toContainText(`pushes 2 commits to the branch ${LONG} of origin`);
  await see(page, 'git-push');
  await question.getByRole('button', { name: 'Push' }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByText('0 to push, 0 to pull')).toBeVisible();
  expect(git(remote, 'log', '-1', '--format=%s', LONG).trim()).toBe('Say thirty');
  expect(existsSync(ran)).toBe(false);
});

test("the agent's changes are marked and staged together, and a discarded change comes back", async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  const folder = makeFolder('project');
  git(folder, 'init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'notes.txt'), LINES);
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
  await openGit(sharedApp, folder);
  await expect(page.getByText('Nothing changed since the last commit.')).toBeVisible();
  await see(page, 'git-clean');
  await say(page, 'create agent.txt with "x"');
  await expect(cards(page).first()).toBeVisible();
  await allow(page);
  await idle(page);
  writeFileSync(join(folder, 'mine.txt'), 'mine\n');
  giveToApp(folder);
  await expect(files(page).getByRole('listitem')).toHaveText([/agent\.txt.*agent/, /mine\.txt/]);
  await page.getByRole('button', { name: "Stage the agent's changes" }).click();
  await expect(staged(page, 'agent.txt')).toBeChecked();
  await expect(staged(page, 'mine.txt')).not.toBeChecked();
  await see(page, 'git-agent');
  await sharedApp.shot('git');

  await page.getByRole('button', { name: 'Discard the changes to mine.txt' }).click();
  await expect(staged(page, 'mine.txt')).toHaveCount(0);
  expect(existsSync(join(folder, 'mine.txt'))).toBe(false);
  await page.locator('[aria-live=polite]').getByRole('button', { name: 'Undo' }).click();
  await expect(staged(page, 'mine.txt')).toBeVisible();
  expect(existsSync(join(folder, 'mine.txt'))).toBe(true);
});

test('what git does elsewhere shows without a refresh, and files are staged with the keyboard alone', async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  const folder = makeFolder('project');
  git(folder, 'init', '-q', '-b', 'main');
  mkdirSync(join(folder, 'closed'));
  writeFileSync(join(folder, 'notes.txt'), LINES);
  writeFileSync(join(folder, 'closed', 'deep.txt'), LINES);
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
  await openGit(sharedApp, folder);
  await expect(page.getByText('Nothing changed since the last commit.')).toBeVisible();
  // No folder of the tree that is open holds this file.
  writeFileSync(join(folder, 'closed', 'deep.txt'), 'changed\n');
  await expect(staged(page, 'closed/deep.txt')).not.toBeChecked();
  git(folder, 'mv', 'notes.txt', 'renamed.txt');
  await expect(staged(page, 'renamed.txt')).toBeChecked();
  writeFileSync(join(folder, 'renamed.txt'), `${LINES}more\n`);
  giveToApp(folder);
  await expect(staged(page, 'renamed.txt')).toBeChecked({ indeterminate: true });
  for (const name of ['renamed.txt', 'closed/deep.txt']) {
    await staged(page, name).press('Space');
    await expect(staged(page, name)).toBeChecked();
    await expect(staged(page, name)).toBeFocused();
  }
  git(folder, 'commit', '-qm', 'second');
  await expect(page.getByText('Nothing changed since the last commit.')).toBeVisible();
});

test('the list is where it was left when an opened file is closed, also with the keyboard', async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  const folder = makeFolder('project');
  git(folder, 'init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'notes.txt'), LINES);
  for (let at = 100; at < 300; at += 1) writeFileSync(join(folder, `x${at}.txt`), 'new\n');
  await openGit(sharedApp, folder);
  const row = (name: string) => files(page).getByRole('button', { name: new RegExp(`^${name}`) });
  await row('x100').focus();
  await files(page).evaluate((list) => list.scrollTo(0, 4_000));
  await row('x245').press('Enter');
  const back = page.getByRole('button', { name: 'All changes' });
  await expect(back).toBeFocused();
  await back.press('Enter');
  await expect(row('x245')).toBeFocused();
  await expect(row('x245')).toBeInViewport();
  // A dialog gives the focus back, too.
  await page.getByRole('button', { name: 'Branch main' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Branches' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Branch main' })).toBeFocused();
});
