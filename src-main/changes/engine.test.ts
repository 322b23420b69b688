import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, TestRunner } from 'vitest';
import type { FileState } from '../contract/changes';
import { Engine } from './engine';
import { FolderIndex } from './folder-index';
import type { EngineOptions, PathChange, StepResult } from './protocol';

const WAIT = 60_000;

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-changes-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with files, and an engine that has read them. */
async function kept(files: Record<string, string | Buffer>, budget = 1e9, more: Partial<EngineOptions> = {}) {
  const [root, store] = [temporary(), temporary()];
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const engine = new Engine({ store, budget, persist: true, ...more });
  onTestFinished(() => engine.close());
  await engine.scan(root, { waitMs: WAIT });
  const look = async () => (await engine.scan(root, { waitMs: WAIT })).changes;
  const run = (command: string) => execFileSync('sh', ['-c', command], { cwd: root });
  /** Undoes the changes that a scan found. */
  const undo = (changes: PathChange[], id = 'r') =>
    engine.apply(
      root,
      id,
      changes.map(({ path, before, after }) => ({ path, before: after, after: before })),
    );
  return { root, store, engine, write, look, run, undo, tree: () => treeOf(root) };
}

/** Lets contents like this one not be kept, as on a full disk, until the returned function is called. */
function withoutPlaceFor(text: string, store: string): () => void {
  const place = join(store, 'contents', createHash('sha256').update(text).digest('hex').slice(0, 2));
  rmSync(place, { recursive: true, force: true });
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, '');
  return () => rmSync(place);
}

/** Starts the work without the rights of root, which may write everywhere. */
function asUser<T>({ root, store }: { root: string; store: string }, work: () => T): T {
  const [user, nobody] = [process.geteuid?.() ?? 1, 65_534];
  if (user !== 0) return work();
  for (const at of [root, store, tmpdir(), dirname(tmpdir())]) execFileSync('chmod', ['o+x', at]);
  execFileSync('chown', ['-R', String(nobody), root, store]);
  process.seteuid?.(nobody);
  try {
    return work();
  } finally {
    process.seteuid?.(user);
  }
}

/** Every path with its content, link target or nothing, and its mode. */
function treeOf(root: string, path = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(root, path)).sort()) {
    const inner = path === '' ? name : `${path}/${name}`;
    const stat = lstatSync(join(root, inner));
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) tree[inner] = `-> ${readlinkSync(join(root, inner))}`;
    else if (stat.isDirectory()) Object.assign(tree, { [inner]: mode }, treeOf(root, inner));
    else tree[inner] = `${mode} ${readFileSync(join(root, inner)).toString('latin1')}`;
  }
  return tree;
}

const kinds = (changes: PathChange[]) =>
  Object.fromEntries(changes.map(({ path, before, after }) => [path, `${before.type} ${after.type}`]));

