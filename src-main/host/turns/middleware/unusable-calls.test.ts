import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { REASONS } from '../../../../src-renderer/i18n/errors';
import { misfit } from './unusable-calls';

/** A tool of a server: its schema is JSON Schema. */
const serverTool = (schema: object) =>
  tool(() => '', { name: 'trial', description: '', schema: { type: 'object', ...schema } });

const told = (made: Parameters<typeof misfit>[0], args: Record<string, unknown>) => {
  const { why = [] } = misfit(made, args) ?? {};
  return [REASONS.en.sentences(why), REASONS.zh.sentences(why)];
};

describe('the problem with the arguments of a call, for the person', () => {
  const one = { $defs: { id: { type: 'integer', minimum: 1 } } };
  it.each<[string, object, Record<string, unknown>, string, string]>([
    [
      'type',
      { properties: { a: { type: 'number' } } },
      { a: 'x' },
      '"a" must be a number.',
      '“a”必须是数字。',
    ],
    [
      'choice',
      { properties: { a: { enum: ['x', 'y'] } } },
      { a: 'z' },
      '"a" must be one of these: x, y.',
      '“a”必须是以下之一：x, y。',
    ],
    [
      'constant',
      { properties: { a: { const: 1 } } },
      { a: 2 },
      '"a" must be one of these: 1.',
      '“a”必须是以下之一：1。',
    ],
    ['missing', { required: ['a', 'b'], properties: {} }, { b: 1 }, 'Missing: a.', '缺少：a。'],
    [
      'unknown',
      { properties: {}, additionalProperties: false },
      { q: 1 },
      'The value has unknown keys: q.',
      '该值有未知的键：q。',
    ],
    [
      'long',
      { properties: { 'a/b': { maxLength: 2 } } },
      { 'a/b': 'xyz' },
      '"a/b" must have a length of at most 2.',
      '“a/b”的长度最多为 2。',
    ],
    [
      'nested',
      { properties: { a: { items: { type: 'string' } } } },
      { a: ['x', 1] },
      '"a.1" must be text.',
      '“a.1”必须是文本。',
    ],
    [
      'reference',
      { ...one, properties: { a: { $ref: '#/$defs/id' } } },
      { a: 0 },
      '"a" is too small. The limit is 1.',
      '“a”太小。下限是 1。',
    ],
    [
      'other',
      { properties: { a: { pattern: '^x' } } },
      { a: 'y' },
      '"a" does not have the expected form.',
      '“a”不是预期的形式。',
    ],
  ])('is worded in both languages for a server (%s)', (_name, schema, args, inEnglish, inChinese) => {
    expect(told(serverTool(schema), args)).toEqual([inEnglish, inChinese]);
  });

  it('is worded in both languages for a built-in tool, up to three problems', () => {
    const schema = z.object({ a: z.string(), b: z.number(), c: z.boolean(), d: z.string() });
    const made = tool(() => '', { name: 'trial', description: '', schema });
    expect(told(made, {})).toEqual([
      '"a" must be text. "b" must be a number. "c" must be true or false.',
      '“a”必须是文本。“b”必须是数字。“c”必须是真或假（true 或 false）。',
    ]);
    expect(misfit(made, {})?.detail).toContain('d: Invalid input: expected string');
  });

  it('does not exist if the arguments fit, or if the schema cannot be used', () => {
    expect(misfit(serverTool({ properties: { a: { type: 'number' } } }), { a: 1 })).toBe(null);
    expect(misfit(serverTool({ properties: { a: { $ref: '#/nowhere' } } }), { a: 1 })).toBe(null);
  });
});
