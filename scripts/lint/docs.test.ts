import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from '../../src-renderer/i18n/en';
import { root, run } from '../process.mjs';
import { mistakesIn } from './docs.mjs';

/** Every text of the window, without its keys. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const labels = new Set(textsIn(en));

describe('the documents', () => {
  it('link to what exists, and name paths, scripts, options and labels that exist', async () => {
    const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
    });
    const files = stdout.trim().split('\n');
    const text = (file: string) => readFileSync(join(root, file), 'utf8');
    const pages = files.filter((file) => /^(?:[A-Z_]+|docs\/.+)\.md$/u.test(file));
    expect(pages.length).toBeGreaterThan(30);
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
    const found = mistakesIn({
      pages: new Map(pages.map((page) => [page, text(page)])),
      files: new Set(files),
      scripts: new Set(Object.keys(scripts)),
      labels,
    });
    expect(found).toEqual([]);
  });

  const parser = readFileSync(join(root, 'src-main/cli/options.ts'), 'utf8');
  const options = [...parser.matchAll(/^\s+'?([\w-]+)'?: \{ type: '(?:string|boolean)'/gmu)].map(
    ([, name]) => `--${name}`,
  );

  it('describe exactly the options of the command without a window', () => {
    const page = readFileSync(join(root, 'docs/headless.md'), 'utf8');
    const named = [...page.matchAll(/^\| `(--[\w-]+)/gmu)].map(([, option = '']) => option);
    expect(named.length).toBeGreaterThan(8);
    expect(named.toSorted()).toEqual(options.toSorted());
  });

  it('show the command without a window only with options that it has', async () => {
    const { stdout } = await run('git', ['ls-files', '--cached', '*.md'], { cwd: root });
    const lines = stdout
      .trim()
      .split('\n')
      .flatMap((page) => readFileSync(join(root, page), 'utf8').split('\n'));
    const used = lines
      .flatMap((line) => line.match(/npm run agent -- [^`#]*/gu) ?? [])
      .flatMap((command) => command.slice('npm run agent -- '.length).match(/--[\w-]+/gu) ?? []);
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter((option) => !options.includes(option))).toEqual([]);
  });
});

describe('a mistake in the documents', () => {
  const found = (pages: Record<string, string>, files: string[] = []) =>
    mistakesIn({
      pages: new Map(Object.entries(pages)),
      files: new Set([...Object.keys(pages), ...files]),
      scripts: new Set(['build']),
      labels: new Set(['Add folder', 'Reject all {count}', 'Settings']),
    });

  it.each([
    ['a link to nothing', { 'docs/a.md': '[b](b.md)' }, 'docs/a.md: nothing is at b.md'],
    [
      'a missing heading',
      { 'docs/a.md': '# One\n[b](#two)' },
      'docs/a.md: docs/a.md has no heading for #two',
    ],
    ['a missing file', { 'docs/a.md': '`src-main/b.ts`' }, 'docs/a.md: there is no src-main/b.ts'],
    ['an unknown script', { 'README.md': 'npm run biuld' }, 'README.md: there is no npm run biuld'],
    [
      'an unknown label',
      { 'docs/guide/a.md': '**Add file**' },
      'docs/guide/a.md: the window has no "Add file"',
    ],
    [
      'an unknown section of the settings, in any page',
      { 'README.md': '**Any text** is in **Settings → Keys**.' },
      'README.md: the window has no "Keys"',
    ],
    [
      'an unknown text in quotes',
      { 'docs/guide/a.md': 'It says "Refuse all 5".' },
      'docs/guide/a.md: the window has no "Refuse all 5"',
    ],
  ])('is found: %s', (_name, pages, said) => {
    expect(found(pages as unknown as Record<string, string>)).toEqual([said]);
  });

  it('is found: a picture that no page shows', () => {
    expect(found({}, ['docs/images/a.png'])).toEqual(['docs/images/a.png: no page shows it']);
  });

  it('is not seen in what is right', () => {
    const page =
      '# The first\n**Add folder**, "Reject all 5", **So.** `"No label"` npm run build [b](../b.md#what-it-is) ![c](../images/c.png) `scripts/NAME.mjs` `scripts/*.mjs` `e2e/one` `e2e/`';
    const pages = { 'docs/guide/a.md': page, 'docs/b.md': '## What it is?\n```\n[no](link)\n```' };
    expect(found(pages, ['docs/images/c.png', 'scripts/d.mjs', 'e2e/one.spec.ts'])).toEqual([]);
  });
});
