import { expect } from 'vitest';
import type { Suite } from './suite.contract';

const encode = (text: string) => new TextEncoder().encode(text);
const rows = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `Row_${index + from}_content`).join('\n');

export function transferCases({ it, sandbox, at, shell }: Suite): void {
  const printed = async (name: string) => (await sandbox().execute(`cat ${shell(name)}`)).output.trim();

  it('uploads a file', async () => {
    const path = at('upload.txt');
    expect(await sandbox().uploadFiles?.([[path, encode('Hello')]])).toEqual([{ path, error: null }]);
    expect(await printed('upload.txt')).toBe('Hello');
  });

  it('downloads a file', async () => {
    await sandbox().uploadFiles?.([[at('download.txt'), encode('Content')]]);
    const [file] = (await sandbox().downloadFiles?.([at('download.txt')])) ?? [];
    expect([file?.error, file?.content]).toEqual([null, encode('Content')]);
  });

  it('says that a file to download is missing', async () => {
    const path = at('no-such-file-12345.txt');
    expect(await sandbox().downloadFiles?.([path])).toEqual([
      { path, content: null, error: 'file_not_found' },
    ]);
  });

  it('reads what was uploaded', async () => {
    await sandbox().uploadFiles?.([[at('uploaded.txt'), encode('Uploaded content')]]);
    expect((await sandbox().read(at('uploaded.txt'))).content).toContain('Uploaded content');
  });

  it('writes what commands read', async () => {
    await sandbox().write(at('written.txt'), 'Written');
    expect(await printed('written.txt')).toBe('Written');
  });

  it('edits what commands read', async () => {
    await sandbox().write(at('edited.txt'), 'Hello World');
    await sandbox().edit(at('edited.txt'), 'Hello World', 'Hello Edited World');
    expect(await printed('edited.txt')).toBe('Hello Edited World');
  });

  it('uploads several files at once', async () => {
    const names = ['several-1.txt', 'several-2.txt', 'several-3.txt'];
    const answers = await sandbox().uploadFiles?.(names.map((name) => [at(name), encode(`of ${name}`)]));
    expect(answers?.map(({ error }) => error)).toEqual([null, null, null]);
    for (const name of names) expect(await printed(name)).toBe(`of ${name}`);
  });
}

const TEXTS = {
  'special characters': 'Special: $VAR, `command`, $(subshell)\nTab\there\nBackslash: \\',
  unicode: 'Hello 👋 世界 مرحبا Привет 🌍\nWith é and 🎉',
};

export function writeCases({ it, sandbox, at, shell }: Suite): void {
  const ran = async (command: string) => (await sandbox().execute(command)).output;
  /** Writes the file, and returns what a command sees. */
  const written = async (name: string, text: string) => {
    expect((await sandbox().write(at(name), text)).error).toBeUndefined();
    return (await ran(`cat ${shell(name)}`)).trim();
  };

  it('writes a new file, and says where', async () => {
    const text = 'Hello, sandbox!\nLine 2\nLine 3';
    expect(await sandbox().write(at('wt-new.txt'), text)).toMatchObject({ path: at('wt-new.txt') });
    expect((await ran(`cat ${shell('wt-new.txt')}`)).trim()).toBe(text);
  });

  it('makes the folders above it', async () => {
    expect(await written('wt-parents/deep/nested/dir/file.txt', 'Nested')).toBe('Nested');
  });

  it('replaces a file', async () => {
    await written('wt-twice.txt', 'First');
    expect(await written('wt-twice.txt', 'Second')).toBe('Second');
  });

  for (const [what, text] of Object.entries(TEXTS))
    it(`keeps ${what}`, async () => {
      expect(await written(`wt-${what.split(' ')[0]}.txt`, text)).toBe(text);
    });

  it('writes an empty file', async () => {
    expect((await sandbox().write(at('wt-empty.txt'), '')).error).toBeUndefined();
    expect((await ran(`wc -c < ${shell('wt-empty.txt')}`)).trim()).toBe('0');
  });

  it('takes spaces in a path', async () => {
    expect(await written('wt-spaces/a folder/a file.txt', 'Spaces')).toBe('Spaces');
  });

  it('takes several slashes for one', async () => {
    const result = await sandbox().write(`${at('wt-slashes')}//sub///file.txt`, 'Content');
    expect(result.error).toBeUndefined();
    expect((await ran(`cat ${shell('wt-slashes/sub/file.txt')}`)).trim()).toBe('Content');
  });

  it('writes a thousand lines', async () => {
    await written('wt-long.txt', `${rows(1_000)}\n`);
    expect((await ran(`wc -l < ${shell('wt-long.txt')}`)).trim()).toBe('1000');
  });

  it('writes line breaks alone', async () => {
    await written('wt-breaks.txt', '\n\n\n\n\n');
    expect((await ran(`wc -l < ${shell('wt-breaks.txt')}`)).trim()).toBe('5');
  });
}

export function readCases({ it, sandbox, at }: Suite): void {
  const read = async (name: string, text: string, ...page: [offset?: number, limit?: number]) => {
    await sandbox().write(at(name), text);
    return sandbox().read(at(name), ...page);
  };
  /** The rows that a page shows. */
  const shown = ({ content = '' }: { content?: string | Uint8Array }) =>
    [...String(content).matchAll(/Row_(\d+)_content/g)].map(([, number]) => Number(number));
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  it('reads all lines', async () => {
    const page = await read('rd-basic.txt', rows(3));
    expect([page.error, shown(page)]).toEqual([undefined, [1, 2, 3]]);
  });

  it('says that a file is missing', async () => {
    expect((await sandbox().read(at('rd-no-such-file.txt'))).error?.toLowerCase()).toContain('not found');
  });

  it('reads an empty file', async () => {
    expect((await read('rd-empty.txt', '')).error).toBeUndefined();
  });

  it('skips lines', async () => {
    expect(shown(await read('rd-offset.txt', rows(10), 5))).toEqual([6, 7, 8, 9, 10]);
  });

  it('stops after some lines', async () => {
    expect(shown(await read('rd-limit.txt', rows(100), 0, 5))).toEqual([1, 2, 3, 4, 5]);
  });

  it('skips and stops', async () => {
    expect(shown(await read('rd-both.txt', rows(20), 10, 5))).toEqual([11, 12, 13, 14, 15]);
  });

  it('reads unicode', async () => {
    const { content } = await read('rd-unicode.txt', TEXTS.unicode);
    for (const part of ['👋', '世界', 'Привет', 'مرحبا']) expect(content).toContain(part);
  });

  it('reads a file with a very long line', async () => {
    const page = await read('rd-long-line.txt', `Short line\n${'x'.repeat(3_000)}\nAnother`);
    expect([page.error, String(page.content).includes('Short line')]).toEqual([undefined, true]);
  });

  it('reads nothing for no lines', async () => {
    expect(shown(await read('rd-none.txt', rows(3), 0, 0))).toEqual([]);
  });

  it('reads nothing past the end', async () => {
    expect(shown(await read('rd-past.txt', rows(3), 100, 10))).toEqual([]);
  });

  it('reads nothing at the end', async () => {
    expect(shown(await read('rd-end.txt', rows(5), 5, 10))).toEqual([]);
  });

  it('reads a large file in parts', async () => {
    await read('rd-parts.txt', rows(1_000));
    for (const from of [0, 500, 900])
      expect(shown(await sandbox().read(at('rd-parts.txt'), from, 100))).toEqual(range(from + 1, from + 100));
  });
}
