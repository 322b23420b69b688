import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../failure';
import { closesUnopened, translateRegex } from './rust-regex';

const lines = [
  ...[
    '',
    'a',
    'b',
    'ab',
    'aab',
    'A b',
    'é',
    'É',
    'ß',
    'ſs',
    'K k',
    '\u212a',
    '1',
    '٣',
    '_x',
    'foo-bar',
    '  ',
    '\t',
  ],
  ...[
    'a\u2028b',
    '😀',
    'αβγ',
    'Σ',
    'a.b',
    'x\ry',
    'end\r',
    '[a]',
    '{a}',
    '"q"',
    '#a',
    'a&b',
    'a~b',
    'a-b',
    'a]b',
  ],
  ...['a^b', 'Zz9', '\u00a0', 'e\u0301', '\u200da', 'word word', 'aaaa', 'abab', '-', '\\', '/'],
];
const text = `${lines.join('\n')}\n`;

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'A',
    'é',
    'ß',
    'K',
    '1',
    '_',
    '-',
    ' ',
    '.',
    '^',
    '$',
    '#',
    '&',
    ':',
    '}',
    'a]',
    '😀',
    '\\t',
    '\\.',
  ],
  ...[
    '\\b',
    '\\B',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\<',
    '\\>',
    '\\b{start}',
    '\\x41',
    '\\u{e9}',
    '\\-',
  ],
  ...[
    '[ab]',
    '[^a]',
    '[a-c]',
    '[^\\w]',
    '[\\s\\S]',
    '[\\D]',
    '[^\\D]',
    '[[:alpha:]_]',
    '[[:^alpha:]]',
    '[]a]',
  ],
  ...[
    '[^]a]',
    '[a-]',
    '[-a]',
    '[--a]',
    '[\\p{L}1]',
    '[é-ü]',
    '[a[b1]]',
    '[a-z&&[^aeiou]]',
    '[\\w--[a-z]]',
    '[^a&&b]',
  ],
  ...[
    '[^\\n]',
    '[^\\r\\n]',
    '[a\\n]',
    '[\\n]',
    '[\\r]',
    '[\\r1]',
    '[\\n-a]',
    '[\\x0A\\x20]',
    '[\\>a]',
    '\n',
    '[^\n]',
  ],
  ...[
    '\\p{L}',
    '\\pN',
    '\\P{Lu}',
    '\\p{Greek}',
    '\\p{gc:Lu}',
    '(a|b)',
    '(?:ab)',
    '(?P<x>a)',
    '()',
    '(|a)',
    '(?i:a)',
  ],
  ...['[', '(', ')', '{', '*', '\\q', '\\n', '[b-a]', '(?=a)', '\\1', '[a', 'a{2,1}'],
);
const often = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '*?', '**'),
);
const sequence = fc
  .array(fc.tuple(atom, often), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.flat().join(''));
const pattern = fc
  .tuple(fc.constantFrom('', '', '', '(?i)'), sequence, fc.option(sequence))
  .map(([flags, one, other]) => `${flags}${other === null ? one : `${one}|${other}`}`);

/** Numbers of the matching lines, or null if ripgrep rejects the pattern. */
function byRipgrep(regex: string, input = text): number[] | null {
  const args = [
    '--no-config',
    '--color=never',
    '--crlf',
    '--line-number',
    '--text',
    `--regexp=${regex}`,
    '-',
  ];
  const { status, stdout } = spawnSync(rgPath, args, { input, encoding: 'utf8' });
  return status === 2
    ? null
    : stdout.split('\n').flatMap((line) => (line === '' ? [] : Number.parseInt(line, 10)));
}

function byTranslation({ source, flags }: { source: string; flags: string }, input = text): number[] {
  const found: number[] = [];
  const regex = new RegExp(source, flags);
  for (
    let match = regex.exec(input);
    match !== null && match.index < input.length;
    match = regex.exec(input)
  ) {
    found.push(input.slice(0, match.index).split('\n').length);
    regex.lastIndex = input.indexOf('\n', match.index) + 1;
  }
  return found;
}

describe('a regular expression in Rust syntax', () => {
  it('is rejected if it closes a group that it did not open', () => {
    for (const regex of [')', 'a)', ')*a|(a', '(a))|((b)']) {
      expect(closesUnopened(regex)).toBe(true);
      expect(translateRegex(regex)).toMatchObject({ kind: 'invalid' });
    }
    for (const regex of ['(a)', '\\)', '[)]', '(']) expect(closesUnopened(regex)).toBe(false);
  });

  it('finds nothing between the two halves of a character', () => {
    const pairs = 'a😀b\n😀\n';
    for (const regex of ['^$', '\\B', 'x|^$', '$^', '\\b\\B', '\\B\\B']) {
      const translated = translateRegex(regex);
      if (isFailure(translated)) throw new Error(translated.error);
      expect([regex, byTranslation(translated, pairs)]).toEqual([regex, byRipgrep(regex, pairs)]);
    }
  });

  it('means the same as in ripgrep, or is rejected', () => {
    fc.assert(
      fc.property(pattern, (regex) => {
        const translated = translateRegex(regex);
        if (isFailure(translated) && translated.kind === 'unsupported') return;
        // We reject it without asking ripgrep, which wraps the pattern in a group.
        if (closesUnopened(regex)) return;
        const wanted = byRipgrep(regex);
        if (isFailure(translated)) expect([translated.kind, wanted]).toEqual(['invalid', null]);
        else {
          expect(byTranslation(translated)).toEqual(wanted);
          const holds = wanted?.every((line) => lines[line - 1]?.includes(translated.literal));
          expect(holds ?? true).toBe(true);
        }
      }),
      { numRuns: Number(process.env.SEARCH_RUNS ?? 1_500) },
    );
  }, 600_000);
});
