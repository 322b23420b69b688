import { expect, it } from 'vitest';
import { z } from 'zod';
import { REASONS } from '../../../src-renderer/i18n/errors';
import { formProblem } from './form-problem';

const Form = z.strictObject({
  name: z.string().max(3).optional(),
  at: z.object({ size: z.int().max(9).min(2) }).optional(),
  seconds: z.number().positive().lt(60).optional(),
  mode: z.enum(['ask', 'run']).optional(),
  list: z.array(z.string()).min(1).optional(),
  either: z.union([z.string(), z.boolean()]).optional(),
});

it.each([
  [{ name: 4 }, '"name" must be text.', '“name”必须是文本。'],
  [{ name: 'long' }, '"name" must have a length of at most 3.', '“name”的长度最多为 3。'],
  [{ at: { size: 1.5 } }, '"at.size" must be a whole number.', '“at.size”必须是整数。'],
  [{ at: { size: 10 } }, '"at.size" must be at most 9.', '“at.size”不能超过 9。'],
  [{ at: { size: 1 } }, '"at.size" is too small. The limit is 2.', '“at.size”太小。下限是 2。'],
  [{ seconds: 0 }, '"seconds" must be greater than 0.', '“seconds”必须大于 0。'],
  [{ seconds: 60 }, '"seconds" must be less than 60.', '“seconds”必须小于 60。'],
  [{ mode: 'go' }, '"mode" must be one of these: ask, run.', '“mode”必须是以下之一：ask, run。'],
  [{ list: [] }, '"list" must have a length of at least 1.', '“list”的长度至少为 1。'],
  [{ other: 1 }, 'The value has unknown keys: other.', '该值有未知的键：other。'],
  [{ either: 1 }, '"either" does not have the expected form.', '“either”不是预期的形式。'],
  ['text', 'The value must be an object.', '该值必须是对象。'],
])('tells where %j is wrong and what is expected', (input, english, chinese) => {
  const { error } = Form.safeParse(input);
  const why = error === undefined ? [] : [formProblem(error)];
  expect([REASONS.en.sentences(why), REASONS.zh.sentences(why)]).toEqual([english, chinese]);
});

it('does not repeat a name of any length', () => {
  const { error } = Form.safeParse({ ['k'.repeat(1_000_000)]: 1 });
  expect(JSON.stringify(error && formProblem(error)).length).toBeLessThan(1_000);
});
