import { expect, it } from 'vitest';
import { optional } from './optional';

it('keeps all values, including null and empty ones', () => {
  const values: { a?: number | undefined; b: string | null; c: string | undefined; d: number } = {
    a: undefined,
    b: null,
    c: '',
    d: 0,
  };
  const kept: { a?: number; b?: string | null; c?: string; d?: number } = optional(values);
  expect(Object.entries(kept)).toEqual([
    ['b', null],
    ['c', ''],
    ['d', 0],
  ]);
  expect({ a: 1, ...optional({ a: undefined }) }).toEqual({ a: 1 });
});