describe('finding and undoing the changes of a command', () => {
  it.skipIf(process.platform !== 'linux')('handles names that are not UTF-8 [safety 31]', async () => {
    const { root, engine, look, undo } = await kept({ 'a.txt': 'a' });
    const at = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
    mkdirSync(at('d\xe4'));
    writeFileSync(at('d\xe4/\xfe'), 'one');
    writeFileSync(at('d\xe4/\xff'), 'two');
    writeFileSync(at('d\xe4/\\xff'), 'three');
    symlinkSync(Buffer.from([0xfe]), at('d\xe4/link\xf0'));
    const made = await look();
    expect(made.map(({ path }) => path).sort()).toEqual(
      ['d\\xe4', 'd\\xe4/\\xfe', 'd\\xe4/\\xff', 'd\\xe4/\\x5cxff', 'd\\xe4/link\\xf0'].sort(),
    );
    writeFileSync(at('d\xe4/\xfe'), 'changed');
    rmSync(at('d\xe4/\xff'));
    rmSync(at('d\xe4/link\xf0'));
    const changed = await look();
    expect(changed.map(({ path }) => path).sort()).toEqual(
      ['d\\xe4/\\xfe', 'd\\xe4/\\xff', 'd\\xe4/link\\xf0'].sort(),
    );
    const after = (await undo(changed)).map(({ outcome }) => outcome);
    expect(after).toEqual(['done', 'done', 'done']);
    expect([readFileSync(at('d\xe4/\xfe'), 'utf8'), readFileSync(at('d\xe4/\xff'), 'utf8')]).toEqual([
      'one',
      'two',
    ]);
    expect(readlinkSync(at('d\xe4/link\xf0'), 'buffer')).toEqual(Buffer.from([0xfe]));
    await look();
    expect((await undo(made, 'q')).map(({ outcome }) => outcome)).toEqual(made.map(() => 'done'));
    expect(readdirSync(root)).toEqual(['a.txt']);
    expect((await engine.states(root, ['d\\xe4/\\xfe']))[0]).toEqual({ type: 'absent' });
  });

  it.each([
    ['rm -r src', 'rm -r src'],
    ['sed -i', "sed -i 's/one/two/' src/a.txt src/deep/b.txt"],
    ['an overwritten file of the same length', 'printf ONE > src/a.txt'],
    ['a folder renamed', 'mv src lib'],
    // Some disks have only one name for both.
    ['a file renamed to another case', 'mv src/a.txt new && mv new src/A.txt'],
    ['a folder replaced by another', 'rm -r src && mkdir -p src/deep && echo new > src/deep/b.txt'],
    ['a folder that became a file', 'rm -r src && echo file > src'],
    ['a file that became a folder', 'rm run.sh && mkdir run.sh && echo x > run.sh/inner'],
    ['modes', 'chmod 600 src/a.txt && chmod 700 run.sh && chmod 700 src'],
    ['links', 'ln -sfn /nowhere link && ln -s src/a.txt other'],
    ['a link put in place of a folder', 'rm -r src && ln -s /tmp src'],
    ['binary files', "printf '\\000\\001\\377' > picture.bin"],
    ['new files in new folders', 'mkdir -p x/y/z && echo 1 > x/y/z/f && echo 2 > x/g'],
    ['everything', 'rm -rf -- * .[!.]*'],
    ['odd names', "mkdir -p 'a b/é' && echo 1 > 'a b/é/\"q\" $x' && rm 'we ird'"],
  ])('%s', async (_name, command) => {
    const folder = await kept({
      'src/a.txt': 'one',
      'src/deep/b.txt': 'one\n',
      'run.sh': '#!/bin/sh\n',
      'picture.bin': Buffer.from([0, 255, 254, 1]),
      'we ird': '',
      '.hidden': 'h',
    });
    chmodSync(join(folder.root, 'run.sh'), 0o755);
    symlinkSync('src/a.txt', join(folder.root, 'link'));
    await folder.look();
    const before = folder.tree();
    folder.run(command);
    const after = folder.tree();
    const changes = await folder.look();
    expect(after).not.toEqual(before);
    const done = await folder.undo(changes);
    expect(done.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
    expect(folder.tree()).toEqual(before);
    // The undo is then undone too.
    const undone = await folder.look();
    await folder.undo(undone, 'again');
    expect(folder.tree()).toEqual(after);
  });

  it('a folder renamed to another case', async () => {
    const folder = await kept({ 'src/a.txt': 'one', 'src/deep/b.txt': 'one' });
    folder.run('mkdir empty');
    await folder.look();
    const before = folder.tree();
    folder.run('mv src new && mv new Src && echo new > Src/c.txt; mv empty new && mv new Empty');
    const after = folder.tree();
    const undone = await folder.undo(await folder.look());
    // On some disks, both names are the same, and renaming the folder does it.
    const isUndone = ({ outcome }: StepResult) => outcome === 'done' || outcome === 'already';
    expect(undone.every(isUndone)).toBe(true);
    expect(folder.tree()).toEqual(before);
    await folder.undo(await folder.look(), 'again');
    expect(folder.tree()).toEqual(after);
  });

  it('reports only what changed', async () => {
    const folder = await kept({ 'a.txt': '1', 'b.txt': '2', 'c/d.txt': '3' });
    folder.run('echo 9 > a.txt; rm b.txt; touch c/d.txt; echo new > c/e.txt');
    expect(kinds(await folder.look())).toEqual({
      'a.txt': 'file file',
      'b.txt': 'file absent',
      'c/e.txt': 'absent file',
    });
    expect(await folder.look()).toEqual([]);
  });

  it('finds more changes than the system can report', async () => {
    const folder = await kept({ 'a/seed': '' });
    // All have the same content: 9,000 different ones take long on a busy disk, and only the names matter here.
    folder.run('i=0; while [ $i -lt 9000 ]; do echo x > a/f$i; i=$((i+1)); done');
    expect(Object.keys(kinds(await folder.look()))).toHaveLength(9_000);
    folder.run('rm -r a');
    expect(Object.keys(kinds(await folder.look()))).toHaveLength(9_002);
  }, 60_000);

  it('skips git-ignored and generated files until a call names them', async () => {
    const folder = await kept({
      '.gitignore': 'dist/\n*.log\n!keep.log\n',
      'dist/x.js': '1',
      'a.log': '1',
      'keep.log': '1',
      'node_modules/m/index.js': '1',
      'sub/.gitignore': '/local\n',
      'sub/local': '1',
      'sub/local2': '1',
    });
    folder.run(
      'for f in dist/x.js a.log keep.log node_modules/m/index.js sub/local sub/local2; do echo 2 > $f; done',
    );
    expect(kinds(await folder.look())).toEqual({ 'keep.log': 'file file', 'sub/local2': 'file file' });
    await folder.engine.scan(folder.root, { named: ['dist', 'a.log'], claim: 'c' });
    folder.run('rm -r dist a.log');
    const named = await folder.engine.release(folder.root, 'c');
    expect(kinds(named)).toEqual({
      'a.log': 'file absent',
      dist: 'dir absent',
      'dist/x.js': 'file absent',
    });
    await folder.undo(named);
    expect(folder.tree()).toMatchObject({ 'dist/x.js': '644 2\n', 'a.log': '644 2\n' });
  });

  it('does not report files as changed when an ignore file changes', async () => {
    const folder = await kept({ 'a.txt': '1', 'b.tmp': '1' });
    folder.run("echo '*.tmp' > .gitignore");
    expect(kinds(await folder.look())).toEqual({ '.gitignore': 'absent file' });
    folder.run('rm .gitignore');
    expect(kinds(await folder.look())).toEqual({ '.gitignore': 'file absent' });
    folder.run('rm b.tmp');
    expect(kinds(await folder.look())).toEqual({ 'b.tmp': 'file absent' });
  });

  it('reports that files over five megabytes changed and that their earlier contents are lost', async () => {
    const folder = await kept({ big: Buffer.alloc(6 * 1024 * 1024), small: 's' });
    folder.run('echo x >> big');
    const changes = await folder.look();
    expect(kinds(changes)).toEqual({ big: 'file file' });
    expect(await folder.undo(changes)).toEqual([{ path: 'big', outcome: 'lost' }]);
  });

  it('follows no link out of the folder, neither when keeping nor when restoring', async () => {
    const outside = temporary();
    writeFileSync(join(outside, 'a.txt'), 'canary');
    const folder = await kept({ 'src/a.txt': 'one' });
    folder.run('echo two > src/a.txt');
    const changes = await folder.look();
    folder.run(`rm -r src && ln -s ${outside} src`);
    expect((await folder.undo(changes)).map(({ outcome }) => outcome)).toEqual(['changed']);
    expect(await folder.engine.states(folder.root, ['src/a.txt', '../a'])).toEqual([
      { type: 'absent' },
      { type: 'absent' },
    ]);
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('canary');
  });

  it('leaves files alone that changed again since', async () => {
    const folder = await kept({ 'a.txt': 'one', 'b.txt': 'one' });
    folder.run('echo two > a.txt; echo two > b.txt');
    const changes = await folder.look();
    folder.write('a.txt', 'mine');
    expect(await folder.undo(changes)).toEqual([
      { path: 'a.txt', outcome: 'changed' },
      { path: 'b.txt', outcome: 'done' },
    ]);
    expect(folder.tree()).toEqual({ 'a.txt': '644 mine', 'b.txt': '644 one' });
  });
});

describe('a file tool', () => {
  it('reports only its path and the folders it created', async () => {
    const folder = await kept({ 'a.txt': '1' });
    await folder.engine.scan(folder.root, { named: ['x/y/b.txt'], claim: 'w', exclusive: true });
    folder.write('x/y/b.txt', 'new');
    folder.write('a.txt', 'mine');
    expect(kinds(await folder.look())).toMatchObject({ 'a.txt': 'file file' });
    expect(kinds(await folder.engine.release(folder.root, 'w'))).toEqual({ 'x/y/b.txt': 'absent file' });
    expect(await folder.look()).toEqual([]);
    folder.run('echo later > x/y/c.txt');
    expect(kinds(await folder.look())).toEqual({ 'x/y/c.txt': 'absent file' });
  });
});

describe('after a restart', () => {
  it('finds changes made in between by comparing with the kept state', async () => {
    const folder = await kept({ 'a.txt': 'one', 'b/c.txt': 'two' });
    await folder.engine.close();
    folder.run('echo x > a.txt; rm -r b; echo n > d.txt');
    const again = new Engine({ store: folder.store, budget: 1e9, persist: true });
    onTestFinished(() => again.close());
    const { changes } = await again.scan(folder.root, { waitMs: WAIT });
    expect(kinds(changes)).toEqual({
      'a.txt': 'file file',
      b: 'dir absent',
      'b/c.txt': 'file absent',
      'd.txt': 'absent file',
    });
    const old = changes.find(({ path }) => path === 'b/c.txt');
    await again.apply(folder.root, 'r', [
      { path: 'b/c.txt', before: { type: 'absent' }, after: old?.before ?? { type: 'absent' } },
    ]);
    expect(folder.tree()['b/c.txt']).toBe('644 two');
  });

  it('reads a truncated index as far as it is intact and counts no file as new', async () => {
    const folder = await kept({ 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three' });
    await folder.engine.close();
    const [name = ''] = readdirSync(join(folder.store, 'folders'));
    const file = join(folder.store, 'folders', name);
    const whole = readFileSync(file);
    for (let length = 0; length < whole.length; length += 7) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      const again = new Engine({ store: folder.store, budget: 1e9, persist: true });
      const { changes } = await again.scan(folder.root, { waitMs: WAIT });
      expect(changes).toEqual([]);
      writeFileSync(join(folder.root, 'a.txt'), `next ${length}`);
      expect(kinds((await again.scan(folder.root, {})).changes)).toEqual({ 'a.txt': 'file file' });
      await again.close();
    }
  });
});

describe('on a full disk', () => {
  it('the first check goes on without the contents that it cannot keep', async () => {
    const [root, store] = [temporary(), temporary()];
    writeFileSync(join(root, 'a.txt'), 'new\n');
    writeFileSync(join(root, 'b.txt'), 'one');
    const engine = new Engine({ store, budget: 1e9, persist: true });
    onTestFinished(() => engine.close());
    await engine.usage();
    const release = withoutPlaceFor('new\n', store);
    expect(await engine.scan(root, { waitMs: WAIT })).toEqual({ changes: [], ready: true });
    release();
    rmSync(join(root, 'a.txt'));
    rmSync(join(root, 'b.txt'));
    const { changes } = await engine.scan(root, { waitMs: WAIT });
    expect(changes.map(({ path, before }) => [path, file(before) === null])).toEqual([
      ['a.txt', true],
      ['b.txt', false],
    ]);
  });

  it.runIf(process.platform === 'linux')('the index stays readable', () => {
    const place = temporary();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'none', place], { stdio: 'ignore' });
    } catch {
      return TestRunner.getCurrentTest()?.context.skip('Only root may mount a disk of its own.');
    }
    onTestFinished(() => void execFileSync('umount', ['--lazy', place]));
    const [index, filler] = [new FolderIndex(join(place, 'index')), join(place, 'filler')];
    writeFileSync(filler, Buffer.alloc(8 * 1024));
    const paths = Array.from({ length: 100 }, (_, i) => `${i}-${'x'.repeat(30)}`);
    for (const path of paths)
      index.set(path, {
        state: { type: 'dir', mode: 0o755 },
        mark: path,
        inode: '',
        racy: false,
        pending: false,
        extra: false,
      });
    expect(() => index.flush()).toThrow('ENOSPC');
    rmSync(filler);
    index.flush();
    expect([...new FolderIndex(join(place, 'index')).load().known.keys()]).toEqual(paths);
  });

  const file = (state: FileState) => (state.type === 'file' ? state.hash : null);
});

