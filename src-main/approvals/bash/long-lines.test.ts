import { expect, it } from 'vitest';
import { judgeCommand } from '../command';
import { touchedBy } from './changes/on-disk';

const places = {
  folder: '/nowhere/project',
  cwd: '/nowhere/project',
  home: '/home/me',
  dataDir: '/home/me/.config/deepdesk',
  findProgram: async (name: string) => `/usr/bin/${name}`,
};
const LENGTH = 9_900;

// Each of these once took seconds or minutes and blocked the main process.
it.each([
  '$(',
  '"$(',
  '$((',
  '<(',
  '1>(a $(',
  '$[`(<(',
  '`',
  '{ ',
  'f(){ ',
  'for a in b; do ',
  'if ',
  'case a in ',
  'coproc ',
  'time ',
  'cat <<E\n',
  'a|',
  'a|sh|',
  'a&&',
  'cd a && ',
  'cd a; rm x; ',
  'rm a;',
  'rm a/../b ',
  'env ',
  'eval ',
  'xargs ',
  'find . -exec ',
  'npm test;',
  'git branch --contains ',
  'f(){ f $1 $@; }; f a; ',
  'f(){ g $1 $@; g $2; }; g(){ f $1; f $2; }; f a b; ',
  'alias a=b; a; ',
  'ln -s a b; ./b; ',
  'xargs env <<< "a b"; ',
  "echo 'a b c d' | xargs -I{} sh -c '{} $@' {}; ",
  "vim -c '!a' ",
  "sed -e 's/a/b/e;e c' ",
  'PAGER=$X ',
  '/usr/bin/g* ',
  'scala -e \'"a".!\' ',
])('is judged and shown quickly when a line repeats %j [safety 23]', async (piece) => {
  const line = piece.repeat(Math.floor(LENGTH / piece.length));
  expect((await judgeCommand({ command: line }, places, [])).verdict).not.toBe('allow');
  expect((await touchedBy(line, places, new AbortController().signal)).touches.length).toBeLessThanOrEqual(
    50,
  );
});
