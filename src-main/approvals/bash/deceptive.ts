import { because, type Reason } from '../../contract/shared/reasons';

/** Something in a text that makes it look like another. */
export interface Deception {
  reason: Reason;
  /** The first place, as an index of UTF-16 units. */
  at: number;
}

/** Lines beyond which nobody reads a command to its end. */
const MAX_LINES = 200;
/** UTF-16 units, for the same reason. */
const MAX_LENGTH = 10_000;

/** Characters from `from` to `to`, and single ones. Written as numbers, since in the source they would deceive as well. */
const characters = (...ranges: (number | [from: number, to: number])[]): RegExp => {
  const written = (code: number) => `\\u{${code.toString(16)}}`;
  const parts = ranges.map((range) =>
    typeof range === 'number' ? written(range) : `${written(range[0])}-${written(range[1])}`,
  );
  return new RegExp(`[${parts.join('')}]`, 'u');
};

const PATTERNS: readonly { pattern: RegExp; reason: Reason }[] = [
  { pattern: characters(0), reason: because('nul_byte') },
  {
    pattern: characters(0x0d),
    reason: because('carriage_return'),
  },
  {
    pattern: characters([0x01, 0x08], 0x0b, 0x0c, [0x0e, 0x1f], [0x7f, 0x9f]),
    reason: because('control_characters'),
  },
  {
    pattern: characters([0x202a, 0x202e], [0x2066, 0x2069], 0x200e, 0x200f, 0x061c),
    reason: because('reading_order'),
  },
  {
    pattern: characters(
      0xad,
      0x34f,
      [0x115f, 0x1160],
      [0x17b4, 0x17b5],
      [0x180b, 0x180e],
      [0x200b, 0x200d],
      [0x2060, 0x2064],
      0x3164,
      0xfeff,
      0xffa0,
      [0xe0000, 0xe0fff],
    ),
    reason: because('invisible_characters'),
  },
  {
    pattern: /```/,
    reason: because('ends_code_block'),
  },
];

/** Drawn as a space, or as nothing, where every shell takes them for letters; and ends of lines that are none to a shell. */
const BLANKS = characters(0xa0, 0x1680, [0x2000, 0x200a], 0x2028, 0x2029, 0x202f, 0x205f, 0x2800, 0x3000);

/**
 * The first blank in a word that is no space, as `U+00A0`; null where there is none. A person sees two words where a
 * shell sees one. Between quotes it is text, which the card marks.
 */
export function falseBlankIn(word: string): string | null {
  const code = BLANKS.exec(word.replace(/'[^']*'|"[^"]*"/g, ''))?.[0].codePointAt(0);
  return code === undefined ? null : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** What makes a command line look like another; null where it is what it looks like. */
export function deceptionIn(text: string): Deception | null {
  for (const { pattern, reason } of PATTERNS) {
    const found = pattern.exec(text);
    if (found !== null) return { reason, at: found.index };
  }
  const lines = text.split('\n').length;
  if (lines > MAX_LINES) return { reason: because('too_many_lines', { count: lines }), at: text.length };
  if (text.length > MAX_LENGTH)
    return { reason: because('too_many_characters', { count: text.length }), at: text.length };
  return null;
}

/** True for a name with letters that are drawn like Latin ones: Cyrillic, Greek, full-width. */
export const isLookAlike = (name: string): boolean =>
  /[\p{Script=Cyrillic}\p{Script=Greek}\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u.test(name);
