import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, giveToApp, makeFolder, type SharedApp, test } from './support/app';
import { pdf } from './support/pdf';
import { see } from './support/see';
import { addFolder, allow, cards, composer, idle, messages, say, skipFirstRun } from './support/window';

/** Opens a folder like a person, and waits for its tree. */
async function openProject({ app, page }: SharedApp, folder: string): Promise<Locator> {
  await skipFirstRun(page);
  await addFolder({ app, page }, folder);
  const tree = page.getByRole('tree', { name: 'Files' });
  await expect(tree.getByRole('treeitem').nth(1)).toBeVisible();
  return tree;
}

async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('It is not on screen.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('a long name is shown with the space at which it is cut', async ({ sharedApp }) => {
  const folder = makeFolder('project');
  const name = 'a very long name of a file that does not fit at all.txt';
  writeFileSync(join(folder, name), 'x');
  giveToApp(folder);
  const tree = await openProject(sharedApp, folder);
  const first = tree.getByRole('treeitem', { name }).locator('[aria-hidden] > bdi').first();
  expect(await first.textContent()).toMatch(/not fit $/);
  const space = await first.evaluate((part) => {
    const text = document.createTreeWalker(part, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const range = document.createRange();
    range.setStart(text, text.length - 1);
    range.setEnd(text, text.length);
    return range.getBoundingClientRect().width;
  });
  expect(space).toBeGreaterThan(2);
});

test('an open file keeps its place, and a link goes to its line each time', async ({ sharedApp }) => {
  const folder = makeFolder('project');
  const lines = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1} of it`);
  writeFileSync(join(folder, 'long.txt'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'app.min.js'), `// license\n${'x'.repeat(200_000)}\n// the last line\n`);
  giveToApp(folder);
  const { page } = sharedApp;
  const tree = await openProject(sharedApp, folder);
  await tree.getByRole('treeitem', { name: 'app.min.js' }).click();
  await expect(page.getByText('// the last line')).toBeVisible();
  await tree.getByRole('treeitem', { name: 'long.txt' }).click();
  const text = page.getByRole('document', { name: 'Text of long.txt' });
  const scroll = (to: number) => text.evaluate((element, top) => element.scrollTo(0, top), to);
  const line = (number: number) => text.getByText(`line ${number} of it`, { exact: true });
  await scroll(20 * 2_000);
  await expect(line(2_001)).toBeInViewport();
  await page.getByRole('tab', { name: 'app.min.js' }).click();
  await expect(text).toHaveCount(0);
  await page.getByRole('tab', { name: 'long.txt' }).click();
  await expect(line(2_001)).toBeInViewport();
  await page.getByRole('tab', { name: 'Changes', exact: true }).click();
  await page.getByRole('tab', { name: 'Files', exact: true }).click();
  await expect(line(2_001)).toBeInViewport();

  const deep = `${'a_folder_with_a_long_name/'.repeat(9)}end.txt`;
  await say(page, `create ${deep} with "x" then read long.txt from line 1500`);
  const card = cards(page).first();
  await expect(card.getByText('Scroll to the end first.')).toBeVisible();
  await expect(card.getByText('Low risk', { exact: true })).toBeInViewport({ ratio: 1 });
  await allow(page);
  await idle(page);
  // A link breaks where the text beside it would.
  const link = messages(page).getByRole('button', { name: deep, exact: true });
  await expect(link).toBeVisible();
  const right = async (one: Locator) =>
    middleOf(one).then(async ({ x }) => x + ((await one.boundingBox())?.width ?? 0) / 2);
  expect(await right(link)).toBeLessThanOrEqual(await right(messages(page)));

  const showFile = messages(page).getByRole('button', { name: 'Show file' }).last();
  await showFile.click();
  await expect(line(1_500)).toBeInViewport();
  await scroll(0);
  await expect(line(1)).toBeInViewport();
  await showFile.click();
  await expect(line(1_500)).toBeInViewport();
});

