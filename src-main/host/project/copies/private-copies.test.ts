import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Project, ThreadSummary } from '../../../contract/app';
import type { Input, Output } from '../../../contract/commands';
import { setDocumentWorker } from '../../../harness/agent/media/documents';
import { builtDocumentWorker } from '../../../harness/agent/media/testing/document-worker';
import { docxOf } from '../../../harness/agent/media/testing/files';
import { setUp, startHost, temp } from '../../testing/window';

beforeAll(async () => setDocumentWorker(await builtDocumentWorker()), 60_000);

type Files = Record<string, string>;

function write(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

const TEN = Array.from({ length: 10 }, (_, at) => `line ${at}\n`).join('');

/** A project with files, and private copies of it. */
async function withFiles(files: Files) {
  const t = await setUp();
  write(t.folder, files);
  const copy = async (options: { ignored?: boolean } = {}) => {
    const made: Output<'copies.make'> = await t.window.must('copies.make', {
      projectId: t.projectId,
      ignored: options.ignored ?? true,
    });
    const { project } = made;
    const thread: ThreadSummary = await t.window.must('thread.create', { projectId: project.id });
    const ids = { projectId: project.id, threadId: thread.id };
    return {
      project,
      ...ids,
      folder: project.folder,
      read: (path: string) => readFileSync(join(project.folder, path), 'utf8'),
      changes: (): Promise<Output<'copies.changes'>> =>
        t.window.must('copies.changes', { projectId: project.id }),
      file: (path: string): Promise<Output<'copies.file'>> =>
        t.window.must('copies.file', { projectId: project.id, path }),
      bringIn: (choice: Omit<Input<'copies.bringIn'>, 'projectId' | 'threadId'> = {}) =>
        t.window.must('copies.bringIn', { ...ids, ...choice }) as Promise<Output<'copies.bringIn'>>,
      undo: (callId: string | null): Promise<Output<'copies.undo'>> =>
        t.window.must('copies.undo', { ...ids, callId, force: false }),
      throwAway: (force = false): Promise<Output<'copies.throwAway'>> =>
        t.window.must('copies.throwAway', { projectId: project.id, force }),
    };
  };
  return { ...t, copy, read: (path: string) => readFileSync(join(t.folder, path), 'utf8') };
}

const states = ({ files }: Output<'copies.changes'>) =>
  Object.fromEntries(files.map(({ path, state, change }) => [path, `${change} ${state}`]));

describe('a private copy', () => {
  it('is a project of its own with the mode of the folder, at its own path', async () => {
    const t = await withFiles({ 'a.txt': 'a' });
    await t.window.must('project.setMode', { projectId: t.projectId, mode: 'ask-all' });
    const copy = await t.copy();
    expect(copy.project).toMatchObject({ mode: 'ask-all', copy: { of: t.projectId, ignored: true } });
    expect(copy.folder.startsWith(t.dataDir)).toBe(true);
    write(copy.folder, { 'a.txt': 'changed' });
    expect(t.read('a.txt')).toBe('a');
  });

  it('brings several copies into one folder, each with its own changes', async () => {
    const t = await withFiles({ 'a.txt': TEN, 'b.txt': 'b\n' });
    const [one, two] = [await t.copy(), await t.copy()];
    write(one.folder, { 'a.txt': TEN.replace('line 1\n', 'one\n'), 'one.txt': '1' });
    write(two.folder, { 'a.txt': TEN.replace('line 8\n', 'eight\n') });
    rmSync(join(two.folder, 'b.txt'));
    expect(states(await one.changes())).toEqual({ 'a.txt': 'changed take', 'one.txt': 'added take' });
    expect(await one.bringIn()).toMatchObject({ brought: ['a.txt', 'one.txt'], left: [] });
    expect(states(await two.changes())).toEqual({ 'a.txt': 'changed merge', 'b.txt': 'removed take' });
    expect(await two.bringIn()).toMatchObject({ brought: ['a.txt', 'b.txt'], left: [] });
    expect(t.read('a.txt')).toBe(TEN.replace('line 1\n', 'one\n').replace('line 8\n', 'eight\n'));
    expect(readdirSync(t.folder).sort()).toEqual(['a.txt', 'one.txt']);
    expect([await one.changes(), await two.changes()]).toEqual([
      { files: [], more: 0 },
      { files: [], more: 0 },
    ]);
  });

  it('is compared with its folder at the new place after that was moved', async () => {
    const t = await withFiles({ 'a.txt': TEN });
    const one = await t.copy();
    writeFileSync(join(one.folder, 'a.txt'), `${TEN}one\n`);
    expect(states(await one.changes())).toEqual({ 'a.txt': 'changed take' });
    const moved = join(temp('moved'), 'folder');
    renameSync(t.folder, moved);
    expect(await t.host.projects.reattach(t.projectId, moved)).toMatchObject({ ok: true });
    expect(states(await one.changes())).toEqual({ 'a.txt': 'changed take' });
    expect(await one.bringIn()).toMatchObject({ brought: ['a.txt'], left: [] });
    expect(readFileSync(join(moved, 'a.txt'), 'utf8')).toBe(`${TEN}one\n`);
    expect(await one.changes()).toMatchObject({ files: [] });
  });

  it('leaves a conflict until it is resolved, and merges the rest of the file', async () => {
    const t = await withFiles({ 'a.txt': TEN });
    const copy = await t.copy();
    write(copy.folder, { 'a.txt': TEN.replace('line 1\n', 'copy\n').replace('line 8\n', 'eight\n') });
    write(t.folder, { 'a.txt': TEN.replace('line 1\n', 'folder\n') });
    expect(await copy.bringIn()).toEqual({
      brought: [],
      left: [{ path: 'a.txt', reason: 'conflict' }],
      callId: null,
    });
    const { conflicts, digest, hunks } = await copy.file('a.txt');
    expect(conflicts).toEqual([{ line: 2, base: 'line 1\n', folder: 'folder\n', copy: 'copy\n' }]);
    // What comes in whatever is chosen is shown too.
    expect(hunks.flatMap(({ lines }) => lines.filter((line) => !line.startsWith(' ')))).toEqual([
      '-line 8',
      '+eight',
    ]);
    const brought = await copy.bringIn({ parts: { 'a.txt': { digest, sides: ['both'] } } });
    expect(brought.brought).toEqual(['a.txt']);
    expect(t.read('a.txt')).toBe(TEN.replace('line 1\n', 'folder\ncopy\n').replace('line 8\n', 'eight\n'));
  });

  it("resolves a conflict of a whole file for either side, and doesn't ask again", async () => {
    const t = await withFiles({ 'a.bin': '\0a', 'b.bin': '\0b' });
    const copy = await t.copy();
    write(copy.folder, { 'a.bin': '\0copy', 'b.bin': '\0copy' });
    write(t.folder, { 'a.bin': '\0folder', 'b.bin': '\0folder' });
    const [a, b] = [await copy.file('a.bin'), await copy.file('b.bin')];
    expect([a.kind, b.conflicts]).toEqual(['binary', []]);
    await copy.bringIn({
      parts: {
        'a.bin': { digest: a.digest, sides: ['folder'] },
        'b.bin': { digest: b.digest, sides: ['copy'] },
      },
    });
    expect([t.read('a.bin'), t.read('b.bin')]).toEqual(['\0folder', '\0copy']);
    expect((await copy.changes()).files).toEqual([]);
  });

  it('compares office documents by their text', async () => {
    const t = await withFiles({ 'a.txt': 'a' });
    writeFileSync(join(t.folder, 'offer.docx'), docxOf(['Offer', 'May']));
    const copy = await t.copy();
    writeFileSync(join(copy.folder, 'offer.docx'), docxOf(['Offer', 'June']));
    const { kind, hunks } = await copy.file('offer.docx');
    expect([kind, hunks.map(({ lines }) => lines)]).toEqual(['document', [[' Offer', '-May', '+June']]]);
  });

  it('brings in chosen files and chosen parts of a file; the rest stays a difference', async () => {
    const t = await withFiles({ 'a.txt': TEN, 'b.txt': 'b' });
    const copy = await t.copy();
    write(copy.folder, {
      'a.txt': TEN.replace('line 0\n', 'zero\n').replace('line 9\n', 'nine\n'),
      'b.txt': 'B',
      'new/deep/n.txt': 'n',
    });
    const { hunks, digest } = await copy.file('a.txt');
    expect(hunks).toHaveLength(2);
    const brought = await copy.bringIn({
      paths: ['a.txt', 'new/deep/n.txt'],
      parts: { 'a.txt': { digest, hunks: [1] } },
    });
    expect(brought.brought).toEqual(['a.txt', 'new/deep/n.txt']);
    expect(t.read('a.txt')).toBe(TEN.replace('line 9\n', 'nine\n'));
    expect(t.read('b.txt')).toBe('b');
    expect(states(await copy.changes())).toEqual({ 'a.txt': 'changed take', 'b.txt': 'changed take' });
    expect(await copy.bringIn()).toMatchObject({ brought: ['a.txt', 'b.txt'], left: [] });
    expect(t.read('a.txt')).toBe(copy.read('a.txt'));
  });

  it('refuses parts of a file that has changed since it was shown', async () => {
    const t = await withFiles({ 'a.txt': TEN });
    const copy = await t.copy();
    write(copy.folder, { 'a.txt': `${TEN}more\n` });
    const { digest } = await copy.file('a.txt');
    write(t.folder, { 'a.txt': `start\n${TEN}` });
    const { projectId, threadId } = copy;
    const refused = await t.window.client.call('copies.bringIn', {
      projectId,
      threadId,
      parts: { 'a.txt': { digest, hunks: [0] } },
    });
    expect(refused).toMatchObject({ ok: false, error: { kind: 'stale' } });
    expect(t.read('a.txt')).toBe(`start\n${TEN}`);
  });

  it('brings in modes, links, empty folders and removed folders', async () => {
    const t = await withFiles({ 'run.sh': 'x', 'old/a.txt': 'a', 'old/b/c.txt': 'c', 'kept/a.txt': 'a' });
    const copy = await t.copy();
    chmodSync(join(copy.folder, 'run.sh'), 0o755);
    symlinkSync('run.sh', join(copy.folder, 'link'));
    mkdirSync(join(copy.folder, 'empty'));
    rmSync(join(copy.folder, 'old'), { recursive: true });
    rmSync(join(copy.folder, 'kept'), { recursive: true });
    write(t.folder, { 'kept/mine.txt': 'mine' });
    const { left } = await copy.bringIn();
    expect(left).toEqual([]);
    expect(lstatSync(join(t.folder, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(t.folder, 'link')).isSymbolicLink()).toBe(true);
    expect(readdirSync(t.folder).sort()).toEqual(['empty', 'kept', 'link', 'run.sh']);
    expect(readdirSync(join(t.folder, 'kept'))).toEqual(['mine.txt']);
  });

  it('says that a folder stays that keeps something new, and replaces none by a file or link', async () => {
    const t = await withFiles({ 'gone/x': 'x', 'file/x': 'x', 'link/x': 'x', 'free/x': 'x' });
    const copy = await t.copy();
    for (const name of ['gone', 'file', 'link', 'free']) rmSync(join(copy.folder, name), { recursive: true });
    writeFileSync(join(copy.folder, 'file'), 'a file');
    symlinkSync('file', join(copy.folder, 'link'));
    write(t.folder, { 'gone/new': 'n', 'file/new': 'n', 'link/new': 'n' });

    const first = await copy.bringIn();
    expect(first.brought).toEqual(['file/x', 'free/x', 'gone/x', 'link/x']);
    expect(first.left.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'file', reason: 'conflict' },
      { path: 'link', reason: 'conflict' },
    ]);
    expect((await copy.bringIn()).left.map(({ path }) => path).toSorted()).toEqual(['file', 'gone', 'link']);
    expect(['gone', 'file', 'link'].map((name) => readdirSync(join(t.folder, name)))).toEqual([
      ['new'],
      ['new'],
      ['new'],
    ]);
    expect(existsSync(join(t.folder, 'free'))).toBe(false);

    for (const name of ['gone', 'file', 'link']) rmSync(join(t.folder, name, 'new'));
    expect(await copy.bringIn()).toMatchObject({ brought: ['file', 'gone', 'link'], left: [] });
    expect(readFileSync(join(t.folder, 'file'), 'utf8')).toBe('a file');
  });

  it('brings in a folder in place of a link that leads outside, and writes nothing there', async () => {
    const t = await withFiles({ 'a.txt': 'a' });
    const outside = temp('outside');
    write(outside, { 'o.txt': 'outside' });
    symlinkSync(outside, join(t.folder, 'link'));
    const copy = await t.copy();
    rmSync(join(copy.folder, 'link'));
    write(copy.folder, { 'link/o.txt': 'inside' });
    expect(await copy.bringIn()).toMatchObject({ brought: ['link', 'link/o.txt'], left: [] });
    expect([t.read('link/o.txt'), readFileSync(join(outside, 'o.txt'), 'utf8')]).toEqual([
      'inside',
      'outside',
    ]);
  });

  it('undoes a bring-in: the changes are in the copy only again', async () => {
    const t = await withFiles({ 'a.txt': 'a\n', 'gone.txt': 'g' });
    const copy = await t.copy();
    write(copy.folder, { 'a.txt': 'b\n', 'n.txt': 'n' });
    rmSync(join(copy.folder, 'gone.txt'));
    const { callId } = await copy.bringIn();
    expect(existsSync(join(t.folder, 'gone.txt'))).toBe(false);
    expect(await copy.undo(callId)).toEqual({ done: true, files: 3 });
    expect(readdirSync(t.folder).sort()).toEqual(['a.txt', 'gone.txt']);
    expect(t.read('a.txt')).toBe('a\n');
    expect(Object.keys(states(await copy.changes()))).toEqual(['a.txt', 'gone.txt', 'n.txt']);
  });

  it('leaves ignored files and the repository in the copy', async () => {
    const t = await withFiles({ '.gitignore': 'out\n', 'out/x': '1', '.git/HEAD': 'ref: refs/heads/main' });
    const copy = await t.copy();
    expect(copy.read('out/x')).toBe('1');
    write(copy.folder, { 'out/x': '2', '.git/HEAD': 'other', 'node_modules/m/index.js': 'm' });
    expect((await copy.changes()).files).toEqual([]);
  });

  it('is thrown away immediately without changes, and after a question with changes', async () => {
    const t = await withFiles({ 'a.txt': 'a' });
    const [same, other] = [await t.copy(), await t.copy()];
    write(other.folder, { 'a.txt': 'b' });
    expect(await same.throwAway()).toEqual({ status: 'done' });
    expect(existsSync(same.folder)).toBe(false);
    expect(await other.throwAway()).toEqual({ status: 'asks', files: 1 });
    expect(existsSync(other.folder)).toBe(true);
    expect(await other.throwAway(true)).toEqual({ status: 'done' });
    expect(readdirSync(join(t.dataDir, 'private-copies'))).toEqual([]);
    const project = t.host.projects.get(other.projectId);
    expect(project).toMatchObject({ ok: true, value: { missing: true, copy: { gone: true } } });
    expect(t.read('a.txt')).toBe('a');
  });

  it('is removed from the list and restored with its folder', async () => {
    const t = await withFiles({ 'a.txt': 'a' });
    const copy = await t.copy();
    const listed = () => t.host.storage.projects.list().map(({ id }): string => id);
    await t.window.must('project.remove', { projectId: t.projectId });
    expect(listed()).toEqual([]);
    await t.window.must('project.restore', { projectId: t.projectId });
    expect(listed().sort()).toEqual([t.projectId, copy.projectId].sort());
    expect(copy.read('a.txt')).toBe('a');
  });

  it('comes back when its folder is opened again, unless it was removed on its own', async () => {
    const t = await withFiles({ 'a.txt': 'a' });
    const [kept, removed] = [await t.copy(), await t.copy()];
    const listed = () => t.host.storage.projects.list().map(({ id }): string => id);
    await t.window.must('project.remove', { projectId: removed.projectId });
    const removedBy = Date.now();
    // What is removed within one millisecond comes back together.
    await expect.poll(() => Date.now()).toBeGreaterThan(removedBy);
    const expected = [t.projectId, kept.projectId].sort();
    for (const again of [
      () => t.host.projects.open(t.folder),
      () => t.window.must('project.restore', { projectId: t.projectId }),
    ]) {
      await t.window.must('project.remove', { projectId: t.projectId });
      expect(listed()).toEqual([]);
      await again();
      expect(listed().sort()).toEqual(expected);
    }
    await t.window.must('project.restore', { projectId: removed.projectId });
    expect(listed()).toHaveLength(3);
  });

  it('applies the rules of the folder', async () => {
    const t = await withFiles({ 'a.txt': 'a' });
    const copy = await t.copy();
    const rule = {
      id: 'r1',
      effect: 'allow',
      scope: { kind: 'project', projectId: t.projectId },
      match: { kind: 'host', host: 'example.com' },
      createdAt: 1,
    };
    t.host.storage.rules.save(rule as never);
    const applying = t.host.storage.rules.applying(copy.projectId, copy.threadId);
    expect(applying.map(({ id }) => id)).toEqual(['r1']);
  });
});

