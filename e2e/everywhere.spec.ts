import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { environment, expect, giveToApp, makeFolder, test } from './support/app';
import { currentRun } from './support/run';
import { see } from './support/see';
import { composer, idle, say, skipFirstRun } from './support/window';

const palette = (page: Page) => page.getByRole('combobox', { name: 'Find an action, thread or setting' });
const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });
const toast = (page: Page, text: string) => page.locator('[aria-live=polite] > *').filter({ hasText: text });
const title = (page: Page) => page.getByRole('heading', { level: 1 });

/** Types into the palette and selects the first match. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeFocused();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await expect(palette(page)).toHaveCount(0);
}

/** The labels of the menu bar and, below each, of its entries. */
const menuBar = (app: ElectronApplication): Promise<Record<string, string[]>> =>
  app.evaluate(({ Menu }) =>
    Object.fromEntries(
      (Menu.getApplicationMenu()?.items ?? []).map(({ label, submenu }) => [
        label,
        (submenu?.items ?? []).map((item) => item.label).filter(Boolean),
      ]),
    ),
  );

const choose = (app: ElectronApplication, id: string) =>
  app.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
    item?.click({}, BrowserWindow.getAllWindows()[0], undefined);
  }, id);

test('the command palette finds actions, settings and threads by keyboard alone', async ({ sharedApp }) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'list files');
  await idle(page);
  await find(page, 'show memories');
  await expect(page.getByRole('tab', { name: 'Memories' })).toHaveAttribute('aria-selected', 'true');
  await find(page, 'theme');
  await expect(settings(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await find(page, 'undo');
  await expect(page.getByRole('tab', { name: 'Changes' })).toHaveAttribute('aria-selected', 'true');
  // What was chosen last comes first.
  await page.keyboard.press('Control+k');
  const rows = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
  await expect(rows.nth(0)).toContainText('Show changes');
  await expect(rows.nth(1)).toContainText('Theme');
  await see(page, 'palette-recent');
  await page.keyboard.press('Escape');
  await find(page, 'new thread');
  await expect(title(page)).not.toContainText('list files');
  await find(page, '#list files');
  await expect(title(page)).toContainText('list files');
  // F6 cycles through the parts of the window.
  await composer(page).focus();
  const part = () =>
    page.evaluate(() => document.activeElement?.closest('[data-part]')?.getAttribute('data-part'));
  const seen = [];
  for (let step = 0; step < 3; step++) {
    seen.push(await part());
    await page.keyboard.press('F6');
  }
  expect(seen).toEqual(['conversation', 'dock', 'threads']);
});

test('shortcuts can be viewed and changed, are refused when they conflict, and are kept', async ({
  launchApp,
}) => {
  const first = await launchApp();
  const { page } = first;
  await skipFirstRun(page);
  await page.keyboard.press('Control+/');
  await expect(settings(page)).toBeVisible();
  await settings(page).getByRole('searchbox', { name: 'Search shortcuts' }).fill('terminal');
  const button = settings(page).getByRole('button', {
    name: /^Change the shortcut for “Show or hide the terminal”/,
  });
  await button.click();
  await page.keyboard.press('Control+n');
  await expect(settings(page).getByRole('alert')).toHaveText('Ctrl+N is already used by “New thread”.');
  await page.keyboard.press('Escape');
  await expect(settings(page)).toBeVisible();
  await button.click();
  await page.keyboard.press('Control+Shift+U');
  await expect(button).toHaveText('Ctrl+Shift+U');
  await page.keyboard.press('Escape');
  await expect(settings(page)).toHaveCount(0);
  await first.close();

  const { page: again } = await launchApp({ dataDir: first.dataDir });
  const terminal = again.getByRole('button', { name: 'Show or hide the terminal' });
  await expect(terminal).toHaveAttribute('aria-pressed', 'false');
  await again.keyboard.press('Control+j');
  await again.keyboard.press('Control+Shift+U');
  await expect(terminal).toHaveAttribute('aria-pressed', 'true');
});

