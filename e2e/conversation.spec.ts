import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, makeFolder, test } from './support/app';
import { distance, importThread, log, longThread, user } from './support/imported-threads';
import { see } from './support/see';
import { cards, chooseMode, say, skipFirstRun } from './support/window';

test('a thread of ten thousand messages can be read, searched and navigated by keyboard', async ({
  sharedApp,
}) => {
  const running = sharedApp;
  const { page } = running;
  await importThread(running, 'A long one', longThread(10_000));
  const messages = log(page);
  await expect(messages.getByText('Answer 9999.')).toBeVisible();
  await expect.poll(() => distance(page)).toBeLessThan(4);
  await see(page, 'long-end');
  // Only rows near the screen are in the document.
  expect(await messages.locator('[data-row]').count()).toBeLessThan(60);

  // Scrolls back with the wheel: the visible text stays in place while earlier messages load.
  await messages.hover();
  for (let turn = 0; turn < 30; turn += 1) {
    await page.mouse.wheel(0, -900);
    // One wheel turn per frame, as by hand.
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  expect(await messages.locator('[data-row]').count()).toBeLessThan(60);
  await see(page, 'long-middle');

  // Find reaches messages that were never loaded.
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find in this thread' }).fill('Question 1230:');
  await expect(page.getByText('1 of 1')).toBeVisible();
  await expect(messages.getByText('Question 1230:')).toBeInViewport();
  await see(page, 'find');
  await page.keyboard.press('Escape');

  // To the start, message by message, and to the end again.
  await messages.focus();
  await page.keyboard.press('Home');
  await expect(messages.getByText('Question 0:')).toBeInViewport();
  await messages.focus();
  await page.keyboard.press('End');
  await expect(messages.getByText('Answer 9999.')).toBeInViewport();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-row'));
  await expect.poll(focused).toBe('m9999');
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toBe('m9998');
});

test('a message in another thread is found and opened', async ({ sharedApp }) => {
  const running = sharedApp;
  const { page } = running;
  await importThread(running, 'About fruit', longThread(300).with(40, user(40, 'Where do quinces grow?')));
  await importThread(running, 'About stones', longThread(10));
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('quinces');
  const hit = page.getByRole('button', { name: /Where do quinces grow/ });
  // While somebody types, the results of a shorter text are shown.
  await expect(hit.locator('mark')).toHaveText('quinces');
  await hit.click();
  await expect(page.getByRole('banner').getByRole('heading', { level: 1 })).toContainText('About fruit');
  await expect(log(page).getByText('Where do quinces grow?')).toBeInViewport();
  // The text that was found is marked there.
  await expect(page.getByRole('textbox', { name: 'Find in this thread' })).toHaveValue('quinces');
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible();
  await see(page, 'search');
});

test('a thread is shown again where it was left, even if its messages have to be loaded again', async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  await importThread(sharedApp, 'About fruit', longThread(1_000));
  await importThread(sharedApp, 'About stones', longThread(10));
  const line = (title: string) =>
    page
      .getByRole('navigation', { name: 'Projects and threads' })
      .locator('[data-thread]')
      .filter({ hasText: title });
  /** The first visible row, and where its top is. */
  const place = () =>
    log(page).evaluate((list) => {
      const start = list.getBoundingClientRect().top;
      const tops = [...list.querySelectorAll<HTMLElement>('[data-row]')].flatMap((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > start ? [{ row: row.dataset.row, top: Math.round(top) }] : [];
      });
      return tops.reduce((first, one) => (one.top < first.top ? one : first));
    });
  const leaveAndReturn = async () => {
    await line('About stones').click();
    await expect(log(page).getByText('Answer 9.')).toBeVisible();
    await line('About fruit').click();
  };

  await line('About fruit').click();
  await expect(log(page).getByText('Answer 999.')).toBeVisible();
  await log(page).hover();
  await page.mouse.wheel(0, -1_000);
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  const near = await place();
  await leaveAndReturn();
  await expect.poll(place).toEqual(near);
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();

  // In messages that are loaded only on the way back.
  await log(page).focus();
  await page.keyboard.press('Home');
  await expect(log(page).getByText('Question 0:')).toBeInViewport();
  await log(page).hover();
  await page.mouse.wheel(0, 700);
  await expect(log(page).getByText('Question 0:')).not.toBeInViewport();
  const far = await place();
  await leaveAndReturn();
  await expect.poll(place).toEqual(far);

  // At the end, it stays there.
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect.poll(() => distance(page)).toBeLessThan(4);
  await leaveAndReturn();
  await expect.poll(() => distance(page)).toBeLessThan(4);
});

