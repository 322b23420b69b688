import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeBackend } from './backend.contract';
import { FilesystemBackend } from './filesystem';

let base: string;
let root: string;
let outside: string;
let fs: FilesystemBackend;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-fs-')));
  root = join(base, 'root');
  outside = join(base, 'outside');
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, 'canary.txt'), 'canary');
  fs = new FilesystemBackend({ rootDir: root });
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

describeBackend('FilesystemBackend', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-contract-'));
  return {
    backend: new FilesystemBackend({ rootDir: folder }),
    close: () => rmSync(folder, { recursive: true, force: true }),
    forgetsCreation: true,
  };
});

/** Every way to reach a path; all must refuse. */
const reach = async (path: string) => ({
  read: (await fs.read(path)).kind,
  readRaw: (await fs.readRaw(path)).kind,
  write: (await fs.write(path, 'x')).kind,
  edit: (await fs.edit(path, 'canary', 'x')).kind,
  download: (await fs.downloadFiles([path]))[0]?.content,
  upload: (await fs.uploadFiles([[path, new Uint8Array([1])]]))[0]?.error === null,
});
const refusedAs = (kind: string) => ({
  read: kind,
  readRaw: kind,
  write: kind,
  edit: kind,
  download: null,
  upload: false,
});
const untouched = () => {
  expect(readdirSync(outside)).toEqual(['canary.txt']);
  expect(readFileSync(join(outside, 'canary.txt'), 'utf8')).toBe('canary');
};

/** Swaps the folder `a` and a link to the outside as fast as it can, until its input ends. */
const SWAPPER = `
const { existsSync, renameSync, rmSync } = require('node:fs');
const root = process.argv[1];
const tried = (act) => { try { act(); return true; } catch { return false; } };
const move = (from, to) => {
  while (existsSync(root + from) && !tried(() => renameSync(root + from, root + to)))
    tried(() => rmSync(root + to, { recursive: true }));
};
let on = true;
process.stdin.on('end', () => { on = false; }).resume();
process.stdout.write('ready');
const turn = () => {
  for (let i = 0; i < 20; i += 1) {
    move('/a', '/spare/dir'); move('/spare/link', '/a');
    move('/a', '/spare/link'); move('/spare/dir', '/a');
  }
  if (on) setImmediate(turn);
};
turn();
`;

