import { expect } from 'vitest';
import type { Suite } from './suite.contract';

/** An edit that replaces one place: the file, what is replaced and by what, and the file afterwards. */
const EDITS: Record<string, [text: string, from: string, to: string, after: string]> = {
  'replaces a text that is there once': [
    'Hello world\nGoodbye world',
    'Goodbye',
    'Farewell',
    'Hello world\nFarewell world',
  ],
  'replaces text over several lines': [
    'Line 1\nLine 2\nLine 3',
    'Line 1\nLine 2',
    'Combined',
    'Combined\nLine 3',
  ],
  'deletes what is replaced by nothing': [
    'Keep\nDelete this\nKeep too',
    'Delete this\n',
    '',
    'Keep\nKeep too',
  ],
  'takes the same text for a change': ['Same text', 'Same text', 'Same text', 'Same text'],
  'replaces unicode': ['Hello 👋 world\n世界 is beautiful', '👋', '🌍', 'Hello 🌍 world\n世界 is beautiful'],
  'replaces spaces alone': ['Line1    Line2', '    ', ' ', 'Line1 Line2'],
  'replaces very long text': [
    `Start\n${'x'.repeat(1_000)}\nEnd`,
    'x'.repeat(1_000),
    'y'.repeat(1_000),
    `Start\n${'y'.repeat(1_000)}\nEnd`,
  ],
  'keeps the other line breaks': [
    'Line 1\nLine 2\nLine 3\n',
    'Line 2',
    'Changed',
    'Line 1\nChanged\nLine 3\n',
  ],
  'replaces a part of a line': [
    'The quick brown fox jumps',
    'brown fox',
    'red cat',
    'The quick red cat jumps',
  ],
};

export function editCases({ it, sandbox, at, shell }: Suite): void {
  const printed = async (name: string) => (await sandbox().execute(`cat ${shell(name)}`)).output;
  const fileName = (title: string) => `ed-${title.replaceAll(' ', '-')}.txt`;

  for (const [title, [text, from, to, after]] of Object.entries(EDITS))
    it(title, async () => {
      const name = fileName(title);
      await sandbox().write(at(name), text);
      const { error, occurrences } = await sandbox().edit(at(name), from, to);
      expect([error, occurrences]).toEqual([undefined, 1]);
      expect((await printed(name)).trimEnd()).toBe(after.trimEnd());
    });

  it('refuses a text that is there more than once', async () => {
    await sandbox().write(at('ed-multiple.txt'), 'apple\nbanana\napple');
    const { error } = await sandbox().edit(at('ed-multiple.txt'), 'apple', 'pear', false);
    expect(error?.toLowerCase()).toMatch(/multiple|\d+ times|more than once/);
    expect((await printed('ed-multiple.txt')).trim()).toBe('apple\nbanana\napple');
  });

  it('replaces all of them on request', async () => {
    await sandbox().write(at('ed-all.txt'), 'apple\nbanana\napple\norange\napple');
    const { error, occurrences } = await sandbox().edit(at('ed-all.txt'), 'apple', 'pear', true);
    expect([error, occurrences]).toEqual([undefined, 3]);
    expect((await printed('ed-all.txt')).trim()).toBe('pear\nbanana\npear\norange\npear');
  });

  it('says that a text is not there', async () => {
    await sandbox().write(at('ed-not-there.txt'), 'Hello world');
    const { error } = await sandbox().edit(at('ed-not-there.txt'), 'missing', 'x');
    expect(error?.toLowerCase()).toContain('not found');
  });

  it('says that a file is missing', async () => {
    const { error } = await sandbox().edit(at('ed-no-such-file.txt'), 'old', 'new');
    expect(error?.toLowerCase()).toContain('not found');
  });

  it('takes every character literally', async () => {
    await sandbox().write(at('ed-special.txt'), 'Price: $100.00\nPattern: [a-z]*');
    expect((await sandbox().edit(at('ed-special.txt'), '$100.00', '$&200.00')).error).toBeUndefined();
    expect((await sandbox().edit(at('ed-special.txt'), '[a-z]*', '[0-9]+')).error).toBeUndefined();
    expect((await printed('ed-special.txt')).trim()).toBe('Price: $&200.00\nPattern: [0-9]+');
  });
}

