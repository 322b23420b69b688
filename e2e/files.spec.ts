import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, giveToApp, makeFolder, type SharedApp, test } from './support/app';
import { pdf } from './support/pdf';
import { see } from './support/see';
import { addFolder, skipFirstRun } from './support/window';

test('a folder that the user picks is shown, and changes by other programs appear', async ({ sharedApp }) => {
  const folder = makeFolder('project');
  writeFileSync(join(folder, 'notes.txt'), 'first line\n');
  const { app, page, shot } = sharedApp;
  await skipFirstRun(page);
  await addFolder({ app, page }, folder);
  const tree = page.getByRole('tree', { name: 'Files' });
  await expect(tree.getByRole('treeitem', { name: /notes\.txt/ })).toBeVisible();

  writeFileSync(join(folder, 'made-outside.txt'), 'x');
  giveToApp(folder);
  await expect(tree.getByRole('treeitem', { name: /made-outside\.txt/ })).toBeVisible();

  await tree.getByRole('treeitem', { name: /notes\.txt/ }).click();
  const viewer = page.getByRole('region', { name: join(folder, 'notes.txt') });
  await expect(viewer).toContainText('first line');
  writeFileSync(join(folder, 'notes.txt'), 'changed outside\n');
  await expect(viewer).toContainText('changed outside');
  await shot('files');

  // A second file gets a tab beside it, and the first comes back when it is closed.
  const tabs = page.getByRole('tablist', { name: 'Open files' });
  await expect(tabs).toHaveCount(0);
  await tree.getByRole('treeitem', { name: /made-outside\.txt/ }).click();
  await expect(page.getByRole('region', { name: join(folder, 'made-outside.txt') })).toBeVisible();
  await expect(tabs.getByRole('tab')).toHaveText(['notes.txt', 'made-outside.txt']);
  await see(page, 'file-tabs');
  await tabs.getByRole('tab', { name: 'notes.txt' }).click();
  await expect(viewer).toContainText('changed outside');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('region', { name: join(folder, 'made-outside.txt') })).toBeVisible();
  await expect(tabs).toHaveCount(0);
});

/** Opens a folder like a person, and waits for its tree. */
async function openProject({ app, page }: SharedApp, folder: string) {
  await skipFirstRun(page);
  await addFolder({ app, page }, folder);
  return page.getByRole('tree', { name: 'Files' });
}

test('files can be created, renamed, trashed and restored in the tree by keyboard', async ({ sharedApp }) => {
  const folder = makeFolder('project');
  for (const name of ['src', 'dist']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'dist', 'sum.js'), '');
  writeFileSync(join(folder, '.gitignore'), 'dist/\n');
  writeFileSync(join(folder, 'src', 'sum.ts'), 'export const sum = (a: number, b: number) => a - b;\n');
  writeFileSync(join(folder, 'README.md'), '# Sums\n\nSee [the code](src/sum.ts).\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'safe.directory=*', '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  writeFileSync(join(folder, 'README.md'), '# Sums and more\n\nSee [the code](src/sum.ts).\n');
  giveToApp(folder);
  const running = sharedApp;
  const { page } = running;
  const tree = await openProject(running, folder);
  const row = (name: RegExp) => tree.getByRole('treeitem', { name });
  await expect(row(/README\.md.*modified/)).toBeVisible();
  await expect(row(/^dist.*ignored by git/)).toBeVisible();
  await expect(tree.getByText('.git', { exact: true })).toHaveCount(0);

  await page.getByRole('button', { name: 'New file' }).click();
  const field = page.getByRole('textbox', { name: 'New file name' });
  await field.fill('README.md');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('exists');
  await field.fill('docs/plan.md');
  await field.press('Enter');
  await expect(page.getByRole('region', { name: join(folder, 'docs/plan.md') })).toBeVisible();
  expect(existsSync(join(folder, 'docs/plan.md'))).toBe(true);
  await expect(row(/plan\.md.*untracked/)).toBeVisible();

  await row(/README/).click();
  const viewer = page.getByRole('region', { name: join(folder, 'README.md') });
  await expect(viewer.getByRole('heading', { name: 'Sums and more' })).toBeVisible();
  await see(page, 'tree-markdown');
  // Find searches the text of the file.
  await viewer.getByRole('heading', { name: 'Sums and more' }).click();
  await page.keyboard.press('Control+f');
  await viewer.getByRole('textbox', { name: 'Find in file' }).fill('SUMS');
  await expect(viewer.getByRole('status')).toHaveText('1 of 1');
  await page.keyboard.press('Escape');
  await viewer.getByRole('button', { name: 'View formatted' }).click();
  await viewer.getByText('the code').click();
  await expect(page.getByRole('region', { name: join(folder, 'src/sum.ts') })).toContainText('a - b');

  await tree.focus();
  for (const key of ['Home', 'R', 'F2']) await tree.press(key);
  const rename = page.getByRole('textbox', { name: 'New name for README.md' });
  await rename.fill('About.md');
  await rename.press('Enter');
  // The row shows that name as soon as it is typed.
  await expect.poll(() => readdirSync(folder)).toContain('About.md');
  await expect(rename).toHaveCount(0);
  await expect(row(/About\.md/)).toBeVisible();

  await row(/About\.md/).click({ button: 'right' });
  await see(page, 'menu');
  await page.getByRole('menuitem', { name: /Move to trash/ }).click();
  await expect(row(/About\.md/)).toHaveCount(0);
  expect(existsSync(join(folder, 'About.md'))).toBe(false);
  // The rename can still be undone, too.
  await page
    .getByText('Moved About.md to the trash')
    .locator('..')
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(row(/About\.md/)).toBeVisible();
  expect(readFileSync(join(folder, 'About.md'), 'utf8')).toContain('Sums and more');
});