describe('private copies after a restart', () => {
  it('are kept with their changes; incomplete ones and those without a thread are removed', async () => {
    const t = await withFiles({ 'a.txt': 'a\n' });
    const copy = await t.copy();
    write(copy.folder, { 'a.txt': 'b\n' });
    const store = join(t.dataDir, 'private-copies');
    const alone: Output<'copies.make'> = await t.window.must('copies.make', {
      projectId: t.projectId,
      ignored: true,
    });
    write(store, { 'f5b8d9a0-0000-4000-8000-000000000000/folder/half.txt': 'half' });
    await t.host.close();
    const again = await startHost(t.dataDir);
    // Closing waits for what was started.
    await again.close();
    expect(readdirSync(store)).toEqual([copy.projectId]);
    expect(copy.read('a.txt')).toBe('b\n');
    const third = await startHost(t.dataDir);
    const listed = third.storage.projects.list().map(({ id }) => id);
    expect(listed).not.toContain(alone.project.id);
    expect(listed).toContain(copy.projectId);
    await third.close();
  });
});

describe('making a private copy', () => {
  it('refuses a folder that contains the data folder, and a copy of a copy', async () => {
    const t = await withFiles({ 'a.txt': 'a' });
    const copy = await t.copy();
    const outer: { value?: Project } = (await t.host.projects.open(dirname(t.dataDir))) as never;
    const make = (projectId: string | undefined) =>
      t.window.client.call('copies.make', { projectId: projectId as never, ignored: true });
    expect(await make(outer.value?.id)).toMatchObject({ ok: false, error: { kind: 'unsupported' } });
    expect(await make(copy.projectId)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  it('leaves nothing behind when it is stopped', async () => {
    const t = await withFiles(Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`f${at}`, 'x'])));
    const stop = new AbortController();
    const { projectId } = t;
    const making = t.window.client.call('copies.make', { projectId, ignored: true }, stop.signal);
    stop.abort();
    expect(await making).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    // Closing waits until it is cleaned up.
    await t.host.close();
    expect(readdirSync(join(t.dataDir, 'private-copies'))).toEqual([]);
  });

  it('announces what a copy contains', async () => {
    const t = await withFiles({ 'a.txt': 'four', '.gitignore': 'dist\n', 'dist/x': 'xx' });
    const amounts: Output<'copies.measure'> = await t.window.must('copies.measure', {
      projectId: t.projectId,
    });
    expect(amounts).toMatchObject({ own: { files: 2, bytes: 9 }, ignored: { files: 1, bytes: 2 } });
    expect(['clone', 'copy']).toContain(amounts.method);
  });
});
