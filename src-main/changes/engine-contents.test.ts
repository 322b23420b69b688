import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, TestRunner } from 'vitest';
import type { FileState } from '../contract/changes';
import { Engine } from './engine';
import { FolderIndex } from './folder-index';
import { kept, temporary, WAIT, withoutPlaceFor } from './testing/kept-folder';

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
  it('are read again if a power failure took them before anything referred to them', async () => {
    const { root, store, engine } = await kept({ 'empty.txt': 'one\n', 'missing.txt': 'two\n' });
    await engine.close();
    const inStore = (text: string) => {
      const hash = createHash('sha256').update(text).digest('hex');
      return join(store, 'contents', hash.slice(0, 2), hash.slice(2));
    };
    truncateSync(inStore('one\n'));
    rmSync(inStore('two\n'));
    const again = new Engine({ store, budget: 1e9, persist: true });
    onTestFinished(() => again.close());
    expect(await again.scan(root, { waitMs: WAIT })).toEqual({ changes: [], ready: true });
    for (const name of ['empty.txt', 'missing.txt']) rmSync(join(root, name));
    const { changes } = await again.scan(root, {});
    const steps = changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
    const results = await again.apply(root, 'r', steps);
    expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    expect(readFileSync(join(root, 'missing.txt'), 'utf8')).toBe('two\n');
  });

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
