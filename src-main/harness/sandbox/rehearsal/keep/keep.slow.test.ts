import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
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
import { removeTestFolder } from '../../testing/bubblewrap';
import { conflictsIn, discard, keep, readChange, readManifest, recoverKeeps, rowsOf, sweep } from '../index';
import { base, eachTestHas, FILES, folder, layers, mode, read } from '../testing/each-folder';
import { folderIn } from '../testing/options';
import { MUCH, makeBase, note, rehearsed, stateOf, whyNoRehearsal, writeIn } from '../testing/place';
import { whyNoTmpfs } from '../testing/tmpfs';

eachTestHas(FILES);

const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);

describe.skipIf(whyNoRehearsal !== null)(`keeping the changes of a command${note}`, () => {
  it('makes the folder match what the command saw, with modes, times and links', async () => {
    const twin = join(base, 'twin');
    execFileSync('cp', ['-a', folder, twin]);
    execFileSync('bash', ['--norc', '-c', MUCH], { cwd: twin });
    const { manifest } = await rehearsed(base, MUCH);
    expect(await keep(manifest)).toEqual({ kept: manifest.changes.map(({ path }) => path), conflicts: [] });
    expect(stateOf(folder)).toBe(stateOf(twin));
    expect(lstatSync(join(folder, 'new/er/f')).mtime).toEqual(lstatSync(join(twin, 'new/er/f')).mtime);
    expect(await recoverKeeps(layers())).toEqual([]);
  });

  it.skipIf(whyNoTmpfs !== null)(
    `works the same on tmpfs${whyNoTmpfs === null ? '' : ` (skipped: ${whyNoTmpfs})`}`,
    async () => {
      const at = makeBase(realpathSync(mkdtempSync('/dev/shm/deepdesk-layer-')));
      try {
        const own = folderIn(at);
        const twin = join(at, 'twin');
        execFileSync('cp', ['-a', `${folder}/.`, own]);
        execFileSync('cp', ['-a', own, twin]);
        execFileSync('bash', ['--norc', '-c', MUCH], { cwd: twin });
        const { manifest } = await rehearsed(at, MUCH);
        expect((await keep(manifest)).conflicts).toEqual([]);
        expect(stateOf(own)).toBe(stateOf(twin));
      } finally {
        removeTestFolder(at);
      }
    },
  );

  it('leaves a folder as it is if something appeared in it that its replacement would need to remove', async () => {
    const { manifest } = await rehearsed(base, 'rm -r src deep; echo file > src; ln -s src deep');
    writeIn(folder, { 'src/mine': 'mine\n', 'deep/er/d.txt': 'mine\n' });
    const before = stateOf(folder);
    const paths = ['deep', 'deep/er', 'deep/er/d.txt', 'src', 'src/a.txt', 'src/b.txt'];
    const conflicts = paths.map((path) => ({ path, reason: 'changed' }));
    const found = await conflictsIn(manifest);
    expect(found.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(conflicts);
    expect((await keep(manifest)).kept).toEqual([]);
    expect(stateOf(folder)).toBe(before);
  });

  it('shows before a folder is removed that it holds something new', async () => {
    const { manifest } = await rehearsed(base, 'rm -r src');
    writeIn(folder, { 'src/mine': 'mine\n' });
    expect(await conflictsIn(manifest)).toEqual([{ path: 'src', reason: 'changed' }]);
  });

  it('replaces a link to another folder with a folder and its files', async () => {
    symlinkSync('src', join(folder, 'link'));
    const { manifest } = await rehearsed(base, 'rm link; mkdir link; echo own > link/a.txt');
    expect(await keep(manifest)).toEqual({ kept: ['link', 'link/a.txt'], conflicts: [] });
    expect([read('link/a.txt'), read('src/a.txt')]).toEqual(['own\n', 'a\n']);
  });

  it('keeps chosen changes with the folders they need and leaves the rest', async () => {
    const { manifest } = await rehearsed(base, `${MUCH}; rm -r src`);
    const result = await keep(manifest, { paths: ['new/er/f', 'deep', 'src/a.txt'] });
    expect(result.conflicts).toEqual([]);
    expect(result.kept).toEqual([
      'deep',
      'deep/er',
      'deep/er/d.txt',
      'new',
      'new/er',
      'new/er/f',
      'src/a.txt',
    ]);
    expect([read('new/er/f'), read('deep'), read('src/b.txt')]).toEqual(['x\n', 'f\n', 'b\n']);
    expect(existsSync(join(folder, 'src/a.txt'))).toBe(false);
    expect(existsSync(join(folder, 'binary'))).toBe(false);
  });

  it('leaves out what is excepted below a chosen path', async () => {
    const { manifest } = await rehearsed(
      base,
      'chmod 700 src; echo 2 > src/a.txt; echo 2 > src/b.txt; git init -q vendor/x; echo x > vendor/x/x',
    );
    const { kept } = await keep(manifest, {
      paths: ['src', 'vendor'],
      except: ['src/a.txt', 'vendor/x/.git'],
    });
    expect(kept).toEqual(['src', 'src/b.txt', 'vendor', 'vendor/x', 'vendor/x/x']);
    expect([read('src/a.txt'), existsSync(join(folder, 'vendor/x/.git'))]).toEqual(['a\n', false]);
  });

  it('writes the chosen part of a file and drops setuid and setgid', async () => {
    const { manifest } = await rehearsed(base, 'printf "1\\n2\\n" > c.txt; echo x > tool; chmod 6755 tool');
    await keep(manifest, { hunks: { 'c.txt': 'c\n2\n' } });
    expect(read('c.txt')).toBe('c\n2\n');
    expect(mode('tool')).toBe(0o755);
  });

  it('never overwrites later changes, and keeps the rest', async () => {
    const { manifest } = await rehearsed(
      base,
      'echo 2 > c.txt; echo 2 > src/a.txt; echo 2 > made; rm -r deep; rm src/b.txt',
    );
    writeIn(folder, { 'c.txt': 'mine\n', made: 'mine\n', 'deep/er/new': 'mine\n' });
    rmSync(join(folder, 'src/b.txt'));
    const result = await keep(manifest);
    expect(result.conflicts.map(({ path }) => path).toSorted()).toEqual([
      'c.txt',
      'deep',
      'deep/er',
      'made',
      'src/b.txt',
    ]);
    expect([read('c.txt'), read('made'), read('deep/er/new'), read('src/a.txt')]).toEqual([
      'mine\n',
      'mine\n',
      'mine\n',
      '2\n',
    ]);
  });

  it('does not count a new time as a change', async () => {
    const { manifest } = await rehearsed(base, 'echo 2 > c.txt; rm src/a.txt');
    execFileSync('touch', ['c.txt', 'src/a.txt'], { cwd: folder });
    expect((await keep(manifest)).conflicts).toEqual([]);
    expect(read('c.txt')).toBe('2\n');
  });

  it('knows the logs of a database by their header, whatever the database is called', async () => {
    for (const name of ['wal', 'rollback', 'ended', 'text']) writeIn(folder, { [name]: 'data' });
    const log = (name: string, header: string) =>
      writeFileSync(join(folder, name), Buffer.concat([Buffer.from(header, 'hex'), Buffer.alloc(100)]));
    log('wal-wal', '377f0682');
    log('rollback-journal', 'd9d505f920a163d7');
    // SQLite leaves it like this once it is played back.
    log('ended-journal', '0000000000000000');
    writeIn(folder, { 'text-wal': 'some notes' });
    const { manifest } = await rehearsed(base, 'for f in wal rollback ended text; do echo 2 > $f; done');
    expect(await keep(manifest)).toEqual({
      kept: ['ended', 'text'],
      conflicts: [
        { path: 'rollback', reason: 'database' },
        { path: 'wal', reason: 'database' },
      ],
    });
  });

  it('leaves a file that is open for writing, and a database in use', async () => {
    writeIn(folder, { 'x.sqlite': 'data', 'x.sqlite-wal': 'log', 'open.txt': 'open' });
    const { manifest } = await rehearsed(base, 'echo 2 | tee x.sqlite open.txt c.txt');
    const writer = spawn('bash', ['--norc', '-c', 'exec 7>>open.txt; echo ready; read x'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => writer.stdout.once('data', resolve));
    const expected = [
      { path: 'open.txt', reason: 'open' },
      { path: 'x.sqlite', reason: 'database' },
    ];
    expect(await conflictsIn(manifest)).toEqual(expected);
    expect(await keep(manifest)).toEqual({ kept: ['c.txt'], conflicts: expected });
    writer.stdin.end();
    expect(read('open.txt')).toBe('open');
  });

  it('leaves the logs of a database that it leaves, because they hold a part of it', async () => {
    const files = { 'x.db': 'data', 'x.db-wal': 'log', 'x.db-shm': 'index', 'y-wal': 'no log' };
    writeIn(folder, { ...files, z: 'z', 'z-journal': 'log' });
    const { manifest } = await rehearsed(
      base,
      'echo more >> x.db; rm x.db-wal x.db-shm y-wal; echo z >> z; rm z-journal',
    );
    writeIn(folder, { 'z-journal': 'another log' });
    const conflicts = [
      ...['x.db', 'x.db-shm', 'x.db-wal'].map((path) => ({ path, reason: 'database' })),
      ...['z', 'z-journal'].map((path) => ({ path, reason: 'changed' })),
    ];
    expect((await conflictsIn(manifest)).toSorted(byPath)).toEqual(conflicts);
    const result = await keep(manifest);
    expect({ ...result, conflicts: result.conflicts.toSorted(byPath) }).toEqual({
      kept: ['y-wal'],
      conflicts,
    });
    expect([read('x.db'), read('x.db-wal'), read('x.db-shm')]).toEqual(['data', 'log', 'index']);
  });

  it('foresees that a new file has no folder any more, unless the command made it', async () => {
    const { manifest } = await rehearsed(
      base,
      'echo 1 > src/new; mkdir src/in; echo 1 > src/in/f; echo 1 > n; echo 2 > src/a.txt',
    );
    rmSync(join(folder, 'src'), { recursive: true });
    const conflicts = ['src/a.txt', 'src/in', 'src/in/f', 'src/new'].map((path) => ({
      path,
      reason: 'changed',
    }));
    expect((await conflictsIn(manifest)).toSorted(byPath)).toEqual(conflicts);
    symlinkSync('src', join(folder, 'src'));
    expect((await conflictsIn(manifest)).toSorted(byPath)).toEqual(conflicts);
    rmSync(join(folder, 'src'));
    // What is behind a link is elsewhere.
    symlinkSync('deep', join(folder, 'src'));
    expect((await conflictsIn(manifest)).toSorted(byPath)).toEqual(conflicts);
    expect((await keep(manifest)).kept).toEqual(['n']);
    expect(existsSync(join(folder, 'deep/new'))).toBe(false);
  });

  it('keeps a repository only as a whole', async () => {
    const git = (command: string) => execFileSync('bash', ['--norc', '-c', command], { cwd: folder });
    git('git init -q -b main; git add .; git -c user.name=a -c user.email=a@b.c commit -qm first');
    const commit = 'echo 2 > c.txt; git add .; git -c user.name=a -c user.email=a@b.c commit -qm second';
    const first = await rehearsed(base, commit);
    git('git branch other');
    expect((await keep(first.manifest, { paths: ['.git'] })).conflicts).toEqual([]);
    expect(execFileSync('git', ['log', '--format=%s'], { cwd: folder, encoding: 'utf8' })).toBe(
      'second\nfirst\n',
    );
    expect(execFileSync('git', ['fsck'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })).toBe('');
    const second = await rehearsed(
      base,
      'echo 3 > c.txt; git add .; git -c user.name=a -c user.email=a@b.c commit -qm third',
    );
    git('git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m mine');
    const kept = await keep(second.manifest);
    expect(kept.kept).toEqual(['c.txt']);
    expect(kept.conflicts.every(({ path }) => path.startsWith('.git'))).toBe(true);
    expect(execFileSync('git', ['log', '-1', '--format=%s'], { cwd: folder, encoding: 'utf8' })).toBe(
      'mine\n',
    );
  });

  it('writes into a file with other names or attributes, and removes names of a file', async () => {
    linkSync(join(folder, 'c.txt'), join(base, 'outside/name'));
    linkSync(join(folder, 'src/a.txt'), join(folder, 'src/twin'));
    writeIn(folder, { marked: 'm\n' });
    const marks = () =>
      execFileSync('python3', ['-c', 'import os;print(os.listxattr("marked"))'], {
        cwd: folder,
        encoding: 'utf8',
      });
    execFileSync('python3', ['-c', 'import os;os.setxattr("marked","user.note",b"x")'], { cwd: folder });
    const before = marks();
    const { manifest } = await rehearsed(
      base,
      'echo longer than before > c.txt; echo 2 > marked; rm src/a.txt src/twin',
    );
    expect((await keep(manifest)).conflicts).toEqual([]);
    expect(readFileSync(join(base, 'outside/name'), 'utf8')).toBe('longer than before\n');
    expect(lstatSync(join(folder, 'c.txt')).nlink).toBe(2);
    expect([read('marked'), marks()]).toEqual(['2\n', before]);
    expect(readdirSync(join(folder, 'src'))).toEqual(['b.txt']);
  });

  it('follows no link that appears while it keeps', async () => {
    writeIn(base, { 'outside/a.txt': 'outside\n' });
    const { manifest } = await rehearsed(base, 'echo 2 > src/a.txt; echo 2 > src/n.txt; rm src/b.txt');
    writeIn(base, { 'outside/b.txt': 'outside\n' });
    const result = await keep(
      manifest,
      {},
      {
        prepared: () => {
          renameSync(join(folder, 'src'), join(base, 'aside'));
          symlinkSync(join(base, 'outside'), join(folder, 'src'));
        },
      },
    );
    expect(result.kept).toEqual([]);
    expect(readFileSync(join(base, 'outside/a.txt'), 'utf8')).toBe('outside\n');
    expect(readdirSync(join(base, 'outside')).toSorted()).toEqual(['a.txt', 'b.txt']);
    expect(readdirSync(folder).toSorted()).toEqual(['c.txt', 'deep', 'src']);
  });

  it('reaches nothing outside while links are swapped constantly', async () => {
    writeIn(base, { 'outside/x': 'outside\n' });
    const command = 'for i in $(seq 200); do echo 2 > src/$i; done; echo 2 > src/x';
    const { manifest } = await rehearsed(base, command);
    const swap = 'while :; do mv -T src aside; ln -s ../../outside src; rm src; mv -T aside src; done';
    const swapping = spawn('bash', ['--norc', '-c', swap], { cwd: folder, stdio: 'ignore' });
    try {
      await keep(manifest).catch(() => undefined);
    } finally {
      swapping.kill('SIGKILL');
    }
    expect(readdirSync(join(base, 'outside'))).toEqual(['x']);
    expect(readFileSync(join(base, 'outside/x'), 'utf8')).toBe('outside\n');
  });

  it('refuses a layer that does not match the approval and leaves the folder unchanged', async () => {
    const { manifest } = await rehearsed(base, 'echo 2 > c.txt');
    await expect(keep({ ...manifest, hash: 'other' })).rejects.toThrow('no longer exist');
    writeFileSync(join(manifest.place, 'u/c.txt'), 'planted\n');
    await expect(keep(manifest)).rejects.toThrow('no longer exist');
    expect(read('c.txt')).toBe('c\n');
    expect(readdirSync(folder).toSorted()).toEqual(['c.txt', 'deep', 'src']);
  });

  it('reports upcoming changes with the previous contents before it changes anything', async () => {
    const { manifest } = await rehearsed(base, 'echo 2 > c.txt; rm src/a.txt; echo n > new');
    const told: Record<string, string | null> = {};
    await keep(
      manifest,
      {},
      {
        prepared: (entries) => {
          expect(read('c.txt')).toBe('c\n');
          for (const { path, saved } of entries)
            told[path] = saved === undefined ? null : readFileSync(saved, 'utf8');
        },
      },
    );
    expect(told).toEqual({ 'c.txt': 'c\n', 'src/a.txt': 'a\n', new: null });
    const again = await rehearsed(base, 'echo 3 > c.txt');
    const stopped = keep(again.manifest, {}, { prepared: () => Promise.reject(new Error('stop')) });
    await expect(stopped).rejects.toThrow('stop');
    expect(read('c.txt')).toBe('2\n');
    expect(readdirSync(folder).toSorted()).toEqual(['c.txt', 'deep', 'new', 'src']);
  });

  it('shows the contents before and after, even if the folder has changed and after a restart', async () => {
    const { manifest } = await rehearsed(
      base,
      'echo 2 > c.txt; rm src/a.txt; head -c 100000 /dev/zero > big',
    );
    writeIn(folder, { 'c.txt': 'mine\n' });
    const again = await readManifest(layers(), manifest.layer);
    expect(again?.hash).toBe(manifest.hash);
    const shown = async (path: string) => {
      const { before, after, tooLarge } = await readChange(manifest, path, 1_000);
      return [before && Buffer.from(before).toString(), after && Buffer.from(after).toString(), tooLarge];
    };
    expect(await shown('c.txt')).toEqual(['c\n', '2\n', undefined]);
    expect(await shown('src/a.txt')).toEqual(['a\n', undefined, undefined]);
    expect(await shown('big')).toEqual([undefined, undefined, true]);
    await discard(manifest);
    expect(await readManifest(layers(), manifest.layer)).toBeNull();
    expect(readdirSync(layers())).toEqual([]);
  });

  it('shows generated folders and large groups of files as one row each', async () => {
    writeIn(folder, { '.gitignore': 'node_modules\nlogs\n' });
    const { manifest } = await rehearsed(
      base,
      'mkdir -p node_modules/p/q logs many; for i in 1 2 3; do echo $i > node_modules/p/q/$i; done; echo x > logs/one; for i in $(seq 201); do echo > many/$i; done; mkdir .husky; echo x > .husky/pre-commit; echo x > c.txt',
    );
    expect(rowsOf(manifest).map((row) => [row.path, row.kind === 'group' ? row.count : row.kind])).toEqual([
      ['.husky/pre-commit', 'created'],
      ['c.txt', 'changed'],
      ['logs/one', 'created'],
      ['many', 201],
      ['node_modules', 3],
    ]);
    expect(rowsOf(manifest).find(({ path }) => path === 'node_modules')).toMatchObject({
      ignored: true,
      bytes: 6,
    });
    expect(rowsOf(manifest).find(({ path }) => path === '.husky/pre-commit')).toMatchObject({
      protected: true,
    });
  });

  it('removes unused layers, whatever their modes', async () => {
    const [one, two] = [
      await rehearsed(base, 'mkdir -p shut/in; touch shut/in/x; chmod 0 shut/in shut'),
      await rehearsed(base, 'echo 2 > c.txt'),
    ];
    await sweep(layers(), new Set([two.manifest.layer]));
    expect(readdirSync(layers())).toEqual([two.manifest.layer]);
    expect(one.manifest.changes.length).toBeGreaterThan(0);
    expect((await keep(two.manifest)).kept).toEqual(['c.txt']);
  });
});
