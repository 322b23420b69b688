import { describe, expect, it } from 'vitest';
import { hasOddCharacters, shownName } from '../contract/shared/shown-name';
import { byteLengthOf, canonicalName, systemPath, textOfBytes, textOfLatin1 } from './path-names';

/** A small generator with a seed, so that a failed run can be repeated. */
function bytesFrom(seed: number): () => Buffer {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
  const likely = [
    0x5c, 0x78, 0x66, 0x66, 0x35, 0x63, 0x2e, 0xff, 0xc3, 0xa9, 0xe2, 0x80, 0xae, 0xf0, 0x9f, 0x61,
  ];
  return () => {
    const bytes = Array.from({ length: 1 + (next() % 9) }, () =>
      next() % 4 === 0 ? next() % 256 : (likely[next() % likely.length] ?? 0),
    );
    return Buffer.from(bytes.map((byte) => (byte === 0 || byte === 0x2f ? 0x5c : byte)));
  };
}

const NAMES: [bytes: string, text: string][] = [
  ['plain', 'plain'],
  ['a\\b', 'a\\b'],
  ['b\xffd', 'b\\xffd'],
  ['b\\xffd', 'b\\x5cxffd'],
  ['b\\xFFd', 'b\\x5cxFFd'],
  ['\\x5c', '\\x5cx5c'],
  ['\xc3\xa9', 'é'],
  ['\xc3', '\\xc3'],
  ['\xed\xa0\x80', '\\xed\\xa0\\x80'],
  ['\xc0\xaf', '\\xc0\\xaf'],
  ['..\\b', '..\\x5cb'],
  ['\xff\xf0\x9f\x98\x80', '\\xff😀'],
];

describe('the text of a name [safety 31]', () => {
  it.each(NAMES)('of %j is %s', (latin1, text) => {
    const bytes = Buffer.from(latin1, 'latin1');
    expect([textOfBytes(bytes), textOfLatin1(latin1), canonicalName(text)]).toEqual([text, text, text]);
    expect(Buffer.from(systemPath(text))).toEqual(bytes);
    expect(byteLengthOf(text)).toBe(bytes.length);
  });

  it('is unique for each name, and no other text means that name', () => {
    const made = bytesFrom(31);
    const known = new Map<string, string>();
    const wrong: string[] = [];
    for (let n = 0; n < 20_000; n += 1) {
      const bytes = made();
      const hex = bytes.toString('hex');
      const text = textOfBytes(bytes);
      const isSame = Buffer.from(systemPath(text)).equals(bytes) && canonicalName(text) === text;
      if (!isSame || (known.get(text) ?? hex) !== hex) wrong.push(hex);
      known.set(text, hex);
      // The displayed form also names it, unless it has characters that are displayed as JSON escapes.
      if (!hasOddCharacters(text) && canonicalName(shownName(text)) !== text) wrong.push(`shown: ${hex}`);
      // The bytes in any other notation form a different text, or are refused.
      const written = bytes
        .toString('latin1')
        .replace(/[^ -~]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
      const other = canonicalName(written);
      if (other !== null && canonicalName(other) !== other) wrong.push(`written: ${hex}`);
    }
    expect(wrong).toEqual([]);
  });

  it('encodes a path name by name', () => {
    expect(textOfLatin1('/a/b\xff/\xc3\xa9/..')).toBe('/a/b\\xff/é/..');
    expect(Buffer.from(systemPath('/a/b\\xff/é')).toString('latin1')).toBe('/a/b\xff/\xc3\xa9');
  });
});
