import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, giveToApp, makeFolder, type SharedApp, test } from './support/app';
import { see } from './support/see';
import { allow, cards, composer, idle, messages, say, skipFirstRun } from './support/window';

const list = (page: Page): Locator => page.getByRole('navigation', { name: 'Projects and threads' });
const line = (page: Page, title: string | RegExp): Locator =>
  list(page).locator('[data-row]').filter({ hasText: title }).first();
const titles = (page: Page): Promise<(string | null)[]> =>
  list(page).locator('[data-thread] .truncate').allTextContents();

async function choose(page: Page, title: string | RegExp, item: string): Promise<void> {
  await line(page, title).click({ button: 'right' });
  await page.getByRole('menuitem', { name: item, exact: false }).first().click();
}

async function newThread(page: Page, words: string): Promise<void> {
  await page.getByRole('button', { name: 'New thread', exact: true }).click();
  await expect(messages(page)).not.toContainText('\u0000');
  await expect(line(page, 'New thread')).toHaveAttribute('aria-current', 'true');
  await say(page, words);
  await idle(page);
}

/** The folder that the system dialog returns next. */
async function willChoose({ app }: SharedApp, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, folder);
}

test('threads can be pinned, renamed, duplicated, archived, deleted and restored, by mouse and keyboard', async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'hello apple');
  await idle(page);
  await newThread(page, 'hello banana');
  await newThread(page, 'hello cherry');
  await expect.poll(() => titles(page)).toEqual(['hello cherry', 'hello banana', 'hello apple']);

  await choose(page, 'hello apple', 'Pin');
  await expect.poll(() => titles(page)).toEqual(['hello apple', 'hello cherry', 'hello banana']);
  await choose(page, 'hello cherry', 'Duplicate');
  await expect(line(page, 'hello cherry (2)')).toHaveAttribute('aria-current', 'true');
  await expect(messages(page)).toContainText('hello cherry');

  await line(page, 'hello banana').click();
  await line(page, 'hello banana').press('F2');
  const field = page.getByRole('textbox', { name: 'Thread name' });
  await field.fill('Datenschutzgrundverordnungsbeauftragter 数据保护专员的长标题');
  await field.press('Enter');
  await expect(line(page, 'Datenschutzgrundverordnung')).toBeFocused();
  // No title has this anymore, but a message does.
  const search = page.getByRole('searchbox', { name: 'Search all threads' });
  await search.fill('banana');
  const hit = page.getByRole('region', { name: 'In messages' }).getByRole('button').first();
  await expect(hit).toBeVisible();
  await search.press('ArrowDown');
  await expect(hit).toBeFocused();
  await search.press('Escape');
  await line(page, 'Datenschutzgrundverordnung').focus();
  await page.keyboard.press('Home');
  await expect(line(page, 'sample-project')).toBeFocused();
  await page.keyboard.press('d');
  await expect(line(page, 'Datenschutzgrundverordnung')).toBeFocused();

  await choose(page, 'Datenschutzgrundverordnung', 'Archive');
  await expect(line(page, 'Archived (1)')).toBeVisible();
  // The archived row had the focus; another one has it now.
  await expect(list(page).locator('[data-row]:focus')).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(line(page, 'Archived (1)')).toHaveCount(0);
  const original = list(page)
    .locator('[data-thread]')
    .filter({ has: page.getByText('hello cherry', { exact: true }) });
  await original.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await expect(line(page, 'Archived (1)')).toBeVisible();
  await line(page, 'Archived (1)').click();
  await see(page, 'list');
  await line(page, 'hello cherry (2)').click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  await see(page, 'menu');
  await page.keyboard.press('Escape');
  await expect(line(page, 'hello cherry (2)')).toBeFocused();

  await page.keyboard.press('Delete');
  await expect(line(page, 'hello cherry (2)')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(line(page, 'hello cherry (2)')).toBeVisible();

  await choose(page, 'sample-project', 'Remove from Deepdesk');
  const question = page.getByRole('dialog', { name: 'Remove “sample-project” from Deepdesk?' });
  await expect(question).toContainText('4 threads are hidden and deleted after 30 days');
  await see(page, 'remove');
  await question.getByRole('button', { name: 'Remove from Deepdesk' }).click();
  await expect(line(page, 'sample-project')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(line(page, 'hello apple')).toBeVisible();
});

