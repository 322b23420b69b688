import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../../contract/control';
import { judgeCommand } from '../../command';
import { forbiddenBy } from '../../rules';
import { readStrictly } from '../parsing/strict';
import { programFinder } from '../paths/programs';
import { analyzeShell } from '../verdict/analyze';

let base = '';
let folder = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-strict-')));
  folder = join(base, 'project');
  mkdirSync(join(folder, 'src'), { recursive: true });
  mkdirSync(join(base, 'other/sub'), { recursive: true });
  writeFileSync(join(folder, 'src/a.ts'), 'a');
  writeFileSync(join(base, 'other/private.txt'), 'private');
  symlinkSync(join(base, 'other/sub'), join(folder, 'link'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const judge = (command: string, searchPath = '/usr/bin:/bin') =>
  judgeCommand(
    { command },
    {
      folder,
      cwd: folder,
      home: join(base, 'home'),
      dataDir: join(base, 'data'),
      ...programFinder(searchPath, folder),
    },
    [],
  );
const verdict = async (command: string, searchPath?: string) => (await judge(command, searchPath)).verdict;
/** The verdict from the words alone, as if every program existed. */
const ofWords = (line: string) =>
  analyzeShell(line, {
    folder,
    cwd: folder,
    home: '/home/me',
    dataDir: '/x',
    resolveBinary: (name) => `/usr/bin/${name}`,
  }).verdict;
const dollar = '$';

describe('a line that one reader considers harmless and a shell does not', () => {
  it.each(['echo 1>(touch x) | cat', 'cat 1<(touch x)', 'echo {a}>(touch x)', 'echo 12>(touch x)'])(
    'is not read-only: %s [safety 1]',
    async (line) => {
      expect(await verdict(line)).toBe('ask');
      expect((await judge(line)).understood).toBe(false);
    },
  );
  it.each(['echo $[ #$(touch x) <( ]', 'echo $[1+1]', 'ls "$[a[0]]"'])(
    'is not read-only: %s [safety 2]',
    async (line) => {
      expect(await verdict(line)).toBe('ask');
    },
  );
  it("is still forbidden by a rule, and kept from the app's data [safety 1]", async () => {
    const rule: Rule = {
      id: 'r',
      createdAt: 0,
      effect: 'deny',
      match: { kind: 'command', words: ['touch'], exact: false },
      scope: { kind: 'person' },
    };
    for (const line of ['echo 1>(touch x) | cat', 'echo $[ #$(touch x) <( ]']) {
      const { parts } = await judge(line);
      const context = { parts, paths: [], places: { folder, memories: '/memories' } };
      const call = { callId: 'c', tool: 'execute', args: { command: line } };
      expect(forbiddenBy(call, [rule], context), line).toBe(rule);
    }
    expect(await verdict(`echo 1>(head ${base}/data/deepdesk.db)`)).toBe('deny');
  });
  it.each([
    `cat ${dollar}'\\x{2e}env'`,
    `cat ${dollar}'\\777'`,
    `cat ${dollar}'src/a.ts'`,
    `cat "src\\\n/a.ts"`,
    'cat src\\\n/a.ts',
    'cat caf\u00e9',
    'cat \ud800',
    'cat \ufffd',
    'a=~ ls',
    'ls a=~',
    'ls ~',
    'ls src/*',
    'ls s[r]c',
    'ls {src,link}',
    'ls \tsrc',
    'ls # comment',
    `cat ${dollar}HOME`,
    "cat 'a\tb'",
    'ls &>/dev/null',
    'ls >&2',
    'ls >/dev/null2',
    'ls 12>/dev/null',
    'cat < src/a.ts<b',
    'ls !x',
  ])('is not read-only: %j [safety 4]', async (line) => expect(await verdict(line)).not.toBe('allow'));
  it.each([
    "printf '%n' PATH; ls",
    "printf '%s%n' x PATH",
    "printf '%-5n' PATH",
    'printf -v PATH x',
    "printf '%(%s)T' 1",
    'read PATH < src/a.ts',
    'export PATH=src; ls',
    'declare PATH=src; ls',
    'mapfile PATH < src/a.ts',
    'getopts a PATH; ls',
    'let PATH=1; ls',
    'unset PATH; ls',
    'hash -p src/ls ls; ls',
    'enable -n echo; echo x',
  ])('is not read-only because it sets a variable: %s [safety 5]', async (line) => {
    expect(await verdict(line)).not.toBe('allow');
  });
  it.each([
    'tree -Io x src/a.ts',
    'tree -aIo x src/a.ts',
    'tree -Ix',
    'tree -L2',
    'tree -Il x',
    'tree -al',
    'ls -LR',
    'ls -RL',
    'ls -RH link',
    'ls --dereference -R',
    'sort -uo src/a.ts src/a.ts',
    'grep -nA3 x src/a.ts',
    'grep -nrf x',
    'file -z src/a.ts',
    'du -aL',
    'find -H link',
    'head -qn5 src/a.ts',
  ])('is not read-only because programs parse its options differently: %s [safety 6]', (line) => {
    expect(ofWords(line)).not.toBe('allow');
  });
  it.each([
    'ls &>/dev/null touch x',
    'ls &> /dev/null',
    'ls |& cat',
    'ls;;ls',
    'ls <<< x',
    'echo x >| /dev/null',
  ])('is not read-only because dash reads it differently: %s [safety 8]', async (line) =>
    expect(await verdict(line)).not.toBe('allow'),
  );
});

describe('a path with .. after a name', () => {
  it.each([
    'cat link/../private.txt',
    'ls -la link/..',
    'cat src/../src/a.ts',
    'grep -n x --file=link/../private.txt',
    'wc -l < link/../private.txt',
    'rg -flink/../x y',
    "cat 'link'/../private.txt",
    'cat link/./../private.txt',
    'cat link//../private.txt',
  ])('is not treated as a path in the folder: %s [safety 3]', async (line) =>
    expect(await verdict(line)).toBe('ask'),
  );
  it('follows the kernel even if it starts with .. [safety 3]', async () => {
    expect(await verdict('cat ./src/a.ts')).toBe('allow');
    expect(await verdict('cat ../project/src/a.ts')).toBe('allow');
    expect(await verdict('cat ../other/private.txt')).toBe('ask');
    expect(await verdict('cat ../project/link/private.txt')).toBe('ask');
  });
});

describe('programs', () => {
  it('do not count as system programs if the agent can write to their search path [safety 7]', async () => {
    expect(await verdict('ls')).toBe('allow');
    for (const first of ['.', '', 'bin', `${folder}/bin`, join(folder, 'node_modules/.bin'), tmpdir()])
      expect(await verdict('ls', `${first}:/usr/bin:/bin`), first).toBe('ask');
  });
  it('are not read-only if they run others through the search path [safety 7]', async () => {
    for (const line of ['egrep a src/a.ts', 'fgrep a src/a.ts', 'npm --version'])
      expect(await verdict(line), line).toBe('ask');
  });
  it('are not read-only outside the system folders [safety 7]', () => {
    const places = { folder: '/p', cwd: '/p', home: '/home/me', dataDir: '/x' };
    for (const [path, expected] of [
      ['/usr/bin/ls', 'allow'],
      ['/home/me/bin/ls', 'ask'],
      ['/tmp/ls', 'ask'],
      ['/usr/../tmp/ls', 'ask'],
    ] as const)
      expect(analyzeShell('ls', { ...places, resolveBinary: () => path }).verdict, path).toBe(expected);
  });
});

describe('the strict reader', () => {
  const words = (line: string) =>
    readStrictly(line)?.map((command) => command.words.map(({ value }) => value));
  it('reads words, quotes, lists, pipelines and discarded output', () => {
    expect(
      words(`ls -la 'a b' "c d"e | wc -l && pwd || true; echo hi\npwd 2>&1 >/dev/null 2>/dev/null\n`),
    ).toEqual([['ls', '-la', 'a b', 'c de'], ['wc', '-l'], ['pwd'], ['true'], ['echo', 'hi'], ['pwd']]);
    expect(readStrictly('wc -l < f')?.[0]?.inputs).toEqual([{ value: 'f', bare: true }]);
  });
  it.each([
    '',
    ' ',
    ';',
    'ls;;ls',
    '| ls',
    'ls |',
    'ls && ',
    '&& ls',
    'ls & ',
    'if true',
    'time ls',
    '! ls',
    "'ls'",
    'l"s"',
    'A=1',
    'A=1 ls',
    '< f',
    '> /dev/null',
    "ls 'a",
    'ls "a',
    'ls "a`"',
    'ls a>b',
    'ls a<b',
    'ls\r',
  ])('refuses %j', (line) => expect(readStrictly(line)).toBe(null));
});
