import { HumanMessage } from '@langchain/core/messages';
import { expect, it } from 'vitest';
import { compactionOf } from './compaction';

const summaryOf = (text: string) =>
  compactionOf({ cutoffIndex: 1, summaryMessage: new HumanMessage(text), filePath: null }, [], undefined)
    ?.summary;

it('reads the summary that the published package left, in a moment even if its end is missing', () => {
  expect(summaryOf('Before.\n<summary>\n  What was done.\n</summary>\nAfter.')).toBe('What was done.');
  expect(summaryOf('The conversation to date: what was done.')).toBe('what was done.');
  const started = process.cpuUsage();
  const open = `${'<summary>'.repeat(2_000)}${'\n'.repeat(100_000)}`;
  expect(summaryOf(open)).toBe(open);
  expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(10);
});
