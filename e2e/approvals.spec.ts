import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/app';
import { allow, cards, composer, idle, messages, openTerminal, say, skipFirstRun } from './support/window';

const sample = (dataDir: string, ...path: string[]) => join(dataDir, 'sample-project', ...path);
const FIX = 'replace "a - b" with "a + b" in src/sum.js';

test('an edit shows its real diff and changes the file only after it is allowed', async ({ sharedApp }) => {
  const { page, folder, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, FIX);
  const card = cards(page).first();
  await expect(card.getByRole('heading', { name: 'Edit src/sum.js' })).toBeVisible();
  await expect(card).toContainText('return a - b;');
  await expect(card).toContainText('return a + b;');
  expect(readFileSync(join(folder, 'src/sum.js'), 'utf8')).toContain('a - b');
  await shot('approve-edit');
  await allow(page);
  await idle(page);
  expect(readFileSync(join(folder, 'src/sum.js'), 'utf8')).toContain('a + b');
});

test('a rejected edit changes nothing, and the agent gets the reason', async ({ sharedApp }) => {
  const { page, folder, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, FIX);
  const card = cards(page).first();
  await expect(card.getByRole('button', { name: /^Allow once/ })).toHaveAttribute('aria-disabled', 'false');
  await card.getByRole('button', { name: 'Reject with reason…' }).click();
  await card.getByRole('textbox').fill('use a helper instead');
  await shot('reject-edit');
  await card.getByRole('button', { name: 'Reject', exact: true }).click();
  await idle(page);
  await expect(messages(page)).toContainText('rejected');
  expect(readFileSync(join(folder, 'src/sum.js'), 'utf8')).toContain('a - b');
});

test('an edited call runs as the person wrote it', async ({ sharedApp }) => {
  const { page, folder, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'create hello.txt with "from the agent"');
  const card = cards(page).first();
  await expect(card.getByRole('button', { name: /^Allow once/ })).toHaveAttribute('aria-disabled', 'false');
  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  await card.getByRole('textbox', { name: 'Text' }).fill('from the person');
  await shot('edit-call');
  await card.getByRole('button', { name: 'Allow as edited' }).click();
  await idle(page);
  expect(readFileSync(join(folder, 'hello.txt'), 'utf8')).toBe('from the person');
});

test('of two parallel calls, the rejected one does not run and the allowed one does', async ({
  sharedApp,
}) => {
  const { page, folder, shot } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'create one.txt with "1" + create two.txt with "2"');
  await expect(cards(page)).toContainText('one.txt');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await shot('two-approvals');
  await expect(cards(page)).toContainText('two.txt');
  await expect(cards(page).getByRole('button', { name: /^Allow once/ })).toHaveAttribute(
    'aria-disabled',
    'false',
  );
  await cards(page).getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(cards(page)).toContainText('one.txt');
  await expect(cards(page)).toHaveCount(1);
  await allow(page);
  await idle(page);
  expect(existsSync(join(folder, 'one.txt'))).toBe(true);
  expect(existsSync(join(folder, 'two.txt'))).toBe(false);
});

test('a pending call is still there after quitting, and runs once when it is allowed', async ({
  launchApp,
}) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await say(first.page, 'run echo once >> log.txt');
  await expect(cards(first.page)).toHaveCount(1);
  await first.close();

  const second = await launchApp({ dataDir: first.dataDir });
  await expect(cards(second.page)).toHaveCount(1);
  await expect(cards(second.page).first()).toContainText('echo once >> log.txt');
  await second.shot('waiting-after-restart');
  expect(existsSync(sample(first.dataDir, 'log.txt'))).toBe(false);
  await allow(second.page);
  await idle(second.page);
  expect(readFileSync(sample(first.dataDir, 'log.txt'), 'utf8')).toBe('once\n');
});

test('a pending call survives a kill', async ({ launchApp }) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await say(first.page, 'run echo once >> log.txt');
  await expect(cards(first.page)).toHaveCount(1);
  await first.kill9();

  const second = await launchApp({ dataDir: first.dataDir });
  await allow(second.page);
  await idle(second.page);
  expect(readFileSync(sample(first.dataDir, 'log.txt'), 'utf8')).toBe('once\n');
});

test("the card's shortcuts focus it from the composer, and decide only there", async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'create keyed.txt with "x"');
  await expect(cards(page)).toHaveCount(1);
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(cards(page)).toBeFocused();
  await expect(cards(page)).toHaveCSS('outline-style', 'solid');
  expect(existsSync(join(folder, 'keyed.txt'))).toBe(false);
  await expect(cards(page).getByRole('button', { name: 'Allow once' })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await idle(page);
  expect(existsSync(join(folder, 'keyed.txt'))).toBe(true);
  await expect(composer(page)).toBeFocused();
});

