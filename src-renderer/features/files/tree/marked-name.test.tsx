import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { MarkedName } from './marked-name';

afterEach(cleanup);

it('keeps the end of a long name visible, with what was found on both sides of the cut', () => {
  const file = `${'a'.repeat(20)}-found-${'b'.repeat(20)}.test.tsx`;
  const name = `src/${file}`;
  const [found, end] = [name.indexOf('found'), name.indexOf('.tsx')];
  const { container } = render(
    <MarkedName match={{ path: `/p/${name}`, name, ranges: [found, found + 5, end, end + 4] }} />,
  );
  const parts = [...container.querySelectorAll('[aria-hidden] > bdi')];
  expect(parts.map(({ textContent }) => textContent)).toEqual([file.slice(0, -10), file.slice(-10)]);
  const marks = [...container.querySelectorAll('b')];
  expect(marks.map(({ textContent }) => textContent)).toEqual(['found', '.tsx']);
  expect(container.querySelector('.sr-only')?.textContent).toBe(file);
});
