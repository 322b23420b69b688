import { describe, expect, it } from 'vitest';
import { because } from '../../../contract/shared/reasons';
import { isWorthTrying } from '../changes/worth-trying';
import { whySweeping } from '../deleting/sweeping';
import { analyzeShell } from './analyze';
import { falseBlankIn } from './deceptive';

const places = {
  folder: '/p',
  cwd: '/p',
  home: '/home/me',
  dataDir: '/x',
  resolveBinary: (name: string) => `/usr/bin/${name}`,
};
/** No-break space, spaces of several widths, line and paragraph separators, Braille blank, ideographic space. */
const BLANKS = [0xa0, 0x1680, 0x2000, 0x2003, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x2800, 0x3000];

describe('a blank that is not a space', () => {
  it.each(BLANKS)(
    '%i needs approval with its own reason, and is neither tried nor run in the sandbox [safety 11]',
    async (code) => {
      const blank = String.fromCodePoint(code);
      for (const line of [`rm${blank}-rf x`, `ls src${blank}lib`, `cat a${blank}`]) {
        const { verdict, risk, reason } = analyzeShell(line, places);
        expect([verdict, risk], line).toEqual(['ask', 'high']);
        const named = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
        expect(reason.values?.why).toEqual(because('false_blank', { blank: named }));
        expect(isWorthTrying(line, places)).toBe(false);
        expect((await whySweeping(line, places))?.code).toBe('false_blank');
      }
    },
  );
  it('counts as text between quotes', () => {
    expect(falseBlankIn("'\u4fee\u590d\u3000x'")).toBe(null);
    expect(falseBlankIn("'a'\u00a0'b'")).toBe('U+00A0');
    expect(analyzeShell('git commit -m "a\u3000b"', places).risk).toBe('low');
  });
});

it.each([
  0x200b, 0x200d, 0x2060, 0xfeff, 0xad, 0x202e, 0x2066, 0x200e, 0x061c, 0x3164, 0xffa0, 0x115f, 0xe0041,
])(
  'refuses a line with invisible characters or ones that change the text direction: %i [safety 11]',
  (code) => expect(analyzeShell(`ls a${String.fromCodePoint(code)}b`, places).verdict).toBe('deny'),
);
