import { afterAll, describe, expect, it } from 'vitest';
import { killedWhileKeeping, seeded } from '../testing/killed';
import { note, removeBundle, whyNoRehearsal } from '../testing/place';

afterAll(removeBundle);

describe.skipIf(whyNoRehearsal !== null)(`a process killed while it keeps changes${note}`, () => {
  it('applies all or nothing after the next start, and the pending changes can still be kept', async () => {
    const seed = Date.now() % 1_000_000;
    const random = seeded(seed);
    const { took, state } = await killedWhileKeeping(1, Number.POSITIVE_INFINITY);
    expect(state).toBe('after');
    for (let round = 0; round < 10; round += 1) {
      const killed = await killedWhileKeeping(random(), took);
      expect(killed, `seed ${seed}, round ${round}`).toMatchObject({
        state: expect.stringMatching(/^(before|after)$/),
        again: 'after',
      });
    }
  }, 240_000);
});
