import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, TestRunner } from 'vitest';
import { Engine } from './engine';
import type { StepResult } from './protocol';
import { kept, kinds, temporary, WAIT, withoutPlaceFor } from './testing/kept-folder';

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
    writeFileSync(at('d\xe4/\\xff'), 'changed');
    expect(await undo(await look(), 's')).toEqual([{ path: 'd\\xe4/\\x5cxff', outcome: 'done' }]);
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

  it('reports what changed in a file before an ignore file hides it', async () => {
    const folder = await kept({ 'd/a.txt': 'one' });
    folder.run('echo two > d/a.txt; echo d > .gitignore');
    const changes = await folder.look();
    expect(kinds(changes)).toEqual({ '.gitignore': 'absent file', 'd/a.txt': 'file file' });
    await folder.undo(changes);
    expect(folder.tree()).toMatchObject({ 'd/a.txt': '644 one' });
  });

  it.skipIf(process.platform === 'win32')('restores a file that became a pipe', async () => {
    const folder = await kept({ 'a.txt': 'one' });
    folder.run('rm a.txt; mkfifo a.txt');
    const changes = await folder.look();
    expect(kinds(changes)).toEqual({ 'a.txt': 'file absent' });
    expect(await folder.undo(changes)).toEqual([{ path: 'a.txt', outcome: 'done' }]);
    expect(folder.tree()).toEqual({ 'a.txt': '644 one' });
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
