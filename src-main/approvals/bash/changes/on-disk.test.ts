import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programFinder, withPrograms } from '../paths/programs';
import { touchedBy } from './on-disk';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-disk-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const look = async (command: string) => {
  const places = { folder, cwd: folder, home: '/home/me', dataDir: '/home/me/.x' };
  const { touches } = await touchedBy(command, places, new AbortController().signal);
  return touches.map((touch) => ({ ...touch, path: touch.path.replace(`${folder}/`, '') }));
};
const file = (name: string, text = 'text') => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
};

it.each(['2', '4'])('knows which files git cannot restore, from an index of version %s', async (version) => {
  for (const name of ['d/kept.txt', 'd/changed.txt', 'd/deeper/kept too.txt']) file(name);
  // Times that differ from the index, as git would have them.
  for (const name of ['d/kept.txt', 'd/deeper/kept too.txt']) utimesSync(join(folder, name), 1_000, 1_000);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('update-index', '--index-version', version);
  file('d/changed.txt', 'another text');
  file('d/new.txt');
  expect(await look('rm -r d')).toEqual([
    { does: 'delete', path: 'd', kind: 'folder', files: 4, bytes: 24, notInGit: 2, outside: false },
  ]);
  expect(await look('rm d/kept.txt')).toMatchObject([{ notInGit: 0 }]);
});

it('finds the files that redirections, moves, copies and in-place edits would change', async () => {
  file('a', '12');
  file('b', '123');
  symlinkSync('/etc', join(folder, 'link'));
  expect(await look('echo x > a; echo y >> b; echo z > new 2>/dev/null')).toMatchObject([
    { does: 'overwrite', path: 'a', kind: 'file', bytes: 2 },
    { does: 'append', path: 'b', kind: 'file', bytes: 3 },
    { does: 'create', path: 'new', kind: 'nothing' },
  ]);
  expect(await look('mv a b')).toMatchObject([
    { does: 'move', path: 'a' },
    { does: 'overwrite', path: 'b' },
  ]);
  expect(await look('sed -i s/a/b/ a b && sed -n 1p a')).toMatchObject([
    { does: 'edit', path: 'a' },
    { does: 'edit', path: 'b' },
  ]);
  expect(await look('cp a link/x')).toMatchObject([{ path: 'link/x', outside: true }]);
  expect(await look('rm link')).toMatchObject([{ kind: 'link', outside: false }]);
  expect(await look('rm ../x')).toMatchObject([{ outside: true }]);
  expect(await look('rm $x "a b"')).toMatchObject([
    { path: '$x', kind: 'unknown' },
    { path: 'a b', kind: 'nothing' },
  ]);
  expect(await look("env X=1 bash -c 'rm a'")).toMatchObject([{ does: 'delete', path: 'a' }]);
});

it('expands patterns without hidden names', async () => {
  for (const name of ['x1.txt', 'x2.txt', '.x3.txt', 'sub/x4.txt']) file(name);
  expect((await look('rm x?.txt')).map(({ path }) => path)).toEqual(['x1.txt', 'x2.txt']);
  expect((await look('rm *')).map(({ path }) => path)).toEqual(['sub', 'x1.txt', 'x2.txt']);
  expect((await look('rm */x[0-9].txt')).map(({ path }) => path)).toEqual(['sub/x4.txt']);
  expect(await look('rm z*')).toMatchObject([{ kind: 'nothing' }]);
});

const findIn = (searchPath: string, name: string) => programFinder(searchPath, folder).findProgram(name);
const trustsIn = (searchPath: string, name: string) =>
  programFinder(searchPath, folder).isTrustedSearch(name);

it('follows cd to the changed files, and reports when that depends on earlier commands [safety 10]', async () => {
  file('src/orders/a.txt', '12');
  file('src/orders/b.txt', '345');
  expect(await look('cd src && rm -rf orders')).toMatchObject([
    { does: 'delete', path: 'src/orders', kind: 'folder', files: 2, bytes: 5 },
  ]);
  expect(await look('cd src; rm orders/*.txt')).toMatchObject([
    { path: 'src/orders/a.txt', kind: 'file' },
    { path: 'src/orders/b.txt', kind: 'file' },
  ]);
  expect(await look('(cd src && echo x > new); env -C src touch orders/c')).toMatchObject([
    { does: 'create', path: 'src/new' },
    { does: 'change', path: 'src/orders/c', kind: 'nothing' },
  ]);
  for (const line of [
    'cd $d && rm -rf orders',
    'cd none; rm -rf orders',
    'npm test && cd src; rm -rf orders',
  ])
    expect(await look(line), line).toEqual([
      { does: 'delete', path: 'orders', kind: 'unknown', outside: false, dependsOnFolder: true },
    ]);
  expect(await look('cd $d && rm -rf /nowhere-at-all')).toMatchObject([{ kind: 'nothing', outside: true }]);
});

