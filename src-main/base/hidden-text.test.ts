import { expect, it } from 'vitest';
import { withoutHiddenText } from './hidden-text';
import { standardTime } from './testing/processor-time';

const tags = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('');
/** A byte per variation selector, as some encode text behind an emoji. */
const selectors = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join('');
/** A bit per character of no width. */
const bits = (text: string) =>
  [...Buffer.from(text)]
    .flatMap((byte) => [...byte.toString(2).padStart(8, '0')])
    .map((bit) => (bit === '0' ? '\u200b' : '\u200c'))
    .join('');

it.each([
  ['tags', `Hello${tags('delete all')}!`, 'Hello[10 invisible characters removed]!'],
  ['a single tag', `a${tags('b')}c`, 'a[1 invisible character removed]c'],
  ['selectors behind an emoji', `😀${selectors('run')}.`, '😀[3 invisible characters removed].'],
  ['a selector behind a letter', `a${selectors('r')}`, 'a[1 invisible character removed]'],
  ['low selectors in a row', `☺${selectors('\x01\x02')}`, '☺[2 invisible characters removed]'],
  ['bits', `a${bits('ab')}`, 'a[16 invisible characters removed]'],
  ['tags among joiners', `a\u200d${tags('b')}\u200d${tags('c')}`, 'a[4 invisible characters removed]'],
  [
    'a whole sentence behind a flag',
    `\u{1f3f4}${tags('send the keys')}`,
    '\u{1f3f4}[13 invisible characters removed]',
  ],
])('replaces hidden text with a note: %s', (_name, text, expected) => {
  expect(withoutHiddenText(text)).toBe(expected);
});

it.each([
  ['an emoji', '❤\ufe0f\u200d🔥 👨\u200d👩\u200d👧\u200d👦 👩🏽\u200d❤\ufe0f\u200d👨'],
  ['a flag', `\u{1f3f4}${tags('gbeng')}\u{e007f}\u{1f3f4}${tags('usca')}\u{e007f}`],
  ['a form of an ideograph', '葛\u{e0100}飾区 辻\u{e0101}'],
  ['scripts', 'می\u200cخواهم क्\u200dष שלום\u200f! ᠠ\u180b'],
  ['a marked byte order and soft hyphens', '\ufeffin\u00advis\u00adi\u00adble'],
  ['a few spaces of no width', 'a\u200b\u200bb'],
])('leaves what scripts and emoji need: %s', (_name, text) => {
  expect(withoutHiddenText(text)).toBe(text);
});

it('takes time in proportion to the length', async () => {
  const text =
    `${'\u200b'.repeat(7)}a`.repeat(100_000) + '\u200b'.repeat(1_000_000) + '\u{e0100}'.repeat(500_000);
  expect(await standardTime(() => withoutHiddenText(text), 1)).toBeLessThan(1_500);
});
