import { afterAll, describe, expect, it } from 'vitest';
import { killedWhileKeeping, seeded } from './testing/killed';
import { note, removeBundle, whyNoRehearsal } from './testing/place';

afterAll(removeBundle);

const MOMENTS = 200;

describe.skipIf(whyNoRehearsal !== null)(`a process killed often while it keeps changes${note}`, () => {
  it(`applies all or nothing at ${MOMENTS} moments`, async () => {
    const seed = Date.now() % 1_000_000;
    const random = seeded(seed);
    const { took } = await killedWhileKeeping(1, Number.POSITIVE_INFINITY);
    const seen = new Map<string, number>();
    for (let round = 0; round < MOMENTS; round += 1) {
      const killed = await killedWhileKeeping(random(), took);
      const what = `${killed.state}, ${killed.recovered}`;
      seen.set(what, (seen.get(what) ?? 0) + 1);
      expect(killed, `seed ${seed}, round ${round}`).toMatchObject({
        state: expect.stringMatching(/^(before|after)$/),
        again: 'after',
      });
    }
    process.stdout.write(`seed ${seed}: ${JSON.stringify(Object.fromEntries(seen))}\n`);
  }, 1_800_000);
});
