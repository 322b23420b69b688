import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FilesystemBackend } from '../filesystem';
import { expectedWarnings } from '../testing/expected-warnings';
import { runSearch, setSearchEngine } from './search';
import { builtSearchWorker, searchingWith } from './testing/search-worker';

let root: string;
let fs: FilesystemBackend;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deepdesk-search-'));
  fs = new FilesystemBackend({ rootDir: root });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const put = (path: string, content: string | Uint8Array) => {
  const host = join(root, path);
  mkdirSync(dirname(host), { recursive: true });
  writeFileSync(host, content);
};

/** Asks both engines, expects the same answer, and returns the first. */
async function both<T>(ask: () => Promise<T>): Promise<T> {
  const first = await searchingWith('ripgrep', ask);
  expect(await searchingWith('worker', ask)).toEqual(first);
  return first;
}

const name = fc.constantFrom(
  'a',
  'b.ts',
  'c.md',
  '.h',
  '.git',
  'dist',
  'é.ts',
  'x y',
  'b.tsx',
  '[c]',
  'a.log',
);
const filePath = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
/** Lines by name, to keep failure output short. */
const lines = {
  needle: 'needle',
  cr: 'a needle here\r',
  number: 'Needle 42',
  empty: '',
  accents: 'é needle é',
  x: 'x',
  call: 'foo(bar)',
  spaces: '\u00a0\u2028 tab\tneedle',
  long: 'long '.repeat(1_100),
  fits: `${'x'.repeat(4_993)}needle`,
  fitsWithCr: `${'x'.repeat(4_994)}needle\r`,
  wide: `${'é'.repeat(2_600)}needle`,
};
const encodings = {
  plain: (text: string) => Buffer.from(text),
  mark: (text: string) => Buffer.from(`\uFEFF${text}`),
  little: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  big: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  binary: (text: string) => Buffer.from(`${text}\0${text}`),
  latin: (text: string) => Buffer.from(`caf\u00e9 ${text} \u00e9`, 'latin1'),
  binaryLater: (text: string) => Buffer.from(`${text}${'filler\n'.repeat(12_000)}${text}\0`),
  large: (text: string) => Buffer.from(`${text}${'filler\n'.repeat(200_000)}${text}`),
};
type Content = { as: keyof typeof encodings; lines: (keyof typeof lines)[]; end: string };
const keys = <T extends object>(of: T) => Object.keys(of) as (keyof T)[];
const content: fc.Arbitrary<Content> = fc.record({
  as: fc.oneof({ weight: 7, arbitrary: fc.constant('plain' as const) }, fc.constantFrom(...keys(encodings))),
  lines: fc.array(fc.constantFrom(...keys(lines)), { maxLength: 6 }),
  end: fc.constantFrom('', '\n', '\r\n'),
});
const bytesOf = ({ as, lines: named, end }: Content) =>
  encodings[as](named.map((one) => lines[one]).join('\n') + end);
const rule = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '/', '!/', '\\!', '# '),
    fc.constantFrom(
      'a',
      'b.ts',
      '*.ts',
      'dist',
      '**/a',
      'a/**',
      'a/b.ts',
      'dist/*',
      'a/**/b.ts',
      '{a,dist}',
      '[c]',
      '\\[c\\]',
      '[c',
      '?.ts',
      '.h',
      '.*',
      '*',
      'x y',
      'x\\ y',
      '*.{ts,md}',
      '**',
      '[!a]*',
      '{a',
      'é*',
      'a.log',
      '*.log ',
    ),
    fc.constantFrom('', '', '/', ' ', '\\ '),
  )
  .map((parts) => parts.join(''));
const ignoreFile = fc.tuple(
  fc.constantFrom('', '', 'a/', 'dist/', 'a/dist/'),
  fc.constantFrom('.gitignore', '.gitignore', '.ignore', '.rgignore', '.git/info/exclude'),
  fc.array(rule, { minLength: 1, maxLength: 3 }),
);
const glob = fc.constantFrom(
  null,
  '*.ts',
  '**/*.ts',
  'a/**',
  '*.{ts,md}',
  '.h',
  '.*',
  '*',
  'dist/*',
  '**/.git/**',
  'é.ts',
  '?.ts',
  '[!a]*',
  '*\\.ts',
  '/b.ts',
  'a/*',
);
const literal = fc.constantFrom('needle', 'foo(', 'é', 'x', 'long ', '\u2028', ' ', 'fillerneedle');
const regex = fc.constantFrom(
  'needle',
  '^needle$',
  'n.*e',
  '\\bneedle\\b',
  '(?i)NEEDLE',
  'caf.',
  '^.?$',
  '^$',
  'x*',
  '[^a-z]+$',
  '\\d+',
  '\\s',
  '\\S+ \\S+$',
  '\\w+\\(',
  '[[:upper:]]\\w',
  'foo|needle$',
  '(?:ne{2}dle|4\\d)',
  '\\p{L}{3,}',
  '\\p{Greek}',
  '^\\W',
  'a{2,1}',
  '(',
  'e**d',
  '\\u{e9}',
  'é?$',
  '\\Bedl',
  '^[\\s\\S]+$',
  '[a-z&&[^aeiou]]{2}',
);

