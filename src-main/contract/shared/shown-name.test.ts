import { describe, expect, it } from 'vitest';
import { hasOddCharacters, shownName } from './shown-name';
import { clearText } from './unseen';

const ODD: [name: string, id: string, shown: string][] = [
  ['/gpj.\u202eexe', 'P43', '/gpj.\\u202eexe'],
  ['/a\u200bb\u2060.txt\ufeff', 'P44', '/a\\u200bb\\u2060.txt\\ufeff'],
  ['/two\nlines\r.txt', 'P47', '/two\\nlines\\r.txt'],
  ['/\u001b[2J\u0007\u009b.txt', 'P48', '/\\u001b[2J\\u0007\\u009b.txt'],
  ['/a\u{e0041}\ufe0f\u034f\u17b4.txt', 'P44', '/a\\udb40\\udc41\\ufe0f\\u034f\\u17b4.txt'],
  ['/a\u00a0b\u202f\u2800\u3000c\ue000', 'P44', '/a\\u00a0b\\u202f\\u2800\\u3000c\\ue000'],
];

describe('a displayed name', () => {
  it.each(ODD)('has one line and hides nothing: %j [%s]', (name, _id, shown) => {
    expect([shownName(name), hasOddCharacters(name)]).toEqual([shown, true]);
    // A model that copies it into its arguments gets the original name.
    expect(JSON.parse(`"${shown}"`)).toBe(name);
  });

  it('is unique: a literal backslash differs from an escape [safety 31]', () => {
    const names = ['a\nb', 'a\\nb', 'a\u202eb', 'a\\u202eb', 'a\\b', 'a\bb', 'a\\xffb', 'a\ud800b'];
    expect(names.map(shownName)).toEqual([
      'a\\nb',
      'a\\x5cnb',
      'a\\u202eb',
      'a\\x5cu202eb',
      'a\\b',
      'a\\u0008b',
      'a\\xffb',
      'a\\ud800b',
    ]);
  });

  it('stays unchanged if all of it is visible', () => {
    for (const name of ['/a b/ü/日本/😀-rf', '/caf\u00e9', '/cafe\u0301', '/שלום'])
      expect([shownName(name), hasOddCharacters(name)]).toEqual([name, false]);
  });
});

it('a displayed command hides no letter that only looks Latin [safety 11]', () => {
  expect(clearText('\u0441url a\u00a0b \u{1d400} \u4e2d\u6587', true)).toBe(
    '\\u{441}url a\\u{a0}b \\u{1d400} \u4e2d\u6587',
  );
  expect(clearText("printf 'ok\\n'", true)).toBe("printf 'ok\\n'");
});
