import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../contract/control';
import { analyzeShell } from './bash/verdict/analyze';
import { judgeCommand } from './command';
import { forbiddenBy } from './rules';

let base = '';
let folder = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-rules-')));
  folder = join(base, 'project');
  mkdirSync(join(folder, 'src'), { recursive: true });
  mkdirSync(join(base, 'other'));
  for (const name of ['project/big', 'project/.env', 'project/src/a.ts', 'other/x'])
    writeFileSync(join(base, name), 'x');
  symlinkSync(join(base, 'other'), join(folder, 'out'));
  symlinkSync(join(folder, '.env'), join(folder, 'settings'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Whether a rule for these words, and any that follow, allows the line. */
async function runs(line: string, words: string, exact = false): Promise<boolean> {
  const rule: Rule = {
    id: 'r',
    createdAt: 0,
    effect: 'allow',
    match: { kind: 'command', words: words.split(' '), exact },
    scope: { kind: 'person' },
  };
  const places = {
    folder,
    cwd: folder,
    home: join(base, 'home'),
    dataDir: join(base, 'data'),
    findProgram: async (name: string) => `/usr/bin/${name}`,
  };
  const { verdict, rules } = await judgeCommand({ command: line }, places, [rule]);
  return verdict === 'ask' && rules.length > 0;
}

describe('a rule covers its words and a closed list of options [safety 13]', () => {
  it.each([
    ['sort', 'sort --compress-program=./x -S 20k big'],
    ['sort', 'sort --compress-prog=./x big'],
    ['sort', 'sort -oF big'],
    ['sort', 'sort -uo F big'],
    ['sort', 'sort --outpu=F big'],
    ['sort', 'sort -T src big'],
    ['npm test', 'npm test --script-shel=./x'],
    ['npm test', 'npm test --script-shell ./x'],
    ['npm test', 'npm test --prefi src'],
    ['npm test', 'npm test -C src'],
    ['npm test', 'npm test --node-options=--require=./x'],
    ['npm test', 'npm test --userconf=x'],
    ['npm test', 'npm test -- --config=./x'],
    ['npm test', 'npm test -- --reporter=./x'],
    ['npm test', 'npm test -- -c x'],
    ['npm test', 'npm test -- --globalSetup x'],
    ['npm run build', 'npm run build --ignore-scripts=false'],
    ['git commit', 'git commit -F/etc/hostname'],
    ['git commit', 'git commit -Fbig'],
    ['git commit', 'git commit --fil=big'],
    ['git commit', 'git commit --amend'],
    ['git commit', 'git commit --no-verif -m x'],
    ['git commit', 'git commit --template=big'],
    ['git log', 'git log --outpu=x'],
    ['git log', 'git log --ext-diff'],
    ['git diff', 'git diff --no-index big .env'],
    ['git branch', 'git branch -D x'],
    ['git branch', 'git branch --del x'],
    ['git tag', 'git tag -d x'],
    ['git stash', 'git stash clear'],
    ['git stash', 'git stash drop'],
    ['git fetch', 'git fetch http://127.0.0.1:9/leak'],
    ['git fetch', 'git fetch host:path'],
    ['git fetch', 'git fetch --upload-pac=./x'],
    ['git add', 'git add --pathspec-from-fil=big'],
    ['git status', 'git status --no-optional'],
    ['pylint', 'pylint --init-hook=print(1) x'],
    ['pylint', "pylint '--init-hook=print(1)' x"],
    ['mytool check', 'mytool check --config=x'],
    ['mytool check', 'mytool check -x'],
    ['mytool check', 'mytool check -- -x'],
    ['tree', 'tree -o x'],
    ['tree', 'tree -Io a x'],
    ['rg', 'rg --hostname-bin=./x a'],
    ['rg', 'rg -uu a'],
    ['rg', 'rg --pre ./x a'],
    ['grep', 'grep -nR hunter .'],
    ['grep', 'grep -rn hunter .'],
    ['diff', 'diff -r a b'],
    ['tsc', 'tsc --outDir /tmp/x'],
    ['tsc', 'tsc --build'],
    ['eslint', 'eslint --fix src'],
    ['eslint', 'eslint -c x src'],
    ['eslint', 'eslint --rulesdi x src'],
    ['prettier', 'prettier --write src'],
    ['prettier', 'prettier --plugin=./x src'],
    ['pytest', 'pytest -p x'],
    ['pytest', 'pytest -cx'],
    ['pytest', 'pytest --rootdi=x'],
    ['cargo build', 'cargo build --config x'],
    ['cargo build', 'cargo build -Zx'],
    ['go test', 'go test -exec ./x'],
    ['go test', 'go test -toolexec=./x'],
    ['go build', 'go build -o x'],
    ['mkdir', 'mkdir ../x'],
    ['mkdir', 'mkdir -m 777 x'],
    ['npm audit', 'npm audit fix'],
    ['npm audit', 'npm audit --json fix'],
    ['pnpm audit', 'pnpm audit fix'],
    ['git fetch', 'git fetch . +x:main'],
    ['git fetch', 'git fetch origin refs/heads/x:refs/heads/main'],
    ['git fetch', "git fetch -p origin '+refs/heads/*:refs/heads/*'"],
    ['git show', 'git show :.env'],
    ['git show', 'git show HEAD~1:.env'],
    ['git show', 'git show main^:config/credentials.json'],
    ['git add', "git add ':(top)'"],
    ['tsc', 'tsc @x'],
    ['tsc --noEmit', 'tsc --noEmit @src/x'],
    ['tsc --noEmit', 'tsc --noEmit false'],
    ['mypy', 'mypy @x'],
    ['pytest', 'pytest @x'],
    ['ruff check', 'ruff check @x'],
    ['dotnet build', 'dotnet build @x'],
    ['npm run lint', 'npm run lint -- @x'],
    ['npm test', 'npm test -- --reporter=x'],
    ['npm test', 'npm test -- --reporter=x.js'],
    ['npm test', 'npm test -- --project=x.json'],
    ['mocha', 'mocha --reporter=x'],
    ['mocha', 'mocha init src'],
    ['vitest', 'vitest init browser'],
    ['ruff', 'ruff format src'],
    ['biome', 'biome init'],
    ['jq', 'jq \'import "x" as $x {search:"/home/me"}; $x\' big'],
    ['yq', 'yq \'load("/etc/hostname")\' big'],
    ['bundle exec', 'bundle exec ./x'],
    ['pdm run', 'pdm run x'],
    ['task build', 'task build deploy'],
    ['task build', 'task build X=1'],
    ['gulp build', 'gulp build publish'],
    ['cross-env X=1', 'cross-env X=1 ./x'],
    ['sqlite3 big', "sqlite3 big '.shell id'"],
    ['sqlite3 big', "sqlite3 big 'select writefile(1,2)'"],
    ['mytool check', 'mytool check X=1'],
    ['mytool check', 'mytool check +x'],
    ['mytool check', 'mytool check @x'],
    ['flock x', 'flock x ./y'],
    ['unshare x', 'unshare x'],
    ['jest', 'jest -tc=./x'],
    ['jest', 'jest -t --config=./x'],
    ['vitest', 'vitest -tc=./x'],
    ['vitest', 'vitest -t -c=./x'],
    ['vitest', 'vitest --testNamePattern --config=./x'],
    ['mocha', 'mocha -tr=./x'],
    ['mocha', 'mocha --grep --require=./x'],
    ['npm test', 'npm test -- -tc=./x'],
    ['npm test', 'npm test -- -t -- --config=./x'],
    ['pnpm test', 'pnpm test -t --dir=src'],
    ['dotnet build', 'dotnet build -cp:X'],
    ['git log', 'git log --pretty --ext-diff'],
    ['git log', 'git log --decorate --textconv'],
    ['git diff', 'git diff --unified --ext-diff'],
    ['git show', 'git show --pretty HEAD:big'],
    ['npm ls', 'npm ls --depth --prefix src'],
    ['mytool check', 'mytool check reset'],
    ['npm run db', 'npm run db migrate reset'],
    ['npm run db', 'npm run db -- migrate src reset'],
    ['pnpm run db', 'pnpm run db push'],
    ['yarn run db', 'yarn run db push'],
    ['prisma migrate', 'prisma migrate reset'],
    ['prisma migrate', 'prisma migrate src reset'],
  ])('%s: not %s', async (words, line) => expect(await runs(line, words)).toBe(false));

  it.each([
    ['cat', 'cat .env'],
    ['cat', 'cat settings'],
    ['cat .env', 'cat .env'],
    ['head', 'head -n 3 .env'],
    ['mytool check', 'mytool check .env'],
    ['mytool check', 'mytool check config=.env'],
    ['mytool check', 'mytool check src/../.env'],
    ['npm test', 'npm test -- id_rsa'],
    ['yq', 'yq .env'],
    ['yq', 'yq . .env'],
    ['jq', 'jq -r . .env'],
  ])('%s: never a secret: %s', async (words, line) => {
    expect(await runs(line, words)).toBe(false);
    expect(await runs(line, line, true)).toBe(false);
  });

  it('never covers a secret, however many files the line names before it', async () => {
    const many = Array.from({ length: 1_500 }, (_, at) => `a${at}`).join(' ');
    expect(await runs(`prettier ${many}`, 'prettier')).toBe(true);
    for (const secret of ['.env', 'settings'])
      expect(await runs(`prettier ${many} ${secret}`, 'prettier'), secret).toBe(false);
  });

  it.each([
    ['mytool check', 'mytool check out/x'],
    ['mytool check', 'mytool check out'],
    ['mytool check', 'mytool check in=out/x'],
    ['mytool check', 'mytool check ../other/x'],
    ['mytool check', 'mytool check /etc/hostname'],
  ])('%s: nothing outside the folder, with links followed: %s', async (words, line) => {
    expect(await runs(line, words)).toBe(false);
  });

  it.each([
    ['sqlite3 big', 'echo .shell id | sqlite3 big'],
    ['sqlite3 big', 'sqlite3 big < src/a.ts'],
    ['npm run repl', 'echo process.exit | npm run repl'],
    ['npm run repl', 'npm run repl < src/a.ts'],
    ['m4 big', 'cat src/a.ts | head -n 1 | m4 big'],
    ['mytool check', 'mytool check | mytool check'],
    ['git add big', 'git add big < /etc/hostname'],
    ['tsc', 'tsc < ../other/x'],
    ['tsc', 'tsc < out/x'],
    ['tsc', 'tsc < .env'],
  ])('%s: not with an input that it may run, or from outside the folder: %s', async (words, line) => {
    expect(await runs(line, words)).toBe(false);
    expect(await runs(line, words, true)).toBe(false);
  });

  it.each([
    'npm test *',
    'npm test $x',
    'npm test {a,b}',
    'npm test ~',
    'npm test &> /dev/null',
    'npm test &',
    'npm test\tx',
    'npm test \\x',
    "npm test $'x'",
    'npm test 1>(id)',
    'npm test; npm test # x',
    'X=1 npm test',
    'npm test src/../x',
    'cd src && npm test',
  ])('only on a line that every shell reads alike: %s', async (line) => {
    expect(await runs(line, 'npm test')).toBe(false);
  });

  it.each([
    ['npm test', 'npm test'],
    ['npm test', 'npm test -- --bail'],
    ['npm test', "npm test -- -t 'some name'"],
    ['npm test', 'npm test src/a.ts'],
    ['npm test', 'npm test 2>&1 | tail -n 20'],
    ['npm run build', 'npm run build -- --watch'],
    ['git commit', "git commit -a -m 'Fix it'"],
    ['git add', 'git add -A'],
    ['git add', 'git add src/a.ts'],
    ['git log', 'git log --oneline -n 5'],
    ['git diff', 'git diff --stat HEAD'],
    ['git stash', 'git stash list'],
    ['git fetch', 'git fetch origin main'],
    ['cargo test', 'cargo test --release'],
    ['go test', 'go test -race -count=1 ./...'],
    ['tsc', 'tsc --noEmit'],
    ['pytest', 'pytest -q src/a.ts'],
    ['mytool check', 'mytool check src'],
    ['mkdir', 'mkdir -p src/new'],
    ['npm audit', 'npm audit --json'],
    ['npm ls', 'npm ls @scope/name'],
    ['npm test', 'npm test -- --reporter=dot'],
    ['jq', 'jq .name big'],
    ['git show', 'git show main'],
    ['ruff', 'ruff check src'],
    ['vitest', "vitest -t 'some name'"],
    ['git log', 'git log --pretty=oneline'],
    ['git log', 'git log --grep fix'],
    ['tsc', 'cat src/a.ts | tsc'],
    ['tsc', 'tsc < src/a.ts'],
    ['mytool check', 'mytool check src/new.ts'],
  ])('%s: %s', async (words, line) => expect(await runs(line, words)).toBe(true));
});

describe('a deny rule applies after options of the program and of its wrapper [safety 13]', () => {
  const places = {
    folder: '/project',
    cwd: '/project',
    home: '/home/me',
    dataDir: '/data',
    resolveBinary: (name: string) => `/usr/bin/${name}`,
  };
  function forbids(words: string, line: string): boolean {
    const match = { kind: 'command' as const, words: words.split(' '), exact: false };
    const rule: Rule = { id: 'r', createdAt: 0, effect: 'deny', match, scope: { kind: 'person' } };
    const call = { callId: 'c', tool: 'execute', args: { command: line } };
    const { parts } = analyzeShell(line, places);
    return (
      forbiddenBy(call, [rule], {
        parts,
        paths: [],
        places: { folder: '/project', memories: '/memories' },
      }) !== undefined
    );
  }
  it.each([
    ['git push', 'git push'],
    ['git push', 'git -C . push'],
    ['git push', 'git -c a=b --no-pager push origin'],
    ['git push', 'git --git-dir .git push'],
    ['git push --force', 'git push origin --force'],
    ['git push --force', 'git -C . push -q --force'],
    ['npm publish', 'npm --silent publish'],
    ['npm publish', 'npm --tag next publish'],
    ['docker push', 'docker -H x push y'],
    ['git push', 'ionice --class 3 git push'],
    ['git push', "bash -cx 'git push'"],
    ['git push', "bash -c -e 'git -C . push'"],
    ['git push', "trap 'git push' EXIT"],
    ['git push', "script -qc 'git push' x"],
    ['git push', 'flock x git push'],
    ['rm', 'toybox rm x'],
  ])('%s: %s', (words, line) => expect(forbids(words, line)).toBe(true));
  it.each([
    ['git push', 'git commit -m push'],
    ['git push', 'git log push'],
    ['git push --force', 'git push'],
    ['npm publish', 'npm run publish'],
  ])('%s: not %s', (words, line) => expect(forbids(words, line)).toBe(false));
});