test('several threads can be deleted with the keyboard and restored together', async ({ sharedApp }) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'hello apple');
  await idle(page);
  const names = [
    'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen',
    '请在不改变任何公共接口的情况下重构整个身份验证模块并补充所有缺失的测试用例',
    'hello cherry',
    'hello date',
  ];
  for (const name of names) await newThread(page, name);
  const all = ['hello date', 'hello cherry', names[1], names[0], 'hello apple'];
  await expect.poll(() => titles(page)).toEqual(all);
  await see(page, 'long-names');

  await line(page, 'hello date').focus();
  await page.keyboard.press('Delete');
  // The next line has the focus, so the key can be pressed again.
  await expect(line(page, 'hello cherry')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(line(page, '请在不改变')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(line(page, 'Donaudampf')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect.poll(() => titles(page)).toEqual(['hello apple']);
  await expect(page.getByText('Deleted 4 threads')).toBeVisible();
  await see(page, 'deleted-several');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => titles(page)).toEqual(all);
  await expect(messages(page)).toContainText('Donaudampf');
});

test('selected threads can be archived, pinned and deleted together, each with an undo', async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'hello apple');
  await idle(page);
  for (const name of ['hello banana', 'hello cherry', 'hello date']) await newThread(page, name);
  const all = ['hello date', 'hello cherry', 'hello banana', 'hello apple'];
  await expect.poll(() => titles(page)).toEqual(all);
  const undo = () => page.getByRole('button', { name: 'Undo' }).last().click();

  await line(page, 'hello cherry').click({ modifiers: ['Control'] });
  await line(page, 'hello apple').click({ modifiers: ['Shift'] });
  const selected = list(page)
    .locator('..')
    .getByText(/^\d+ selected$/);
  await expect(selected).toHaveText('3 selected');
  await expect(line(page, 'hello date')).toHaveAttribute('aria-current', 'true');
  await see(page, 'selected');
  await choose(page, 'hello banana', 'Archive');
  await expect(page.getByText('Archived 3 threads')).toBeVisible();
  await expect.poll(() => titles(page)).toEqual(['hello date']);
  await undo();
  await expect.poll(() => titles(page)).toEqual(all);

  await line(page, 'hello banana').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(line(page, 'hello apple')).toBeFocused();
  await choose(page, 'hello apple', 'Pin');
  await expect.poll(() => titles(page)).toEqual([...all.slice(2), ...all.slice(0, 2)]);
  await undo();
  await expect.poll(() => titles(page)).toEqual(all);

  await line(page, 'hello date').focus();
  await page.keyboard.press('Control+a');
  await expect(selected).toHaveText('4 selected');
  await page.keyboard.press('Escape');
  await expect(selected).toHaveCount(0);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect(page.getByText('Deleted 4 threads')).toBeVisible();
  await expect.poll(() => titles(page)).toEqual([]);
  await undo();
  await expect.poll(() => titles(page)).toEqual(all);
});

test('a clock that is set back an hour does not break threads, durations or the marks of new answers', async ({
  launchApp,
}) => {
  const { app, page } = await launchApp();
  await skipFirstRun(page);
  await say(page, 'hello one');
  await idle(page);
  await newThread(page, 'hello two');
  const HOUR = 3_600_000;
  await app.evaluate((_electron, back) => {
    const real = Date.now;
    Date.now = () => real() - back;
  }, HOUR);
  await page.evaluate((back) => {
    const real = Date.now;
    Date.now = () => real() - back;
  }, HOUR);

  await newThread(page, 'hello three');
  await expect.poll(() => titles(page)).toEqual(['hello three', 'hello two', 'hello one']);
  await line(page, 'hello one').click();
  await say(page, 'run sleep 0.1m >> slept.txt');
  await expect(cards(page)).toHaveCount(1);
  await allow(page);
  await expect(messages(page).getByText(/^[1-5] s$/)).toBeVisible();
  await line(page, 'hello two').click();
  // It ends while another one is shown: the answer is new, even though this thread was last seen at a later clock time.
  await expect(line(page, 'hello one')).toContainText('New answer');
  await expect.poll(() => titles(page)).toEqual(['hello one', 'hello three', 'hello two']);
  await line(page, 'hello one').click();
  await expect(line(page, 'hello one')).not.toContainText('New answer');
  await expect(messages(page).getByText(/^[67](\.\d)? s$/)).toBeVisible();
  await expect(messages(page)).not.toContainText(/-\d+ (ms|s|min)/);
});

