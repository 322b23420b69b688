import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { standardTime } from '../../../src-main/base/testing/processor-time';
import { InlineCodeProvider } from './inline-code';
import { Markdown } from './markdown';

afterEach(cleanup);

const Drawn = ({ text, children }: { text: string; children?: ReactNode }) => (
  <span data-path={text}>{children ?? text}</span>
);

function paths(text: string, streaming = false): (string | undefined)[] {
  const { container, unmount } = render(
    <InlineCodeProvider value={Drawn}>
      <Markdown text={text} streaming={streaming} onOpenLink={() => undefined} />
    </InlineCodeProvider>,
  );
  const found = [...container.querySelectorAll<HTMLElement>('[data-path]')].map(
    ({ dataset }) => dataset.path,
  );
  unmount();
  return found;
}

it('links paths in prose, with or without a line, and no other words', () => {
  expect(paths('See src/orders.ts:12, /src/a.ts and 文档/说明.md. Or and/or, 1/2, v1.2, e.g. a.ts.')).toEqual(
    ['src/orders.ts:12', '/src/a.ts', '文档/说明.md'],
  );
  expect(paths('https://example.com/a/b.html and ann@example.com/x.y')).toEqual([]);
  expect(paths('**src/a.ts**\n\n- b/c.py\n\n| d/e.rs |\n|---|\n| f/g.go |')).toEqual([
    'src/a.ts',
    'b/c.py',
    'd/e.rs',
    'f/g.go',
  ]);
});

it('draws links to files by their path, and leaves pages and broken links alone', () => {
  expect(paths('[a](src/a.ts) [b](b.md#L12) [c](./my%20dir/c.ts:3) [d](d.js:7)')).toEqual([
    'src/a.ts',
    'b.md#L12',
    './my dir/c.ts:3',
    'd.js:7',
  ]);
  expect(
    paths('[a](https://x.org/a.ts) [b](mailto:a@b.c) [c](javascript:alert(1)) [d](//x.org/a.js)'),
  ).toEqual([]);
});

it('looks for no paths in text that still grows, except in links and code', () => {
  expect(paths('See src/a.ts', true)).toEqual([]);
  expect(paths('See `src/a.ts`', true)).toEqual(['src/a.ts']);
});

it('takes no longer than the text is long', async () => {
  const hostile = `${'a/'.repeat(1_500)} ${'b.'.repeat(1_500)} ${'c/d.'.repeat(900)}`;
  expect(await standardTime(() => paths(hostile), 1)).toBeLessThan(1_000);
});