describe('links and special files', () => {
  it('P54 reads a link that stays inside, and does not write through it', async () => {
    writeFileSync(join(root, 'real.txt'), 'inside');
    symlinkSync('real.txt', join(root, 'link.txt'));
    expect((await fs.read('/link.txt')).content).toBe('inside');
    expect(await fs.write('/link.txt', 'x')).toEqual({
      error: 'Cannot write to /link.txt because it is a symlink. Symlinks are not allowed.',
      kind: 'denied',
    });
    expect(readFileSync(join(root, 'real.txt'), 'utf8')).toBe('inside');
  });

  it('P55 refuses a file link that leads out', async () => {
    symlinkSync(join(outside, 'canary.txt'), join(root, 'link.txt'));
    expect(await reach('/link.txt')).toEqual(refusedAs('denied'));
    expect(await fs.grep('canary', '/link.txt')).toMatchObject({ kind: 'denied' });
    untouched();
  });

  it('P56 refuses everything through a directory link that leads out, and lists it without following', async () => {
    symlinkSync(outside, join(root, 'dir'));
    expect(await reach('/dir/canary.txt')).toEqual(refusedAs('denied'));
    expect(await reach('/dir/new.txt')).toEqual(refusedAs('denied'));
    expect((await fs.ls('/dir')).kind).toBe('denied');
    expect((await fs.glob('*', '/dir')).kind).toBe('denied');
    expect((await fs.grep('canary', '/dir')).kind).toBe('denied');
    expect((await fs.delete('/dir/canary.txt')).kind).toBe('denied');
    expect((await fs.ls('/')).files?.map(({ path, is_dir }) => ({ path, is_dir }))).toEqual([
      { path: '/dir', is_dir: false },
    ]);
    expect(await fs.glob('**/*')).toEqual({ files: [], truncated: false });
    expect(await fs.grep('canary')).toEqual({ matches: [], truncated: false });
    untouched();
  });

  it('P58 refuses a link to itself at once', async () => {
    symlinkSync('loop', join(root, 'loop'));
    const started = performance.now();
    expect((await fs.read('/loop')).kind).toBe('denied');
    expect((await fs.ls('/loop')).kind).toBe('denied');
    expect(performance.now() - started).toBeLessThan(100);
  });

  it('P59 ends when a folder links to its own parent', async () => {
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'sub', 'a.txt'), 'word');
    symlinkSync('.', join(root, 'sub', 'sub'));
    expect((await fs.glob('**/*.txt')).files).toEqual([{ path: '/sub/a.txt', is_dir: false }]);
    expect((await fs.grep('word')).matches).toEqual([{ path: '/sub/a.txt', line: 1, text: 'word' }]);
  });

  it('P60 does not create the target of a dangling link', async () => {
    symlinkSync(join(outside, 'new.txt'), join(root, 'link.txt'));
    expect(await reach('/link.txt')).toEqual(refusedAs('denied'));
    untouched();
  });

  it('P62 refuses a link into /proc', async () => {
    symlinkSync('/proc/self/environ', join(root, 'env'));
    expect(await reach('/env')).toEqual(refusedAs('denied'));
  });

  it('P63 leaks nothing while a folder and a link to the outside are swapped', async () => {
    mkdirSync(join(root, 'a'));
    writeFileSync(join(root, 'a', 'canary.txt'), 'inside');
    mkdirSync(join(root, 'spare'));
    symlinkSync(outside, join(root, 'spare', 'link'));
    // Another process, so that it swaps in the middle of our calls; a folder that a write has made is cleared away.
    const swapper = spawn(process.execPath, ['-e', SWAPPER, root], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(swapper, 'close');
    await once(swapper.stdout, 'data');
    const seen = new Set<unknown>();
    for (let round = 0; round < 150; round += 1) {
      const [read, , found] = await Promise.all([
        fs.read('/a/canary.txt'),
        fs.write('/a/new.txt', 'x'),
        round % 10 === 0 ? fs.grep('canary', '/a') : { matches: [] },
      ]);
      seen.add(read.content);
      expect(found.matches ?? []).toEqual([]);
    }
    swapper.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect([...seen].filter((content) => content !== undefined && content !== 'inside')).toEqual([]);
    untouched();
  }, 60_000);

  it('P68 P69 refuses pipes and sockets at once', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
    const started = performance.now();
    expect(await reach('/pipe')).toEqual(refusedAs('special'));
    expect(await reach('/socket')).toEqual(refusedAs('special'));
    expect((await fs.grep('x', '/pipe')).kind).toBe('special');
    expect(performance.now() - started).toBeLessThan(1000);
    server.close();
  });

  it('P71 refuses a directory as a file', async () => {
    mkdirSync(join(root, 'd'));
    expect(await reach('/d')).toEqual(refusedAs('special'));
    writeFileSync(join(root, 'f'), '');
    expect((await fs.ls('/f')).kind).toBe('special');
    expect((await fs.write('/f/x', '')).kind).toBe('special');
  });

  it('P73 takes a link as root and stays with the folder it led to first', async () => {
    symlinkSync(root, join(base, 'way'));
    const backend = new FilesystemBackend({ rootDir: join(base, 'way') });
    writeFileSync(join(root, 'a.txt'), 'first');
    expect((await backend.read('/a.txt')).content).toBe('first');
    rmSync(join(base, 'way'));
    symlinkSync(outside, join(base, 'way'));
    expect((await backend.read('/a.txt')).content).toBe('first');
    expect((await backend.read('/canary.txt')).kind).toBe('not_found');
  });

  it('P75 knows no /proc', async () => {
    expect((await fs.read('/proc/self/environ')).kind).toBe('not_found');
  });

  it('deletes a link and not what it leads to', async () => {
    symlinkSync(outside, join(root, 'dir'));
    mkdirSync(join(root, 'deep', 'er'), { recursive: true });
    symlinkSync(outside, join(root, 'deep', 'er', 'out'));
    expect(await fs.delete('/dir')).toEqual({ path: '/dir', filesUpdate: null });
    expect(await fs.delete('/deep')).toEqual({ path: '/deep', filesUpdate: null });
    expect(readdirSync(root)).toEqual([]);
    untouched();
  });
});