test('two windows show their own threads, inform each other, and reopen after a restart', async ({
  launchApp,
}) => {
  const first = await launchApp();
  const { app, page } = first;
  await skipFirstRun(page);
  await say(page, 'hello one');
  await idle(page);
  await newThread(page, 'hello two');
  const opened = app.waitForEvent('window');
  await choose(page, 'hello one', 'Open in new window');
  const other = await opened;
  await expect(line(other, 'hello one')).toHaveAttribute('aria-current', 'true');
  await expect(line(page, 'hello two')).toHaveAttribute('aria-current', 'true');

  // Two parallel runs; each window reports the other's.
  await say(other, 'run sleep 30 >> one.txt');
  await expect(cards(other)).toHaveCount(1);
  await allow(other);
  await say(page, 'run echo two >> two.txt');
  await expect(cards(page)).toHaveCount(1);
  await expect(line(page, 'hello one')).toContainText('Running');
  await expect(line(other, 'hello two')).toContainText('1 pending approval');
  await see(page, 'two-runs');
  await allow(page);
  await idle(page);
  await other.getByRole('button', { name: 'Stop', exact: true }).first().click();
  await idle(other);

  // What is written in a card that the other window decides about can be copied.
  await say(page, 'create three.txt with "from the agent"');
  const edited = cards(page).getByRole('textbox', { name: 'Text' });
  // A card takes decisions only a moment after it appears.
  await expect(async () => {
    await cards(page).getByRole('button', { name: 'Edit', exact: true }).click();
    await expect(edited).toBeVisible({ timeout: 500 });
  }).toPass();
  await edited.fill('from the person');
  await line(other, 'hello two').click();
  await allow(other);
  const lost = page.getByText("This call no longer waits, so what you wrote wasn't used");
  await expect(lost).toBeVisible();
  await see(page, 'lost-input');
  await page.getByRole('button', { name: 'Copy text' }).click();
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toContain('from the person');
  await idle(page);
  await expect(other.getByText("This call no longer waits, so what you wrote wasn't used")).toHaveCount(0);

  // A thread that the other window deletes is named, and can be restored here.
  await choose(other, 'hello two', 'Delete');
  await expect(page.getByText('“hello two” was deleted in another window')).toBeVisible();
  await see(page, 'deleted-elsewhere');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(line(page, 'hello two')).toHaveAttribute('aria-current', 'true');
  await expect(other.getByText('was deleted in another window')).toHaveCount(0);
  await line(other, 'hello one').click();

  // An answer that ends while nobody watches is new.
  await newThread(page, 'hello three');
  await say(page, 'run sleep 0.07m >> three.txt');
  await expect(cards(page)).toHaveCount(1);
  await allow(page);
  await expect(line(page, 'hello three')).toContainText('Running');
  await line(page, 'hello two').click();
  await expect(line(page, 'hello three')).toContainText('New answer');
  await see(page, 'unread');
  await line(page, 'hello three').click();
  await expect(line(other, 'hello three')).not.toContainText('New answer');
  await line(page, 'hello two').click();
  await first.close();

  const again = await launchApp({ dataDir: first.dataDir });
  await expect.poll(() => again.app.windows().length).toBe(2);
  const shown = async () => {
    const names = again.app
      .windows()
      .map((window) => list(window).locator('[aria-current="true"]').textContent());
    return (await Promise.all(names)).map((name) => /hello (one|two)/.exec(name ?? '')?.[1]).sort();
  };
  await expect.poll(shown).toEqual(['one', 'two']);
});

