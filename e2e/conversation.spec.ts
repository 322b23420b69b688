import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, giveToApp, makeFolder, type RunningApp, type SharedApp, test } from './support/app';
import { see } from './support/see';
import { cards, chooseMode, composer, idle, messages, say, skipFirstRun } from './support/window';

/** Milliseconds between two messages. */
const MINUTE = 60_000;
const FROM = Date.parse('2026-01-02T08:00:00Z');

const user = (index: number, text: string) => ({
  role: 'user',
  id: `m${index}`,
  at: FROM + index * MINUTE,
  text,
});
const agent = (index: number, text: string, calls: object[] = []) => ({
  role: 'agent',
  id: `m${index}`,
  at: FROM + index * MINUTE,
  text,
  reasoning: '',
  calls,
  phase: 'done',
});

/** A thread with this many messages: questions, answers of different lengths with code, and calls. */
function longThread(count: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    if (index % 5 === 0) return user(index, `Question ${index}: what does part ${index} do?`);
    if (index % 5 === 1)
      return agent(index, '', [
        {
          callId: `c${index}`,
          name: 'read_file',
          args: { file_path: `/p/part-${index}.ts` },
          status: 'done',
          result: 'x',
        },
        {
          callId: `d${index}`,
          name: 'execute',
          args: { command: `npm test ${index}` },
          status: 'done',
          result: 'ok',
          exitCode: 0,
          durationMs: 1_200,
        },
      ]);
    if (index % 5 === 2)
      return agent(
        index,
        `Part ${index}:\n\n\`\`\`ts\nexport const part${index} = ${index};\n\`\`\`\n\nIt adds one.`,
      );
    return agent(index, `Answer ${index}. ${'It goes on for a while. '.repeat(index % 13)}`);
  });
}

const exported = (title: string, messages: object[]) =>
  JSON.stringify({
    format: 'deepdesk-thread',
    version: 1,
    thread: { title, model: 'offline:guide', createdAt: FROM, updatedAt: FROM },
    messages,
    todos: [],
  });

/** Imports a thread as a person would, with the file dialog answered. */
async function importThread({ app, page }: SharedApp, title: string, messages: object[]): Promise<void> {
  const file = join(makeFolder('import'), 'thread.json');
  writeFileSync(file, exported(title, messages));
  giveToApp(join(file, '..'));
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, file);
  const project = page.getByRole('navigation', { name: 'Projects and threads' });
  await project.getByRole('button', { name: /^Actions for sample-project/ }).click();
  await page.getByRole('menuitem', { name: 'Import thread…' }).click();
  await expect(page.getByRole('banner').getByRole('heading', { level: 1 })).toContainText(title);
}

const log = (page: Page) => page.getByRole('log', { name: 'Messages' });
const distance = (page: Page) =>
  log(page).evaluate((element) =>
    Math.round(element.scrollHeight - element.clientHeight - element.scrollTop),
  );

async function start(launchApp: (options?: object) => Promise<RunningApp>): Promise<RunningApp> {
  const running = await launchApp();
  await expect(running.page.getByRole('navigation', { name: 'Projects and threads' })).toBeVisible();
  return running;
}

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

const RICH = `# What the sum does

It adds $a + b$, and over all of them

$$
\\sum_{i=1}^{n} x_i = \\frac{n(n+1)}{2}
$$

| file | what it does | lines |
| --- | --- | ---: |
| src/sum.ts | adds two numbers | 12 |
| src/a-rather-long-name-for-a-file-that-is-still-shown.ts | everything else that one could think of | 1,204 |

| package | version | what it does | why it is here | what would take its place | notes |
| --- | --- | --- | --- | --- | --- |
| checkpoint | 1.0.5 | Saves the state of a graph after each step in a transaction of its own | A thread goes on after a kill | A table of our own with triggers | None for the time being, since it changed twice this year and once before |

\`\`\`mermaid
flowchart LR
  A[Read] --> B{Right?}
  B -->|yes| C[Keep]
  B -->|no| D[Write again]
\`\`\`

\`\`\`mermaid
this is no diagram
\`\`\`

\`\`\`ts
export const sum = (a: number, b: number): number => a + b; // a long line that goes on and on until it no longer fits into the well
\`\`\`

From $5 to $10.`;