test('files can be dragged within the tree, into it and out of it', async ({ sharedApp }) => {
  const folder = makeFolder('project');
  const outside = makeFolder('elsewhere');
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'plan.md'), '# Plan\n');
  writeFileSync(join(outside, 'photo.txt'), 'from outside');
  for (const path of [folder, outside]) giveToApp(path);
  const running = sharedApp;
  const { app, page } = running;
  const tree = await openProject(running, folder);
  const row = (name: string) => tree.getByRole('treeitem', { name });

  await row('plan.md').dragTo(row('docs'));
  await expect.poll(() => readdirSync(join(folder, 'docs'))).toEqual(['plan.md']);
  // A move that overwrites nothing has a moment with both names.
  await expect.poll(() => existsSync(join(folder, 'plan.md'))).toBe(false);
  await see(page, 'dragged-within');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => existsSync(join(folder, 'plan.md'))).toBe(true);
  await expect(row('plan.md')).toBeVisible();

  // Beside the message field, a file of the tree is mentioned and a link of another program is added.
  const beside = page.locator('[data-conversation]');
  await row('plan.md').dragTo(beside, { targetPosition: { x: 40, y: 40 } });
  await expect(composer(page)).toHaveValue('@plan.md ');
  const client = await page.context().newCDPSession(page);
  const link = {
    items: [{ mimeType: 'text/uri-list', data: 'https://example.com/a' }],
    dragOperationsMask: 1,
  };
  const middle = await middleOf(beside);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, ...middle, data: link });
  await expect(composer(page)).toHaveValue('@plan.md https://example.com/a ');
  await composer(page).fill('');

  const at = await middleOf(row('docs'));
  const data = { items: [], files: [join(outside, 'photo.txt')], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver'] as const)
    await client.send('Input.dispatchDragEvent', { type, ...at, data });
  await see(page, 'drag-in');
  await client.send('Input.dispatchDragEvent', { type: 'drop', ...at, data });
  await expect.poll(() => existsSync(join(folder, 'docs', 'photo.txt'))).toBe(true);
  expect(readFileSync(join(folder, 'docs', 'photo.txt'), 'utf8')).toBe('from outside');
  expect(readFileSync(join(outside, 'photo.txt'), 'utf8')).toBe('from outside');
  await page.getByText('1 file copied').locator('..').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => existsSync(join(folder, 'docs', 'photo.txt'))).toBe(false);

  await row('plan.md').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  const duplicated = page.getByText(/^Duplicated as plan/);
  await expect(duplicated).toBeVisible();
  await expect(row('plan copy.md')).toBeVisible();
  expect(readdirSync(folder)).toHaveLength(3);
  await duplicated.locator('..').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => readdirSync(folder).toSorted()).toEqual(['docs', 'plan.md']);
  // The rows below it move up when it leaves the tree.
  await expect(row('plan copy.md')).toHaveCount(0);

  // The system's drag is not visible to the test, but its start data is.
  await app.evaluate(({ BrowserWindow }) => {
    for (const { webContents } of BrowserWindow.getAllWindows())
      webContents.startDrag = (item) =>
        void Object.assign(globalThis, { dragged: item.files ?? [item.file] });
  });
  const from = await middleOf(row('plan.md'));
  await page.keyboard.down('Control');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 40, { steps: 5 });
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, 'dragged') as unknown))
    .toEqual([join(folder, 'plan.md')]);
  await page.mouse.up();
  await page.keyboard.up('Control');
  expect(existsSync(join(folder, 'plan.md'))).toBe(true);
});

test('the viewer follows the agent to the changed line and shows who changed which line', async ({
  sharedApp,
}) => {
  const folder = makeFolder('project');
  const lines = Array.from({ length: 300 }, (_, n) => `entry ${n + 1};`);
  writeFileSync(join(folder, 'long.txt'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'other.txt'), 'x\n');
  giveToApp(folder);
  const running = sharedApp;
  const { page } = running;
  await openProject(running, folder);
  await page.getByRole('button', { name: 'Follow the agent' }).click();
  await say(page, 'replace "entry 250;" with "entry 250 by the agent;" in long.txt');
  await allow(page);
  await idle(page);
  const viewer = page.getByRole('region', { name: join(folder, 'long.txt') });
  await expect(viewer.getByText('entry 250 by the agent;', { exact: true })).toBeInViewport();
  await see(page, 'followed');

  await say(page, 'create new.txt with "first line"');
  await allow(page);
  await idle(page);
  await expect(page.getByRole('region', { name: join(folder, 'new.txt') })).toContainText('first line');

  await page.getByRole('button', { name: 'Follow the agent' }).click();
  await page.getByRole('treeitem', { name: 'long.txt' }).click();
  // The file is shown where it was left.
  await viewer.getByText('entry 250 by the agent;', { exact: true }).click();
  const goTo = async (line: number) => {
    await page.keyboard.press('Control+g');
    await page.getByRole('dialog').getByRole('textbox').fill(String(line));
    await page.keyboard.press('Enter');
  };
  await goTo(1);
  await viewer.getByText('entry 1;', { exact: true }).click();
  await goTo(250);
  await viewer.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Show authors' }).click();
  await expect(viewer.getByTitle(/^The agent · edit_file · /)).toHaveText('The agent');
  await see(page, 'blame');
  const changed = readFileSync(join(folder, 'long.txt'), 'utf8').replace('entry 252;', 'entry 252 by me;');
  writeFileSync(join(folder, 'long.txt'), changed);
  await expect(viewer.getByTitle(/^You · /)).toHaveText('You');
});