test("the menu bar offers the window's actions in its language", async ({ launchApp }) => {
  const { app, page } = await launchApp();
  await skipFirstRun(page);
  await expect
    .poll(async () => Object.keys(await menuBar(app)))
    .toEqual(['File', 'Edit', 'View', 'Thread', 'Go', 'Window', 'Help']);
  const editing = ['Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'Select all', 'Undo the last action'];
  expect((await menuBar(app)).Edit).toEqual(editing);
  await choose(app, 'toggleTerminal');
  await expect(page.getByRole('button', { name: 'Show or hide the terminal' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await choose(app, 'larger');
  await expect(page.locator('html')).toHaveAttribute('style', /--font-scale: 1.1/);
  await page.keyboard.press('Control+0');
  await expect(page.locator('html')).toHaveAttribute('style', /--font-scale: 1;/);

  const tray = () =>
    app.evaluate(({ Tray }) => {
      const shown: string[][] = [];
      const own = Tray.prototype.setContextMenu;
      Tray.prototype.setContextMenu = function (menu) {
        shown.push((menu?.items ?? []).map(({ label }) => label).filter(Boolean));
        return own.call(this, menu);
      };
      Object.assign(globalThis, { shown });
    });
  await tray();
  await find(page, 'language');
  await settings(page).getByLabel('Language').selectOption('zh');
  await expect.poll(async () => Object.keys(await menuBar(app))[0]).toBe('文件');
  const last = () => app.evaluate(() => (Reflect.get(globalThis, 'shown') as string[][]).at(-1));
  await expect.poll(last).toEqual(['显示 Deepdesk', '新建会话', '退出 Deepdesk']);
});

test('text fields have a context menu', async ({ sharedApp }) => {
  const { app, page } = sharedApp;
  await skipFirstRun(page);
  await expect.poll(async () => Object.keys(await menuBar(app))[0]).toBe('File');
  await app.evaluate(({ Menu }) => {
    Menu.prototype.popup = function () {
      Object.assign(globalThis, { popped: this.items.map(({ label }) => label).filter(Boolean) });
    };
  });
  await composer(page).click({ button: 'right' });
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, 'popped') as string[] | undefined))
    .toEqual(['Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'Select all']);
});

test('a link cannot open a folder without consent, but a folder that the user names opens', async ({
  launchApp,
}) => {
  const named = makeFolder('named');
  const linked = makeFolder('linked');
  const dropped = makeFolder('dropped');
  writeFileSync(join(named, 'a.txt'), 'a');
  giveToApp(named);
  const first = await launchApp({ args: [named] });
  const { app, page } = first;
  await expect(title(page)).toContainText(basename(named));

  // A second start passes on its arguments, brings the window to the front, and exits.
  const { spawnfile, spawnargs } = app.process();
  const second = (...args: string[]) =>
    new Promise<string>((resolve) => {
      const own = spawnargs.slice(1).filter((arg) => arg !== named);
      const started = spawn(spawnfile, [...own, ...args], {
        cwd: currentRun().temp,
        env: environment(makeFolder('home'), first.dataDir, {}),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let told = '';
      started.stderr.setEncoding('utf8').on('data', (text) => (told += text));
      started.on('close', (code) => resolve(code === 0 ? 'ended well' : `${code} ${told} ${own.join(' ')}`));
    });
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  expect(await second(`deepdesk://project?path=${encodeURIComponent(linked)}`)).toBe('ended well');
  const question = page.getByRole('dialog', { name: 'Open this folder as a project?' });
  await expect(question).toContainText(linked);
  expect(
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isMinimized())),
  ).toEqual([false]);
  await question.getByRole('button', { name: "Don't open" }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('button', { name: basename(linked), exact: true })).toHaveCount(0);

  await second(`deepdesk://project?path=${encodeURIComponent(linked)}`);
  await question.getByRole('button', { name: 'Open folder' }).click();
  await expect(title(page)).toContainText(basename(linked));

  // A link to a missing thread, and one that is not ours, change nothing.
  await second('deepdesk://thread/none', 'deepdesk://run/rm');
  await expect(toast(page, 'This thread no longer exists.')).toBeVisible();
  await expect(title(page)).toContainText(basename(linked));
  await second(join(named, 'missing'));
  await expect(toast(page, "missing doesn't exist.")).toBeVisible();
  await second(join(named, 'a.txt'));
  await expect(toast(page, "a.txt isn't a folder.")).toBeVisible();

  const answer = (response: number) =>
    app.evaluate(({ dialog }, answered) => {
      dialog.showMessageBox = (async (...words: unknown[]) => {
        Object.assign(globalThis, { asked: (words.at(-1) as Electron.MessageBoxOptions).detail });
        return { response: answered, checkboxChecked: false };
      }) as typeof dialog.showMessageBox;
    }, response);
  const asked = () => app.evaluate(() => String(Reflect.get(globalThis, 'asked')).split('\n'));
  const client = await page.context().newCDPSession(page);
  const drop = async (files: string[]) => {
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await client.send('Input.dispatchDragEvent', {
        type,
        x: 640,
        y: 300,
        data: { items: [], files, dragOperationsMask: 1 },
      });
    }
  };
  const many = Array.from({ length: 12 }, (_, at) => join(linked, String(at)));
  for (const folder of many) mkdirSync(folder);
  await answer(0);
  await drop(many);
  await expect.poll(asked).toEqual([...many.slice(0, 10), 'and 2 more']);
  await answer(1);
  await drop([dropped]);
  await expect(title(page)).toContainText(basename(dropped));
  expect(await asked()).toEqual([dropped]);
});

test('the system announces the end of a turn while no window has the focus', async ({ launchApp }) => {
  const { app, page } = await launchApp();
  await skipFirstRun(page);
  await app.evaluate(({ BrowserWindow, Notification }) => {
    BrowserWindow.getFocusedWindow = () => null;
    Notification.isSupported = () => true;
    Notification.prototype.show = function () {
      Object.assign(globalThis, { told: [this.title, this.body], notification: this });
    };
  });
  await say(page, 'list files');
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, 'told') as string[] | undefined))
    .toEqual(['The agent is done', 'list files']);
  // A click on it brings the window to the front and opens its thread.
  await page.keyboard.press('Control+n');
  await expect(title(page)).not.toContainText('list files');
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.minimize();
    (Reflect.get(globalThis, 'notification') as NodeJS.EventEmitter).emit('click');
  });
  await expect(title(page)).toContainText('list files');
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized())).toBe(
    false,
  );
  // The system may keep it for longer than the thread.
  await page
    .getByRole('button', { name: /^list files/ })
    .first()
    .press('Delete');
  await expect(page.getByText('Deleted “list files”')).toBeVisible();
  await app.evaluate(() => (Reflect.get(globalThis, 'notification') as NodeJS.EventEmitter).emit('click'));
  await expect(page.getByText('This thread no longer exists.')).toBeVisible();
});

