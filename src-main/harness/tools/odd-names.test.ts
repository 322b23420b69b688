import { describe, expect, it } from 'vitest';
import { formatMatches } from './grep';

const ODD: [path: string, id: string, shown: string][] = [
  ['/gpj.\u202eexe', 'P43', '/gpj.\\u202eexe'],
  ['/a\u200bb.txt', 'P44', '/a\\u200bb.txt'],
  ['/two\nlines.txt', 'P47', '/two\\nlines.txt'],
  ['/\u001b[2J.txt', 'P48', '/\\u001b[2J.txt'],
];

describe('matches', () => {
  it.each(ODD)('appear under a one-line name that hides nothing: %j [%s]', (path, _id, shown) => {
    const matches = [{ path, line: 1, text: 'x' }];
    expect([
      formatMatches(matches, 'files_with_matches'),
      formatMatches(matches, 'count'),
      formatMatches(matches, 'content'),
    ]).toEqual([[shown], [`${shown}: 1`], [`${shown}:`, '  1: x']]);
  });
});
