import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import { inTurn } from './providers/script';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { see } from './support/see';
import { addFolder, chooseModel, composer, idle, messages, say, skipFirstRun } from './support/window';

/** A long word as in German, and Chinese. */
const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen-软件项目说明文件.md';

/** Puts a red picture on the system clipboard, like a screenshot program. */
async function copyPicture(app: ElectronApplication): Promise<void> {
  await app.evaluate(async ({ clipboard, ClipboardItem, nativeImage }) => {
    const [width, height] = [48, 32];
    const pixels = Buffer.alloc(width * height * 4);
    // Blue, green, red, alpha.
    for (let at = 0; at < pixels.length; at += 4) pixels.set([10, 10, 220, 255], at);
    const picture = nativeImage.createFromBitmap(pixels, { width, height });
    // Newer versions of Electron have the web interface.
    const older: unknown = Reflect.get(clipboard, 'writeImage');
    if (typeof older === 'function') Reflect.apply(older, clipboard, [picture]);
    else
      await clipboard.write([
        new ClipboardItem({
          'image/png': new Blob([new Uint8Array(picture.toPNG())], { type: 'image/png' }),
        }),
      ]);
  });
}

test('pictures, files, long text and file names reach the model from the composer', async ({ launchApp }) => {
  const folder = makeFolder('project');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'sum.ts'), 'export const sum = 1;\n');
  writeFileSync(join(folder, LONG_NAME), '# 说明\n');
  giveToApp(folder);
  const server = await startAnthropic(inTurn([{ text: 'All seen.' }, { text: 'Read.' }]));
  try {
    const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const { app, page, dataDir, close } = await launchApp({ folder, env });
    await skipFirstRun(page);
    await addFolder({ app, page }, folder);
    await chooseModel(page, 'Anthropic', 'claude-sonnet-4-5', 'Claude Sonnet 4.5');
    const field = composer(page);
    const chips = page.getByRole('list', { name: 'Attachments' });
    const options = page.getByRole('option');

    // Tab or a slash enters a folder, and Enter selects it.
    await field.click();
    for (const key of ['Tab', '/']) {
      await field.fill('');
      await field.pressSequentially('@sr');
      await expect(options.first()).toContainText('src/');
      await field.press(key);
      await expect(field).toHaveValue('@src/');
      await expect(options.first()).toContainText('sum.ts');
    }
    await field.fill('');
    await field.pressSequentially('@sr');
    await expect(options.first()).toContainText('src/');
    await field.press('Enter');
    await expect(field).toHaveValue('@src/ ');
    await field.fill('');

    // Commands and skills.
    await field.click();
    await field.pressSequentially('/');
    await expect(options.first()).toBeVisible();
    await see(page, 'commands');
    await page.keyboard.press('Escape');
    await expect(options).toHaveCount(0);
    await field.fill('');

    // A picture by paste, and a name by its first letters.
    await copyPicture(app);
    await field.press('ControlOrMeta+v');
    await expect(chips).toContainText('Pasted image.png');
    await field.pressSequentially('What are these? @');
    await expect(options.first()).toBeVisible();
    await see(page, 'names');
    await field.pressSequentially('sum');
    await expect(options.first()).toContainText('sum.ts');
    await page.keyboard.press('Enter');
    await expect(field).toHaveValue('What are these? @src/sum.ts ');

    // A long text by paste, and a file by drop.
    const long = 'A line that is pasted.\n'.repeat(400);
    await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), long);
    await field.press('ControlOrMeta+v');
    await expect(chips).toContainText('Pasted text.txt');
    await expect(chips).toContainText('400 lines');
    await field.evaluate((area, name) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['dropped words'], name));
      area.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, LONG_NAME);
    await expect(chips.getByRole('listitem')).toHaveCount(3);
    await see(page, 'attached');
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
    await see(page, 'attached-900');
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800));

    await field.press('Enter');
    await expect(messages(page)).toContainText('All seen.');
    await idle(page);
    await expect(messages(page).getByRole('list', { name: 'Attachments' }).getByRole('listitem')).toHaveCount(
      3,
    );
    await see(page, 'sent');
    const asked = JSON.stringify(server.requests[0]?.body);
    const data = /"type":"base64","media_type":"image\/png","data":"([^"]+)"/.exec(asked)?.[1] ?? '';
    const size = await page.evaluate(async (source) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      return [image.width, image.height];
    }, data);
    expect(size).toEqual([48, 32]);
    expect(asked).toContain(`@src/sum.ts: the file ${folder}/src/sum.ts, 22 bytes`);
    expect(asked).toContain('A line that is pasted.');
    expect(asked).toContain('dropped words');

    // Unsent text is there after a restart, and the arrow key restores sent text.
    await copyPicture(app);
    await field.press('ControlOrMeta+v');
    // It belongs to the draft as soon as it can be removed.
    await expect(page.getByRole('button', { name: 'Remove Pasted image.png' })).toBeVisible();
    await field.fill('half a thought');
    await close();
    const again = await launchApp({ folder, dataDir, env });
    const restored = composer(again.page);
    await expect(restored).toHaveValue('half a thought');
    await again.page.getByRole('button', { name: 'Remove Pasted image.png' }).click();
    await restored.fill('');
    await restored.press('ArrowUp');
    await expect(restored).toHaveValue('What are these? @src/sum.ts ');
  } finally {
    await server.close();
  }
});

