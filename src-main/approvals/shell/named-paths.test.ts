import { expect, it } from 'vitest';
import { namedPaths } from './named-paths';

it.each([
  ['rm -r src', ['/p/src']],
  ['rm -rf -- "a b" \'c\' d/../e', ['/p/a b', '/p/c', '/p/e']],
  ['sed -i s/a/b/ .env', ['/p/s/a/b', '/p/.env']],
  ['cd sub && rm x; echo hi > /p/out.log 2>&1', ['/p/sub/x', '/p/sub/hi', '/p/out.log']],
  ['tar --directory=dist -xf a.tar', ['/p/dist', '/p/a.tar']],
  ['(cat a | tee b) && $(rm c)', ['/p/a', '/p/b', '/p/c']],
  ['rm dist/*.js $HOME/x', ['/p/dist']],
  ['npm run format', ['/p/run', '/p/format']],
  ['rm /etc/x', ['/etc/x']],
])('%s', (line, paths) => {
  expect(namedPaths(line, '/p').sort()).toEqual(paths.toSorted());
});

it('of a list names the beginning', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `f${index}`).join(' ');
  expect(namedPaths(`rm ${many}`, '/p')).toHaveLength(200);
});
