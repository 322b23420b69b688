import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../failure';
import { posixRegex } from './posix-regex';
import { translateRegex } from './rust-regex';

const LINES = [
  'import { a } from "b";',
  'export const größe = 12;',
  'x.y(z)*[q]+{1,2}|^$\\',
  '\tfunction  foo_bar(a, b) {',
  'TODO(ann): fix Straße, 世界',
  'aaa bbb 1234 0x1F',
  '\u212Aelvin ſharp',
  'KELVIN SHARP',
  '- [ ] item',
  'e\u0301 é É',
  '',
];
const PATTERNS = [
  'import',
  '^import\\s+\\{',
  'gr.{1,2}e',
  'gr[^a]+e',
  'const \\w+ = \\d{1,3};',
  '(?i)kelvin',
  '(?i)SHARP$',
  '(?i)größe|todo',
  '(?:a|b)+ ',
  '(^|,)import',
  '(?P<who>ann|bob)\\)',
  '\\bfoo_bar\\b',
  '[a-f0-9]{4}',
  '[[:digit:]]+',
  '\\[q\\]\\+\\{1,2\\}\\|\\^\\$\\\\',
  '世.',
  '(é)+',
  '\\p{Lu}+',
  '\\S+\\s\\S+',
  '0x[0-9A-F]*?',
  '[]x]',
  '- \\[ \\]',
  'a{2}',
  'z?q',
];

describe('posixRegex', () => {
  it('finds every line that the expression finds', () => {
    const text = `${LINES.join('\n')}\n`;
    const tried: string[] = [];
    for (const pattern of PATTERNS) {
      const posix = posixRegex(pattern);
      const exact = translateRegex(pattern);
      if (posix === null || isFailure(exact)) continue;
      tried.push(pattern);
      const printed = execFileSync('grep', ['-a', '-n', '-E', '-e', posix], {
        input: text,
        env: { ...process.env, LC_ALL: 'C' },
        encoding: 'utf8',
      });
      const found = new Set(printed.split('\n').map((line) => Number.parseInt(line, 10)));
      for (const [index, line] of LINES.entries())
        if (new RegExp(exact.source, exact.flags).test(line))
          expect([pattern, posix, line, found.has(index + 1)]).toEqual([pattern, posix, line, true]);
    }
    expect(tried.length).toBeGreaterThan(15);
  });

  it('has none for what would need every line, and for what POSIX cannot say', () => {
    for (const pattern of ['\\p{Lu}', '.*', '^$', '(?s)a.b', 'a(?=b)', '\\x41', 'a**', '(', 'a)', '\\Aa'])
      expect([pattern, posixRegex(pattern)]).toEqual([pattern, null]);
  });
});
