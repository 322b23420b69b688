import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonFault, jsonLine } from './json-position';

it.each<[string, string, number, number]>([
  ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['a comma too many', '[\n  1,\n]', 3, 1],
  ['a missing bracket', '{"a": [1\n}', 2, 1],
  ['a name without quotes', '{\n  a: 1}', 2, 3],
  ['a string over two lines', '{"a":\n"b\nc"}', 2, 1],
  ['a missing end', '{\n"a": 1\n', 3, 1],
  ['text after the end', '{}\n x', 2, 2],
  ['nothing', '', 1, 1],
])('finds the place of %s', (_, text, line, column) => {
  expect(jsonFault(text)).toEqual({ line, column });
});

it('finds a fault in exactly the texts that JSON.parse refuses', () => {
  const isValid = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const texts = fc.oneof(
    fc.json(),
    fc.string({ unit: fc.constantFrom(...'{}[],:"\\ue0-+.1 \n\ttrnfals') }),
    fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', '\\'))
      .map(
        ([text, at, put]) =>
          `${text.slice(0, at % (text.length + 1))}${put}${text.slice(at % (text.length + 1))}`,
      ),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(jsonFault(text) === null).toBe(isValid(text));
    }),
    {
      numRuns: 2_000,
    },
  );
});

it('finds the line of a value, or of what should have it', () => {
  const text =
    '{\n  "hooks": [\n    {},\n    {\n      "name": "x",\n      "tools": ["a",\n        "b"]\n    }\n  ]\n}';
  expect(jsonLine(text, [])).toBe(1);
  expect(jsonLine(text, ['hooks', 1, 'name'])).toBe(5);
  expect(jsonLine(text, ['hooks', 1, 'tools', 1])).toBe(7);
  expect(jsonLine(text, ['hooks', 1, 'event'])).toBe(4);
  expect(jsonLine(text, ['other'])).toBe(1);
});
