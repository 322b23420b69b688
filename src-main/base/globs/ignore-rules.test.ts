import { expect, it } from 'vitest';
import { standardTime } from '../testing/processor-time';
import { rulesWithin } from './ignore-rules';

const NAMES = ['a', 'b'];

it('keeps the rules for a folder below, without those that have a slash in braces', async () => {
  const text = '*.log\n/a/b/c\n/a/*/{c,d}\n/a/{b/c,d}\n/x/y\n!{a,{b}}/b/e/\n';
  expect(await rulesWithin(text, NAMES)).toBe('/**/*.log\n/c\n/{c,d}\n!/e/\n');
});

it.each([
  ['{', 200_000],
  ['**/', 100_000],
  [`${'{'.repeat(4_000)}\n`, 200],
])('takes little time for a file of %j', async (part, times) => {
  const text = `${part.repeat(times)}\n*.log\n`;
  expect(await rulesWithin(text, NAMES)).toContain('/**/*.log\n');
  expect(await standardTime(() => rulesWithin(text, NAMES), 1)).toBeLessThan(1_000);
});
