import { because, type Reason } from '../../../contract/shared/reasons';

/** A part of a text that makes it look like another text. */
export interface Deception {
  reason: Reason;
  /** Index of the first occurrence, in UTF-16 units. */
  at: number;
}

/** Maximum lines of a command: nobody reads a longer one to its end. */
const MAX_LINES = 200;
/** Maximum UTF-16 units, for the same reason. */
const MAX_LENGTH = 10_000;

/**
 * Matches characters from `from` to `to`, and single ones. They are numbers, since the characters would also deceive readers
 * of this source.
 */
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

/**
 * Characters that look like a space or like nothing, but that shells read as part of a word; and line separators that do not
 * end a line in a shell.
 */
const BLANKS = characters(0xa0, 0x1680, [0x2000, 0x200a], 0x2028, 0x2029, 0x202f, 0x205f, 0x2800, 0x3000);

/**
 * The first blank in a word that is not a space, as `U+00A0`; null if there is none. A person sees two words where a shell
 * sees one. Between quotes it is text, which the card marks.
 */
export function falseBlankIn(word: string): string | null {
  const code = BLANKS.exec(word.replace(/'[^']*'|"[^"]*"/g, ''))?.[0].codePointAt(0);
  return code === undefined ? null : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Why a command line looks like a different one; null if it does not. */
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

/** Whether a name contains letters that look like Latin ones: Cyrillic, Greek, full-width. */
export const isLookAlike = (name: string): boolean =>
  /[\p{Script=Cyrillic}\p{Script=Greek}\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u.test(name);
