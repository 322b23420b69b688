import { expect, it } from 'vitest';
import { foldedNames } from './names';

it('folds names as Windows does, and a long one in a moment', () => {
  expect(foldedNames('A/.git. /git~1/x::$DATA')).toEqual(['a', '.git', '.git', 'x']);
  const started = process.cpuUsage();
  expect(foldedNames(`a:${' '.repeat(200_000)}b`)).toHaveLength(1);
  expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(10);
});