test('a link to a thread starts the app in that thread', async ({ launchApp }) => {
  const first = await launchApp();
  const { page } = first;
  await skipFirstRun(page);
  await say(page, 'list files');
  await idle(page);
  const id = await page.locator('[data-thread][aria-current="true"]').getAttribute('data-thread');
  await page.keyboard.press('Control+n');
  await expect(title(page)).not.toContainText('list files');
  await first.close();
  const again = await launchApp({ dataDir: first.dataDir, args: [`deepdesk://thread/${id}`] });
  await expect(title(again.page)).toContainText('list files');
});

test('a window reopens where it was, on a screen that is connected', async ({ launchApp }) => {
  const first = await launchApp();
  await skipFirstRun(first.page);
  const widthOf = (shown: Page) =>
    shown.locator('[data-part="threads"]').evaluate((part) => part.getBoundingClientRect().width);
  const usual = await widthOf(first.page);
  await first.page.getByRole('separator').first().focus();
  await first.page.keyboard.press('ArrowRight');
  await expect.poll(() => widthOf(first.page)).toBeGreaterThan(usual + 20);
  const wide = await widthOf(first.page);
  await first.page.keyboard.press('Control+b');
  await first.page.getByRole('tab', { name: 'Plan' }).click();
  // The focus ring is for keyboard users, whatever was pressed before the click.
  const hasRing = () => first.page.evaluate(() => document.activeElement?.matches(':focus-visible'));
  expect(await hasRing()).toBe(false);
  await first.page.keyboard.press('ArrowLeft');
  expect(await hasRing()).toBe(true);
  await first.page.getByRole('tab', { name: 'Plan' }).click();
  await first.close();
  writeFileSync(
    join(first.dataDir, 'window.json'),
    JSON.stringify({ x: 90_000, y: 90_000, width: 1_150, height: 700 }),
  );
  const { app, page } = await launchApp({ dataDir: first.dataDir });
  await expect(page.getByRole('tab', { name: 'Plan' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: 'Show or hide threads' })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
  const [bounds, area] = await app.evaluate(({ BrowserWindow, screen }) => [
    BrowserWindow.getAllWindows()[0]?.getBounds(),
    screen.getPrimaryDisplay().workArea,
  ]);
  await page.keyboard.press('Control+b');
  // As many pixels as before, in a window of another size; stored as a whole number.
  await expect.poll(async () => Math.abs((await widthOf(page)) - wide)).toBeLessThan(1);
  expect(bounds).toMatchObject({ width: 1_150, height: 700 });
  expect(bounds?.x).toBeLessThan((area?.x ?? 0) + (area?.width ?? 0));
  expect(bounds?.y).toBeLessThan((area?.y ?? 0) + (area?.height ?? 0));
});
