import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../../harness/backends/failure';
import { standardTime } from '../testing/processor-time';
import { compileGlob } from './glob';

const files = [
  'a.ts',
  'b.tsx',
  'src/a.ts',
  'src/deep/x.test.ts',
  'src/[x].ts',
  'src/{y}.ts',
  'docs/a.md',
  'src/a-b.ts',
];

const matching = (pattern: string, among: string[] = files): string[] => {
  const glob = compileGlob(pattern);
  if (isFailure(glob)) throw new Error(glob.error);
  return among.filter((path) => glob.matches(path)).sort();
};

describe('a glob', () => {
  it('means the same as in ripgrep', () => {
    const folder = mkdtempSync(join(tmpdir(), 'deepdesk-glob-'));
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    const patterns = [
      '*.ts',
      '*',
      'a*',
      '?.ts',
      '/*.ts',
      '/src/*',
      'src/*.ts',
      'src/**',
      '**/*.ts',
      '**/deep/**',
      'src/**/x*',
      '*.{ts,md}',
      '{src,docs}/*',
      '*.{ts{,x},md}',
      '[ab].ts',
      '[!a].ts',
      '[!a]*',
      '[a-c].ts*',
      'src/\\[x\\].ts',
      'src/[[]x].ts',
      'src/\\{y\\}.ts',
      '*.test.*',
      '**/a.ts',
      'src/a[-]b.ts',
      'no/such',
      'a**.ts',
      '**.ts',
    ];
    for (const pattern of patterns) {
      let found: string[];
      try {
        const printed = execFileSync(rgPath, ['--no-config', '--files', '-g', pattern], {
          cwd: folder,
          encoding: 'utf8',
        });
        found = printed.trim().split('\n').sort();
      } catch {
        found = [];
      }
      expect([pattern, matching(pattern)]).toEqual([pattern, found]);
    }
    rmSync(folder, { recursive: true });
  });

  it('matches names with a leading dot only if it has that dot', () => {
    const hidden = ['.env', '.git/config', 'a/.b/c.ts', 'a/.d.ts', '.x/.y'];
    expect(matching('**/*', hidden)).toEqual([]);
    expect(matching('*', hidden)).toEqual([]);
    expect(matching('.*', hidden)).toEqual(['.env', 'a/.d.ts']);
    expect(matching('.env', hidden)).toEqual(['.env']);
    expect(matching('**/.*', hidden)).toEqual(['.env', 'a/.d.ts']);
    expect(matching('.git/**', hidden)).toEqual(['.git/config']);
    expect(matching('a/.b/*', hidden)).toEqual(['a/.b/c.ts']);
    expect(matching('[.]env', hidden)).toEqual([]);
    expect(matching('{.env,.x/.y}', hidden)).toEqual(['.env', '.x/.y']);
  });

  it('rejects parent directories [P110, P111]', () => {
    for (const pattern of ['../*', '../outside/*', 'a/../../b', '..\\x', '..'])
      expect(compileGlob(pattern)).toMatchObject({ kind: 'denied' });
  });

  it('reports an invalid pattern, or treats it as literal [P118]', () => {
    for (const pattern of ['[', '[a', '{a', 'a\\', '[z-a]', ''])
      expect(compileGlob(pattern)).toMatchObject({ kind: 'invalid' });
    expect(matching('!(', ['!(', 'x'])).toEqual(['!(']);
    expect(matching('a}', ['a}'])).toEqual(['a}']);
  });

  it('is not slowed down by braces and stars [P114, P116]', async () => {
    const match = () => {
      expect(matching('{a,b}'.repeat(20), ['ab'.repeat(10), 'ab'.repeat(9)])).toEqual(['ab'.repeat(10)]);
      expect(matching('{1..999999999}', ['5', '1..999999999'])).toEqual(['1..999999999']);
      expect(matching(`${'*a'.repeat(50)}*b`, ['a'.repeat(250)])).toEqual([]);
      expect(matching(`${'**/'.repeat(50)}b`, ['a/'.repeat(120)])).toEqual([]);
      expect(compileGlob('{a,b}'.repeat(3_000))).toMatchObject({ kind: 'too_large' });
      expect(compileGlob('{'.repeat(3_000))).toMatchObject({ kind: 'too_large' });
    };
    expect(await standardTime(match, 1)).toBeLessThan(1_000);
  });

  it('compares ends of strings if that means the same', () => {
    const word = fc.constantFrom('a', 'b', '.', '.a', 'ab', '.ts', 'ts');
    const piece = fc.oneof(
      word,
      fc.constantFrom('*', '**', '/', '/', '**/'),
      fc.tuple(word, word).map(([a, b]) => `{${a},${b}}`),
    );
    const path = fc
      .array(fc.stringMatching(/^[ab.]{1,3}(\.ts)?$/), { minLength: 1, maxLength: 4 })
      .map((names) => names.join('/'));
    // A character in brackets means the same, but leaves no ends to compare. A dot in brackets does not count as a leading
    // dot.
    const slowly = (pattern: string) => pattern.replace(/[abts]/g, '[$&]');
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 5 }),
        fc.array(path),
        fc.boolean(),
        (pieces, paths, dot) => {
          const pattern = pieces.join('');
          const [fast, slow] = [compileGlob(pattern, { dot }), compileGlob(slowly(pattern), { dot })];
          if (isFailure(fast) || isFailure(slow)) return;
          for (const one of paths) expect([one, fast.matches(one)]).toEqual([one, slow.matches(one)]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

it('treats ** after an escaped brace or a plain comma as one name', () => {
  const matches = (glob: string, path: string) => {
    const compiled = compileGlob(glob, { dot: true });
    return !isFailure(compiled) && compiled.matches(path);
  };
  expect(matches('\\{**/a', '{/a')).toBe(true);
  expect(matches('\\{**/a', '{a')).toBe(false);
  expect(matches('a,**/b', 'a,b')).toBe(false);
  expect(matches('{**/a,b}', 'x/y/a')).toBe(true);
});

describe('the fast tests of common patterns', () => {
  it('agree with the automaton', () => {
    const piece = fc.constantFrom('a', 'b', '.', '*', '**/', '/', '{a,b}', '{.a,b}', 'ab', '');
    const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const name = fc.constantFrom('a', 'b', '.a', 'ab', 'a.b', '.', 'aab', 'b.a');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(
        pattern,
        fc.array(path, { minLength: 5, maxLength: 20 }),
        fc.boolean(),
        (text, paths, dot) => {
          fc.pre(/^[^./]/.test(text));
          const compiled = compileGlob(text, { dot });
          // A set, even one that never matches, leaves only the automaton.
          const slow = compileGlob(`{${text},[x]}`, { dot });
          if ('error' in compiled || 'error' in slow) return;
          expect(paths.filter((one) => compiled.matches(one))).toEqual(
            paths.filter((one) => slow.matches(one)),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('agree on case-insensitive matching', () => {
    const patterns = ['src/**/.env', 'src/**/*.PEM', 'src/**/.env.*', 'Src/**/hooks/**', 'src/[x]*'];
    const paths = [
      'src/.ENV',
      'SRC/a/.Env',
      'src/k.pem',
      'src/.env.Local',
      'src/Hooks/a',
      'src/Xa',
      'srcs/.env',
    ];
    const found = patterns.map((pattern) => {
      const glob = compileGlob(pattern, { dot: true, ignoreCase: true });
      return 'error' in glob ? glob : paths.filter((path) => glob.matches(path));
    });
    expect(found).toEqual([
      ['src/.ENV', 'SRC/a/.Env'],
      ['src/k.pem'],
      ['src/.env.Local'],
      ['src/Hooks/a'],
      ['src/Xa'],
    ]);
  });
});