test('text of a right-to-left language starts at the right, and no mark turns the text around it', async ({
  sharedApp,
}) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  await composer(page).fill('שלום עולם');
  await expect(composer(page)).toHaveCSS('direction', 'rtl');
  await say(page, 'שלום עולם');
  await idle(page);
  const question = messages(page).getByText('שלום עולם', { exact: true }).first();
  /** Where the text of an element lies within it: pixels at its left and at its right. */
  const margins = (element: Locator) =>
    element.evaluate((it) => {
      const range = document.createRange();
      range.selectNodeContents(it);
      const [text, box] = [range.getBoundingClientRect(), it.getBoundingClientRect()];
      return { left: text.left - box.left, right: box.right - text.right };
    });
  expect((await margins(question)).right).toBeLessThan(2);
  expect((await margins(question)).left).toBeGreaterThan(100);
  const row = page.getByRole('navigation').getByText('שלום עולם');
  await expect(row).toHaveCSS('direction', 'rtl');

  await say(page, 'what is \u202elive?');
  await idle(page);
  const answer = messages(page).getByText('I did not understand').last();
  await expect(answer).toContainText('what is \\u{202e}live?');
  await expect(messages(page)).not.toContainText('\u202e');
  expect((await margins(answer)).left).toBeLessThan(2);
  await see(page, 'directions');
});

test('formulas, diagrams, tables and code are rendered, and code can be saved as a file', async ({
  launchApp,
}) => {
  const running = await start(launchApp);
  const { app, page } = running;
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!/^(app|data|blob|devtools):/.test(request.url())) outside.push(request.url());
  });
  await importThread(running, 'Rich', [user(0, 'What does it do?'), agent(1, RICH)]);
  const messages = log(page);
  await expect(messages.getByRole('img', { name: 'Diagram' })).toBeVisible({ timeout: 20_000 });
  await expect(messages.locator('.katex')).toHaveCount(2);
  await expect(messages.getByText('mermaid (could not be drawn)')).toBeVisible();
  await expect(messages.getByText('From $5 to $10.')).toBeVisible();
  for (const [theme, size] of [
    ['light', { width: 1280, height: 800 }],
    ['dark', { width: 1280, height: 800 }],
    ['dark', { width: 900, height: 600 }],
    ['light', { width: 900, height: 600 }],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(size);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await expect(messages.getByRole('img', { name: 'Diagram' })).toBeVisible();
    await see(page, `rich-${theme}-${size.width}`);
  }
  // A wide table does not wrap every word: it scrolls sideways in a box, even by keyboard, and fades at the edge with more
  // content.
  const wide = messages.getByRole('region', { name: 'Table' }).nth(1);
  const rowHeight = () => wide.locator('tbody tr').evaluate((row) => row.getBoundingClientRect().height);
  expect(await rowHeight()).toBeLessThan(120);
  const edges = () =>
    wide.evaluate((box) => {
      const style = getComputedStyle(box);
      return ['--fade-left', '--fade-right'].map((edge) => style.getPropertyValue(edge) !== '0px');
    });
  await expect.poll(edges).toEqual([false, true]);
  await wide.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => wide.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0);
  await expect.poll(edges).toEqual([true, true]);
  for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press('ArrowRight');
  await expect.poll(edges).toEqual([true, false]);
  // The button that sends an edited message is beside the one that cancels.
  const said = messages.getByRole('article', { name: 'You' });
  await said.getByRole('button', { name: 'Message actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit and resend' }).click();
  const tops = ['Cancel', 'Send in a new thread'].map((name) =>
    said.getByRole('button', { name }).evaluate((button) => button.getBoundingClientRect().top),
  );
  expect(new Set(await Promise.all(tops)).size).toBe(1);
  await said.getByRole('button', { name: 'Cancel' }).click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await messages.getByRole('button', { name: 'Show the source' }).click();
  await expect(messages.getByText('flowchart LR')).toBeVisible();

  const path = join(makeFolder('code'), 'sum.ts');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, path);
  await messages.getByRole('button', { name: 'Save as a file…' }).last().click();
  await expect.poll(() => (existsSync(path) ? readFileSync(path, 'utf8') : '')).toContain('export const sum');
  expect(outside).toEqual([]);
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