test('typing in the composer never decides', async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'create typed.txt with "x"');
  await expect(cards(page)).toHaveCount(1);
  await composer(page).click();
  await composer(page).press('Enter');
  await composer(page).press('Control+Enter');
  await composer(page).fill('yes, allow it');
  await composer(page).press('Enter');
  await expect(page.getByText('1 queued message')).toBeVisible();
  await expect(cards(page)).toHaveCount(1);
  expect(existsSync(join(folder, 'typed.txt'))).toBe(false);
});

test('five cards are decided by five keystrokes, and a plain Enter allows no high-risk call', async ({
  sharedApp,
}) => {
  const { page, folder, shot } = sharedApp;
  await skipFirstRun(page);
  const [first, ...others] = ['1', '3', '4', '5'].map((name) => `create ${name}.txt with "${name}"`);
  await say(page, [first, 'delete README.md', ...others].join(' + '));
  const deck = page.getByRole('region', { name: 'Waiting for you' });
  await expect(deck.getByRole('status')).toContainText('1 of 5');
  await shot('deck');
  // Moves the focus to the cards; decides nothing.
  await page.keyboard.press('Control+Enter');
  const card = deck.locator('[data-approval]');
  const press = async (key: string, text: string) => {
    await expect(card).toContainText(text);
    await expect(card).toBeFocused();
    await expect(card.getByRole('heading')).toBeInViewport({ ratio: 1 });
    await expect(card.getByRole('button', { name: /^Allow once/ })).toHaveAttribute('aria-disabled', 'false');
    await page.keyboard.press(key);
  };
  await press('Enter', 'Create 1.txt');
  await expect(deck.getByRole('status')).toContainText('1 of 4');
  await expect(card).toHaveAttribute('data-risk', 'high');
  await page.keyboard.press('Enter');
  await press('Control+Enter', 'Delete README.md');
  await press('Escape', 'Create 3.txt');
  await press('Enter', 'Create 4.txt');
  await press('Enter', 'Create 5.txt');
  await idle(page);
  await expect(composer(page)).toBeFocused();
  const there = ['1.txt', 'README.md', '3.txt', '4.txt', '5.txt'].filter((name) =>
    existsSync(join(folder, name)),
  );
  expect(there).toEqual(['1.txt', '4.txt', '5.txt']);
});

test('low-risk calls are allowed together, and the rest stays', async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'create a.txt with "a" + delete README.md + create b.txt with "b"');
  const together = page.getByRole('button', { name: 'Allow the 2 low-risk ones' });
  await expect(together).toHaveAttribute('aria-disabled', 'false');
  await together.click();
  await expect(cards(page)).toContainText('Delete README.md');
  // The button has gone, and the focus is back in the composer.
  await expect(composer(page)).toBeFocused();
  await expect(page.getByRole('button', { name: /low-risk/ })).toHaveCount(0);
  const reject = cards(page).getByRole('button', { name: 'Reject', exact: true });
  await expect(cards(page).getByRole('button', { name: /^Allow once/ })).toHaveAttribute(
    'aria-disabled',
    'false',
  );
  await reject.click();
  await idle(page);
  expect(['a.txt', 'README.md', 'b.txt'].map((name) => existsSync(join(folder, name)))).toEqual([
    true,
    true,
    true,
  ]);
});

test('with large text, one of several cards shows its call and its buttons above the terminal in a small window', async ({
  launchApp,
}) => {
  const { page } = await launchApp();
  await skipFirstRun(page);
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Appearance' }).click();
  await settings.getByLabel('Text size').selectOption('150');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 900, height: 600 });
  await openTerminal(page);
  await say(page, 'create a.txt with "a" + delete README.md + create b.txt with "b"');
  await expect(page.getByRole('status').filter({ hasText: '1 of 3' })).toBeVisible();
  for (const part of [
    cards(page).locator('footer'),
    cards(page).getByRole('group', { name: 'What it does' }),
  ]) {
    const [inner, outer] = [await part.boundingBox(), await cards(page).boundingBox()];
    expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThanOrEqual(
      (outer?.y ?? 0) + (outer?.height ?? 0),
    );
  }
  await expect(page.getByRole('region', { name: 'Terminal', exact: true })).toBeInViewport({ ratio: 1 });
});

test('R takes a reason and Enter sends it', async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'create named.txt with "x"');
  await expect(cards(page)).toHaveCount(1);
  await page.keyboard.press('Control+Enter');
  await expect(cards(page).getByRole('button', { name: /^Allow once/ })).toHaveAttribute(
    'aria-disabled',
    'false',
  );
  await page.keyboard.press('r');
  await expect(cards(page).getByRole('textbox')).toBeFocused();
  await page.keyboard.type('another name');
  await page.keyboard.press('Enter');
  await idle(page);
  await expect(messages(page)).toContainText('another name');
  expect(existsSync(join(folder, 'named.txt'))).toBe(false);
});
