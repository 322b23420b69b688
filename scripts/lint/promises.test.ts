import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { root, run } from '../process.mjs';

/** A test in backticks: a path from the root or a bare file name, optionally with `*`. */
const NAMED = /`((?:[\w.*-]+\/)*[\w.*-]+\.(?:test|spec)\.tsx?)(?: [^`]*)?`/g;

it('names only existing tests in docs/security.md', async () => {
  const { stdout } = await run('git', ['ls-files'], { cwd: root });
  const files = stdout.split('\n');
  const names = files.map((file) => basename(file));
  const exists = (named: string) => {
    const pattern = new RegExp(`^${named.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
    return (named.includes('/') ? files : names).some((file) => pattern.test(file));
  };
  const text = readFileSync(join(root, 'docs', 'security.md'), 'utf8');
  const named = [...text.matchAll(NAMED)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !exists(name))).toEqual([]);
});

it('gives each promise in docs/security.md a test', () => {
  const text = readFileSync(join(root, 'docs', 'security.md'), 'utf8');
  const [, table = ''] = text.split('## Promises');
  const rows =
    table
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| ')) ?? [];
  expect(rows.slice(1).filter((row) => !/\.(test|spec)\.tsx?`|\*`/.test(row))).toEqual([]);
  expect(rows.length).toBeGreaterThan(15);
});

/** Findings of the safety review that apply on every system; the others are about undo and about tests themselves. */
const FINDINGS = [...Array.from({ length: 28 }, (_, index) => index + 1), 31];

it('has a test for each finding of the safety review, with its number at the end of the title', async () => {
  const { stdout } = await run(
    'git',
    ['grep', '-hoE', '\\[safety [0-9, ]+\\]', '--', '*.test.ts', '*.test.tsx', '*.spec.ts'],
    {
      cwd: root,
    },
  );
  const numbers = new Set([...stdout.matchAll(/\d+/g)].map(([number]) => Number(number)));
  expect(FINDINGS.filter((number) => !numbers.has(number))).toEqual([]);
});