/** Enough relations between few tables to keep a diagram layout busy for half a minute. */
function slowEdges(): string[] {
  let seed = 7;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return `a${seed % 200}`;
  };
  return Array.from({ length: 1_500 }, () => `${next()} ||--o{ ${next()} : x`);
}
const SLOW = ['```mermaid', 'erDiagram', ...slowEdges(), '```'].join('\n');

test('content that takes forever to render blocks neither the window nor the thread, even after a restart [safety 24]', async ({
  launchApp,
}) => {
  test.setTimeout(120_000);
  const first = await start(launchApp);
  const hostile = `Before.\n\n${'>'.repeat(3_000)} a\n\n${SLOW}\n\n\`\`\`mermaid\nflowchart LR\n  A --> B\n\`\`\`\n\nAfter.`;
  await importThread(first, 'Hostile', [user(0, 'What does it do?'), agent(1, hostile)]);
  const check = async ({ app, page }: RunningApp) => {
    const messages = log(page);
    await expect(messages.getByText('After.', { exact: true })).toBeVisible();
    await expect(messages.getByText(/^Shown as text: too deeply nested/)).toBeVisible();
    // Text typed while the first diagram is being drawn appears immediately: the window's process is free.
    await composer(page).fill('still here');
    await expect(composer(page)).toHaveValue('still here');
    await expect(messages.getByText('mermaid (took too long to draw)')).toBeVisible({ timeout: 40_000 });
    await expect(messages.getByRole('img', { name: 'Diagram' })).toBeVisible({ timeout: 40_000 });
    // Nothing continues in the background: there are only the window and the view that drew the second diagram.
    const pages = await app.evaluate(({ webContents }) =>
      webContents.getAllWebContents().map((one) => one.getURL()),
    );
    expect(pages.sort()).toEqual(['app://deepdesk/diagram.html', 'app://deepdesk/index.html']);
    await see(page, 'hostile-markdown');
  };
  await check(first);
  await first.kill9();
  const second = await launchApp({ dataDir: first.dataDir });
  // Chromium may have restored an earlier state of the window, because nothing closed it properly.
  await second.page
    .getByRole('navigation', { name: 'Projects and threads' })
    .getByRole('button', { name: /^Hostile/ })
    .click();
  await check(second);
});

/** Each line keeps a regular expression of the C++ grammar busy for a second. */
const SLOW_CODE = ['```cpp', ...Array.from({ length: 40 }, () => '('.repeat(1_900)), '```'].join('\n');

test('code that takes forever to highlight blocks neither the window nor other highlighting [safety 24]', async ({
  launchApp,
}) => {
  test.setTimeout(120_000);
  const running = await start(launchApp);
  const text = `Before.\n\n${SLOW_CODE}\n\n\`\`\`ts\nconst other = 1;\n\`\`\`\n\nAfter.`;
  await importThread(running, 'Hostile', [user(0, 'What does it do?'), agent(1, text)]);
  const messages = log(running.page);
  await expect(messages.getByText('After.', { exact: true })).toBeVisible();
  await composer(running.page).fill('still here');
  await expect(composer(running.page)).toHaveValue('still here');
  const keyword = messages.locator('span[style*="--code-keyword"]');
  await expect(keyword.getByText('const', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(messages.locator('pre').first().locator('span[style*="--code-"]')).toHaveCount(0);
  await see(running.page, 'hostile-code');
});
