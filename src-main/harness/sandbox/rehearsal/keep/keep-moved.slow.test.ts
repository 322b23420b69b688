import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayBeNobody, noteOnNobody, removeTestFolder } from '../../testing/bubblewrap';
import { conflictsIn, type KeepResult, keep, type RecoveredKeep, readManifest, recoverKeeps } from '../index';
import { base, eachTestHas, FILES, folder, layers, mode, read } from '../testing/each-folder';
import { MUCH, note, rehearsed, stateOf, whyNoRehearsal, writeIn } from '../testing/place';
import { whyNoTmpfs } from '../testing/tmpfs';

eachTestHas(FILES);

/** Dates a layer before the last start of the machine. Returns the new hash of its manifest. */
function asBeforeRestart(at: string): string {
  const file = join(at, 'manifest.json');
  const { place, hash: _, ...stored } = JSON.parse(readFileSync(file, 'utf8'));
  const { layer, changes, git } = stored;
  const bare = { layer, folder: stored.folder, changes, git, boot: 'earlier' };
  const hash = createHash('sha256').update(JSON.stringify(bare)).digest('hex');
  writeFileSync(file, JSON.stringify({ ...bare, place, hash }));
  return hash;
}

describe.skipIf(whyNoRehearsal !== null)(`the files of a command that are kept${note}`, () => {
  it('moves files out of the layer where that gives what a copy would, and copies the others', async () => {
    writeIn(folder, { 'd.txt': 'd\n', 'e.txt': 'e\n' });
    const { manifest } = await rehearsed(
      base,
      'mkdir new; echo n > new/plain; echo x > new/one; ln new/one new/two; echo x > new/setuid; chmod 4755 new/setuid; mv c.txt new/renamed; echo 2 > d.txt; echo 2 > part; mv part e.txt',
    );
    const inodes = (at: string) =>
      ['new/plain', 'new/one', 'new/two', 'new/setuid', 'new/renamed', 'd.txt', 'e.txt'].map(
        (path) => lstatSync(join(at, path)).ino,
      );
    const inLayer = inodes(join(manifest.place, 'u'));
    expect((await keep(manifest)).conflicts).toEqual([]);
    const inFolder = inodes(folder);
    expect(inFolder.map((inode, index) => inode === inLayer[index])).toEqual([
      true,
      false,
      false,
      false,
      // The layer's file was copied from the folder, and has marks.
      false,
      false,
      true,
    ]);
    expect(new Set(inFolder).size).toBe(inFolder.length);
    const list =
      'import os,sys;print([n for d,_,fs in os.walk(".") for f in fs for n in os.listxattr(os.path.join(d,f))])';
    expect(execFileSync('python3', ['-c', list], { cwd: folder, encoding: 'utf8' })).toBe('[]\n');
    expect([read('new/one'), read('new/two'), read('new/renamed'), read('d.txt'), read('e.txt')]).toEqual([
      'x\n',
      'x\n',
      'c\n',
      '2\n',
      '2\n',
    ]);
    expect(mode('new/setuid')).toBe(0o755);
  });

  it.skipIf(!mayBeNobody)(`gives a new file the group that its folder gives${noteOnNobody}`, async () => {
    chownSync(folder, 0, 65534);
    chmodSync(folder, 0o2775);
    const { manifest } = await rehearsed(base, 'echo n > made');
    expect((await keep(manifest)).conflicts).toEqual([]);
    expect(lstatSync(join(folder, 'made')).gid).toBe(65534);
  });

  it.skipIf(whyNoTmpfs !== null)(
    `copies where the layer is on another disk${whyNoTmpfs === null ? '' : ` (skipped: ${whyNoTmpfs})`}`,
    async () => {
      const disk = realpathSync(mkdtempSync('/dev/shm/deepdesk-layer-'));
      try {
        rmSync(join(base, 'data'), { recursive: true });
        symlinkSync(disk, join(base, 'data'));
        const twin = join(base, 'twin');
        execFileSync('cp', ['-a', folder, twin]);
        execFileSync('bash', ['--norc', '-c', MUCH], { cwd: twin });
        const { manifest } = await rehearsed(base, MUCH);
        expect(lstatSync(join(manifest.place, 'u/binary')).dev).not.toBe(lstatSync(folder).dev);
        expect((await keep(manifest)).conflicts).toEqual([]);
        expect(stateOf(folder)).toBe(stateOf(twin));
        expect(existsSync(join(manifest.place, 'u/binary'))).toBe(true);
      } finally {
        removeTestFolder(disk);
      }
    },
  );

  it('forgets a keep only when it is noted elsewhere, including one that it finishes after a kill', async () => {
    const { manifest } = await rehearsed(base, 'echo 2 > c.txt; echo n > new');
    const record = join(manifest.place, 'keep.json');
    const noted: RecoveredKeep[] = [];
    const stopped = keep(manifest, {}, { applied: () => Promise.reject(new Error('killed')) });
    await expect(stopped).rejects.toThrow('killed');
    expect([read('c.txt'), read('new'), existsSync(record)]).toEqual(['2\n', 'n\n', true]);
    const applied = async (done: RecoveredKeep) => {
      noted.push(done);
      expect(existsSync(record)).toBe(true);
    };
    const finished = { kept: ['c.txt', 'new'], conflicts: [] };
    const recovered = { layer: manifest.layer, folder, outcome: 'finished', ...finished };
    expect(await recoverKeeps(layers(), applied)).toEqual([recovered]);
    expect(noted).toEqual([recovered]);
    expect([existsSync(record), await recoverKeeps(layers(), applied)]).toEqual([false, []]);
    const second = await rehearsed(base, 'echo 3 > c.txt');
    const own: KeepResult[] = [];
    await keep(second.manifest, {}, { applied: (done) => void own.push(done) });
    expect(own).toEqual([{ kept: ['c.txt'], conflicts: [] }]);
  });

  it('is completed when its folder is back, all or nothing', async () => {
    const { manifest } = await rehearsed(base, 'echo A > src/a.txt; echo new > new.txt; rm c.txt');
    const layers = join(base, 'data/layers');
    const away = join(base, 'away');
    // It ends where everything is staged and noted, and nothing is in its place.
    await new Promise<void>((resolve, reject) => {
      const prepared = () => {
        resolve();
        return new Promise<void>(() => undefined);
      };
      keep(manifest, {}, { prepared }).catch(reject);
    });
    const record = join(manifest.place, 'keep.json');
    const { ops, ...staged } = JSON.parse(readFileSync(record, 'utf8'));
    // What is not staged moves out of the layer.
    const applied = ops.map(({ stage, ...op }: { stage?: string }) => {
      if (stage === undefined) return op;
      return existsSync(join(folder, staged.staging, stage)) ? { ...op, stage } : { ...op, inLayer: true };
    });
    expect(applied.filter(({ inLayer }: { inLayer?: true }) => inLayer)).toMatchObject([{ path: 'new.txt' }]);
    writeFileSync(record, JSON.stringify({ ...staged, ops: applied, phase: 'applying' }));
    renameSync(folder, away);
    expect(await recoverKeeps(layers)).toEqual([]);
    // Another folder in its place gets nothing.
    writeIn(folder, { 'c.txt': 'other\n' });
    expect(await recoverKeeps(layers)).toEqual([]);
    expect(readdirSync(folder)).toEqual(['c.txt']);
    rmSync(folder, { recursive: true });
    renameSync(away, folder);
    // A part of it may be in its place already.
    rmSync(join(folder, 'c.txt'));
    renameSync(join(manifest.place, 'u/new.txt'), join(folder, 'new.txt'));
    const later = { ...manifest, hash: asBeforeRestart(manifest.place) };
    expect(await conflictsIn(later)).toEqual([]);
    const kept = await keep(later);
    expect(kept).toEqual({ kept: ['c.txt', 'new.txt', 'src/a.txt'], conflicts: [] });
    expect(readdirSync(folder).toSorted()).toEqual(['deep', 'new.txt', 'src']);
    expect([existsSync(record), await recoverKeeps(layers)]).toEqual([false, []]);
  });

  it('keeps after a restart of the machine only what matches its hashes', async () => {
    writeIn(folder, { '.gitignore': 'dist\n' });
    const afterRestart = async (command: string) => {
      const { manifest } = await rehearsed(base, command);
      return { ...manifest, hash: asBeforeRestart(manifest.place) };
    };
    expect(
      (await keep(await afterRestart('echo 2 > c.txt; rm src/b.txt; chmod 755 src/a.txt'))).kept,
    ).toEqual(['c.txt', 'src/a.txt', 'src/b.txt']);
    const emptied = await afterRestart('echo 3 > c.txt');
    writeFileSync(join(emptied.place, 'u/c.txt'), '');
    expect(await readManifest(layers(), emptied.layer)).toBeNull();
    const unhashed = await afterRestart('mkdir dist; echo 3 > dist/x');
    expect(await readManifest(layers(), unhashed.layer)).toBeNull();
    expect(read('c.txt')).toBe('2\n');
  });
});
