import { describe, expect, it } from 'vitest';
import { numberLines } from './read-file';

describe('lines shown by read_file', () => {
  it('are numbered from 1 and have no note if the whole file is shown', () => {
    const page = { content: 'a\nb', offset: 0, limit: 100, totalLines: 2, nextOffset: undefined };
    expect(numberLines(page)).toBe('     1\ta\n     2\tb');
  });

  it('say where to continue', () => {
    const page = { content: 'c\nd', offset: 2, limit: 2, totalLines: 9, nextOffset: 4 };
    expect(numberLines(page)).toBe(
      '     3\tc\n     4\td\n\n[Read 2 lines (lines 3-4 of 9 total). 5 lines remaining from offset 4.]',
    );
  });

  it('are split if they are longer than 5,000 characters', () => {
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

  it('are never shown in part: a line that exceeds the limit is shown in whole rows', () => {
    const shown = numberLines({
      content: 'x'.repeat(100_000),
      offset: 0,
      limit: 1,
      totalLines: 2,
      nextOffset: 1,
    }).split('\n');
    expect(shown.slice(0, -3).every((row) => row.length === 5_007)).toBe(true);
    expect(shown.slice(-3)).toEqual([
      '[Line 1 is too long to show in full: search it with grep.]',
      '',
      '[Read 1 lines (lines 1-1 of 2 total). 1 lines remaining from offset 1.]',
    ]);
  });

  it('are cut between lines at the size limit, and the note counts the rest [H34]', () => {
    const content = Array.from({ length: 100 }, () => 'y'.repeat(2_000)).join('\n');
    const shown = numberLines({ content, offset: 0, limit: 100, totalLines: 100, nextOffset: undefined });
    const rows = shown.split('\n').filter((row) => row.includes('\t'));
    expect(rows.length).toBe(39);
    expect(rows.every((row) => row.length === 2_007)).toBe(true);
    expect(shown).toContain('[Read 39 lines (lines 1-39 of 100 total). 61 lines remaining from offset 39.]');
  });
});