describe('contents', () => {
  const file = (state: FileState | undefined) => (state?.type === 'file' ? state.hash : null);

  it('are stored once, and a damaged one counts as lost', async () => {
    const text = 'same '.repeat(1_000);
    const folder = await kept({ 'a.txt': text, 'b.txt': text });
    const [a, b] = await folder.engine.states(folder.root, ['a.txt', 'b.txt']);
    expect(file(a)).toBe(file(b));
    expect((await folder.engine.usage()).bytes).toBeLessThan(500);
    const hash = file(a) ?? '';
    writeFileSync(join(folder.store, 'contents', hash.slice(0, 2), hash.slice(2)), 'junk');
    folder.run('rm a.txt');
    expect(await folder.undo(await folder.look())).toEqual([{ path: 'a.txt', outcome: 'lost' }]);
  });

  it('are stored again if the stored one is damaged', async () => {
    const folder = await kept({ 'a.txt': 'one' });
    const [one] = await folder.engine.states(folder.root, ['a.txt']);
    const hash = file(one) ?? '';
    // As a power failure leaves it.
    writeFileSync(join(folder.store, 'contents', hash.slice(0, 2), hash.slice(2)), '');
    folder.write('b.txt', 'one');
    await folder.look();
    folder.run('rm a.txt b.txt');
    const undone = await folder.undo(await folder.look());
    expect(undone.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  });

  it('are deleted oldest first when over budget, but never those of current files', async () => {
    const noise = (seed: number) =>
      Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * seed * 7919) % 251));
    const random = (seed: number) => Buffer.concat([Buffer.of(seed), noise(seed)]);
    const folder = await kept({ 'a.bin': random(1) }, 100_000);
    const rows: { id: number; hashes: string[] }[] = [];
    for (let round = 2; round <= 8; round += 1) {
      folder.write('a.bin', random(round));
      const [change] = await folder.look();
      rows.unshift({
        id: round,
        hashes: [file(change?.before), file(change?.after)].flatMap((h) => h ?? []),
      });
    }
    const { bytes } = await folder.engine.usage();
    const small = new Engine({ store: folder.store, budget: Math.round(bytes / 2), persist: false });
    onTestFinished(() => small.close());
    await small.scan(folder.root, { waitMs: WAIT });
    const through = await small.planSweep(rows);
    expect(through).toBeGreaterThan(2);
    expect(through).toBeLessThan(8);
    expect(await folder.engine.planSweep(rows)).toBe(null);
  });
});

