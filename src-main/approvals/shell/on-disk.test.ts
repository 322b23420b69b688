import { execFileSync } from 'node:child_process';
import {
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
import { touchedBy } from './on-disk';
import { programFinder, withPrograms } from './programs';

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

it.each(['2', '4'])('knows what git cannot bring back, from an index of version %s', async (version) => {
  for (const name of ['d/kept.txt', 'd/changed.txt', 'd/deeper/kept too.txt']) file(name);
  // Times apart from those of the index, as git would have them.
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

it('finds what redirections, moves, copies and edits in place would change', async () => {
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

it('puts in what patterns stand for, without hidden names', async () => {
  for (const name of ['x1.txt', 'x2.txt', '.x3.txt', 'sub/x4.txt']) file(name);
  expect((await look('rm x?.txt')).map(({ path }) => path)).toEqual(['x1.txt', 'x2.txt']);
  expect((await look('rm *')).map(({ path }) => path)).toEqual(['sub', 'x1.txt', 'x2.txt']);
  expect((await look('rm */x[0-9].txt')).map(({ path }) => path)).toEqual(['sub/x4.txt']);
  expect(await look('rm z*')).toMatchObject([{ kind: 'nothing' }]);
});

it('takes a program of the folder for one, also through a relative place or a link', async () => {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/tool'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'bin/plain'), '', { mode: 0o644 });
  const other = mkdtempSync(join(tmpdir(), 'deepdesk-path-'));
  try {
    symlinkSync(join(folder, 'bin/tool'), join(other, 'linked'));
    expect(await programFinder(`${folder}/bin`, folder)('tool')).toBe(join(folder, 'bin/tool'));
    expect(await programFinder('bin:/usr/bin', folder)('tool')).toBe(join(folder, 'bin/tool'));
    expect(await programFinder(other, folder)('linked')).toBe(join(folder, 'bin/tool'));
    expect(await programFinder(`${folder}/bin`, folder)('plain')).toBe(null);
    expect(await programFinder('/usr/bin', folder)('../x')).toBe(null);
  } finally {
    rmSync(other, { recursive: true });
  }
});

it('has every program looked up that the words name, whether it was likely or only then found', async () => {
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
