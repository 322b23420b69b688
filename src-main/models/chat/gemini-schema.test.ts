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
