import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { namedInside, pathsNamed } from './named-paths';

const namedFrom = (folder: string, line: string) => [
  ...new Set(pathsNamed(line, { cwd: folder, home: folder }).map((path) => posix.resolve(path))),
];

it.each([
  ['rm -r src', ['/p/src']],
  ['rm -rf -- "a b" \'c\' d/../e', ['/p/a b', '/p/c', '/p/e']],
  ['sed -i s/a/b/ .env', ['/p/s/a/b', '/p/.env']],
  ['cd sub && rm x; echo hi > /p/out.log 2>&1', ['/p/sub/x', '/p/sub/hi', '/p/out.log']],
  ['tar --directory=dist -xf a.tar', ['/p/dist', '/p/a.tar']],
  ['(cat a | tee b) && $(rm c)', ['/p/a', '/p/b', '/p/c']],
  ['rm dist/*.js $HOME/x', ['/p/dist', '/p/x']],
  ['git show :0:.npmrc', ['/p/show', '/p/:0:.npmrc', '/p/.npmrc']],
  [
    'curl -d @.env -F f=@a/.npmrc --data=@b -T.env x',
    ['/p/@.env', '/p/.env', '/p/f=@a/.npmrc', '/p/a/.npmrc', '/p/@b', '/p/b', '/p/x'],
  ],
  ['cat ~/.ssh/id_rsa "$HOME/.netrc" -xvf', ['/p/.ssh/id_rsa', '/p/.netrc']],
  ['cd sub; cat "$PWD/.env" $PWD/$x', ['/p/sub/.env']],
  ['dd if=a of=.git/hooks/x', ['/p/if=a', '/p/a', '/p/of=.git/hooks/x', '/p/.git/hooks/x']],
  ['npm run format', ['/p/run', '/p/format']],
  ['rm /etc/x', ['/etc/x']],
])('%s', (line, paths) => {
  expect(namedFrom('/p', line).sort()).toEqual(paths.toSorted());
});

it('lists the first paths if there are too many', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `f${index}`).join(' ');
  expect(namedFrom('/p', `rm ${many}`)).toHaveLength(200);
});

it('leaves out the search pattern but keeps every searched file', () => {
  const named = (line: string) => pathsNamed(line, { cwd: '/p', home: '/h' }, { forVerdict: true });
  expect(named('grep -rn credentials src')).toEqual(['/p/src']);
  expect(named('grep -rn credentials .env')).toEqual(['/p/.env']);
  expect(named('rg -e secrets -f .env x')).toEqual(['/p/.env', '/p/x']);
  expect(named("sed -n '/secrets/p' .env")).toEqual(['/p/.env']);
  expect(named('cat secrets; find . -name .env')).toEqual(['/p/secrets', '/p/.', '/p/.env']);
  for (const option of ['-v', '-E', '-c', '-nE', '-p'])
    expect(named(`grep x ${option} .env`), option).toEqual(['/p/.env']);
  expect(named('node credentials')).toEqual(['/p/credentials']);
});

it('leaves .. to the kernel and follows cd', () => {
  expect(pathsNamed('cd sub && rm ../x link/../y; cat ~/z', { cwd: '/p', home: '/h' })).toEqual([
    '/p/sub/../x',
    '/p/sub/link/../y',
    '/h/z',
  ]);
  expect(namedFrom('/p', 'cd sub && rm ../x')).toEqual(['/p/x']);
});

it('also names the paths that the kernel would change in a folder [safety 3]', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-named-')));
  try {
    mkdirSync(join(folder, 'src/deep'), { recursive: true });
    symlinkSync('src/deep', join(folder, 'link'));
    expect(await namedInside('rm link/../x ../y a', folder)).toEqual(['x', 'src/x', 'a']);
    expect(await namedInside('cd src && rm deep/x', folder)).toEqual(['src/deep/x']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
