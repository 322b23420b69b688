import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app';
import { see } from './support/see';
import { allow, cards, composer, idle, openTerminal, say, skipFirstRun } from './support/window';

const dock = (page: Page) => page.getByRole('region', { name: 'Terminal', exact: true }).first();
const rows = (page: Page) => page.locator('.xterm-rows, .xterm-accessibility-tree').first();

/** Opens a user terminal that can be read as text. */
async function ownTerminal(page: Page): Promise<void> {
  await openTerminal(page);
  await page.getByRole('button', { name: 'New terminal' }).first().click();
  await page.locator('.xterm').click();
  await page.getByRole('button', { name: 'Terminal options' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Screen reader mode' }).click();
  await page.locator('.xterm').click();
}

/** Disables WebGL, so that the terminal is drawn in the document. */
const withoutWebgl = (page: Page) =>
  page.evaluate(() => {
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.xterm-screen canvas'))
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
  });

test('a command is a block that can be copied, quoted, and run again under the rules', async ({
  sharedApp,
}) => {
  const { page, folder } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'run echo again >> twice.txt; cat twice.txt');
  await allow(page);
  await idle(page);
  const terminal = dock(page);
  await expect(terminal.getByRole('tab', { name: /Commands/ })).toBeVisible();
  await terminal.getByRole('button', { name: 'Add to message' }).click();
  await expect(composer(page)).toHaveValue(
    /```console\n\$ echo again >> twice\.txt; cat twice\.txt\nagain\n```/,
  );
  await terminal.getByRole('button', { name: 'Run again' }).click();
  const question = page.getByRole('dialog', { name: 'Run this command again?' });
  await see(page, 'run-again');
  await question.getByRole('button', { name: 'Run again' }).click();
  await expect(terminal.getByText('run again by you')).toBeVisible();
  await expect.poll(() => readFileSync(join(folder, 'twice.txt'), 'utf8')).toBe('again\nagain\n');
  await expect(cards(page)).toHaveCount(0);
  // Both commands printed it.
  const search = terminal.getByRole('searchbox', { name: 'Search all output' });
  await search.fill('AGAIN');
  const found = terminal.getByRole('list', { name: 'Commands that printed it' });
  await expect(found.getByRole('listitem')).toHaveCount(2);
  await expect(found).toContainText('2 lines');
  await see(page, 'output-search');
  await search.press('Escape');
  await expect(found).toHaveCount(0);
  await see(page, 'blocks-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await see(page, 'blocks-dark');

  // A record accepts no input, so it shows no cursor, even with the focus.
  const cursor = page.locator('.xterm-rows .xterm-cursor');
  await page.locator('.xterm').click();
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused();
  await withoutWebgl(page);
  await expect(rows(page)).toContainText('again');
  await expect(cursor).toHaveCount(0);
  await terminal.getByRole('button', { name: 'New terminal' }).click();
  await expect(terminal.getByRole('tab', { name: 'bash' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused();
  await withoutWebgl(page);
  await expect(cursor).toHaveCount(1);
});

test('a terminal can be searched, opens file names, and previews a paste of several lines', async ({
  sharedApp,
}) => {
  const { page, folder } = sharedApp;
  await skipFirstRun(page);
  await ownTerminal(page);
  await page.keyboard.type('printf "needle one\\nneedle two\\nREADME.md:3:1 here\\n"\n');
  const line = page.locator('.xterm-accessibility-tree > div', { hasText: /^README\.md:3:1 here/ });
  await expect(line).toHaveCount(1);
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('needle');
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/of 4/);
  await see(page, 'find-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await see(page, 'find-dark');
  await page.keyboard.press('Escape');

  // Finds the line by its text, and its position by its row.
  const box = await line.boundingBox();
  if (!box) throw new Error('the line is not on the screen');
  // The file is looked up when the pointer reaches the line, so the pointer moves until it is a link.
  await expect(async () => {
    await page.mouse.move(box.x + 20, box.y - 40);
    await page.mouse.move(box.x + 24, box.y + box.height / 2);
    await see(page, 'hover');
    await expect(page.locator('.xterm-cursor-pointer')).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await page.mouse.click(box.x + 24, box.y + box.height / 2);
  await expect(page.getByRole('region', { name: /README\.md$/ })).toBeVisible();

  await page.locator('.xterm').click();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'echo one > pasted.txt\necho two >> pasted.txt\n');
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  const question = page.getByRole('dialog', { name: 'Paste 2 lines?' });
  await expect(question).toBeVisible();
  expect(readdirSync(folder)).not.toContain('pasted.txt');
  await see(page, 'paste');
  await question.getByRole('button', { name: 'Paste', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => readdirSync(folder)).toContain('pasted.txt');
});

test('closing asks while a program runs, and a terminal continues below its history after a restart', async ({
  launchApp,
}) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  await ownTerminal(first.page);
  // The prompt is split in two, so that the typed text is not mistaken for it.
  await first.page.keyboard.type(`read -rsp "Wo""rd? " word; echo; echo "got $${'{'}#word} letters"\n`);
  await expect(rows(first.page)).toContainText('Word?');
  await first.page.keyboard.type('in-the-dark-4711\n');
  await expect(rows(first.page)).toContainText('got 16 letters');
  await first.page.getByRole('button', { name: 'Rename' }).click();
  await first.page.getByRole('textbox', { name: 'Name' }).fill('watcher');
  await first.page.keyboard.press('Enter');
  await first.page.locator('.xterm').click();
  await first.page.keyboard.type('sleep 77\n');
  const terminal = dock(first.page);
  await expect(async () => {
    await terminal.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(first.page.getByText('sleep is still running and will be stopped.')).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
  await first.page.getByRole('button', { name: 'Cancel' }).click();
  await first.close();

  const { page, dataDir } = await launchApp({ dataDir: first.dataDir });
  await page.getByRole('tab', { name: 'watcher' }).click();
  await expect(rows(page)).toContainText('got 16 letters');
  await page.getByRole('button', { name: 'Restart' }).click();
  await page.locator('.xterm').click();
  await page.keyboard.type('echo and-""on\n');
  await expect(rows(page)).toContainText('got 16 letters');
  await expect(rows(page)).toContainText('and-on');
  await see(page, 'restored');
  const holding = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter(
    (entry) =>
      entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes('in-the-dark-4711'),
  );
  expect(holding.map(({ name }) => name)).toEqual([]);
});

test("commands of a user's terminal are blocks, and a right click opens a menu", async ({ sharedApp }) => {
  const { page, folder } = sharedApp;
  await skipFirstRun(page);
  await ownTerminal(page);
  await page.keyboard.type('echo first-of-all\n');
  await expect(page.locator('.block-sign[data-standing="done"]')).toHaveCount(1);
  await page.keyboard.type('ls no-such-file\n');
  await expect(rows(page)).toContainText('No such file');
  await expect(page.locator('.block-sign[data-standing="done"]')).toHaveCount(1);
  await expect(page.locator('.block-sign[data-standing="failed"]')).toHaveCount(1);
  await see(page, 'own-blocks-light');

  await page.getByRole('button', { name: 'Commands in this terminal' }).click();
  const list = page.getByRole('dialog', { name: 'Commands in this terminal' });
  const shown = list.getByRole('listitem');
  await expect(shown).toHaveText([/^ls no-such-fileexit 2 · /, /^echo first-of-allDone · /]);
  await see(page, 'own-commands');
  await shown.nth(1).getByRole('button', { name: 'Add command and output to message' }).click();
  await expect(composer(page)).toHaveValue(/```console\n\$ echo first-of-all\nfirst-of-all\n```/);

  await page.locator('.xterm').click();
  await page.keyboard.type('echo again >> twice.txt\n');
  await expect.poll(() => readdirSync(folder)).toContain('twice.txt');
  await page.getByRole('button', { name: 'Commands in this terminal' }).click();
  await shown.first().getByRole('button', { name: 'Run again' }).click();
  await expect.poll(() => readFileSync(join(folder, 'twice.txt'), 'utf8')).toBe('again\nagain\n');
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused();

  // The drawn text covers the readable text, so the test clicks a position.
  const line = page.locator('.xterm-accessibility-tree > div', { hasText: /^first-of-all/ });
  const printed = await line.boundingBox();
  if (!printed) throw new Error('the line is not on the screen');
  await page.mouse.click(printed.x + 8, printed.y + printed.height / 2, { button: 'right' });
  const menu = page.getByRole('menu');
  await expect(menu.getByText('echo first-of-all')).toBeVisible();
  const copy = menu.getByRole('menuitem', { name: /^Copy Select text first/ });
  await expect(copy).toBeDisabled();
  await expect(copy).toContainText('Select text first.');
  await page.emulateMedia({ colorScheme: 'dark' });
  await see(page, 'own-menu-dark');
  await menu.getByRole('menuitem', { name: 'Copy output' }).click();
  await expect(page.getByText('Output copied')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused();

  await page.keyboard.type(': ');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /^Paste/ }).click();
  await expect(rows(page)).toContainText(': first-of-all');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Clear' }).click();
  await expect(rows(page)).not.toContainText('No such file');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /^Find in terminal/ }).click();
  await expect(page.getByRole('textbox', { name: 'Find in terminal' })).toBeFocused();
  await see(page, 'own-cleared-dark');
});

/**
 * The script of the terminal below. It is read from a file, because each key draws a frame, which takes 60 ms with software
 * WebGL. `wide-all` asks the terminal for the cursor position after a text, which shows the width it assumed.
 */
const SHOW = String.raw`
wide() { printf '%s\e[6n' "$1"; IFS= read -rsd R at; echo " is $((${'$'}{at##*;} - 1)) wide"; }
# The answer may arrive before the shell reads it, and would be echoed.
wide-all() {
  clear; local was=$(stty -g); stty -echo -icanon
  for one in $'\u6f22\u5b57' $'e\u0301' $'\U1f44d' $'\u05e9\u05dc\u05d5\u05dd'; do wide "$one"; done
  stty "$was"
}
colors() {
  for n in 1 2 3 4 5 6; do printf '\e[3%dm normal \e[9%dm bright \e[7m turned \e[0m' $n $n; done; echo
  printf '\e[1mbold\e[0m \e[3mitalic\e[0m \e[4munder\e[0m \e[9mstruck\e[0m\n'
}
# Between two children, bash would continue after Ctrl+C without the trap for it.
sizes() { bash -c 'trap "stty size" WINCH; trap exit INT; stty size; while :; do sleep 0.05; done'; }
`;

test('a terminal follows its size, knows the width of characters, and works without WebGL', async ({
  sharedApp,
}) => {
  const { app, page, folder } = sharedApp;
  writeFileSync(join(folder, 'show.sh'), SHOW);
  await skipFirstRun(page);
  // WebGL is drawn in software here and would not be used: this window treats it as a graphics card.
  await page.evaluate(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', {
      value(this: HTMLCanvasElement, kind: 'webgl2', options?: WebGLContextAttributes) {
        return get.call(this, kind, { ...options, failIfMajorPerformanceCaveat: false });
      },
    });
  });
  await ownTerminal(page);
  await expect(page.locator('.xterm-screen canvas')).not.toHaveCount(0);
  await page.keyboard.type('. ./show.sh; wide-all\n');
  for (const line of ['漢字 is 4 wide', 'e\u0301 is 1 wide', '👍 is 2 wide', 'שלום is 4 wide'])
    await expect(rows(page)).toContainText(line);
  await page.keyboard.type('colors\n');
  await expect(rows(page)).toContainText('bold italic under struck');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await see(page, `letters-${colorScheme}`);
  }

  await page.keyboard.type('sizes\n');
  /** The column counts that the program received, in order, each pair on a separate line. */
  const columns = async () => {
    const lines = await page.locator('.xterm-accessibility-tree > div').allTextContents();
    return lines.flatMap((line) => /^\s*\d{1,3} (\d{2,3})\s*$/.exec(line)?.slice(1).map(Number) ?? []);
  };
  await expect.poll(columns).toHaveLength(1);
  const [before = 0] = await columns();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
  await expect.poll(async () => (await columns()).at(-1)).toBeLessThan(before);
  await see(page, 'letters-900');
  await page.keyboard.press('Control+C');

  await withoutWebgl(page);
  await page.keyboard.type('echo still-""here\n');
  await expect(page.locator('.xterm-rows')).toContainText('still-here');
  await see(page, 'letters-without-webgl');
});
