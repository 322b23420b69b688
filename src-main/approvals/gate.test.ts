import { chmodSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanups } from '../base/testing/cleanups';
import { because } from '../contract/shared/reasons';
import { withCode } from '../contract/testing/with-code';
import { FilesystemBackend } from '../harness/backends/filesystem';
import type { BackendProtocol } from '../harness/backends/protocol';
import { programFinder } from './bash/paths/programs';
import { createGate, digestOf, type Verdict } from './gate';

const places = { folder: '/home/me/project', memories: '/memories' };

function gateOver(files: Record<string, string>) {
  const missing = (path: string) => ({ error: `File '${path}' not found`, kind: 'not_found' as const });
  const backend: BackendProtocol = {
    ls: async (path) => {
      const below = Object.keys(files).filter((file) => file.startsWith(`${path}/`));
      return below.length === 0 ? missing(path) : { files: below.map((file) => ({ path: file })) };
    },
    read: async (path) =>
      path in files ? { content: files[path] ?? '', version: `v-${files[path]}` } : missing(path),
    readRaw: async (path) =>
      path in files
        ? { data: { content: files[path] ?? '', mimeType: 'text/plain', created_at: '', modified_at: '' } }
        : missing(path),
    grep: async () => ({ matches: [] }),
    glob: async () => ({ files: [] }),
    write: async (path) => ({ path }),
    edit: async (path) => ({ path }),
  };
  const gate = createGate({ places, backend, timeoutSeconds: 120 });
  return (tool: string, args: Record<string, unknown>, startedBefore = false) =>
    gate.judge({ callId: 'c', tool, args }, new AbortController().signal, { startedBefore });
}

/** A gate for a folder on the disk. */
function gateIn(folder: string) {
  const backend = new FilesystemBackend({ rootDir: folder, virtualMode: false });
  const shell = {
    folder,
    cwd: folder,
    home: '/home/me',
    dataDir: '/home/me/.x',
    ...programFinder('/usr/bin', folder),
  };
  const gate = createGate({ places: { folder, memories: '/memories' }, backend, timeoutSeconds: 9, shell });
  return {
    judge: (tool: string, args: Record<string, unknown>) =>
      gate.judge({ callId: 'c', tool, args }, new AbortController().signal),
  };
}

const short = (verdict: Verdict) => verdict.verdict;

