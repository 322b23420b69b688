import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FilesystemBackend } from '../filesystem';
import { searchingWith } from './testing/search-worker';

let top: string;
let root: string;
let fs: FilesystemBackend;
const children: ChildProcess[] = [];

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'deepdesk-hostile-'));
  root = join(top, 'root');
  mkdirSync(root);
  fs = new FilesystemBackend({ rootDir: root });
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  rmSync(top, { recursive: true, force: true });
});

const put = (path: string, content = 'needle\n') => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
/** The results of both ways of searching. */
async function found(pattern = 'needle'): Promise<string[]> {
  const ask = async () => {
    const { matches, error } = await fs.grep(pattern);
    const { files } = await fs.glob('**/*');
    if (error !== undefined || matches === undefined || files === undefined) throw new Error(error);
    expect(files.map(({ path }) => path).filter((path) => matches.some((one) => one.path === path))).toEqual(
      matches.map(({ path }) => path),
    );
    return matches.map(({ path }) => path);
  };
  const paths = await searchingWith('ripgrep', ask);
  expect(await searchingWith('worker', ask)).toEqual(paths);
  return paths;
}

/** Starts to swap names for links to files that must not be read. */
async function swapLinks(folder: string, names: string[], targets: string[]): Promise<void> {
  const script = join(import.meta.dirname, '../testing/swap-links.mjs');
  const child = spawn(process.execPath, [script, folder, names.join(','), ...targets], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
}

describe.each(['ripgrep', 'worker'] as const)(
  'searching with %s while names are swapped for links',
  (engine) => {
    it('reveals no text of a hidden file or of one outside [safety 19]', async () => {
      writeFileSync(join(top, 'outside.txt'), 'needle CANARY outside\n');
      put('.env', 'needle CANARY hidden\n');
      put('.plain', 'needle plain\n');
      const names = Array.from({ length: 20 }, (_, at) => `f${at}.txt`);
      for (const name of names) put(name, 'needle plain\n');
      await searchingWith(engine, async () => {
        await swapLinks(root, names, ['.env', '../outside.txt']);
        const texts = new Set<string>();
        for (let time = 0; time < 100; time += 1) {
          const { matches = [] } = await fs.grep('needle');
          for (const { text } of matches) texts.add(text);
        }
        expect([...texts]).toEqual(['needle plain']);
      });
    }, 120_000);

    it('reveals no name from a folder outside [safety 19]', async () => {
      mkdirSync(join(top, 'outside'));
      writeFileSync(join(top, 'outside', 'canary.txt'), 'needle CANARY\n');
      const folders = Array.from({ length: 20 }, (_, at) => `sub${at}`);
      for (const folder of folders) put(`${folder}/plain.txt`);
      await searchingWith(engine, async () => {
        const script = `const { renameSync: r, symlinkSync: s } = require('node:fs');
        const [at, to, ...names] = process.argv.slice(1); s(to, at + '/.l'); process.stdout.write('started\\n');
        for (const parent = process.ppid; process.ppid === parent; ) for (const n of names) { r(at + '/' + n, at + '/.d'); r(at + '/.l', at + '/' + n); r(at + '/' + n, at + '/.l'); r(at + '/.d', at + '/' + n); }`;
        const child = spawn(process.execPath, ['-e', script, root, join(top, 'outside'), ...folders], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        children.push(child);
        await once(child.stdout, 'data');
        const names = new Set<string>();
        for (let time = 0; time < 100; time += 1) {
          for (const { path } of (await fs.glob('**/*')).files ?? []) names.add(path);
          for (const { path } of (await fs.grep('needle')).matches ?? []) names.add(path);
        }
        expect([...names].filter((path) => !/^\/sub\d+\/plain\.txt$/.test(path))).toEqual([]);
      });
    }, 120_000);
  },
);

it('searches a folder with just-written files like any other [safety 19]', async () => {
  for (let file = 0; file < 200; file += 1) put(`sub/${file}.txt`, `needle ${file}\nother\nneedle again\n`);
  put('binary.bin', 'needle\0\n');
  await searchingWith('ripgrep', async () => {
    const { matches = [], truncated } = await fs.grep('needle');
    expect([matches.length, truncated]).toEqual([400, false]);
    expect(matches.slice(0, 2)).toEqual([
      { path: '/sub/0.txt', line: 1, text: 'needle 0' },
      { path: '/sub/0.txt', line: 3, text: 'needle again' },
    ]);
    expect(await fs.grep('needle', '/', null, 30)).toMatchObject({
      truncated: true,
      matches: { length: 30 },
    });
  });
}, 60_000);

describe('odd ignore files', () => {
  const odd: [string, (path: string) => void][] = [
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    [
      'a link to a pipe',
      (path) => {
        execFileSync('mkfifo', [`${path}.pipe`]);
        symlinkSync(`${path}.pipe`, path);
      },
    ],
    ['a link to an endless device', (path) => symlinkSync('/dev/zero', path)],
    ['a link to what the kernel makes up', (path) => symlinkSync('/proc/self/environ', path)],
    ['a link to rules outside', (path) => symlinkSync(join(top, 'rules'), path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
    ['a folder', (path) => mkdirSync(path)],
    [
      'a huge file',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 20e9);
      },
    ],
  ];
  const at = [
    '.gitignore',
    '.ignore',
    '.rgignore',
    '.git/info/exclude',
    'sub/.gitignore',
    'sub/deep/.ignore',
  ];

  it.each(odd)(
    'are skipped: %s [safety 22]',
    async (_name, make) => {
      writeFileSync(join(top, 'rules'), '*.txt\n');
      for (const name of at) {
        put(`${name}.keep`, '');
        make(join(root, name));
      }
      put('a.txt');
      put('sub/b.txt');
      put('sub/deep/c.txt');
      expect(await found()).toEqual(['/a.txt', '/sub/b.txt', '/sub/deep/c.txt']);
    },
    120_000,
  );

  it('are skipped below a folder that has normal ones [safety 22]', async () => {
    put('.gitignore', 'ignored.txt\n');
    put('ignored.txt');
    put('sub/ignored.txt');
    put('sub/kept.txt');
    execFileSync('mkfifo', [join(root, 'sub/.gitignore')]);
    mkdirSync(join(root, 'other'));
    symlinkSync('/dev/zero', join(root, 'other/.ignore'));
    expect(await found()).toEqual(['/sub/kept.txt']);
    // Known by now, so it is fast.
    expect(await found()).toEqual(['/sub/kept.txt']);
  }, 120_000);

  it('are followed if they are links that stay inside', async () => {
    put('rules.md', '*.txt\n');
    put('a.txt');
    put('b.md');
    symlinkSync('rules.md', join(root, '.gitignore'));
    expect(await found()).toEqual(['/b.md']);
  }, 60_000);
});

it("does not follow a .git file to another repository's rules [safety 22]", async () => {
  put('a.txt');
  mkdirSync(join(root, 'elsewhere/info'), { recursive: true });
  execFileSync('mkfifo', [join(root, 'elsewhere/commondir')]);
  put('.git', 'gitdir: elsewhere\n');
  expect(await found()).toEqual(['/a.txt']);
}, 60_000);

it("searches a file with a single line larger than ripgrep's memory limit [safety 22]", async () => {
  put('a.txt');
  put('huge.txt', '');
  truncateSync(join(root, 'huge.txt'), 6e9);
  // No NUL in the part of the file that tells whether it is binary.
  const file = join(root, 'long.txt');
  execFileSync('sh', ['-c', `head -c 1300000000 /dev/zero | tr '\\0' x > ${file}`]);
  const { matches } = await searchingWith('ripgrep', () =>
    // Several gigabytes take a slow computer longer than a search may take by default.
    fs.grep('needle', '/', null, null, { timeoutMs: 100_000 }),
  );
  expect(matches?.map(({ path }) => path)).toEqual(['/a.txt']);
}, 120_000);
