import { expect, it } from 'vitest';
import { processorTime, standardTime } from './processor-time';

function spin(milliseconds: number): void {
  const end = processorTime() + milliseconds;
  while (processorTime() < end);
}

it('measures about the work itself, and awaits work that is asynchronous', async () => {
  const short = await standardTime(() => spin(20), 1);
  const long = await standardTime(async () => spin(400), 1);
  expect(long).toBeGreaterThan(4 * short);
});