describe('hunks', () => {
  it.each([
    [
      'at both ends and in the middle',
      '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n',
      '0\n1\n2\n3\n4\n5\n6\n7\nX\n9\n10\n11\n12\n13\n14\n',
    ],
    ['with Windows line ends', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'],
    ['without a final line end', 'a\nb', 'a\nb\n'],
    ['from nothing', '', 'a\nb\n'],
    ['to nothing', 'a\nb', ''],
    ['blank lines and markers', '\n\\ x\n+1\n-2\n', '\n\\ y\n+1\n\n-2\n'],
  ])('restore the original when undone one by one: %s', async (_name, old, now) => {
    const folder = await kept({ 'f.txt': old });
    const [before] = await folder.engine.states(folder.root, ['f.txt']);
    folder.write('f.txt', now);
    let [after] = await folder.engine.states(folder.root, ['f.txt']);
    if (before === undefined || after === undefined) throw new Error('no state');
    const { hunks, kind } = await folder.engine.diff(before, after, 1_000);
    expect(kind).toBe('text');
    for (let left = hunks.length; left > 0; left -= 1) {
      const next = await folder.engine.withoutHunk(before, after, left - 1);
      if (next === null) throw new Error('no such hunk');
      after = next;
    }
    expect(file(after)).toBe(file(before));
  });
  const file = (state: FileState) => (state.type === 'file' ? state.hash : null);
});

it('a revert that is called again after each of its files finishes the rest and repeats nothing', async () => {
  const folder = await kept({ 'a/1': 'x', 'a/2': 'x', 'a/b/3': 'x', c: 'x' });
  const before = folder.tree();
  folder.run('rm -r a; mkdir c.d; mv c c.d/c; echo new > n');
  const after = folder.tree();
  const changes = await folder.look();
  const steps = changes.map(({ path, before: to, after: from }) => ({ path, before: from, after: to }));
  for (let done = 0; done <= steps.length; done += 1) {
    await folder.engine.apply(folder.root, 'r', steps.slice(0, done));
    await folder.engine.apply(folder.root, 'r', steps);
    expect(folder.tree()).toEqual(before);
    await folder.engine.apply(folder.root, 'back', changes);
    expect(folder.tree()).toEqual(after);
  }
  renameSync(join(folder.root, 'n'), join(folder.root, 'm'));
});

it.each(['src/a.txt', 'src/new.txt'])(
  'leaves what is saved while an undo prepares its content: %s',
  async (path) => {
    const { root, write, look, run, undo, engine } = await kept({ 'src/a.txt': 'one', 'src/new.txt': 'two' });
    run('printf changed > src/a.txt; rm src/new.txt');
    const changes = await look();
    const { contents } = engine as unknown as { contents: { get(hash: string): Buffer | null } };
    const get = contents.get.bind(contents);
    contents.get = (hash) => {
      write(path, 'saved by the person');
      return get(hash);
    };
    const results = await undo(changes.filter((change) => change.path === path));
    expect(results).toEqual([{ path, outcome: 'changed' }]);
    expect(readFileSync(join(root, path), 'utf8')).toBe('saved by the person');
    expect(readdirSync(join(root, 'src')).filter((name) => name.endsWith('.deepdesk-undo'))).toEqual([]);
  },
);

describe('checks of every file', () => {
  /** Changes an ignore file, so that the next check compares every file. */
  const CHECK_ALL = 'echo "*.tmp" >> .gitignore';

  it('report the files of a folder that was moved', async () => {
    const folder = await kept({ 'src/a.txt': '1', 'src/deep/b.txt': '2' });
    await setTimeout(100);
    await folder.look();
    const before = folder.tree();
    folder.run(`mv src lib; ${CHECK_ALL}`);
    const changes = await folder.look();
    expect(kinds(changes)).toMatchObject({
      lib: 'absent dir',
      'lib/a.txt': 'absent file',
      'lib/deep': 'absent dir',
      'lib/deep/b.txt': 'absent file',
      'src/a.txt': 'file absent',
    });
    await folder.undo(changes);
    expect(folder.tree()).toEqual(before);
  });

  it('do not forget a folder with more files than are kept', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`d/${i}.txt`, 'x']));
    const folder = await kept(files, 1e9, { maxEntries: 20 });
    folder.run(CHECK_ALL);
    await folder.look();
    folder.run(CHECK_ALL);
    await folder.look();
    folder.run(`for f in d/*; do echo y > $f; done; ${CHECK_ALL}`);
    expect(Object.keys(kinds(await folder.look())).length).toBeGreaterThan(15);
  });

  it('report what an earlier check could not keep', async () => {
    const folder = await kept({ 'a.txt': '1', 'b.txt': '1' });
    folder.run('echo other > a.txt; echo new > b.txt; rm -f c; echo 1 > c.txt');
    const release = withoutPlaceFor('new\n', folder.store);
    await expect(folder.look()).rejects.toThrow();
    release();
    expect(kinds(await folder.look())).toEqual({
      'a.txt': 'file file',
      'b.txt': 'file file',
      'c.txt': 'absent file',
    });
  });
});