describe('writing', () => {
  it('keeps the mode and leaves no temporary file', async () => {
    writeFileSync(join(root, 'run.sh'), 'old');
    chmodSync(join(root, 'run.sh'), 0o750);
    expect((await fs.write('/run.sh', 'new')).error).toBeUndefined();
    expect(statSync(join(root, 'run.sh')).mode & 0o7777).toBe(0o750);
    expect(readdirSync(root)).toEqual(['run.sh']);
  });

  it('P88 does not replace a read-only file', async () => {
    writeFileSync(join(root, 'fixed.txt'), 'old');
    chmodSync(join(root, 'fixed.txt'), 0o444);
    expect((await fs.write('/fixed.txt', 'new')).kind).toBe('denied');
    expect(readFileSync(join(root, 'fixed.txt'), 'utf8')).toBe('old');
    expect(statSync(join(root, 'fixed.txt')).mode & 0o777).toBe(0o444);
  });

  it('replaces a hard link instead of changing what else it names', async () => {
    writeFileSync(join(outside, 'canary.txt'), 'canary');
    linkSync(join(outside, 'canary.txt'), join(root, 'hard.txt'));
    await fs.write('/hard.txt', 'new');
    untouched();
  });

  it('P109 refuses to write more than the limit', async () => {
    const small = new FilesystemBackend({ rootDir: root, maxFileSizeMb: 1 });
    expect((await small.write('/big.txt', 'x'.repeat(1024 * 1024 + 1))).kind).toBe('too_large');
    expect(readdirSync(root)).toEqual([]);
  });

  it('says so when the folder is gone', async () => {
    await fs.write('/a.txt', '1');
    rmSync(root, { recursive: true });
    expect((await fs.write('/b.txt', '1')).kind).toBe('folder_gone');
    expect((await fs.ls('/')).kind).toBe('folder_gone');
    expect(existsSync(root)).toBe(false);
  });
});

