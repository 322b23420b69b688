import { expect, it } from 'vitest';
import { topObject } from './top-object';

const string = { type: 'string' };

it('keeps an object without alternatives at its top', () => {
  const schema = {
    type: 'object',
    properties: { a: { anyOf: [string, { type: 'null' }] } },
    required: ['a'],
    additionalProperties: false,
  };
  expect(topObject(schema)).toEqual(schema);
});

it('merges alternatives, and requires only what all of them require', () => {
  const schema = {
    type: 'object',
    properties: { kind: string },
    required: ['kind'],
    oneOf: [
      { properties: { id: string, at: string }, required: ['id', 'at'] },
      { properties: { name: string, at: string }, required: ['name', 'at'] },
    ],
    additionalProperties: false,
  };
  expect(topObject(schema)).toEqual({
    type: 'object',
    properties: { id: string, at: string, name: string, kind: string },
    required: ['kind', 'at'],
  });
});

it('merges what all apply, and the properties of conditions without what they require', () => {
  const schema = {
    allOf: [{ properties: { a: string }, required: ['a'] }],
    not: { required: ['z'] },
    if: { required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { b: string }, required: ['b'] },
  };
  expect(topObject(schema)).toEqual({
    type: 'object',
    properties: { a: string, b: string },
    required: ['a'],
  });
});

it('gives a tool without arguments an empty object', () => {
  expect(topObject({ type: 'object' })).toEqual({ type: 'object', properties: {} });
});