test('a thread can be exported as Markdown, HTML and JSON', async ({ sharedApp }) => {
  const running = sharedApp;
  const { app, page } = running;
  await importThread(running, 'To write out', longThread(6));
  const folder = makeFolder('export');
  const write = async (item: string, name: string) => {
    const path = join(folder, name);
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, path);
    await page.getByRole('button', { name: 'To write out', exact: false }).first().hover();
    await page.getByRole('button', { name: 'Actions for To write out' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect(page.getByText(`Exported to ${path}`)).toBeVisible();
    return readFileSync(path, 'utf8');
  };
  expect(await write('Markdown…', 'thread.md')).toContain('Question 0: what does part 0 do?');
  expect(await write('Web page…', 'thread.html')).toContain('<pre>export const part2 = 2;</pre>');
  expect(JSON.parse(await write('JSON (can be imported)…', 'thread.json'))).toMatchObject({
    format: 'deepdesk-thread',
    messages: { length: 6 },
  });
});

test('a running command shows its output, and every message offers its actions', async ({ sharedApp }) => {
  const { page } = sharedApp;
  await page.getByRole('button', { name: 'Skip' }).click();
  const composer = page.getByRole('textbox', { name: 'Message to the agent' });
  await composer.fill('run for i in 1 2 3 4 5 6 7 8; do echo step $i of it; sleep 0.4; done');
  await composer.press('Enter');
  const messages = log(page);
  const allow = page.locator('[data-approval]').getByRole('button', { name: /^Allow once/ });
  await expect(allow.or(messages.locator('pre', { hasText: 'step 2 of it' })).first()).toBeVisible();
  if (await allow.isVisible()) await allow.click();
  await expect(messages.locator('pre', { hasText: 'step 4 of it' })).toBeVisible();
  await see(page, 'running');
  const answer = messages.getByRole('article', { name: 'The agent' }).last();
  await expect(answer).toBeVisible({ timeout: 20_000 });
  await answer.hover();
  await messages.getByRole('button', { name: 'Message actions' }).last().click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Copy as Markdown',
    'Pin',
    'Restore files to here',
    'Regenerate',
    'Fork after this answer',
  ]);
  await see(page, 'menu');
  await page.keyboard.press('Escape');

  // States are in one column, whatever else a row offers.
  await composer.fill('remember color: blue + read README.md');
  await composer.press('Enter');
  await expect(messages.getByRole('button', { name: /^Undo/ })).toBeVisible();
  const ends = await messages
    .locator('[data-call] button[aria-expanded]')
    .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().right));
  expect(ends.length).toBeGreaterThan(2);
  expect(new Set(ends).size).toBe(1);
});

test('in a low window a card scrolls between its heading and its buttons, and its form stays in sight', async ({
  sharedApp,
}) => {
  const { app, page } = sharedApp;
  await skipFirstRun(page);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
  await page.keyboard.press('Control+J');
  await expect(page.getByRole('button', { name: 'New terminal' })).toBeVisible();
  // It asks before a command runs.
  await chooseMode(page, 'Ask for everything');
  await say(page, `run ${[1, 2, 3, 4, 5].map((n) => `echo ${n} >> ${n}.txt`).join(' && ')}`);
  const allows = cards(page).getByRole('button', { name: /^Allow once/ });
  await expect(cards(page).getByRole('heading')).toBeInViewport({ ratio: 1 });
  await expect(allows).toBeInViewport({ ratio: 1 });
  // Nothing can be allowed before its end was visible.
  const scrollFirst = cards(page).getByText('Scroll to the end first.');
  await expect(scrollFirst).toBeVisible();
  await expect(allows).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Control+Enter');
  await expect(cards(page)).toBeFocused();
  await page.keyboard.press('End');
  await expect(scrollFirst).toBeHidden();
  await expect(allows).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('r');
  await expect(cards(page).getByRole('textbox')).toBeFocused();
  await expect(cards(page).getByRole('textbox')).toBeInViewport({ ratio: 1 });

  // A small request is fully visible, even if it just fits.
  for (const [height, command] of [
    [600, 'run touch a.txt && rm -rf b.txt'],
    [584, 'run touch a.txt'],
  ] as const) {
    await page.keyboard.press('Control+N');
    await expect(cards(page)).toHaveCount(0);
    await app.evaluate(
      ({ BrowserWindow }, low) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, low),
      height,
    );
    await say(page, command);
    await expect(cards(page).getByRole('heading')).toBeInViewport({ ratio: 1 });
    await expect(allows).toBeInViewport({ ratio: 1 });
  }
  // A name longer than the line is broken, with its icon in front.
  await page.keyboard.press('Control+N');
  await expect(cards(page)).toHaveCount(0);
  await say(page, `create ${'Donaudampfschifffahrtsgesellschaft'.repeat(3)}.md with "a"`);
  const title = cards(page).getByRole('heading');
  await expect(title).toBeVisible();
  const [sign, words] = await title.evaluate((heading) =>
    [heading.previousElementSibling, heading].map((one) => one?.getBoundingClientRect().toJSON() as DOMRect),
  );
  expect(words?.height).toBeGreaterThan(2 * (sign?.height ?? 0));
  expect(sign?.top).toBeGreaterThanOrEqual(words?.top ?? 0);
});

test('a button points to a pending card only while most of the card is out of sight', async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  await chooseMode(page, 'Ask for everything');
  await say(page, `say ${'one more line\n'.repeat(60)}`);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden();
  await say(page, 'run touch a.txt');
  const card = cards(page).first();
  await expect(card).toBeInViewport({ ratio: 1 });
  const list = await page.getByRole('log').boundingBox();
  await page.mouse.move((list?.x ?? 0) + 4, (list?.y ?? 0) + 40);
  const pointer = page.locator('[data-conversation]').getByRole('button', { name: '1 pending approval' });

  await page.mouse.wheel(0, -50);
  await expect(card).not.toBeInViewport({ ratio: 1 });
  await expect(card.getByRole('heading')).toBeInViewport();
  await expect(pointer).toBeHidden();

  await page.mouse.wheel(0, -5_000);
  await expect(card).not.toBeInViewport();
  await pointer.click();
  await expect(card).toBeInViewport({ ratio: 1 });
});
