import { describe, expect, it } from 'vitest';
import { formatMatches } from './grep';

const ODD: [id: string, path: string, shown: string][] = [
  ['P43', '/gpj.\u202eexe', '/gpj.\\u202eexe'],
  ['P44', '/a\u200bb.txt', '/a\\u200bb.txt'],
  ['P47', '/two\nlines.txt', '/two\\nlines.txt'],
  ['P48', '/\u001b[2J.txt', '/\\u001b[2J.txt'],
];

describe('matches', () => {
  it.each(ODD)('%s stand under a name of one row, in which nothing is hidden: %j', (_, path, shown) => {
    const matches = [{ path, line: 1, text: 'x' }];
    expect([
      formatMatches(matches, 'files_with_matches'),
      formatMatches(matches, 'count'),
      formatMatches(matches, 'content'),
    ]).toEqual([[shown], [`${shown}: 1`], [`${shown}:`, '  1: x']]);
  });
});