describe('the gate', () => {
  it.each([
    ['ls', { path: '/' }, 'allow'],
    ['read_file', { file_path: '/home/me/project/a' }, 'allow'],
    ['grep', { pattern: 'x' }, 'allow'],
    ['write_todos', { todos: [] }, 'allow'],
    ['write_file', { file_path: '/memories/x.md', content: 'x' }, 'allow'],
    ['write_file', { file_path: '/scratch/x.md', content: 'x' }, 'allow'],
    ['write_file', { file_path: '/home/me/project/x', content: 'x' }, 'ask'],
    ['write_file', { file_path: '/home/me/project//./x', content: 'x' }, 'ask'],
    ['write_file', { file_path: 'home\\me\\project\\x', content: 'x' }, 'ask'],
    ['write_file', { file_path: '/HOME/me/Project/x', content: 'x' }, 'ask'],
    ['write_file', { file_path: '/memories/../home/me/project/x', content: 'x' }, 'deny'],
    ['write_file', { file_path: 7, content: 'x' }, 'deny'],
    ['delete', { file_path: '/home/me' }, 'ask'],
    ['delete', { file_path: '/' }, 'ask'],
    ['delete', { file_path: '/memories/x.md' }, 'allow'],
    ['delete', { file_path: '/memories' }, 'ask'],
    ['delete', { file_path: '/memories/notes' }, 'ask'],
    ['execute', { command: 'true' }, 'ask'],
    ['execute', { command: 'true', background: true }, 'ask'],
    ['list_jobs', {}, 'allow'],
    ['job_output', { job_id: 'j' }, 'allow'],
    ['stop_job', { job_id: 'j' }, 'allow'],
    ['launch_missiles', {}, 'ask'],
  ] as const)('judges %s %j: %s', async (tool, args, expected) => {
    expect(short(await gateOver({})(tool, args))).toBe(expected);
  });

  it('shows an edit as a diff of the real file, bound to its version', async () => {
    const verdict = await gateOver({ '/home/me/project/sum.js': 'one\ntwo\nthree\n' })('edit_file', {
      file_path: '/home/me/project/sum.js',
      old_string: 'two',
      new_string: '2',
    });
    expect(verdict).toMatchObject({
      verdict: 'ask',
      question: {
        fileVersion: 'v-one\ntwo\nthree\n',
        preview: {
          kind: 'diff',
          isNew: false,
          added: 1,
          removed: 1,
          hunks: [
            { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' one', '-two', '+2', ' three'] },
          ],
        },
      },
    });
  });

  it('binds the question about a new file to its absence', async () => {
    const verdict = await gateOver({})('write_file', { file_path: '/home/me/project/new', content: 'x' });
    expect(verdict).toMatchObject({
      verdict: 'ask',
      question: { fileVersion: null, preview: { kind: 'diff', isNew: true } },
    });
  });

  it('does not ask about an edit that would fail, and gives the reason [desktop 4]', async () => {
    const verdict = await gateOver({ '/home/me/project/a': 'x x' })('edit_file', {
      file_path: '/home/me/project/a',
      old_string: 'x',
      new_string: 'y',
    });
    expect(verdict).toEqual({
      verdict: 'deny',
      reason: [because('not_run', { tool: 'edit_file', why: because('text_found_often', { count: 2 }) })],
    });
  });

  it.skipIf(process.geteuid?.() === 0)(
    `does not ask about a change in a folder where nothing can be written${
      process.geteuid?.() === 0 ? ' (skipped: root may write everywhere)' : ''
    }`,
    async () => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gate-')));
      cleanups.push(() => chmodSync(folder, 0o755));
      writeFileSync(join(folder, 'a'), 'x');
      chmodSync(folder, 0o555);
      const { judge } = gateIn(folder);
      const why = because('folder_not_writable', { path: folder });
      const file_path = join(folder, 'a');
      for (const [tool, args] of [
        ['write_file', { file_path: join(folder, 'new/b'), content: 'y' }],
        ['edit_file', { file_path, old_string: 'x', new_string: 'y' }],
        ['delete', { file_path }],
      ] as const)
        expect(await judge(tool, args)).toEqual({
          verdict: 'deny',
          reason: [because('not_run', { tool, why })],
        });
    },
  );

  it('describes a job as unlimited unless it has a time limit', async () => {
    const judge = gateOver({});
    const limitOf = async (args: Record<string, unknown>) => {
      const verdict = await judge('execute', { command: 'serve', ...args });
      return verdict.verdict === 'ask' && verdict.question.preview.kind === 'command'
        ? verdict.question.preview.timeoutSeconds
        : verdict;
    };
    expect(await limitOf({ background: true })).toBe(null);
    expect(await limitOf({ background: true, timeout: 9 })).toBe(9);
    expect(await limitOf({})).toEqual(expect.any(Number));
    expect(await judge('execute', { command: 'serve', background: true })).toMatchObject({
      question: { reason: withCode('goes_on'), risk: 'medium' },
    });
  });

  it('shows a whole new file', async () => {
    const verdict = await gateOver({})('write_file', { file_path: '/home/me/project/n', content: 'a\nb\n' });
    expect(verdict).toMatchObject({
      question: { preview: { kind: 'diff', isNew: true, added: 2, removed: 0 } },
    });
  });

  it('counts the contents of a folder to be deleted', async () => {
    const verdict = await gateOver({ '/home/me/project/d/.a': '', '/home/me/project/d/b': '' })('delete', {
      file_path: '/home/me/project/d',
    });
    expect(verdict).toMatchObject({ question: { preview: { kind: 'delete', isDirectory: true, files: 2 } } });
  });

  it('shows the text of a file to be deleted, and binds the answer to it [desktop 3]', async () => {
    const path = '/home/me/project/a.txt';
    const ask = (text: string) => gateOver({ [path]: text })('delete', { file_path: path });
    const verdict = await ask('one\n');
    expect(verdict).toMatchObject({ question: { preview: { kind: 'delete', text: 'one\n' } } });
    const digests = await Promise.all(
      ['one\n', 'one\n', 'two\n'].map(async (text) => {
        const asked = await ask(text);
        return asked.verdict === 'ask' ? asked.question.digest : asked.verdict;
      }),
    );
    expect(digests[0]).toBe(digests[1]);
    expect(digests[0]).not.toBe(digests[2]);
    const long = await ask('x'.repeat(30_000));
    expect(long).toMatchObject({ question: { preview: { text: 'x'.repeat(20_000), cut: true } } });
  });

  it.each([
    ['a small file', 'a.txt', 10, true],
    ['a file of 5 MB', 'a.bin', 5_000_000, true],
    ['a file that is too large', 'a.bin', 5_000_001, false],
  ])(
    'describes what would be deleted and whether undo restores it: %s [desktop 3]',
    async (_n, name, size, undo) => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-gate-')));
      try {
        writeFileSync(join(folder, name), Buffer.alloc(size, 120));
        const { judge } = gateIn(folder);
        const preview = { kind: 'delete', undo, touched: { kind: 'file', bytes: size, notInGit: 1 } };
        expect(await judge('delete', { file_path: join(folder, name) })).toMatchObject({
          question: { preview },
        });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  it('does not ask about deleting a missing file [desktop 4]', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-gate-')));
    try {
      symlinkSync('nowhere', join(folder, 'link'));
      const { judge } = gateIn(folder);
      expect(short(await judge('delete', { file_path: join(folder, 'none') }))).toBe('deny');
      // A broken link exists.
      expect(short(await judge('delete', { file_path: join(folder, 'link') }))).toBe('ask');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('asks even about memories if the call may already have taken effect', async () => {
    const judge = gateOver({});
    expect(short(await judge('write_file', { file_path: '/memories/x.md', content: 'x' }, true))).toBe('ask');
    expect(short(await judge('ls', { path: '/' }, true))).toBe('allow');
  });

  it('gives equal calls equal digests in any key order, and different calls different ones', () => {
    const call = { callId: 'c', tool: 'write_file', args: { a: 1, b: [{ c: 2, d: 3 }] } };
    const digest = digestOf(call, '/x', 'v1');
    expect(digestOf({ ...call, args: { b: [{ d: 3, c: 2 }], a: 1 } }, '/x', 'v1')).toBe(digest);
    expect(digestOf({ ...call, args: { a: 1, b: [{ c: 2, d: 4 }] } }, '/x', 'v1')).not.toBe(digest);
    expect(digestOf(call, '/y', 'v1')).not.toBe(digest);
    expect(digestOf(call, '/x', 'v2')).not.toBe(digest);
  });
});