describe('reading', () => {
  it('P105 reads pages of a sparse file of 5 GB without taking it into memory', async () => {
    writeFileSync(join(root, 'huge.log'), Array.from({ length: 20_000 }, (_, n) => `line ${n}`).join('\n'));
    truncateSync(join(root, 'huge.log'), 5 * 1024 ** 3);
    const before = process.memoryUsage().rss;
    expect(await fs.read('/huge.log', 10_000, 2)).toMatchObject({
      content: 'line 10000\nline 10001',
      nextOffset: 10_002,
      size: 5 * 1024 ** 3,
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    expect((await fs.readRaw('/huge.log')).kind).toBe('too_large');
    expect((await fs.edit('/huge.log', 'line 1', 'x')).kind).toBe('too_large');
  });

  it('P106 cuts an endless line and says so', async () => {
    writeFileSync(join(root, 'one.txt'), 'é'.repeat(500_000));
    const { content, nextOffset, nextColumn } = await fs.read('/one.txt');
    expect(content).toMatch(/^é{32768}… \[line 1 is longer than 65536 bytes and is cut here\]$/);
    expect({ nextOffset, nextColumn }).toEqual({ nextOffset: 1, nextColumn: 65_536 });
  });

  it('P106 reads a long line to its end by columns, and what comes after it', async () => {
    // Characters of three bytes, so that no page ends where 64 KiB do.
    const long = Array.from({ length: 300_000 }, (_, n) => String.fromCharCode(0x4e00 + (n % 1000))).join('');
    writeFileSync(join(root, 'long.txt'), `first\n${long}\nlast\n`);
    let [at, column, text] = [1, 0, ''];
    for (let page = await fs.read('/long.txt', at, 500, { column }); ; ) {
      text += String(page.content);
      if (page.nextColumn === undefined) break;
      [at, column] = [(page.nextOffset ?? 0) - 1, page.nextColumn];
      page = await fs.read('/long.txt', at, 500, { column });
    }
    expect(text === `${long}\nlast`).toBe(true);
    expect(at).toBe(1);
    expect(await fs.read('/long.txt', 0, 500, { column: 6 })).toEqual({
      error: 'Column 6 is past the end of line 1.',
      kind: 'invalid',
    });
    expect((await fs.read('/long.txt', 1, 500, { column: 900_001 })).kind).toBe('invalid');
    expect((await fs.read('/long.txt', 1, 500, { column: 900_000 })).content).toBe('\nlast');
    expect((await fs.read('/long.txt', 1, 1, { column: 899_998 })).content).toBe('');
  });

  it('P40 names the twin of a missing file', async () => {
    writeFileSync(join(root, 'caf\u00e9.txt'), '');
    expect(await fs.read('/cafe\u0301.txt')).toEqual({
      error:
        "File '/cafe\u0301.txt' not found. There is '/caf\u00e9.txt', whose name is written differently.",
      kind: 'not_found',
    });
  });

  it('P47 P49 takes names with line ends, colons and leading dashes as they are', async () => {
    const names = ['-rf', '--help', 'a:1:b.txt', 'two\nlines.txt'];
    for (const name of names)
      expect(await fs.write(`/${name}`, 'needle')).toMatchObject({ path: `/${name}` });
    const paths = names.map((name) => `/${name}`).sort();
    expect((await fs.grep('needle')).matches?.map((match) => match.path)).toEqual(paths);
    expect((await fs.glob('*')).files?.map((file) => file.path)).toEqual(paths);
    expect((await fs.grep('needle', '/--help')).matches).toEqual([
      { path: '/--help', line: 1, text: 'needle' },
    ]);
    expect((await fs.delete('/-rf')).error).toBeUndefined();
  });
});

describe('searching', () => {
  it('skips what the ignore files of the folder name, unless it is searched by its path', async () => {
    await fs.write('/.gitignore', 'dist\n*.log\n');
    await fs.write('/dist/a.ts', 'needle');
    await fs.write('/a.log', 'needle');
    await fs.write('/src/a.ts', 'needle');
    const paths = async (path: string, glob: string | null) =>
      (await fs.grep('needle', path, glob)).matches?.map((match) => match.path);
    expect(await paths('/', null)).toEqual(['/src/a.ts']);
    expect(await paths('/', '*.ts')).toEqual(['/src/a.ts']);
    expect(await paths('/', '*.log')).toEqual([]);
    expect(await paths('/dist', null)).toEqual(['/dist/a.ts']);
    expect(await paths('/a.log', null)).toEqual(['/a.log']);
    expect((await fs.glob('**/*')).files?.map((file) => file.path)).toEqual(['/src/a.ts']);
  });

  it('H57 skips binary files', async () => {
    writeFileSync(join(root, 'b.bin'), Buffer.from('needle \0 needle\n'));
    expect(await fs.grep('needle')).toEqual({ matches: [], truncated: false });
    expect(await fs.grep('needle', '/b.bin')).toEqual({ matches: [], truncated: false });
  });

  it('P120 P121 takes a pattern that looks like an option literally', async () => {
    writeFileSync(join(root, 'a.txt'), '-f/etc/passwd\n--pre=./x\n');
    expect((await fs.grep('-f/etc/passwd')).matches).toEqual([
      { path: '/a.txt', line: 1, text: '-f/etc/passwd' },
    ]);
    expect((await fs.grep('--pre=./x')).matches).toEqual([{ path: '/a.txt', line: 2, text: '--pre=./x' }]);
  });

  it('P124 stops at the cap and says that there is more', async () => {
    writeFileSync(join(root, 'a.txt'), 'needle\n'.repeat(100_000));
    const found = await fs.grep('needle', '/', null, 1_000);
    expect({ count: found.matches?.length, truncated: found.truncated }).toEqual({
      count: 1_000,
      truncated: true,
    });
  });

  it('answers with what it found when time runs out', async () => {
    writeFileSync(join(root, 'a.txt'), 'needle\n');
    expect((await fs.grep('needle', '/', null, null, { timeoutMs: 0 })).truncated).toBe(true);
  });

  it('cuts long lines that match', async () => {
    writeFileSync(join(root, 'a.txt'), `needle${'x'.repeat(1_000_000)}\n`);
    expect((await fs.grep('needle')).matches?.[0]?.text.length).toBeLessThan(6_000);
  });
});

describe('host paths', () => {
  it('takes host paths outside the virtual mode, relative ones from the root folder', async () => {
    const host = new FilesystemBackend({ rootDir: root, virtualMode: false });
    expect((await host.write(join(outside, 'new.txt'), 'x')).path).toBe(join(outside, 'new.txt'));
    expect((await host.write('rel.txt', 'y')).path).toBe(join(root, 'rel.txt'));
    expect((await host.read('rel.txt')).content).toBe('y');
    expect((await host.glob('*.txt', outside)).files?.map((file) => file.path)).toEqual([
      join(outside, 'canary.txt'),
      join(outside, 'new.txt'),
    ]);
  });
});
