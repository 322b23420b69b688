import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asksInSandbox } from '../../testing/judged';

let base = '';
let folder = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-launched-')));
  folder = join(base, 'project');
  for (const name of ['.git', 'src', 'build']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['src/a.ts', 'build/out.js']) writeFileSync(join(folder, name), 'x');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const asks = (command: string) => asksInSandbox(command, base);

describe('asks before another program deletes the folder, a repository or changes', () => {
  it.each([
    'poetry run rm -rf .',
    'uv run rm -rf .git',
    'pipenv run rm -rf .',
    'bundle exec rm -rf .',
    'corepack pnpm exec rm -rf .',
    'cross-env A=1 rm -rf .',
    'npx cross-env A=1 /bin/rm -rf .',
    'npx -y -q --no -p rimraf --loglevel silent --prefer-offline rimraf .',
    'npm exec --yes --silent --no-color --offline --prefix . -- rimraf .',
    "npx concurrently 'npm test' 'rm -rf .'",
    "nodemon --exec 'rm -rf .'",
    "nix-shell --run 'cd src && rm -rf ..'",
    'conda run rm -rf .',
    'mise exec -- rm -rf .',
    'ssh-agent rm -rf .',
    "ssh-agent bash -c 'rm -rf .'",
    "poetry run bash -c 'rm -rf .'",
    'perf stat rm -rf .',
    'flatpak-spawn --host rm -rf .',
    'some-runner git reset --hard',
    'npx git clean -fdx',
    'poetry run find . -delete',
    'some-runner mv src /tmp',
    'cd src; poetry run rm -rf ..',
    'cd $d; poetry run rm -rf src',
    `poetry run python -c "import shutil; shutil.rmtree('x')"`,
    '/lib64/ld-linux-x86-64.so.2 /bin/rm -rf .',
    '/lib64/ld-linux-x86-64.so.2 --library-path x /bin/rm -rf .',
    // Patches that undo changes, and programs that delete what they find.
    'patch -R -p1 < x',
    'patch --reverse -i x',
    'git diff -R | git apply',
    'git diff --no-color -R > x; patch -p1 < x',
    'git sparse-checkout set src',
    'git sparse-checkout init --cone',
    "rename 'unlink' *",
    `prename 'system("rm -rf src")' a`,
    'rename $X a',
    'fdupes -rdN .',
    'rdfind -deleteduplicates true .',
    'f() { bash; }; cat x | f',
  ])('%s', async (line) => expect(await asks(line)).toBe(true));
});

describe('does not ask about words of another program that are no such command', () => {
  it.each([
    'poetry run rm -rf build',
    'npx rimraf build',
    'pnpm rm lodash',
    'npm install -D rimraf cross-env',
    'npm run rm',
    'poetry run pytest -k "rm and find"',
    "npx vitest run -t 'rm -rf .'",
    'gh pr create --title "git reset --hard" --body "$BODY text"',
    'some-runner "$X y"',
    'ag rm .',
    'man rm',
    'brew install git',
    'docker compose rm -f',
    'some-runner git status',
    'npx tsc -p .',
    'make clean',
    'patch -p1 < x',
    'patch -i REVERSED.diff',
    'git diff -R',
    'git diff | git apply --check',
    'git sparse-checkout list',
    "rename 's/a/b/' a.txt",
    'rename .htm .html a.htm',
    'fdupes -r .',
  ])('%s', async (line) => expect(await asks(line)).toBe(false));
});