function build(files: [string, Content][], ignores: [string, string, string[]][]): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  const tryPut = (path: string, bytes: string | Uint8Array) => {
    try {
      put(path, bytes);
    } catch {
      // A file is where a folder should be, or the other way round.
      return;
    }
  };
  for (const [path, bytes] of files) tryPut(path, bytesOf(bytes));
  for (const [folder, file, rules] of ignores) tryPut(`${folder}${file}`, `${rules.join('\n')}\n`);
}

const brief = (text: string) => (text.length < 200 ? text : `${text.length} … ${text.slice(-50)}`);

describe('searching without ripgrep', () => {
  it('finds the same as with ripgrep', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(filePath, content), { minLength: 1, maxLength: 8 }),
        fc.array(ignoreFile, { maxLength: 3 }),
        fc.constantFrom('/', '/', '/a', '/dist', '/a/dist', '/.git', '/b.ts'),
        glob,
        fc.oneof(
          literal.map((pattern) => ({ pattern, regex: false })),
          regex.map((pattern) => ({ pattern, regex: true })),
        ),
        async (files, ignores, path, include, { pattern, regex }) => {
          build(files, ignores);
          await both(async () => {
            const { error: _, ...found } = await fs.grep(pattern, path, include, null, { regex });
            // Short, to keep failure output readable.
            return {
              ...found,
              matches: found.matches?.map((match) => ({ ...match, text: brief(match.text) })),
            };
          });
          if (include !== null) await both(() => fs.glob(include, path));
        },
      ),
      { numRuns: Number(process.env.SEARCH_RUNS ?? 60) },
    );
  }, 600_000);

  it('takes over if ripgrep is missing, may not be run or is not a program', async () => {
    const workerFile = await builtSearchWorker();
    put('a.txt', 'needle\n');
    const notExecutable = join(root, '.rg');
    writeFileSync(notExecutable, 'no program', { mode: 0o644 });
    const noProgram = join(root, '.no-program');
    writeFileSync(noProgram, '\x7fELF no program', { mode: 0o755 });
    chmodSync(noProgram, 0o755);
    const warnings = expectedWarnings();
    try {
      for (const program of [join(root, 'missing'), notExecutable, noProgram]) {
        await setSearchEngine({ engine: 'auto', program, workerFile });
        for (let time = 0; time < 2; time += 1)
          expect(await fs.grep('needle')).toEqual({
            matches: [{ path: '/a.txt', line: 1, text: 'needle' }],
            truncated: false,
          });
      }
      // Reported once for each, not with every search.
      expect(warnings.filter((warning) => warning.includes('ripgrep'))).toHaveLength(3);
    } finally {
      await setSearchEngine({ engine: 'auto' });
    }
  }, 60_000);

  it('reports that there is no worker either', async () => {
    await setSearchEngine({ engine: 'worker' });
    try {
      expect(await fs.grep('needle')).toEqual({
        error: 'Searching needs ripgrep, which cannot be started here.',
        kind: 'unsupported',
      });
    } finally {
      await setSearchEngine({ engine: 'auto' });
    }
  });

  it('names regular expressions that need ripgrep', async () => {
    put('a.txt', 'needle\n');
    for (const pattern of ['\\Aneedle', '(?s:n)', '[a~~b]', '\\b{start-half}n'])
      expect([
        pattern,
        (await searchingWith('worker', () => fs.grep(pattern, '/', null, null, { regex: true }))).kind,
      ]).toEqual([pattern, 'unsupported']);
  }, 60_000);

  it('rejects every invalid regular expression, as ripgrep does', async () => {
    put('a.txt', 'needle\n');
    const wrong = [
      '(',
      ')',
      '[a',
      'a{',
      '{2}',
      '*',
      'a{3,2}',
      '\\',
      '\\q',
      '\\1',
      '(?=a)',
      '[z-a]',
      '\\n',
      '\\x{d800}',
    ];
    for (const pattern of wrong)
      await both(async () => {
        const { kind } = await fs.grep(pattern, '/', null, null, { regex: true });
        expect([pattern, kind]).toEqual([pattern, 'invalid']);
      });
  }, 60_000);

  it('stops when it is aborted, and works again afterwards', async () => {
    put('a.txt', `${'a'.repeat(4_000)}\nb\n`);
    await searchingWith('worker', async () => {
      const controller = new AbortController();
      const search = fs.grep('^(a*)*(a*)*(a*)*b', '/', null, null, {
        regex: true,
        signal: controller.signal,
      });
      setTimeout(() => controller.abort(new Error('stopped')), 50);
      await expect(search).rejects.toThrow('stopped');
      expect((await fs.grep('aaa')).matches?.length).toBe(1);
    });
  }, 60_000);

  it('searches texts in memory', async () => {
    const chunks: string[] = [];
    const ask = () =>
      runSearch({
        find: { kind: 'lines', pattern: '^n.*\\d$', regex: true },
        where: { kind: 'texts', texts: () => ['needle 1\nneedle\n', 'needle 2\0\nneedle 3\n'] },
        onChunk: (chunk) => {
          chunks.push(chunk.toString().replaceAll('<stdin>', ''));
          return false;
        },
      });
    await both(ask);
    expect(chunks).toEqual(['\x001:needle 1\n\x004:needle 3\n', '\x001:needle 1\n\x004:needle 3\n']);
  }, 60_000);

  it('runs several searches concurrently, each with its own limit', async () => {
    for (let file = 0; file < 50; file += 1) put(`${file}.txt`, 'needle\n'.repeat(200));
    await searchingWith('worker', async () => {
      const searches = Array.from({ length: 8 }, (_, at) =>
        fs.grep('needle', `/${at}.txt`, null, 10 * (at + 1)),
      );
      const found = (await Promise.all(searches)).map(({ matches, truncated }) => [
        matches?.length,
        truncated,
      ]);
      expect(found).toEqual(Array.from({ length: 8 }, (_, at) => [10 * (at + 1), true]));
      expect((await fs.grep('needle')).matches?.length).toBe(10_000);
    });
  }, 60_000);

  it('keeps no search waiting past its deadline for busy workers [H35]', async () => {
    for (let file = 0; file < 50; file += 1) put(`${file}.txt`, 'needle in a haystack\n'.repeat(2_000));
    await searchingWith('worker', async () => {
      const ended: string[] = [];
      const busy = Array.from({ length: 8 }, async () => {
        await fs.grep('nothing of the kind');
        ended.push('busy');
      });
      const hasty = Array.from({ length: 4 }, async () => {
        const { truncated } = await fs.glob('*', '/', { timeoutMs: 0 });
        ended.push(`in time, cut: ${truncated}`);
      });
      await Promise.all([...busy, ...hasty]);
      expect(ended.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => 'in time, cut: true'));
    });
  }, 60_000);

  it('returns what it found when time runs out', async () => {
    put('a.txt', 'needle\n');
    for (const engine of ['ripgrep', 'worker'] as const)
      await searchingWith(engine, async () => {
        expect((await fs.grep('needle', '/', null, null, { timeoutMs: 0 })).truncated).toBe(true);
        expect((await fs.glob('*', '/', { timeoutMs: 0 })).truncated).toBe(true);
      });
  }, 60_000);

  it('finds files whose names are not UTF-8', async () => {
    put('a.txt', 'needle\n');
    mkdirSync(Buffer.from(`${root}/d\xe9`, 'latin1'));
    writeFileSync(Buffer.from(`${root}/d\xe9/\xff\xe9.txt`, 'latin1'), 'needle\n');
    expect((await both(() => fs.grep('needle'))).matches?.map((match) => match.path)).toEqual([
      '/a.txt',
      '/d\\xe9/\\xff\\xe9.txt',
    ]);
  }, 60_000);

  it('follows no link, and reads no pipe', async () => {
    put('sub/a.txt', 'needle\n');
    symlinkSync('sub', join(root, 'way'));
    symlinkSync('sub/a.txt', join(root, 'link.txt'));
    execFileSync('mkfifo', [join(root, 'pipe.txt'), join(root, 'sub', 'pipe')]);
    expect(await both(() => fs.grep('needle'))).toEqual({
      matches: [{ path: '/sub/a.txt', line: 1, text: 'needle' }],
      truncated: false,
    });
    expect((await both(() => fs.glob('**/*'))).files?.map((file) => file.path)).toEqual(['/sub/a.txt']);
  }, 60_000);
});

describe('ignore files', () => {
  it('apply up to the root, and not above it', async () => {
    const inner = new FilesystemBackend({ rootDir: join(root, 'home', 'project') });
    put('.gitignore', '*.txt\n');
    put('home/.ignore', 'project/src\n');
    put('home/project/.gitignore', '/src/gen/*.txt\n*.log\n!keep.log\n');
    for (const file of ['src/a.txt', 'src/gen/b.txt', 'src/c.log', 'src/keep.log', 'src/gen/d/e.txt'])
      put(`home/project/${file}`, 'needle\n');
    const paths = async (path: string) =>
      (await both(() => inner.grep('needle', path))).matches?.map((match) => match.path);
    const all = ['/src/a.txt', '/src/gen/d/e.txt', '/src/keep.log'];
    expect(await paths('/')).toEqual(all);
    expect(await paths('/src')).toEqual(all);
    expect(await paths('/src/gen')).toEqual(['/src/gen/d/e.txt']);
  }, 60_000);
});
