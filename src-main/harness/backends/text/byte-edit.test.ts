import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceBytes } from './byte-edit';
import { decode, encode } from './encoding';
import { replaceText } from './text';

const text = fc
  .array(fc.constantFrom('a', 'b', 'é', '€', '\n', '\r\n', '\r', '$&'), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('byte edits', () => {
  it.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const)(
    'match text edits, in %s',
    async (encoding) => {
      await fc.assert(
        fc.asyncProperty(text, text, text, fc.boolean(), async (before, oldString, newString, replaceAll) => {
          const bytes = encode(before, encoding);
          if ('unknown' in bytes) throw new Error('every text here is in every encoding');
          const made = await replaceBytes(bytes, encoding, { oldString, newString, replaceAll });
          const seen =
            'error' in made
              ? made
              : { text: decode(Buffer.concat(made.pieces), encoding), occurrences: made.occurrences };
          expect(seen).toEqual(replaceText(before, oldString, newString, replaceAll));
        }),
        { numRuns: 300 },
      );
    },
  );

  it('replace in many places, and match nothing across characters of two bytes', async () => {
    const edit = { oldString: 'a', newString: 'bc', replaceAll: true };
    const many = await replaceBytes(Buffer.from('a.'.repeat(5_000)), 'utf-8', edit);
    expect(many).toEqual({ pieces: [Buffer.from('bc.'.repeat(5_000))], occurrences: 5_000 });
    // The bytes of `a` in UTF-16 LE, but of two characters: 0x61 from the end of one, 0x00 from the start of the next.
    const across = Buffer.from('\u6100\u6200', 'utf16le');
    expect(await replaceBytes(across, 'utf-16le', edit)).toMatchObject({ kind: 'invalid' });
  });
});