export function listCases({ it, sandbox, at, shell }: Suite): void {
  const filled = async (folder: string, ...names: string[]) => {
    for (const name of names) await sandbox().write(`${at(folder)}/${name}`, 'content');
  };
  /** The entries of a folder by their names in it. */
  const names = async (folder: string) => {
    const { files = [], error } = await sandbox().ls(at(folder));
    expect(error).toBeUndefined();
    return files.map(({ path }) => path.replace(/\/$/, '').slice(at(folder).length + 1)).sort();
  };

  it('returns absolute paths', async () => {
    await filled('li-absolute', 'file.txt');
    const { files = [] } = await sandbox().ls(at('li-absolute'));
    expect(files.map(({ path }) => path)).toEqual([at('li-absolute/file.txt')]);
  });

  it('tells files and folders apart', async () => {
    await filled('li-basic', 'one.txt', 'two.txt');
    await sandbox().execute(`mkdir -p ${shell('li-basic/sub')}`);
    const { files = [] } = await sandbox().ls(at('li-basic'));
    const kinds = files.map(({ path, is_dir }) => [path.replace(/\/$/, ''), is_dir ?? false]).sort();
    expect(kinds).toEqual([
      [at('li-basic/one.txt'), false],
      [at('li-basic/sub'), true],
      [at('li-basic/two.txt'), false],
    ]);
  });

  it('is empty for an empty folder', async () => {
    await sandbox().execute(`mkdir -p ${shell('li-empty')}`);
    expect(await names('li-empty')).toEqual([]);
  });

  it('has no files for a folder that is missing', async () => {
    const { files = [] } = await sandbox().ls(at('li-no-such-folder-12345'));
    expect(files).toEqual([]);
  });

  it('has names with a leading dot', async () => {
    await filled('li-hidden', '.hidden', 'visible.txt');
    expect(await names('li-hidden')).toEqual(['.hidden', 'visible.txt']);
  });

  it('takes spaces in names', async () => {
    await filled('li-spaces', 'a file.txt');
    await sandbox().execute(`mkdir -p ${shell('li-spaces/a folder')}`);
    expect(await names('li-spaces')).toEqual(['a file.txt', 'a folder']);
  });

  it('takes unicode in names', async () => {
    await filled('li-unicode', '测试文件.txt', 'файл.txt');
    expect(await names('li-unicode')).toEqual(['файл.txt', '测试文件.txt']);
  });

  it('lists many files', async () => {
    const folder = shell('li-many');
    await sandbox().execute(
      `mkdir -p ${folder} && cd ${folder} && for i in $(seq 100 149); do echo content > "file_$i.txt"; done`,
    );
    const all = await names('li-many');
    expect([all.length, all[0], all[49]]).toEqual([50, 'file_100.txt', 'file_149.txt']);
  });

  it('takes a slash at the end', async () => {
    await filled('li-slash', 'file.txt');
    const { files = [] } = await sandbox().ls(`${at('li-slash')}/`);
    expect(files.map(({ path }) => path)).toEqual([at('li-slash/file.txt')]);
  });

  it('takes special characters in names', async () => {
    await filled('li-special', 'file(1).txt', 'file-3.txt');
    expect(await names('li-special')).toEqual(['file(1).txt', 'file-3.txt']);
  });
}

export function grepCases({ it, sandbox, at, shell }: Suite): void {
  const filled = async (folder: string, files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) await sandbox().write(`${at(folder)}/${name}`, text);
  };
  /** The matches as `file:line:text`. */
  const found = async (folder: string, pattern: string, glob?: string) => {
    const { matches = [], error } = await sandbox().grep(pattern, at(folder), glob);
    expect(error).toBeUndefined();
    return matches
      .map(({ path, line, text }) => `${path.slice(at(folder).length + 1)}:${line}:${text.trim()}`)
      .sort();
  };

  it('finds a text in all files', async () => {
    await filled('gr-basic', { 'a.txt': 'Hello world\nBye', 'b.txt': 'Hello there\nBye' });
    expect(await found('gr-basic', 'Hello')).toEqual(['a.txt:1:Hello world', 'b.txt:1:Hello there']);
  });

  it('searches only files of a glob', async () => {
    await filled('gr-glob', { 'a.txt': 'needle', 'a.py': 'needle', 'a.md': 'needle' });
    expect(await found('gr-glob', 'needle', '*.py')).toEqual(['a.py:1:needle']);
  });

  it('finds nothing', async () => {
    await filled('gr-none', { 'a.txt': 'Hello' });
    expect(await found('gr-none', 'no such text')).toEqual([]);
  });

  it('finds all lines of a file', async () => {
    await filled('gr-lines', { 'a.txt': 'apple\nbanana\napple\norange\napple' });
    expect(await found('gr-lines', 'apple')).toEqual(['a.txt:1:apple', 'a.txt:3:apple', 'a.txt:5:apple']);
  });

  it('takes a pattern for text, not for an expression', async () => {
    await filled('gr-literal', { 'a.txt': 'a.c\nabc' });
    expect(await found('gr-literal', 'a.c')).toEqual(['a.txt:1:a.c']);
  });

  it('finds unicode', async () => {
    await filled('gr-unicode', { 'a.txt': 'Hello 世界\nПривет' });
    expect(await found('gr-unicode', '世界')).toEqual(['a.txt:1:Hello 世界']);
  });

  it('tells upper and lower case apart', async () => {
    await filled('gr-case', { 'a.txt': 'Hello\nhello\nHELLO' });
    expect(await found('gr-case', 'Hello')).toEqual(['a.txt:1:Hello']);
  });

  it('takes special characters literally', async () => {
    await filled('gr-special', { 'a.txt': 'Price: $100\nPattern: [a-z]*' });
    expect(await found('gr-special', '$100')).toEqual(['a.txt:1:Price: $100']);
    expect(await found('gr-special', '[a-z]*')).toEqual(['a.txt:2:Pattern: [a-z]*']);
  });

  it('finds nothing in an empty folder', async () => {
    await sandbox().execute(`mkdir -p ${shell('gr-empty')}`);
    expect(await found('gr-empty', 'anything')).toEqual([]);
  });

  it('searches folders below', async () => {
    await filled('gr-nested', { 'a.txt': 'needle', 'b/c.txt': 'needle', 'b/d/e.txt': 'needle' });
    expect(await found('gr-nested', 'needle')).toEqual([
      'a.txt:1:needle',
      'b/c.txt:1:needle',
      'b/d/e.txt:1:needle',
    ]);
  });

  it('has the number of the line', async () => {
    const text = Array.from({ length: 100 }, (_, index) => `Line ${index + 1}`).join('\n');
    await filled('gr-number', { 'a.txt': text });
    expect(await found('gr-number', 'Line 50')).toEqual(['a.txt:50:Line 50']);
  });
}

