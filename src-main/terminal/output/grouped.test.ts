import { expect, it } from 'vitest';
import { grouped } from './grouped';

it('groups digits as in English', () => {
  for (const number of [0, 7, 999, 1_000, 123_456, 1_234_567, 600_000_000])
    expect(grouped(number)).toBe(number.toLocaleString('en-US'));
});
