import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, type SharedApp, test } from './support/app';
import { see } from './support/see';
import { allow, cards, composer, idle, say, skipFirstRun } from './support/window';

const sample = (dataDir: string, path: string) => join(dataDir, 'sample-project', path);
const inbox = (page: Page): Locator => page.getByRole('dialog', { name: 'Waiting for you', exact: true });
const strip = (page: Page): Locator => page.getByRole('region', { name: 'Since you left' });
const activity = (page: Page): Locator => page.getByRole('dialog', { name: 'Auto-approved calls' });

async function newThread(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New thread', exact: true }).click();
  await expect(cards(page)).toHaveCount(0);
}

const thread = (page: Page, title: string) =>
  page.getByRole('navigation', { name: 'Projects and threads' }).getByRole('button', { name: title }).first();

/** Two threads, each with a pending command. */
async function twoWait({ page }: SharedApp): Promise<void> {
  await skipFirstRun(page);
  await say(page, 'run echo one >> one.txt');
  await expect(cards(page)).toHaveCount(1);
  await newThread(page);
  await say(page, 'run echo two >> two.txt');
  await expect(cards(page)).toContainText('echo two');
}

test('approvals of two threads survive a kill, and one given in the inbox runs its command exactly once', async ({
  launchApp,
}) => {
  const first = await launchApp();
  await twoWait(first);
  await expect(first.page.getByRole('button', { name: '2 pending approvals' })).toBeVisible();
  await first.kill9();

  const { page, dataDir } = await launchApp({ dataDir: first.dataDir });
  await expect(page.getByRole('button', { name: '2 pending approvals' })).toBeVisible();
  await composer(page).click();
  await page.keyboard.press('Control+Shift+A');
  await expect(inbox(page)).toBeVisible();
  const items = inbox(page).getByRole('listitem');
  await expect(items.filter({ hasText: 'run echo' })).toHaveCount(2);
  await see(page, 'inbox');
  // The oldest one is open; the same card, which accepts no decision immediately.
  const card = inbox(page).locator('[data-approval]');
  await expect(card).toContainText('echo one');
  await allow(page, card);
  await expect(items.filter({ hasText: 'run echo' })).toHaveCount(1);
  await expect.poll(() => existsSync(sample(dataDir, 'one.txt'))).toBe(true);

  await inbox(page).getByRole('button', { name: 'Show in thread' }).click();
  await expect(inbox(page)).toHaveCount(0);
  await expect(cards(page)).toBeFocused();
  await allow(page);
  await idle(page);
  expect(readFileSync(sample(dataDir, 'one.txt'), 'utf8')).toBe('one\n');
  expect(readFileSync(sample(dataDir, 'two.txt'), 'utf8')).toBe('two\n');
  await expect(page.getByRole('button', { name: 'Waiting for you' })).toBeVisible();
});

test('a thread reports what happened while another one was shown', async ({ sharedApp }) => {
  const running = sharedApp;
  const { page } = running;
  await twoWait(running);
  await page.keyboard.press('Control+Shift+A');
  await allow(page, inbox(page).locator('[data-approval]').filter({ hasText: 'echo one' }));
  await page.keyboard.press('Escape');
  // What happens after it is shown is no longer news.
  await expect(thread(page, 'run echo one')).toContainText('New answer');
  await thread(page, 'run echo one').click();
  await expect(strip(page)).toContainText('1 command run');
  await expect(strip(page)).toContainText('1 file changed');
  await strip(page).getByRole('button', { name: 'Details' }).click();
  await expect(strip(page).getByRole('button', { name: 'one.txt' })).toBeVisible();
  await see(page, 'since');
  await strip(page).getByRole('button', { name: 'Close' }).click();
  await expect(strip(page)).toHaveCount(0);
  // A viewed thread is no longer new.
  await thread(page, 'run echo two').click();
  await expect(cards(page)).toContainText('echo two');
  await thread(page, 'run echo one').click();
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('echo one');
  await expect(strip(page)).toHaveCount(0);
});

test('a rule is saved from its preview, and the calls that it allowed are undone with one click each', async ({
  sharedApp,
}) => {
  const { page, folder } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'create notes/one.md with "1"');
  await expect(cards(page).getByRole('button', { name: /^Allow once/ })).toHaveAttribute(
    'aria-disabled',
    'false',
  );
  await cards(page).getByRole('button', { name: 'Always…' }).click();
  await cards(page).getByRole('radio', { name: 'write, edit notes/*.md', exact: true }).click();
  await expect(cards(page)).toContainText('notes/one.md');
  await cards(page).getByRole('button', { name: 'Save rule and allow' }).click();
  await idle(page);
  await say(page, 'create notes/two.md with "2"');
  await idle(page);
  await expect.poll(() => existsSync(join(folder, 'notes/two.md'))).toBe(true);

  await page.getByRole('button', { name: /^Approval mode/ }).click();
  await page.getByRole('menuitem', { name: 'Auto-approved calls…' }).click();
  const row = activity(page).getByRole('listitem').filter({ hasText: 'notes/two.md' });
  await expect(row).toContainText('Allowed by your rule "write, edit notes/*.md"');
  await row.getByRole('button', { name: 'notes/two.md' }).first().click();
  await see(page, 'activity');
  await row.getByRole('button', { name: 'Revoke the rule write, edit notes/*.md' }).click();
  await expect(row).toContainText('This rule has been revoked.');
  await row.getByRole('button', { name: 'Undo changes' }).click();
  await expect(row).toContainText('undone');
  expect(existsSync(join(folder, 'notes/two.md'))).toBe(false);
  expect(existsSync(join(folder, 'notes/one.md'))).toBe(true);
  await page.keyboard.press('Escape');
  await say(page, 'create notes/three.md with "3"');
  await expect(cards(page)).toHaveCount(1);
});

test('a pending approval is announced by the system while no window has the focus, and a click opens it', async ({
  launchApp,
}) => {
  const running = await launchApp();
  const { page, app } = running;
  await skipFirstRun(page);
  await app.evaluate(({ BrowserWindow, Notification }) => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    BrowserWindow.getFocusedWindow = () => null;
    Notification.isSupported = () => true;
    Notification.prototype.show = function show() {
      told.push(`${this.title}: ${this.body}`);
      Object.assign(globalThis, { click: () => this.emit('click') });
    };
  });
  await say(page, 'run echo one >> one.txt');
  await expect(cards(page)).toHaveCount(1);
  const told = () => app.evaluate(() => Reflect.get(globalThis, 'told') as string[]);
  // On Linux, the body is markup.
  const shown = process.platform === 'linux' ? 'echo one &gt;&gt; one.txt' : 'echo one >> one.txt';
  await expect.poll(told).toEqual([expect.stringContaining(shown)]);
  await app.evaluate(() => (Reflect.get(globalThis, 'click') as () => void)());
  await expect(inbox(page).locator('[data-approval]')).toContainText('echo one');
});

test('an undo restores the files that a command deleted', async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await skipFirstRun(page);
  const before = readFileSync(join(folder, 'notes/ideas.md'), 'utf8');
  await say(page, 'run rm -r notes');
  await allow(page);
  await idle(page);
  await expect.poll(() => existsSync(join(folder, 'notes'))).toBe(false);
  await page.getByRole('tab', { name: 'Changes' }).click();
  await page.getByRole('button', { name: 'Undo all' }).click();
  await expect.poll(() => existsSync(join(folder, 'notes/ideas.md'))).toBe(true);
  expect(readFileSync(join(folder, 'notes/ideas.md'), 'utf8')).toBe(before);
});