/** Files, a pattern, and the files that it finds. */
const GLOBS: Record<string, [files: string[], pattern: string, found: string[]]> = {
  'finds files by a wildcard': [['a.txt', 'b.txt', 'c.py'], '*.txt', ['a.txt', 'b.txt']],
  'finds files below': [['a.txt', 'b/c.txt', 'd/e.txt'], '**/*.txt', ['a.txt', 'b/c.txt', 'd/e.txt']],
  'finds nothing': [['a.txt'], '*.py', []],
  'finds files of one extension': [['a.py', 'a.txt', 'a.md'], '*.py', ['a.py']],
  'finds names with a leading dot': [['.one', '.two', 'visible.txt'], '.*', ['.one', '.two']],
  'takes a class of characters': [
    ['f1.txt', 'f2.txt', 'f3.txt', 'fA.txt'],
    'f[1-2].txt',
    ['f1.txt', 'f2.txt'],
  ],
  'takes ? for one character': [['f1.txt', 'f2.txt', 'f10.txt'], 'f?.txt', ['f1.txt', 'f2.txt']],
  'finds a name deep below': [['a/b/c/d/deep.txt', 'a/b/other.txt'], '**/deep.txt', ['a/b/c/d/deep.txt']],
};

export function globCases({ it, sandbox, at, shell }: Suite): void {
  /** Found files, by their paths in the folder: some packages return those, others the whole paths. */
  const found = async (folder: string, pattern: string, isDirectory = false) => {
    const { files = [], error } = await sandbox().glob(pattern, at(folder));
    expect(error).toBeUndefined();
    return files
      .filter(({ is_dir }) => (is_dir ?? false) === isDirectory)
      .map(({ path }) => (path.startsWith(`${at(folder)}/`) ? path.slice(at(folder).length + 1) : path))
      .sort();
  };
  const filled = async (folder: string, names: readonly string[]) => {
    for (const name of names) await sandbox().write(`${at(folder)}/${name}`, 'content');
  };

  for (const [title, [names, pattern, wanted]] of Object.entries(GLOBS))
    it(title, async () => {
      const folder = `gl-${title.replaceAll(/\W/g, '-')}`;
      await filled(folder, names);
      expect(await found(folder, pattern)).toEqual(wanted);
    });

  it('finds files beside folders, and marks a folder if it lists it', async () => {
    await filled('gl-folders', ['file.txt']);
    await sandbox().execute(`mkdir -p ${shell('gl-folders/one')} ${shell('gl-folders/two')}`);
    expect(await found('gl-folders', '*')).toEqual(['file.txt']);
    expect([[], ['one', 'two']]).toContainEqual(
      (await found('gl-folders', '*', true)).map((name) => name.replace(/\/$/, '')),
    );
  });

  it('finds each of several extensions', async () => {
    await filled('gl-several', ['a.txt', 'a.py', 'a.md', 'a.js']);
    expect(await found('gl-several', '*.txt')).toEqual(['a.txt']);
    expect(await found('gl-several', '*.py')).toEqual(['a.py']);
  });
}
