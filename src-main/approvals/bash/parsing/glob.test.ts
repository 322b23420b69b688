import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameMatcher, pathMatcher } from './glob';

it.each([
  ['*', 'abc', true],
  ['a*c', 'abc', true],
  ['a*c', 'abcd', false],
  ['a**c', 'ac', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['?', '😀', true],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[^a]x', 'bx', true],
  ['[]a]', ']', true],
  ['[a-]', '-', true],
  ['[a', '[a', true],
  ['a.b', 'axb', false],
  ['(a|b)+', '(a|b)+', true],
  ['*.test.ts', 'x.test.test.ts', true],
  ['', '', true],
  ['*', '', true],
])('%s for %s: %s', (pattern, name, expected) => expect(nameMatcher(pattern)(name)).toBe(expected));

it.each([
  ['docs/**', 'docs/a/b.md', true],
  ['docs/**', 'docs', false],
  ['**/*.md', 'a.md', true],
  ['**/*.md', 'x/y/a.md', true],
  ['src/*.ts', 'src/a/b.ts', false],
  ['src/**/b/*.ts', 'src/b/b/x/b/a.ts', true],
  ['**', 'a', true],
  ['**/a/**', 'x/a', false],
])('%s for the path %s: %s', (pattern, path, expected) => expect(pathMatcher(pattern)(path)).toBe(expected));

it('agrees with a regular expression on short names', () => {
  const piece = fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]');
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), name, (pieces, text) => {
      const as: Partial<Record<string, string>> = { '*': '.*', '?': '.', '[!a]': '[^a]' };
      const source = pieces.map((own) => as[own] ?? own).join('');
      expect(nameMatcher(pieces.join(''))(text)).toBe(new RegExp(`^${source}$`).test(text));
    }),
  );
});

it('takes at most pattern length times name length steps for any pattern [safety 23]', () => {
  // A regular expression for the first of these runs for half a minute, and for the others for years.
  for (const stars of [7, 20, 200])
    expect(nameMatcher(`${'*a'.repeat(stars)}*b`)('a'.repeat(255))).toBe(false);
  expect(pathMatcher(`${'**/a/'.repeat(50)}b`)(`${'a/'.repeat(200)}c`)).toBe(false);
});
