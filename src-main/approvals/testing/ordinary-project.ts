import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const PACKAGE = {
  name: 'sample',
  version: '1.2.0',
  scripts: { build: 'tsc', test: 'vitest run' },
  dependencies: { react: '^19.0.0', lodash: '^4.17.21' },
};
const LOCK = {
  name: 'sample',
  version: '1.2.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'sample', version: '1.2.0', dependencies: PACKAGE.dependencies },
    'node_modules/lodash': { version: '4.17.21' },
    'node_modules/react': { version: '19.0.0' },
  },
};
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const LINES = Array.from({ length: 60 }, (_, index) => `export const line${index} = ${index};\n`).join('');
const BYTES = Buffer.from(Array.from({ length: 256 }, (_, index) => index));

/** An archive that holds `a.txt`. */
const ZIP =
  'UEsDBBQAAAAAAAAAIQAHoerdAgAAAAIAAAAFAAAAYS50eHRhClBLAQIUAxQAAAAAAAAAIQAHoerdAgAAAAIAAAAFAAAAAAAAAAAAAACAAQAAAABhLnR4dFBLBQYAAAAAAQABADMAAAAlAAAAAAA=';

/** Everything that `ORDINARY_COMMANDS` name, in the first commit. */
const COMMITTED: Readonly<Record<string, string | Buffer>> = {
  '.env.example': 'PORT=3000\n',
  '.gitignore': 'node_modules\ndist\nlogs\n*.db\n',
  'CHANGELOG.md': '# Changes\n',
  Makefile: 'build:\n\ttsc\n',
  'README.md': '# Sample\n\nstart\n\nHow to begin.\n\nend\n',
  'a.bin': BYTES,
  'a.txt': 'a\nb\n',
  'archive.zip': Buffer.from(ZIP, 'base64'),
  'assets/logo.png': BYTES,
  'b.bin': BYTES,
  'b.txt': 'b\nc\n',
  'bin/tool': BYTES,
  'config.yml': 'foo: 1\n',
  'data.bin': BYTES,
  'data.csv': 'name,size\nfoo,1\nbar,2\n',
  'data.json': '{"foo":[1,2]}\n',
  'data.txt': 'root:foo:1\nbin:bar:2\n',
  'data/sample.bin': BYTES,
  'docker-compose.yml': 'services:\n  db:\n    image: postgres\n',
  'package-lock.json': json(LOCK),
  'package.json': json(PACKAGE),
  'packages/core/package.json': json({ name: 'core', version: '1.0.0' }),
  'pom.xml': '<project><name>sample</name></project>\n',
  'scripts/build.sh': '#!/bin/bash\nset -e\necho build\n',
  'src/app.test.ts':
    "import { app } from './app';\n\ndescribe('app', () => {\n  test('is', () => app);\n});\n",
  'src/app.ts': "import { line1 } from './index';\n\nexport const app = line1; // TODO: '/api/v1'\n",
  'src/index.ts': `${LINES}export const createServer = () => 'foo';\n`,
  'src/main.py': 'def main():\n    return 1\n',
  'src/new.ts': 'export const value = 2;\n',
  'src/old.ts': 'export const value = 1;\n',
  'src/ui/view.tsx': 'export const View = () => useState(0);\nfoo\nbar\n',
  'tests/app.test.ts': "import '../src/app';\n",
  'vite.config.ts': 'export default {};\n',
  'tsconfig.json': json({
    compilerOptions: { strict: true, module: 'esnext', types: [] },
    files: ['src/old.ts'],
  }),
  'yarn.lock': '# yarn lockfile v1\n',
};
/** Files that git ignores. */
const BUILT: Readonly<Record<string, string | Buffer>> = {
  'dist/index.js': 'export const value = 1;\n',
  'logs/app.log': 'started\nerror: no such table\nstopped\n',
  'logs/app.log.gz': gzipSync('started\nstopped\n'),
  'node_modules/lodash/package.json': json({ name: 'lodash', version: '4.17.21' }),
  'node_modules/react/package.json': json({ name: 'react', version: '19.0.0' }),
};

/** Creates the repository in `folder` and the git identity in `home`. */
export function makeOrdinaryProject(folder: string, home: string): void {
  const write = (files: Readonly<Record<string, string | Buffer>>, below = folder) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(below, name)), { recursive: true });
      writeFileSync(join(below, name), content);
    }
  };
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const git = (...args: string[]) => run('git', ...args);
  const commit = (message: string) => {
    git('add', '.');
    git('commit', '-qm', message);
  };

  write({ '.gitconfig': '[user]\n\tname = me\n\temail = me@example.com\n' }, home);
  write(COMMITTED);
  write(BUILT);
  git('init', '-q', '-b', 'main');
  commit('Start');
  git('tag', '-a', 'v1.0.0', '-m', 'First release');
  for (const step of [1, 2, 3]) {
    write({ 'src/app.ts': `${COMMITTED['src/app.ts']}export const createGate = ${step};\n` });
    commit(`Step ${step}`);
  }
  git('remote', 'add', 'origin', 'https://example.com/sample.git');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
  git('tag', 'abc123', 'HEAD~2');
  git('branch', 'topic', 'HEAD~1');
  write({ 'data.txt': 'stashed\n' });
  git('stash', '-q');
  write({ 'config.yml': 'foo: 2\n' });
  git('add', 'config.yml');
  write({ 'README.md': '# Sample\n\nstart\n\nChanged.\n\nend\n', 'untracked.md': 'new\n' });
  // Only if this machine has sqlite3: otherwise no command reads the database.
  spawnSync('sqlite3', ['app.db', 'create table things (name text)'], { cwd: folder });
  run('tar', '-czf', 'release.tgz', 'src');
  run('tar', '-cf', 'release.tar.gz', 'src');
  installTypeScript(folder);
}

/** A compiler in the project's own `node_modules`, as usual. */
function installTypeScript(folder: string): void {
  const installed = join(import.meta.dirname, '../../../node_modules/typescript');
  if (!existsSync(installed)) return;
  for (const name of ['package.json', 'bin', 'lib'])
    cpSync(join(installed, name), join(folder, 'node_modules/typescript', name), { recursive: true });
  mkdirSync(join(folder, 'node_modules/.bin'));
  symlinkSync('../typescript/bin/tsc', join(folder, 'node_modules/.bin/tsc'));
}
