import { expect, it } from 'vitest';
import { watched } from './timing';

it('detects an event loop that is blocked from the first moment on', async () => {
  const { took, stall, result } = await watched(() => {
    const until = performance.now() + 40;
    while (performance.now() < until);
    return 'done';
  });
  expect(result).toBe('done');
  expect(took).toBeGreaterThanOrEqual(40);
  expect(stall).toBeGreaterThan(35);
});
