import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../process.mjs';
import { isLost, longestText, lostText, ROWS, type RowResult } from './faults.mjs';
import { newestOf, plot, withResults } from './reliability.mjs';

const result = (changes: Partial<RowResult> = {}): RowResult => ({
  name: 'edits',
  date: '2026-01-02T03:04:05.000Z',
  commit: 'abc',
  machine: 'a machine',
  load: '1.0',
  seed: 7,
  provoked: 2,
  lost: { files: 0, effects: 0 },
  problems: [],
  recoveries: [40, 1_500],
  longest: null,
  skipped: [],
  seconds: 3,
  ...changes,
});
const page =
  'before\n<!-- results: npm run test:faults -- --write -->\nold\n<!-- end of the results -->\nafter';

describe('the results of the faults', () => {
  it('count as lost when anything was lost', () => {
    expect([isLost(result()), lostText(result())]).toEqual([false, 'nothing']);
    const lost = result({ lost: { files: 1, effects: 2 } });
    expect([isLost(lost), lostText(lost)]).toEqual([true, '1 files, 2 side effects']);
  });

  it('show the longest recovery, or the longest test where none is measured', () => {
    expect(longestText(result())).toBe('1.5 s');
    expect(longestText(result({ recoveries: [], longest: 40 }))).toBe('40 ms *');
  });

  it('replace the earlier ones in the document, with what was skipped and what did not run', () => {
    const text = withResults(page, [result({ skipped: ['no disk'] })]);
    expect(text).toMatch(/^before\n.*\nafter$/s);
    expect(text).not.toContain('old\n');
    expect(text).toContain('| 2 | nothing | 1.5 s | 1.5 s |');
    expect(text).toContain('- edits: no disk');
    expect(text).toContain('Not run: runs,');
    expect(withResults(text, [result({ skipped: ['no disk'] })])).toBe(text);
  });

  it('replace those of the same row only, and only older ones', () => {
    const [old, other] = [result(), result({ name: 'runs', provoked: 9 })];
    const young = result({ date: '2026-01-03T00:00:00.000Z', provoked: 5 });
    expect(newestOf([old, other, young])).toEqual([other, young]);
    expect(newestOf([young, old])).toEqual([young]);
  });

  it('are in the document as they are in the record', () => {
    const record = JSON.parse(readFileSync(join(root, 'docs/reliability.json'), 'utf8')) as RowResult[];
    const text = readFileSync(join(root, 'docs/reliability.md'), 'utf8');
    expect(withResults(text, newestOf(record))).toBe(text);
    expect(readFileSync(join(root, 'docs/images/recovery.svg'), 'utf8')).toBe(plot(newestOf(record)));
  });

  it('are plotted with one dot for each recovery', () => {
    const drawn = plot([result(), result({ name: 'quit', recoveries: [] })]);
    expect(drawn.match(/<circle/g)).toHaveLength(2);
    expect(drawn).not.toContain('>quit<');
  });

  it('have rows with different names, each with something that provokes it', () => {
    expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
    expect(ROWS.filter(({ times, suites }) => times === undefined && suites === undefined)).toEqual([]);
    expect(ROWS.reduce((sum, { times = 0 }) => sum + times, 0)).toBeGreaterThanOrEqual(1_000);
  });
});