describe('a folder that goes away and comes back', () => {
  it('is not reported as emptied, and its files keep their earlier contents', async () => {
    const folder = await kept({ 'a.txt': 'one', 'd/b.txt': 'one' });
    await folder.engine.scan(folder.root, { named: ['a.txt'], claim: 'c', exclusive: true });
    renameSync(folder.root, `${folder.root}-aside`);
    await expect(folder.look()).rejects.toThrow('The folder is gone.');
    expect(await folder.engine.release(folder.root, 'c')).toEqual([]);
    renameSync(`${folder.root}-aside`, folder.root);
    expect(await folder.look()).toEqual([]);
    folder.run('echo two > a.txt; echo two > d/b.txt');
    const changes = await folder.look();
    expect(kinds(changes)).toEqual({ 'a.txt': 'file file', 'd/b.txt': 'file file' });
    await folder.undo(changes);
    expect(folder.tree()).toMatchObject({ 'a.txt': '644 one', 'd/b.txt': '644 one' });
  });

  it.runIf(process.platform === 'linux')('is checked again after its disk was unmounted', async () => {
    const [root, store, image] = [temporary(), temporary(), join(temporary(), 'disk')];
    const mount = () => execFileSync('mount', ['-o', 'loop', image, root], { stdio: 'ignore' });
    try {
      writeFileSync(image, '');
      truncateSync(image, 4 * 1024 * 1024);
      execFileSync('sh', ['-c', 'mke2fs -q "$0"', image], { stdio: 'ignore' });
      mount();
    } catch {
      return TestRunner.getCurrentTest()?.context.skip('Only root may mount a disk of its own.');
    }
    onTestFinished(() => void execFileSync('umount', ['--lazy', root]));
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a.txt'), 'one');
    const engine = new Engine({ store, budget: 1e9, persist: true });
    onTestFinished(() => engine.close());
    await engine.scan(root, { waitMs: WAIT });
    execFileSync('umount', [root]);
    mount();
    writeFileSync(join(root, 'd/a.txt'), 'while nobody watched');
    expect(kinds((await engine.scan(root, {})).changes)).toEqual({ 'd/a.txt': 'file file' });
    writeFileSync(join(root, 'd/a.txt'), 'later');
    expect(kinds((await engine.scan(root, {})).changes)).toEqual({ 'd/a.txt': 'file file' });
  });
});