test('text of a document can be selected and found, and a video plays from any position', async ({
  sharedApp,
}) => {
  const folder = makeFolder('project');
  const filler = Array.from({ length: 30 }, (_, n) => `Line ${n + 1} of the page`);
  writeFileSync(
    join(folder, 'paper.pdf'),
    pdf([['Introduction', ...filler], filler, [...filler, 'The rare word stands here']]),
  );
  giveToApp(folder);
  const running = sharedApp;
  const { page } = running;
  const tree = await openProject(running, folder);
  await tree.getByRole('treeitem', { name: 'paper.pdf' }).click();
  const paper = page.getByRole('region', { name: join(folder, 'paper.pdf') });
  await paper.getByText('Introduction').dblclick();
  expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe('Introduction');
  await see(page, 'pdf-selected');

  await page.keyboard.press('Control+f');
  const field = paper.getByRole('textbox', { name: 'Find in file' });
  await field.fill('RARE  word');
  await expect(paper.getByRole('status')).toHaveText('1 of 1');
  await expect(paper.getByText('Page 3 of 3')).toBeVisible();
  await expect(paper.getByText('The rare word stands here')).toBeInViewport();
  const marked = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get('found-on-page-current') ?? [])].map((range) =>
        range instanceof Range ? range.toString() : '',
      ),
    );
  await expect.poll(marked).toEqual(['rare word']);
  await see(page, 'pdf-found');
  await field.fill('line 7 of');
  await expect(paper.getByRole('status')).toHaveText('1 of 3');
  await field.press('Enter');
  await expect(paper.getByRole('status')).toHaveText('2 of 3');
  await expect(paper.getByText('Line 7 of the page').nth(1)).toBeInViewport();
  await expect(paper.getByText('Page 2 of 3')).toBeVisible();
  await expect.poll(marked).toEqual(['Line 7 of']);
  await field.press('Escape');
  await expect.poll(marked).toEqual([]);
  const widthOf = async () => (await paper.getByRole('img').first().boundingBox())?.width ?? 0;
  const width = await widthOf();
  await paper.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(widthOf).toBeGreaterThan(width * 1.2);
  await expect(paper.getByText('Line 7 of the page').nth(1)).toBeInViewport();
  await see(page, 'pdf-larger');
  // A paper that is typeset again stays where it is read.
  const larger = await widthOf();
  writeFileSync(
    join(folder, 'paper.pdf'),
    pdf([['Introduction', ...filler], [...filler.with(6, 'Line seven of the page')], filler]),
  );
  await expect(paper.getByText('Line seven of the page')).toBeInViewport();
  expect(Math.abs((await widthOf()) - larger)).toBeLessThan(1);
  // So does a search.
  await paper.getByRole('document').press('Control+f');
  await field.fill('line 9 of');
  await expect(paper.getByRole('status')).toHaveText('1 of 3');
  await field.press('Enter');
  await expect(paper.getByRole('status')).toHaveText('2 of 3');
  writeFileSync(
    join(folder, 'paper.pdf'),
    pdf([filler, [...filler.with(6, 'Line seven of the page again')], filler]),
  );
  await expect(paper.getByText('Line seven of the page again')).toBeVisible();
  await expect(field).toHaveValue('line 9 of');
  await expect(field).toBeFocused();
  await expect(paper.getByRole('status')).toHaveText('2 of 3');
  await expect.poll(marked).toEqual(['Line 9 of']);
  await field.press('Escape');

  writeFileSync(join(folder, 'video.webm'), Buffer.from(await recordVideo(page), 'base64'));
  giveToApp(folder);
  await tree.getByRole('treeitem', { name: 'video.webm' }).click();
  const video = page.getByRole('region', { name: join(folder, 'video.webm') }).locator('video');
  const state = () =>
    video.evaluate((element) => {
      const { videoWidth, videoHeight, readyState, error } = element as HTMLVideoElement;
      return { videoWidth, videoHeight, isReady: readyState >= 2, error: error?.message ?? null };
    });
  await expect.poll(state).toEqual({ videoWidth: 160, videoHeight: 90, isReady: true, error: null });
  await video.evaluate((element) => (element as HTMLVideoElement).play());
  await expect
    .poll(() => video.evaluate((element) => (element as HTMLVideoElement).currentTime))
    .toBeGreaterThan(0);
  await see(page, 'video');
});