test('files can be dropped anywhere on the conversation, and each thread keeps its draft across a restart', async ({
  launchApp,
}) => {
  const { page, dataDir, folder, close } = await launchApp();
  await skipFirstRun(page);
  await say(page, 'hello first');
  await idle(page);
  const transfer = await page.evaluateHandle((name) => {
    const data = new DataTransfer();
    data.items.add(new File(['dropped words'], name, { type: 'text/plain' }));
    return data;
  }, LONG_NAME);
  const said = messages(page).getByRole('article').last();
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('Not focused.', 'NotAllowedError'));
  });
  await said.hover();
  await said.getByRole('button', { name: /^Copy/ }).click();
  const refused = page.getByText("Couldn't copy.");
  await expect(refused).toBeVisible();
  await said.dispatchEvent('dragover', { dataTransfer: transfer });
  await expect(page.getByText('Drop files to attach them')).toBeVisible();
  await expect(refused).toBeHidden();
  await see(page, 'drop-target');
  await said.dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.getByText('Drop files to attach them')).toHaveCount(0);
  const chips = page.getByRole('list', { name: 'Attachments' });
  await expect(chips).toContainText('.md');
  await expect(composer(page)).toBeFocused();
  await composer(page).fill('draft of the first');

  await page.getByRole('button', { name: 'New thread', exact: true }).click();
  await expect(composer(page)).toHaveValue('');
  await expect(chips).toHaveCount(0);
  await composer(page).fill('草稿 of the second');
  await close();

  const again = await launchApp({ dataDir, folder });
  await expect(composer(again.page)).toHaveValue('草稿 of the second');
  await again.page.getByRole('button', { name: /^hello first/ }).click();
  await expect(composer(again.page)).toHaveValue('draft of the first');
  await expect(again.page.getByRole('list', { name: 'Attachments' })).toContainText('.md');
});

test('the conversation stays visible while a long message is written', async ({ sharedApp }) => {
  const { app, page } = sharedApp;
  await skipFirstRun(page);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
  await say(page, 'help');
  await idle(page);
  const end = messages(page).getByText('To talk to a language model, choose one in the model picker.');
  const latest = page.getByRole('button', { name: 'Jump to latest' });
  await expect(end).toBeInViewport();
  for (let count = 1; count <= 6; count += 1) {
    await composer(page).pressSequentially(`line ${count}`);
    await composer(page).press('Shift+Enter');
  }
  await expect(end).toBeInViewport({ ratio: 1 });
  await expect(latest).toHaveCount(0);

  // A long attached text becomes text in the field again: the field grows to its full height.
  await app.evaluate(
    ({ clipboard }, text) => clipboard.writeText(text),
    'A line that is pasted.\n'.repeat(400),
  );
  await composer(page).fill('');
  await composer(page).press('ControlOrMeta+v');
  await page.getByRole('button', { name: 'Insert Pasted text.txt as text' }).click();
  await expect(composer(page)).toHaveValue(/A line that is pasted/);
  await expect(end).toBeInViewport({ ratio: 1 });
  await expect(latest).toHaveCount(0);
  await composer(page).fill('');

  const answer = messages(page).getByRole('article', { name: 'The agent' }).last();
  await answer.hover();
  await answer.getByRole('button', { name: 'Message actions' }).click();
  await page.getByRole('menuitem', { name: 'Fork after this answer' }).click();
  const told = page.getByText("This is a new thread. Changes to files and memories aren't undone.");
  await expect(told).toBeVisible();
  await see(page, 'told');
  const toldAt = await told.boundingBox();
  const fieldAt = await composer(page).boundingBox();
  expect((toldAt?.y ?? 0) + (toldAt?.height ?? 0)).toBeLessThan(fieldAt?.y ?? 0);
});