test('a file is found by parts of its name and opened at a line', async ({ sharedApp }) => {
  const folder = makeFolder('project');
  for (const dir of ['src/features/files', 'docs']) mkdirSync(join(folder, dir), { recursive: true });
  const lines = Array.from({ length: 300 }, (_, n) => `line ${n + 1}`);
  writeFileSync(join(folder, 'src/features/files/file-viewer.tsx'), `${lines.join('\n')}\n`);
  for (let n = 0; n < 40; n += 1) writeFileSync(join(folder, 'docs', `page-${n}.md`), 'x\n');
  giveToApp(folder);
  const running = sharedApp;
  const { app, page } = running;
  await openProject(running, folder);
  await page.keyboard.press('Control+p');
  const field = page.getByRole('combobox', { name: 'Open file' });
  await field.fill('fviewer:250');
  await expect(page.getByRole('option', { name: /file-viewer\.tsx/ })).toBeVisible();
  await see(page, 'quick-open');
  await field.press('Enter');
  const viewer = page.getByRole('region', { name: join(folder, 'src/features/files/file-viewer.tsx') });
  await expect(viewer.getByText('line 250', { exact: true })).toBeInViewport();

  await viewer.getByText('line 250', { exact: true }).click();
  await page.keyboard.press('Control+f');
  await viewer.getByRole('textbox', { name: 'Find in file' }).fill('LINE 29');
  await expect(viewer.getByRole('status')).toHaveText('1 of 11');
  await page.keyboard.press('Shift+Enter');
  await expect(viewer.getByText('line 299', { exact: true })).toBeInViewport();
  await see(page, 'find');

  // With more space the file is beside the tree, at the same position. The panel is wide while a file is open.
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1_600, 900));
  const tree = page.getByRole('tree', { name: 'Files' });
  const isBeside = async () => {
    const [left, right] = await Promise.all([tree.boundingBox(), viewer.boundingBox()]);
    return left !== null && right !== null && left.x + left.width <= right.x && right.width > 400;
  };
  await expect.poll(isBeside).toBe(true);
  await expect(viewer.getByText('line 299', { exact: true })).toBeInViewport();
  await see(page, 'more-room');
  await page.getByRole('button', { name: 'Narrow this panel' }).click();
  await expect.poll(isBeside).toBe(false);

  const filter = page.getByRole('searchbox', { name: 'Filter files' });
  await filter.fill('page-17');
  await expect(page.getByRole('listbox', { name: 'Search results' }).getByRole('option')).toHaveCount(1);
  await expect(page.getByText('1 of 41 files')).toBeVisible();
  await filter.press('Escape');
  await expect(tree).toBeVisible();
});

