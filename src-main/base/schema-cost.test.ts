import { expect, it } from 'vitest';
import { isCheapToCheck } from './schema-cost';

const alternatives = Array.from({ length: 2_000 }, (_, n) => ({ properties: { a: { const: n } } }));
const list = (length: number) => ({ list: Array.from({ length }, () => ({ a: 'x' })) });
const schema = { properties: { list: { items: { anyOf: alternatives } } } };

it('reports alternatives that multiply with the items of a list', () => {
  expect(isCheapToCheck(schema, list(2))).toBe(true);
  expect(isCheapToCheck(schema, list(100))).toBe(false);
});

it('counts only what is there', () => {
  expect(isCheapToCheck(schema, {})).toBe(true);
  const rows = { rows: Array.from({ length: 500 }, () => ['a', 'b', 'c']) };
  expect(isCheapToCheck({ properties: { rows: { items: { items: { type: 'string' } } } } }, rows)).toBe(true);
});

it.each([
  ['doubling alternatives', doubling(20), {}],
  [
    'a long list of values',
    { items: { enum: Array.from({ length: 40_000 }, String) } },
    ['x', ...'y'.repeat(40)],
  ],
  [
    'dependencies',
    {
      dependentSchemas: Object.fromEntries(alternatives.map((one, n) => [n, { allOf: Array(20).fill(one) }])),
    },
    { a: 1 },
  ],
  [
    'names of properties',
    { propertyNames: { anyOf: alternatives } },
    Object.fromEntries(
      Array(30)
        .fill(0)
        .map((_, n) => [n, 1]),
    ),
  ],
  ['a tuple', { items: Array(30).fill({ anyOf: alternatives }) }, Array(30).fill({ a: 1 })],
])('finds %s', (_what, wide, value) => {
  expect(isCheapToCheck(wide, value)).toBe(false);
});

function doubling(depth: number): object {
  let inner: object = { type: 'string' };
  for (let level = 0; level < depth; level++) inner = { anyOf: [inner, inner] };
  return inner;
}
