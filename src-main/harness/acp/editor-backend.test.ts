import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LocalShellBackend } from '../backends/shell/local-shell';
import { withEditorFiles } from './editor-backend';
import type { EditorFiles } from './host';

let folder: string;
/** Unsaved texts of the editor, by path on this machine. */
let buffers: Map<string, string>;
/** Paths that the editor was asked to write. */
let written: string[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'editor-')));
  buffers = new Map();
  written = [];
});

/** The file was changed long ago, so that the editor knows of it. */
function onDisk(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  utimesSync(path, 1_000, 1_000);
  return path;
}

const disk = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Shows what is on the disk unless it holds other text, and saves what it is told to write. */
const editor: EditorFiles = {
  readText: async (path) => {
    const buffer = buffers.get(path);
    if (buffer !== undefined) return buffer;
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  },
  writeText: async (path, text) => {
    written.push(path);
    buffers.delete(path);
    writeFileSync(path, text);
  },
};

const backend = (files: EditorFiles = editor) =>
  withEditorFiles(new LocalShellBackend({ rootDir: folder, inheritEnv: true }), {
    files,
    hostPath: (path) => join(folder, path),
  });

describe('a file with unsaved changes in the editor', () => {
  beforeEach(() => void buffers.set(onDisk('a.txt', 'saved\n'), 'one\ntwo\nthree\n'));

  it('is read as the editor shows it, by page, with a note', async () => {
    expect(await backend().read('/a.txt', 1, 1)).toMatchObject({
      content: 'two',
      totalLines: 3,
      nextOffset: 2,
      note: expect.stringContaining('not saved'),
    });
    expect((await backend().readRaw('/a.txt')).data?.content).toBe('one\ntwo\nthree\n');
    expect(await backend().read('/a.txt', 9)).toMatchObject({ kind: 'invalid' });
  });

  it('is edited in the editor, so that the unsaved changes stay', async () => {
    expect(await backend().edit('/a.txt', 'two', 'TWO')).toMatchObject({ path: '/a.txt', occurrences: 1 });
    expect(disk('a.txt')).toBe('one\nTWO\nthree\n');
    expect(written).toEqual([join(folder, 'a.txt')]);
    expect(await backend().edit('/a.txt', 'saved', 'x')).toMatchObject({ kind: 'invalid' });
  });

  it('is deleted on the disk in the version that the editor shows', async () => {
    const { version: expectedVersion = '' } = await backend().read('/a.txt');
    buffers.set(join(folder, 'a.txt'), 'typed on\n');
    expect((await backend().delete('/a.txt', { expectedVersion })).kind).toBe('stale');
    expect(disk('a.txt')).toBe('saved\n');
    const { version: now = '' } = await backend().read('/a.txt');
    expect(await backend().delete('/a.txt', { expectedVersion: now })).toMatchObject({ path: '/a.txt' });
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  });

  it('is stale once the person types on', async () => {
    const { version } = await backend().read('/a.txt');
    expect(version).toBeDefined();
    buffers.set(join(folder, 'a.txt'), 'typed\n');
    const options = version === undefined ? {} : { expectedVersion: version };
    expect(await backend().write('/a.txt', 'new\n', options)).toMatchObject({ kind: 'stale' });
    expect(disk('a.txt')).toBe('saved\n');
  });

  it('is left alone if the editor takes no changes', async () => {
    const readOnly: EditorFiles = { readText: editor.readText };
    expect(await backend(readOnly).write('/a.txt', 'new')).toMatchObject({ kind: 'conflict' });
    const refusing: EditorFiles = { ...editor, writeText: () => Promise.reject(new Error('Read-only.')) };
    expect((await backend(refusing).edit('/a.txt', 'two', '2')).error).toContain('Read-only.');
    expect(disk('a.txt')).toBe('saved\n');
  });
});

describe('a saved file', () => {
  it('has the version of the disk, before and after a change in the editor', async () => {
    onDisk('a.txt', 'one\r\ntwo\r\n');
    const plain = new LocalShellBackend({ rootDir: folder });
    const { version } = await plain.read('/a.txt');
    expect(await backend().read('/a.txt')).toMatchObject({ content: 'one\ntwo', version });
    const options = version === undefined ? {} : { expectedVersion: version };
    const done = await backend().write('/a.txt', 'new\nlines\n', options);
    expect(disk('a.txt')).toBe('new\r\nlines\r\n');
    expect(done.version).toBe((await plain.read('/a.txt')).version);
  });

  it('is changed on the disk if the editor refuses', async () => {
    onDisk('a.txt', 'one\n');
    const refusing: EditorFiles = { ...editor, writeText: () => Promise.reject(new Error('Not mine.')) };
    expect(await backend(refusing).edit('/a.txt', 'one', 'two')).toMatchObject({ occurrences: 1 });
    expect(disk('a.txt')).toBe('two\n');
  });

  it('is read from the disk while the editor has not noticed a change there', async () => {
    const path = join(folder, 'a.txt');
    writeFileSync(path, 'from a command\n');
    // A busy machine does not make this change an old one.
    utimesSync(path, Date.now() / 1_000 + 3_600, Date.now() / 1_000 + 3_600);
    let asked = 0;
    const slow: EditorFiles = {
      ...editor,
      readText: async () => {
        asked += 1;
        return asked < 3 ? 'old\n' : 'from a command\n';
      },
    };
    expect(await backend(slow).read('/a.txt')).toMatchObject({ content: 'from a command' });
    expect(asked).toBe(3);
  });
});

it('leaves new files, other encodings, links, and commands to the backend', async () => {
  expect(await backend().write('/new/b.txt', 'b')).toMatchObject({ path: '/new/b.txt' });
  onDisk('latin.txt', Buffer.from('caf\xe9 cr\xe8me\n', 'latin1'));
  await backend().edit('/latin.txt', 'café', 'thé');
  expect(readFileSync(join(folder, 'latin.txt'), 'latin1')).toBe('th\xe9 cr\xe8me\n');
  const outside = join(realpathSync(mkdtempSync(join(tmpdir(), 'outside-'))), 'c.txt');
  writeFileSync(outside, 'theirs');
  symlinkSync(outside, join(folder, 'link.txt'));
  expect((await backend().write('/link.txt', 'mine')).error).toBeDefined();
  expect(readFileSync(outside, 'utf8')).toBe('theirs');
  expect(written).toEqual([]);
  expect((await backend().execute('echo hi')).output).toBe('hi\n');
});

it('creates nothing over a file that exists only in the editor', async () => {
  buffers.set(join(folder, 'draft.txt'), 'unsaved');
  expect(await backend().write('/draft.txt', 'x', { createOnly: true })).toMatchObject({ kind: 'conflict' });
  expect(await backend().read('/draft.txt')).toMatchObject({ content: 'unsaved' });
});