test('a moved folder is reported, pauses its threads, and can be attached at its new location', async ({
  launchApp,
}) => {
  const running = await launchApp();
  const { page, dataDir } = running;
  const folder = join(dataDir, 'sample-project');
  const moved = join(dataDir, 'moved-project');
  await skipFirstRun(page);
  await say(page, 'run sleep 300 >> here.txt');
  await expect(cards(page)).toHaveCount(1);
  await allow(page);
  await expect(line(page, /sleep/)).toContainText('Running');
  // It has started in the folder: a command that does not find the folder fails, which is another case.
  await expect.poll(() => existsSync(join(folder, 'here.txt'))).toBe(true);
  renameSync(folder, moved);
  const gone = page.getByRole('alert', { name: "This project's folder was moved or deleted" });
  await expect(gone).toContainText(folder);
  await expect(line(page, /sleep/)).toContainText('Interrupted');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expect(line(page, 'sample-project')).toContainText('Not found');
  await see(page, 'gone');

  await gone.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText(`Still can't find ${folder}.`)).toBeVisible();
  await willChoose(running, moved);
  await gone.getByRole('button', { name: 'Choose new location…' }).click();
  await expect(gone).toHaveCount(0);
  await expect(line(page, 'moved-project')).toBeVisible();

  await say(page, 'run echo here >> there.txt');
  await expect(cards(page)).toHaveCount(1);
  await allow(page);
  await idle(page);
  expect(existsSync(join(moved, 'there.txt'))).toBe(true);
  expect(existsSync(folder)).toBe(false);

  // Also while the app is closed; once the folder is back, work continues in it.
  await running.close();
  renameSync(moved, folder);
  const { page: later } = await launchApp({ dataDir });
  const goneAgain = later.getByRole('alert', { name: "This project's folder was moved or deleted" });
  await expect(goneAgain).toContainText(moved);
  // The window checks for it while the message is shown.
  renameSync(folder, moved);
  await expect(goneAgain).toHaveCount(0);
  await expect(composer(later)).toBeVisible();
});

test('many threads stay fast, older ones are one click away, and projects can be reordered', async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  const second = join(makeFolder('place'), 'second-project');
  mkdirSync(second);
  giveToApp(second);
  await willChoose(sharedApp, second);
  await page.getByRole('button', { name: 'Add folder' }).first().click();
  await expect(line(page, 'second-project')).toBeVisible();
  const order = () => list(page).locator('[data-row^="project:"] .font-semibold').allTextContents();
  await expect.poll(order).toEqual(['second-project', 'sample-project']);
  await line(page, 'second-project').dragTo(line(page, 'sample-project'), {
    targetPosition: { x: 40, y: 24 },
  });
  await expect.poll(order).toEqual(['sample-project', 'second-project']);
  await line(page, 'second-project').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(order).toEqual(['second-project', 'sample-project']);

  // After a project's last thread is deleted, the same key affects nothing in the next project.
  const begin = page.getByRole('button', { name: 'New thread', exact: true }).first();
  await expect(line(page, 'New thread')).toHaveAttribute('aria-current', 'true');
  await line(page, 'New thread').focus();
  await page.keyboard.press('Delete');
  await expect(line(page, 'second-project')).toBeFocused();

  // An empty new thread is reused, however often one is requested.
  await begin.click();
  await expect(line(page, 'New thread')).toHaveAttribute('aria-current', 'true');
  const before = await titles(page);
  await begin.click();
  await begin.click();
  await expect(composer(page)).toBeFocused();
  expect(await titles(page)).toEqual(before);
  for (let count = 0; count < 15; count += 1) {
    await begin.click();
    await expect(messages(page).getByRole('article')).toHaveCount(0);
    await say(page, `hello ${count}`);
  }
  await expect(line(page, /older thread/)).toBeVisible();
  await line(page, /older thread/).click();
  await expect(line(page, 'Show less')).toBeVisible();
  await see(page, 'many');
});