test('edits are saved, and changes by other programs are never overwritten', async ({ sharedApp }) => {
  const folder = makeFolder('project');
  const file = join(folder, 'notes.txt');
  writeFileSync(file, 'one\ntwo\n');
  giveToApp(folder);
  const running = sharedApp;
  const { page } = running;
  const tree = await openProject(running, folder);
  await tree.getByRole('treeitem', { name: /notes\.txt/ }).click();
  const viewer = page.getByRole('region', { name: file });
  await viewer.getByRole('button', { name: 'Edit', exact: true }).click();
  const text = viewer.getByRole('textbox', { name: 'Text of notes.txt' });
  await text.press('Control+End');
  await page.keyboard.type('three');
  await expect(viewer.getByTitle('Unsaved')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(file, 'utf8')).toBe('one\ntwo\nthree');

  await page.keyboard.type(' and four');
  writeFileSync(file, 'one\n2\nthree');
  await expect(viewer.getByText('Another program changed this file')).toBeVisible();
  await text.press('Control+s');
  await expect(viewer.getByRole('heading', { name: 'The file changed on disk' })).toBeVisible();
  expect(readFileSync(file, 'utf8')).toBe('one\n2\nthree');
  await see(page, 'conflict');
  await viewer.getByRole('button', { name: 'Keep editing' }).click();
  await viewer.getByRole('button', { name: 'Close file' }).click();
  await expect(page.getByRole('dialog')).toContainText('Save changes to notes.txt?');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
  await expect(viewer.getByTitle('Unsaved')).toBeVisible();
  await viewer.getByRole('button', { name: 'Close file' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await viewer.getByRole('button', { name: 'Compare' }).click();
  await viewer.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(() => readFileSync(file, 'utf8')).toBe('one\ntwo\nthree and four');
  await expect(viewer.getByTitle('Unsaved')).toHaveCount(0);
  await expect(text).toBeFocused();

  rmSync(file);
  await expect(viewer.getByText('This file was deleted while you were editing it.')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(viewer.getByText('This file was deleted while you were editing it.')).toHaveCount(0);
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nthree and four');
  await see(page, 'editor');
});

test('pictures, sound, documents, tables, notebooks and binary files have their own viewers', async ({
  sharedApp,
}) => {
  const folder = makeFolder('project');
  const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  put('red.png', png(64, 48));
  put('tone.wav', wav());
  put('one.pdf', pdf([['Hello from a page']]));
  put('data.csv', 'name,amount\n"Smith, Ann",12.5\nBo,7\n');
  put('book.ipynb', notebook());
  put(
    'raw.bin',
    Buffer.from([0, 1, 2, 3, 0x41, 0x42, 0xff, 0xfe, ...Array.from({ length: 5_000 }, (_, n) => n % 256)]),
  );
  giveToApp(folder);
  const running = sharedApp;
  const { page } = running;
  const tree = await openProject(running, folder);
  const open = async (name: string) => {
    await tree.getByRole('treeitem', { name: new RegExp(name.replace('.', '\\.')) }).click();
    return page.getByRole('region', { name: join(folder, name) });
  };
  const image = await open('red.png');
  await expect(image.getByText('64 × 48')).toBeVisible();
  await image.getByRole('button', { name: 'Zoom in' }).click();
  await expect(image.getByText('125%')).toBeVisible();
  await see(page, 'image');

  const sound = await open('tone.wav');
  await expect
    .poll(() => sound.locator('audio').evaluate((audio) => (audio as HTMLAudioElement).duration))
    .toBe(1);
  await sound.locator('audio').evaluate((audio) => {
    (audio as HTMLAudioElement).currentTime = 0.5;
  });
  await expect
    .poll(() => sound.locator('audio').evaluate((audio) => (audio as HTMLAudioElement).seeking))
    .toBe(false);
  await see(page, 'audio');

  const document = await open('one.pdf');
  await expect(document.getByText('Page 1 of 1')).toBeVisible();
  await expect(document.getByText('Hello from a page')).toBeAttached();
  await see(page, 'pdf');

  const table = await open('data.csv');
  await expect(table.getByRole('cell', { name: 'Smith, Ann' })).toBeVisible();
  await expect(table.getByText('2 rows')).toBeVisible();
  await see(page, 'table');

  const book = await open('book.ipynb');
  await expect(book.getByRole('heading', { name: 'A study' })).toBeVisible();
  await expect(book.getByText('42', { exact: true })).toBeVisible();
  await expect(book.getByRole('img', { name: 'Image output' })).toBeVisible();
  await expect(book.getByText('Not shown: text/html')).toBeVisible();
  expect(await page.evaluate(() => 'notebookRan' in window)).toBe(false);
  await see(page, 'notebook');

  const bytes = await open('raw.bin');
  await expect(bytes.getByText('00 01 02 03 41 42 ff fe')).toBeVisible();
  await see(page, 'hex');
});

/** A half-transparent picture in one color. */
function png(width: number, height: number): Buffer {
  const rows = Buffer.concat(
    Array.from({ length: height }, () =>
      Buffer.from([0, ...Array.from({ length: width }, () => [200, 60, 40, 140]).flat()]),
    ),
  );
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const whole = Buffer.alloc(body.length + 8);
    whole.writeUInt32BE(data.length, 0);
    body.copy(whole, 4);
    whole.writeUInt32BE(crc(body), body.length + 4);
    return whole;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const sign = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    sign,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

/** A second of silence. */
function wav(): Buffer {
  const head = Buffer.alloc(44);
  const rate = 8_000;
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + rate, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(rate, 40);
  return Buffer.concat([head, Buffer.alloc(rate, 128)]);
}

function notebook(): string {
  const output = (data: object) => ({ output_type: 'display_data', metadata: {}, data });
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { language_info: { name: 'python' } },
    cells: [
      { cell_type: 'markdown', metadata: {}, source: ['# A study\n', 'of numbers'] },
      {
        cell_type: 'code',
        metadata: {},
        execution_count: 3,
        source: 'print(6 * 7)',
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['42\n'] },
          output({ 'image/png': png(40, 20).toString('base64'), 'text/plain': '<Figure>' }),
          output({ 'text/html': '<img src=x onerror="window.notebookRan = true">' }),
        ],
      },
    ],
  });
}

