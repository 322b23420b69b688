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
  writeFileSync,
} from 'node:fs';
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

const untouched = () => {
  expect(readdirSync(outside)).toEqual(['canary.txt']);
  expect(readFileSync(join(outside, 'canary.txt'), 'utf8')).toBe('canary');
};

describe('deleting', () => {
  it('deletes a link and not its target', async () => {
    symlinkSync(outside, join(root, 'dir'));
    mkdirSync(join(root, 'deep', 'er'), { recursive: true });
    symlinkSync(outside, join(root, 'deep', 'er', 'out'));
    expect(await fs.delete('/dir')).toEqual({ path: '/dir', filesUpdate: null });
    expect(await fs.delete('/deep')).toEqual({ path: '/deep', filesUpdate: null });
    expect(readdirSync(root)).toEqual([]);
    untouched();
  });

  it('compares a link by the file it leads to', async () => {
    writeFileSync(join(root, 'a.txt'), 'one');
    symlinkSync('a.txt', join(root, 'link'));
    const { version: expectedVersion = '' } = await fs.read('/link');
    writeFileSync(join(root, 'a.txt'), 'two');
    expect((await fs.delete('/link', { expectedVersion })).kind).toBe('stale');
    writeFileSync(join(root, 'a.txt'), 'one');
    expect((await fs.delete('/link', { expectedVersion })).error).toBeUndefined();
    expect(readdirSync(root)).toEqual(['a.txt']);
  });
});

describe('uploading', () => {
  it('stops when it is canceled', async () => {
    const stop = new AbortController();
    const files: [string, Uint8Array][] = [['/a.txt', new Uint8Array([1])]];
    Object.defineProperty(files, 1, {
      get: () => {
        stop.abort(new Error('stopped'));
        return ['/b.txt', new Uint8Array([2])];
      },
    });
    await expect(fs.uploadFiles(files, { signal: stop.signal })).rejects.toThrow('stopped');
    expect(readdirSync(root)).toEqual(['a.txt']);
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

  it('replaces a hard link and leaves its other names unchanged', async () => {
    writeFileSync(join(outside, 'canary.txt'), 'canary');
    linkSync(join(outside, 'canary.txt'), join(root, 'hard.txt'));
    await fs.write('/hard.txt', 'new');
    untouched();
  });

  it('reports that the folder is gone', async () => {
    await fs.write('/a.txt', '1');
    rmSync(root, { recursive: true });
    expect((await fs.write('/b.txt', '1')).kind).toBe('folder_gone');
    expect((await fs.ls('/')).kind).toBe('folder_gone');
    expect(existsSync(root)).toBe(false);
  });
});

describe('reading', () => {
  it('reads a long line to its end by columns, and then the next lines [P106]', async () => {
    // Characters of three bytes, so that no page ends at a multiple of 64 KiB.
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
});

describe('searching', () => {
  it("skips what the folder's ignore files name, unless its path is searched", async () => {
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

  it('skips binary files [H57]', async () => {
    writeFileSync(join(root, 'b.bin'), Buffer.from('needle \0 needle\n'));
    expect(await fs.grep('needle')).toEqual({ matches: [], truncated: false });
    expect(await fs.grep('needle', '/b.bin')).toEqual({ matches: [], truncated: false });
  });

  it('treats a pattern that looks like an option as literal [P120, P121]', async () => {
    writeFileSync(join(root, 'a.txt'), '-f/etc/passwd\n--pre=./x\n');
    expect((await fs.grep('-f/etc/passwd')).matches).toEqual([
      { path: '/a.txt', line: 1, text: '-f/etc/passwd' },
    ]);
    expect((await fs.grep('--pre=./x')).matches).toEqual([{ path: '/a.txt', line: 2, text: '--pre=./x' }]);
  });

  it('stops at the limit and reports that there is more [P124]', async () => {
    writeFileSync(join(root, 'a.txt'), 'needle\n'.repeat(100_000));
    const found = await fs.grep('needle', '/', null, 1_000);
    expect({ count: found.matches?.length, truncated: found.truncated }).toEqual({
      count: 1_000,
      truncated: true,
    });
  });

  it('returns what it found when time runs out', async () => {
    writeFileSync(join(root, 'a.txt'), 'needle\n');
    expect((await fs.grep('needle', '/', null, null, { timeoutMs: 0 })).truncated).toBe(true);
  });

  it('cuts long matching lines', async () => {
    writeFileSync(join(root, 'a.txt'), `needle${'x'.repeat(1_000_000)}\n`);
    expect((await fs.grep('needle')).matches?.[0]?.text.length).toBeLessThan(6_000);
  });
});

describe('host paths', () => {
  it('are accepted outside the virtual mode, and relative ones start at the root folder', async () => {
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
