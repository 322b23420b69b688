import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, TestRunner } from 'vitest';
import { type FileState, UNREACHABLE } from '../contract/changes';
import { Engine } from './engine';
import type { StepResult } from './protocol';
import { asUser, kept, kinds, temporary, treeOf, WAIT } from './testing/kept-folder';

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

it('moves a file back whose content is not kept, once, and never over another file', async () => {
  const folder = await kept({ a: Buffer.alloc(6e6) });
  folder.run('mkdir d; mv a d/b');
  const changes = await folder.look();
  const at = (path: string) => changes.find((change) => change.path === path);
  const [old, now] = [at('a')?.before, at('d/b')?.after];
  if (old === undefined || now === undefined) throw new Error('The move was not seen.');
  const move = { path: 'a', from: 'd/b', before: { type: 'absent' } as const, after: old };
  const again = async () =>
    (await folder.engine.apply(folder.root, 'r', [move])).map(({ outcome }) => outcome);
  folder.write('a', 'somebody else');
  expect(await again()).toEqual(['changed']);
  expect([readFileSync(join(folder.root, 'a'), 'utf8'), statSync(join(folder.root, 'd/b')).size]).toEqual([
    'somebody else',
    6e6,
  ]);
  rmSync(join(folder.root, 'a'));
  expect(await again()).toEqual(['done']);
  expect(readdirSync(join(folder.root, 'd'))).toEqual([]);
  // As after a kill.
  expect(await again()).toEqual(['already']);
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

  it.skipIf(process.platform === 'win32')('opens and closes folders that nobody may enter', async () => {
    const folder = await kept({ 'd/e/a.txt': 'one', 'd/e/b.txt': 'one' });
    const before = folder.tree();
    folder.run('echo two > d/e/a.txt; chmod 500 d/e');
    const changes = await folder.look();
    folder.run('chmod 000 d');
    const undone = await asUser(folder, async () => {
      const closed = await folder.look();
      // Nothing says that what is in it is gone.
      expect(kinds(closed)).toEqual({ d: 'dir dir' });
      const [known, unknown] = await folder.engine.states(folder.root, ['d/e/b.txt', 'd/e/c.txt']);
      expect([known?.type, unknown]).toEqual(['file', UNREACHABLE]);
      const opened = await folder.undo([...changes, ...closed]);
      const undone = await folder.look();
      // Also if what is in it cannot be checked afterwards.
      await folder.undo(undone, 'again');
      return [opened, await folder.undo([...changes, ...closed], 'last')];
    });
    const done = ['d/e', 'd/e/a.txt', 'd'].map((path) => ({ path, outcome: 'done' }));
    expect(undone).toEqual([done, done]);
    expect(folder.tree()).toEqual(before);
  });

  it.skipIf(process.platform === 'win32')('says that a new folder stays that nobody may enter', async () => {
    const folder = await kept({ 'a.txt': 'a' });
    folder.run('mkdir d; echo x > d/x; chmod 000 d');
    const undone = await asUser(folder, async () => folder.undo(await folder.look()));
    expect(undone).toEqual([{ path: 'd', outcome: 'failed', detail: 'EACCES' }]);
    expect(folder.tree()).toMatchObject({ d: '0', 'd/x': '644 x\n' });
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