/** Ten copies of ten copies …: a billion rectangles in a kilobyte. */
const levels = Array.from({ length: 9 }, (_, n) => {
  const below = `<use href="#g${n}"/>`.repeat(10);
  return `<g id="g${n + 1}">${below}</g>`;
});
const BOMB = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><defs><rect id="g0" width="9" height="9"/>${levels.join('')}</defs><use href="#g9"/></svg>`;

test('an SVG file is shown, and one that takes forever to paint does not block the window [safety 24]', async ({
  sharedApp,
}) => {
  test.setTimeout(120_000);
  const folder = makeFolder('project');
  writeFileSync(
    join(folder, 'fine.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="red"/></svg>',
  );
  writeFileSync(join(folder, 'bomb.svg'), BOMB);
  giveToApp(folder);
  const { page } = sharedApp;
  const tree = await openProject(sharedApp, folder);
  const open = async (name: string) => {
    await tree.getByRole('treeitem', { name: new RegExp(name) }).click();
    return page.getByRole('region', { name: join(folder, name) });
  };
  const bomb = await open('bomb.svg');
  await expect(bomb).toBeVisible();
  // The window responds while the file is being painted.
  const field = page.getByRole('button', { name: 'New file' });
  await field.click();
  const name = page.getByRole('textbox', { name: 'New file name' });
  await name.fill('still here');
  await expect(name).toHaveValue('still here');
  await name.fill('');
  await name.press('Escape');
  await expect(bomb.getByText('This image takes too long to draw.')).toBeVisible({ timeout: 40_000 });
  const fine = await open('fine.svg');
  await expect(fine.getByText('90 × 60')).toBeVisible({ timeout: 40_000 });
  await fine.getByRole('button', { name: 'Zoom in' }).click();
  await expect(fine.getByText('125%')).toBeVisible();
});