describe('undo', () => {
  it('removes a file whose content is beyond the budget', async () => {
    const folder = await kept({ 'a.txt': 'x'.repeat(300) }, 1);
    folder.run('echo new > b.txt');
    expect(await folder.undo(await folder.look())).toEqual([{ path: 'b.txt', outcome: 'done' }]);
    expect(Object.keys(folder.tree())).toEqual(['a.txt']);
  });

  it('leaves a folder in place of a file whose content is damaged', async () => {
    const folder = await kept({ 'a.txt': 'text' });
    const [state] = await folder.engine.states(folder.root, ['a.txt']);
    const hash = state?.type === 'file' ? (state.hash ?? '') : '';
    folder.run('rm a.txt; mkdir a.txt');
    const changes = await folder.look();
    writeFileSync(join(folder.store, 'contents', hash.slice(0, 2), hash.slice(2)), '');
    expect(await folder.undo(changes)).toEqual([{ path: 'a.txt', outcome: 'lost' }]);
    expect(folder.tree()).toEqual({ 'a.txt': '755' });
  });

  it.skipIf(process.platform === 'win32')(
    'leaves no temporary file if a file cannot be written',
    async () => {
      const folder = await kept({ 'a.txt': 'one' });
      folder.run('echo two > a.txt; ln a.txt b.txt; chmod 444 a.txt');
      const changes = (await folder.look()).filter(({ path }) => path === 'a.txt');
      expect(await asUser(folder, () => folder.undo(changes))).toEqual([
        { path: 'a.txt', outcome: 'failed', detail: 'EACCES' },
      ]);
      expect(Object.keys(folder.tree())).toEqual(['a.txt', 'b.txt']);
    },
  );

  it.skipIf(process.geteuid?.() !== 0)(
    'keeps owner and group of a file (only root may change them)',
    async () => {
      const folder = await kept({ 'a.txt': 'one' });
      folder.run('chown 65534:65533 a.txt; echo two > a.txt; chmod 4644 a.txt');
      await folder.look();
      folder.run('echo three > a.txt; chmod 4644 a.txt');
      expect(await folder.undo(await folder.look())).toEqual([{ path: 'a.txt', outcome: 'done' }]);
      const { uid, gid, mode } = statSync(join(folder.root, 'a.txt'));
      expect([uid, gid, mode & 0o7777]).toEqual([65_534, 65_533, 0o4644]);
    },
  );

  it.runIf(process.platform === 'linux')('leaves a file with two names whole on a full disk', async () => {
    const root = temporary();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'none', root], { stdio: 'ignore' });
    } catch {
      return TestRunner.getCurrentTest()?.context.skip('Only root may mount a disk of its own.');
    }
    onTestFinished(() => void execFileSync('umount', ['--lazy', root]));
    const large = 'x'.repeat(48 * 1024);
    writeFileSync(join(root, 'a.txt'), large);
    const engine = new Engine({ store: temporary(), budget: 1e9, persist: true });
    onTestFinished(() => engine.close());
    await engine.scan(root, { waitMs: WAIT });
    execFileSync('sh', ['-c', 'echo small > a.txt; ln a.txt b.txt'], { cwd: root });
    const { changes } = await engine.scan(root, {});
    const steps = changes
      .filter(({ path }) => path === 'a.txt')
      .map(({ path, before, after }) => ({ path, before: after, after: before }));
    // Space for the new content once, not twice.
    writeFileSync(join(root, 'filler'), Buffer.alloc(64 * 1024));
    const failed = [{ path: 'a.txt', outcome: 'failed', detail: 'ENOSPC' }];
    expect(await engine.apply(root, 'r', steps)).toEqual(failed);
    expect(treeOf(root)).toMatchObject({ 'a.txt': '644 small\n', 'b.txt': '644 small\n' });
    expect(readdirSync(root).sort()).toEqual(['a.txt', 'b.txt', 'filler']);
    rmSync(join(root, 'filler'));
    expect(await engine.apply(root, 'r', steps)).toEqual([{ path: 'a.txt', outcome: 'done' }]);
    expect(treeOf(root)).toMatchObject({ 'a.txt': `644 ${large}`, 'b.txt': `644 ${large}` });
  });

  it.skipIf(process.platform === 'win32')('fills and empties folders that are read-only', async () => {
    const folder = await kept({ 'old/deep/a.txt': 'a' });
    folder.run('chmod 555 old old/deep');
    await folder.look();
    const before = folder.tree();
    folder.run(
      'chmod -R 755 old; rm -r old; mkdir -p new/deep; echo b > new/deep/b.txt; chmod 555 new new/deep',
    );
    const after = folder.tree();
    const changes = await folder.look();
    const isDone = ({ outcome }: StepResult) => outcome === 'done';
    expect((await asUser(folder, () => folder.undo(changes))).every(isDone)).toBe(true);
    expect(folder.tree()).toEqual(before);
    const undone = await folder.look();
    expect((await asUser(folder, () => folder.undo(undone, 'again'))).every(isDone)).toBe(true);
    expect(folder.tree()).toEqual(after);
  });

  it.skipIf(process.platform === 'win32')('changes what is in folders that stay read-only', async () => {
    const folder = await kept({ 'in/deep/a.txt': 'a', 'in/deep/b.txt': 'b' });
    folder.run('chmod 555 in in/deep');
    await folder.look();
    const before = folder.tree();
    folder.run(
      'chmod -R u+w in; rm in/deep/a.txt; echo b >> in/deep/b.txt; echo c > in/c; chmod 555 in in/deep',
    );
    const changes = await folder.look();
    const results = await asUser(folder, () => folder.undo(changes));
    expect(results.map(({ path, outcome }) => `${path} ${outcome}`).sort()).toEqual([
      'in/c done',
      'in/deep/a.txt done',
      'in/deep/b.txt done',
    ]);
    expect(folder.tree()).toEqual(before);
  });

  it.each([
    ['a folder without its mode', 'mkdir d', { type: 'absent' }, { type: 'dir', mode: 0o700 }],
    ['nothing in place of a folder', 'true', { type: 'dir', mode: 0o755 }, { type: 'link', target: 'x' }],
    ['nothing in place of a link', 'true', { type: 'link', target: 'x' }, { type: 'dir', mode: 0o755 }],
  ] as const)('finishes after a kill left %s', async (_what, left, before, after) => {
    const folder = await kept({ 'a.txt': 'a' });
    folder.run(left);
    expect(await folder.engine.apply(folder.root, 'r', [{ path: 'd', before, after }])).toEqual([
      { path: 'd', outcome: 'done' },
    ]);
    expect(await folder.engine.states(folder.root, ['d'])).toEqual([after]);
  });
});