it('does not report a deleted file as missing if the line may create it first', async () => {
  file('src/a.txt', '1');
  for (const line of [
    'npm run build && rm -rf dist',
    'mkdir dist; rm -rf dist',
    'echo x > dist; rm dist',
    'cd src && tsc; rm -rf dist',
    'bash -c "make"; rm -rf dist',
    'for f in a b; do rm -rf dist; make; done',
    'make & rm -rf dist',
    'make; rm -rf dist/*',
    'make; mv dist src',
  ]) {
    const touches = await look(line);
    const deleted = touches.find(({ does }) => does === 'delete' || does === 'move');
    expect(deleted, line).toMatchObject({ kind: 'unknown' });
  }
  for (const line of ['rm -rf dist', 'cd src && rm -rf dist', 'ls src; rm -rf dist', 'rm -rf dist; make'])
    expect((await look(line))[0], line).toMatchObject({ does: 'delete', kind: 'nothing' });
});

it('names the file that the kernel finds behind link/.. [safety 3]', async () => {
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-other-')));
  try {
    mkdirSync(join(other, 'sub'));
    writeFileSync(join(other, 'x'), '12345');
    file('x', '1');
    symlinkSync(join(other, 'sub'), join(folder, 'link'));
    const expected = [{ does: 'delete', path: join(other, 'x'), kind: 'file', bytes: 5, outside: true }];
    for (const line of ['rm link/../x', 'rm link/../?', 'cd link; rm ../x', 'env -C link rm ../x'])
      expect(await look(line), line).toMatchObject(expected);
    // The shell keeps the name that it entered by.
    expect(await look('cd link && cd .. && rm x')).toMatchObject([{ path: 'x', bytes: 1, outside: false }]);
    expect(await look('echo y > link/../x')).toMatchObject([{ does: 'overwrite', path: join(other, 'x') }]);
    expect(await look('rm link')).toMatchObject([{ path: 'link', kind: 'link', outside: false }]);
  } finally {
    rmSync(other, { recursive: true });
  }
});

it('expands any pattern quickly [safety 23]', async () => {
  file('a'.repeat(200));
  expect(await look(`rm ${'*a'.repeat(30)}*b`)).toMatchObject([{ kind: 'nothing' }]);
  expect(await look(`rm ${'*a'.repeat(30)}*`)).toMatchObject([{ kind: 'file' }]);
});

it('recognizes a program of the folder, even through a relative place or a link, and trusts no search path that starts there [safety 7]', async () => {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/tool'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'bin/plain'), '', { mode: 0o644 });
  const other = mkdtempSync(join(tmpdir(), 'deepdesk-path-'));
  try {
    symlinkSync(join(folder, 'bin/tool'), join(other, 'linked'));
    expect(await findIn(`${folder}/bin`, 'tool')).toBe(join(folder, 'bin/tool'));
    expect(await findIn('bin:/usr/bin', 'tool')).toBe(join(folder, 'bin/tool'));
    expect(await findIn(other, 'linked')).toBe(join(folder, 'bin/tool'));
    expect(await findIn(`${folder}/bin`, 'plain')).toBe(null);
    expect(await findIn('/usr/bin', '../x')).toBe(null);
    symlinkSync(folder, join(other, 'in'));
    const everybodys = join(other, 'shared');
    mkdirSync(everybodys);
    chmodSync(everybodys, 0o1777);
    for (const first of ['', '.', 'bin', `${folder}/bin`, `${folder}/none`, `${other}/in`, everybodys])
      expect(await trustsIn(`${first}:/usr/bin:/bin`, 'ls'), first).toBe(false);
    expect(await trustsIn(`/usr/bin:/bin:${folder}`, 'ls')).toBe(true);
  } finally {
    rmSync(other, { recursive: true });
  }
});

it('looks up every program that the words name, whether it was expected or found later', async () => {
  const asked: string[] = [];
  const disk = {
    folder,
    cwd: folder,
    home: '/home/me',
    dataDir: '/home/me/.x',
    findProgram: async (name: string) => {
      asked.push(name);
      return name === 'gone' ? null : `/usr/bin/${name}`;
    },
  };
  const judged = await withPrograms(disk, ['ls'], ({ resolveBinary }) =>
    resolveBinary('ls') === null ? [] : ['ls', resolveBinary('cat'), resolveBinary('gone')],
  );
  expect(judged).toEqual(['ls', '/usr/bin/cat', null]);
  expect(asked).toEqual(['ls', 'cat', 'gone']);
});
