import { expect, it } from 'vitest';
import { PrefixCache } from './prefix-cache';

/** A part of 1,000 tokens. */
const part = (name: string, isMarked = false) => ({ text: name.repeat(4_000).slice(0, 4_000), isMarked });

it('reads what was marked earlier, and writes what is newly marked', () => {
  const cache = new PrefixCache();
  const system = [part('a'), part('b', true)];
  expect([
    cache.marked([...system, part('c')]),
    cache.marked([...system, part('d', true)]),
    cache.marked([...system, part('d', true), part('e')]),
    cache.marked([part('x'), part('b', true), part('d', true)]),
  ]).toEqual([
    { read: 0, written: 2_000, fresh: 1_000 },
    { read: 2_000, written: 1_000, fresh: 0 },
    { read: 3_000, written: 0, fresh: 1_000 },
    { read: 0, written: 3_000, fresh: 0 },
  ]);
});

it('searches up to twenty parts before a mark, and caches no short prefix', () => {
  const cache = new PrefixCache();
  const many = Array.from({ length: 25 }, (_, index) => part(String.fromCharCode(99 + index)));
  expect(cache.marked([part('a'), part('b', true)]).written).toBe(2_000);
  expect(cache.marked([part('a'), part('b'), ...many.slice(0, 19), part('z', true)]).read).toBe(2_000);
  expect(cache.marked([part('a'), part('b'), ...many.slice(0, 22).reverse(), part('z', true)]).read).toBe(0);
  expect(new PrefixCache().marked([part('a', true)])).toEqual({ read: 0, written: 0, fresh: 1_000 });
});

it('finds the longest prefix in steps if there are no marks', () => {
  const cache = new PrefixCache();
  expect(cache.shared([part('a'), part('b')], 128).read).toBe(0);
  expect(cache.shared([part('a'), part('b'), part('c')], 128).read).toBe(1_920);
  expect(cache.shared([part('x'), part('b')], 128).read).toBe(0);
});
