import { expect, it } from 'vitest';
import { z } from 'zod';
import { geminiSchema } from './gemini-schema';

it("converts a schema to Gemini's terms", () => {
  const schema = z.toJSONSchema(
    z.object({
      name: z.string().nullable(),
      kind: z.literal('file'),
      size: z.union([z.number(), z.string()]),
      at: z.iso.datetime(),
      tags: z.array(z.enum(['a', 'b'])).max(3),
      level: z.literal([1, 2]),
      count: z.number().int().positive().max(10),
    }),
  );
  expect(geminiSchema(schema as Record<string, unknown>)).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', nullable: true },
      kind: { type: 'string', enum: ['file'] },
      size: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      at: expect.objectContaining({ type: 'string', format: 'date-time' }),
      tags: { type: 'array', maxItems: 3, items: { type: 'string', enum: ['a', 'b'] } },
      level: { type: 'number' },
      count: { type: 'integer', minimum: 1, maximum: 10 },
    },
    required: ['name', 'kind', 'size', 'at', 'tags', 'level', 'count'],
  });
});

it('resolves references, and stops in a recursive schema', () => {
  const tree = {
    $ref: '#/$defs/node',
    $defs: { node: { type: 'object', properties: { child: { $ref: '#/$defs/node' }, not: false } } },
  };
  const text = JSON.stringify(geminiSchema(tree));
  expect(text).toMatch(/^\{"type":"object","properties":\{"child":\{"type":"object"/u);
  expect(text).not.toContain('$ref');
  expect(geminiSchema({ type: ['integer', 'null'], additionalProperties: false })).toEqual({
    type: 'integer',
    nullable: true,
  });
});

it.each<[string, object, object]>([
  ['an enum with an empty text', { type: 'string', enum: ['a', ''] }, { type: 'string' }],
  ['an enum of numbers', { type: 'integer', enum: [1, 2] }, { type: 'integer' }],
  ['an enum without a type', { enum: ['a'] }, { type: 'string', enum: ['a'] }],
  [
    'a list of anything',
    { type: 'array' },
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] } },
  ],
  [
    'anything',
    { description: 'x' },
    { description: 'x', anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  ],
  ['properties of a text', { type: 'string', properties: { a: {} }, required: ['a'] }, { type: 'string' }],
  [
    'a required property that is missing',
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  ],
  [
    'alternatives beside properties',
    { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] },
    { type: 'object', properties: { a: { type: 'string' } } },
  ],
  [
    'types with conditions',
    { type: ['string', 'array', 'null'], items: { type: 'integer' }, minLength: 1, description: 'x' },
    {
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'array', items: { type: 'integer' } },
      ],
      nullable: true,
      description: 'x',
    },
  ],
  ['a format of another type', { type: 'string', format: 'int32' }, { type: 'string' }],
  [
    'a type that JSON Schema does not know',
    { type: 'any', properties: { a: { type: 'string' } } },
    { type: 'object', properties: { a: { type: 'string' } } },
  ],
  ['only null', { type: ['null', 'null'] }, { type: 'string', nullable: true }],
])('writes %s so that Gemini accepts it', (_name, schema, expected) => {
  expect(geminiSchema({ ...schema })).toEqual(expected);
});