test('deceptive names are shown as they are, and long names fit', async ({ sharedApp }) => {
  const folder = makeFolder('project');
  const long = `${'a-name-that-goes-on-'.repeat(11)}end.txt`;
  const names = [
    'photo\u202egnp.exe',
    'two\nlines.txt',
    'bell\u0007.txt',
    'קובץ חדש.txt',
    '会议记录.md',
    '❤️.md',
    long,
  ];
  for (const name of names) writeFileSync(join(folder, name), 'x\n');
  giveToApp(folder);
  const running = sharedApp;
  const { app, page } = running;
  const tree = await openProject(running, folder);
  for (const shown of [
    'photo\\u202egnp.exe',
    'two\\nlines.txt',
    'bell\\x07.txt',
    'קובץ חדש.txt',
    '❤️.md',
    long,
  ])
    await expect(tree.getByRole('treeitem', { name: shown, exact: true })).toBeVisible();
  await tree.getByRole('treeitem', { name: 'two\\nlines.txt' }).click();
  const viewer = page.getByRole('region', { name: join(folder, 'two\nlines.txt') });
  await expect(viewer.getByRole('document')).toContainText('x');
  await see(page, 'names');
  await page.keyboard.press('Control+p');
  await page.getByRole('combobox', { name: 'Open file' }).fill('t');
  await expect(page.getByRole('option', { name: 'photo\\u202egnp.exe' })).toBeVisible();
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  expect(await fits()).toBe(true);
  await see(page, 'names-found');
  await page.keyboard.press('Escape');
  await tree.getByRole('treeitem', { name: long, exact: true }).click();
  await expect(page.getByRole('region', { name: join(folder, long) }).getByRole('document')).toContainText(
    'x',
  );
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(900);
  await page.getByRole('button', { name: 'Show or hide files' }).click();
  await expect(tree.getByRole('treeitem', { name: long, exact: true })).toBeVisible();
  expect(await fits()).toBe(true);
  await see(page, 'names-narrow');
});

test('a missing folder is reported once, and the files panel refers to that', async ({ sharedApp }) => {
  const folder = makeFolder('project');
  writeFileSync(join(folder, 'a.txt'), 'x\n');
  giveToApp(folder);
  const running = sharedApp;
  const { page } = running;
  await openProject(running, folder);
  renameSync(folder, `${folder}-moved`);
  await expect(page.getByRole('alert', { name: "This project's folder was moved or deleted" })).toBeVisible();
  await expect(
    page.getByText("Deepdesk can't find this folder. The thread shows what you can do."),
  ).toBeVisible();
  await expect(page.getByText(folder, { exact: true })).toHaveCount(1);
  await expect(page.getByRole('treeitem', { name: 'a.txt' })).toHaveCount(0);
  await see(page, 'missing');
  // The window checks for it while the message is shown.
  renameSync(`${folder}-moved`, folder);
  await expect(
    page.getByRole('tree', { name: 'Files' }).getByRole('treeitem', { name: 'a.txt' }),
  ).toBeVisible();
  await expect(page.getByText("Deepdesk can't find this folder")).toHaveCount(0);
});

/** Records a second of video in the window itself, so that the window can play it. Base64. */
function recordVideo(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 90 });
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('Nothing can be drawn.');
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => void parts.push(data);
    const ended = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let frame = 0; frame < 60; frame += 1) {
      context.fillStyle = `hsl(${frame * 6} 80% 50%)`;
      context.fillRect(0, 0, 160, 90);
      await new Promise(requestAnimationFrame);
    }
    recorder.stop();
    await ended;
    let text = '';
    for (const byte of new Uint8Array(await new Blob(parts).arrayBuffer())) text += String.fromCharCode(byte);
    return btoa(text);
  });
}
