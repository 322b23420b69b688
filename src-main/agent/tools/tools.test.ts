import { describe, expect, it } from 'vitest';
import { formatMatches } from './grep';
import { numberLines } from './read-file';

describe('the lines that read_file shows', () => {
  it('are numbered from 1, and say nothing more when the file was shown whole', () => {
    const page = { content: 'a\nb', offset: 0, limit: 100, totalLines: 2, nextOffset: undefined };
    expect(numberLines(page)).toBe('     1\ta\n     2\tb');
  });

  it('say where to go on', () => {
    const page = { content: 'c\nd', offset: 2, limit: 2, totalLines: 9, nextOffset: 4 };
    expect(numberLines(page)).toBe(
      '     3\tc\n     4\td\n\n[Read 2 lines (lines 3-4 of 9 total). 5 lines remaining from offset 4.]',
    );
  });

  it('are split where they are longer than 5,000 characters', () => {
    const page = { content: 'x'.repeat(12_000), offset: 0, limit: 1, totalLines: 1, nextOffset: undefined };
    expect(
      numberLines(page)
        .split('\n')
        .map((row) => [row.slice(0, 7), row.length]),
    ).toEqual([
      ['     1\t', 5_007],
      ['   1.1\t', 5_007],
      ['   1.2\t', 2_007],
    ]);
  });

  it('are cut between lines at the size limit, with the note counting what is left', () => {
    const content = Array.from({ length: 100 }, () => 'y'.repeat(2_000)).join('\n');
    const shown = numberLines({ content, offset: 0, limit: 100, totalLines: 100, nextOffset: undefined });
    const rows = shown.split('\n').filter((row) => row.includes('\t'));
    expect(rows.length).toBe(39);
    expect(rows.every((row) => row.length === 2_007)).toBe(true);
    expect(shown).toContain('[Read 39 lines (lines 1-39 of 100 total). 61 lines remaining from offset 39.]');
  });
});

describe('what grep shows', () => {
  const matches = [
    { path: '/b', line: 2, text: 'x: y' },
    { path: '/a', line: 1, text: 'x' },
    { path: '/b', line: 9, text: 'z'.repeat(600) },
  ];

  it('is files by default, in order', () => {
    expect(formatMatches(matches, 'files_with_matches')).toEqual(['/a', '/b']);
  });

  it('is counts by file', () => {
    expect(formatMatches(matches, 'count')).toEqual(['/a: 1', '/b: 2']);
  });

  it('is lines below their file, long ones cut', () => {
    expect(formatMatches(matches, 'content')).toEqual([
      '/a:',
      '  1: x',
      '/b:',
      '  2: x: y',
      `  9: ${'z'.repeat(500)}…`,
    ]);
  });
});
