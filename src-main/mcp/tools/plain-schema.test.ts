import { Validator } from '@langchain/core/utils/json_schema';
import { describe, expect, it } from 'vitest';
import { plainSchema } from './plain-schema';

const fits = (schema: object, value: unknown): boolean =>
  new Validator(plainSchema(schema) ?? {}, '7', false).validate(value).valid;

describe('a plain schema', () => {
  it('is unchanged if it contains nothing that is slow to check', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1, format: 'uuid' },
        list: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] }, maxItems: 3 },
        not: { not: { const: 1 } },
      },
      required: ['id'],
      additionalProperties: false,
    };
    expect(plainSchema(schema)).toEqual(schema);
  });

  it('reports a schema that takes too long to check [safety 23]', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string', pattern: '^(a+)+$', description: 'A word.' },
        b: { type: 'string', format: 'url' },
        c: { type: 'array', uniqueItems: true },
      },
      patternProperties: { '^(x+)+$': {} },
      additionalProperties: false,
    };
    expect(plainSchema(schema)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', description: 'A word.\nPattern: ^(a+)+$' },
        b: { type: 'string', description: 'Format: url' },
        c: { type: 'array', items: {}, description: 'No item twice.' },
      },
      description: 'Names by pattern: ^(x+)+$',
    });
  });

  it('says that a list holds anything, because OpenAI refuses one that says nothing', () => {
    const lists = { a: { type: 'array' }, b: { type: ['array', 'null'] }, c: { type: 'string' } };
    expect(plainSchema({ type: 'object', properties: lists })).toMatchObject({
      properties: { a: { items: {} }, b: { items: {} }, c: { type: 'string' } },
    });
  });

  it('expands references, and recursive ones a few times', () => {
    const tree = {
      type: 'object',
      properties: { value: { type: 'number' }, below: { $ref: '#/$defs/tree' } },
    };
    const schema = {
      type: 'object',
      properties: { top: { $ref: '#/$defs/tree', title: 'Top' } },
      $defs: { tree },
    };
    expect(JSON.stringify(plainSchema(schema))).not.toContain('$');
    expect(fits(schema, { top: { below: { value: 1 } } })).toBe(true);
    expect(fits(schema, { top: { below: { value: 'one' } } })).toBe(false);
    expect(plainSchema(schema)).toMatchObject({ properties: { top: { title: 'Top' } } });
  });

  it.each<[string, object, unknown]>([
    ['not', { not: { pattern: '^b' } }, 'a'],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['if', { if: { pattern: '^b' }, then: { type: 'number' } }, 'a'],
    ['oneOf', { oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'a'],
    ['not of a reference', { not: { $ref: '#/$defs/p' }, $defs: { p: { pattern: '^b' } } }, 'a'],
    ['not of not', { not: { not: { pattern: '^a' } } }, 'a'],
    ['additionalProperties', { patternProperties: { '^a': {} }, additionalProperties: false }, { ab: 1 }],
    ['contains', { contains: { pattern: '^a' }, maxContains: 1 }, ['a', 'b']],
  ])('rejects nothing that the full schema allows: %s', (_name, schema, value) => {
    expect(fits({ type: ['string', 'object', 'array'], ...schema }, value)).toBe(true);
  });

  // Providers refuse a whole request for one of these.
  it.each<[string, object, unknown, object]>([
    ['a limit as a flag', { minimum: 0, exclusiveMinimum: true }, 0.5, { minimum: 0 }],
    ['a property that says that it is required', { type: 'object', required: true }, {}, { type: 'object' }],
    ['a type that does not exist', { type: 'any' }, 'a', {}],
    ['no types', { type: [] }, 'a', {}],
    ['a value in place of a list of them', { enum: 'a' }, 'a', {}],
    ['no alternatives', { anyOf: [], oneOf: [] }, 'a', {}],
    ['other values', { minLength: '1', description: { en: 'A word' } }, 'a', {}],
    ['a step of zero', { type: 'number', multipleOf: 0 }, 3, { type: 'number' }],
    ['null for what is not used', { items: null, additionalProperties: null, not: null }, [1], {}],
    ["OpenAPI's null", { type: 'string', nullable: true }, null, { type: ['string', 'null'] }],
  ])('leaves out what the current draft does not have: %s', (_name, a, value, plain) => {
    expect(plainSchema({ properties: { a } })).toEqual({ properties: { a: plain } });
    expect(fits({ properties: { a } }, { a: value })).toBe(true);
  });

  it('writes a list of positions as the current draft does', () => {
    const items = [{ type: 'string' }, { type: 'number' }];
    expect(plainSchema({ items, additionalItems: false })).toEqual({ prefixItems: items, items: false });
    expect(plainSchema({ items })).toEqual({ prefixItems: items, items: {} });
    expect(fits({ items, additionalItems: false }, ['a', 1])).toBe(true);
    expect(fits({ items, additionalItems: false }, ['a', 'b'])).toBe(false);
  });

  it.each([{ $anchor: 'word' }, { $id: '#word' }, { $dynamicAnchor: 'word' }])(
    'expands a reference to a name: %o',
    (name) => {
      const schema = { properties: { a: { $ref: '#word' } }, $defs: { w: { ...name, type: 'string' } } };
      expect(plainSchema(schema)).toEqual({ properties: { a: { type: 'string' } } });
      expect(plainSchema({ ...schema, $defs: {} })).toBeNull();
    },
  );

  it.each<[string, object, unknown]>([
    ['not', { not: { $ref: '#/$defs/text', minLength: 5 } }, 'abc'],
    [
      'oneOf',
      {
        oneOf: [
          { $ref: '#/$defs/text', maxLength: 3 },
          { $ref: '#/$defs/text', minLength: 4 },
        ],
      },
      'abc',
    ],
  ])('rejects nothing for a condition beside a reference: %s', (_name, schema, value) => {
    expect(fits({ ...schema, $defs: { text: { type: 'string' } } }, value)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a reference to nothing', { properties: { a: { $ref: '#/$defs/none' } } }],
    ['a reference elsewhere', { $ref: 'https://example.org/x' }],
    ['a broken reference', { $ref: '#/%' }],
    ['a list', []],
    ['nothing', null],
    ['a deep schema', JSON.parse(`${'{"not":'.repeat(200)}{}${'}'.repeat(200)}`)],
    ['a very deep value', JSON.parse(`{"const":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
    ['a large schema', { description: 'x'.repeat(500_000) }],
    [
      'references that double',
      Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [
          n === 0 ? 'allOf' : `d${n}`,
          n === 39
            ? {}
            : n === 0
              ? [{ $ref: '#/d1' }]
              : { anyOf: [{ $ref: `#/d${n + 1}` }, { $ref: `#/d${n + 1}` }] },
        ]),
      ),
    ],
    ['a list in place of properties', { properties: [] }],
  ])('is null for %s [safety 23]', (_name, schema) => {
    expect(plainSchema(schema)).toBe(null);
  });

  it('checks adversarial arguments in linear time [safety 23]', () => {
    const long = `${'a'.repeat(50_000)}!`;
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$', format: 'url' }, b: { format: 'regex' } },
      patternProperties: { '^(a+)+$': { type: 'string' } },
      propertyNames: { pattern: '^(a+)+$' },
    };
    expect(fits(schema, { a: long, b: long, [long]: long })).toBe(true);
  });
});
