import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, makeFolder, type RunningApp, test } from './support/app';
import { agent, importThread, log, start, user } from './support/imported-threads';
import { see } from './support/see';
import { composer, idle, messages, say, skipFirstRun } from './support/window';

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