test('twenty attachments in a low window leave the conversation and the text field visible', async ({
  sharedApp,
}) => {
  const { app, page } = sharedApp;
  await skipFirstRun(page);
  await say(page, 'help');
  await idle(page);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Appearance' }).click();
  await page.getByLabel('Text size').selectOption('150%');
  await page.keyboard.press('Escape');

  const folder = makeFolder('files');
  const files = Array.from({ length: 20 }, (_, index) => join(folder, `${index} of a longer name.txt`));
  for (const file of files) writeFileSync(file, 'text\n');
  await page.locator('input[type="file"]').setInputFiles(files);
  const chips = page.getByRole('list', { name: 'Attachments' });
  await expect(chips.getByRole('button', { name: 'Remove' })).toHaveCount(20);
  await see(page, 'twenty');
  // The newest is shown, and so is the end of the conversation.
  await expect(chips.getByText('19 of a longer name.txt')).toBeInViewport({ ratio: 1 });
  await expect(composer(page)).toBeInViewport({ ratio: 1 });
  const height = (await messages(page).boundingBox())?.height ?? 0;
  expect(height).toBeGreaterThan(150);

  // By keyboard, each is shown as it gets the focus.
  await chips.getByRole('button', { name: /^0 of/ }).focus();
  await expect(chips.getByText('0 of a longer name.txt', { exact: true })).toBeInViewport({ ratio: 1 });
});

test('undo removes a completion and added text, as it does typed text', async ({ sharedApp }) => {
  const { page } = sharedApp;
  await skipFirstRun(page);
  const field = composer(page);
  await field.click();
  await field.pressSequentially('see @sum.j');
  await expect(page.getByRole('option').first()).toContainText('sum.js');
  await field.press('Enter');
  await expect(field).toHaveValue('see @src/sum.js ');
  await field.press('Control+z');
  await expect(field).toHaveValue('see @sum.j');
  await field.press('Control+Shift+z');
  await expect(field).toHaveValue('see @src/sum.js ');
  await page.getByRole('treeitem', { name: /README\.md/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Add to message' }).click();
  await expect(field).toHaveValue('see @src/sum.js @README.md ');
  await field.press('Control+z');
  await expect(field).toHaveValue('see @src/sum.js ');
});

test('an input method keeps its text and its keys while a card appears', async ({ launchApp }) => {
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const server = await startAnthropic(async ({ lastToolResults }) => {
    if (lastToolResults.length > 0) return { text: 'Done.' };
    await asked;
    return { calls: [{ name: 'execute', args: { command: 'rm README.md' } }] };
  });
  try {
    const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const { page } = await launchApp({ env });
    await skipFirstRun(page);
    await chooseModel(page, 'Anthropic', 'claude-test');
    await say(page, 'write it');
    const field = composer(page);
    const ime = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      ime.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await field.focus();
    await compose('n');
    await compose('ni');
    ask();
    const card = page.locator('[data-approval]');
    await expect(card).toBeVisible();
    await see(page, 'composing-beside-card');
    await expect(field).toBeFocused();
    await compose('nih');
    await expect(field).toHaveValue('nih');
    // These keys choose or discard a candidate, and come as the input method's. None of them sends, stops, allows or rejects.
    for (const code of ['Enter', 'Enter', 'Escape', 'Escape', 'KeyA', 'KeyR']) {
      const key = { key: 'Process', code, windowsVirtualKeyCode: 229 };
      await ime.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
      await ime.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    }
    await expect(field).toHaveValue('nih');
    await expect(card).toBeVisible();
    await ime.send('Input.insertText', { text: '你好' });
    await expect(field).toHaveValue('你好');
    await expect(card).toBeVisible();
    await expect(page.getByRole('log').getByRole('article', { name: 'You' })).toHaveCount(1);
    // The text is finished: now Enter sends it, behind the question.
    await field.press('Enter');
    await expect(field).toHaveValue('');
    await expect(card).toBeVisible();
    await expect(page.getByText('你好').first()).toBeVisible();
  } finally {
    ask();
    await server.close();
  }
});

test('a long model name leaves space for the buttons beside it', async ({ launchApp }) => {
  const server = await startAnthropic(inTurn([{ text: 'Done.' }]));
  try {
    const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
    const { app, page } = await launchApp({ env });
    await skipFirstRun(page);
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
    await chooseModel(page, 'Anthropic', `organisation/${'experimental-preview-'.repeat(8)}final`);
    const model = page.getByRole('button', { name: /^Model: organisation/ }).first();
    const attach = page.getByRole('button', { name: 'Attach files' });
    await expect(async () => {
      const [left, right] = [await model.boundingBox(), await attach.boundingBox()];
      expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0);
    }).toPass({ timeout: 10_000 });
  } finally {
    await server.close();
  }
});
