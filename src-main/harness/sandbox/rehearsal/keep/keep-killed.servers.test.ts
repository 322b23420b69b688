import { afterAll, describe, expect, it } from 'vitest';
import { killedWhileKeeping, seeded } from '../testing/killed';
import { note, removeBundle, whyNoRehearsal } from '../testing/place';

afterAll(removeBundle);

const MOMENTS = 200;
const IN_RECOVERY = 60;
/** Processes killed side by side: each mostly waits for the disk. */
const LANES = 3;

describe.skipIf(whyNoRehearsal !== null)(`a process killed often while it keeps changes${note}`, () => {
  it(`applies all or nothing at ${MOMENTS} moments`, async () => {
    const seed = Date.now() % 1_000_000;
    const random = seeded(seed);
    const { took } = await killedWhileKeeping(1, Number.POSITIVE_INFINITY);
    const seen = new Map<string, number>();
    const moments = Array.from({ length: MOMENTS }, random).entries();
    const lane = async () => {
      for (const [round, moment] of moments) {
        const killed = await killedWhileKeeping(moment, took);
        const what = `${killed.state}, ${killed.recovered}`;
        seen.set(what, (seen.get(what) ?? 0) + 1);
        expect(killed, `seed ${seed}, round ${round}`).toMatchObject({
          state: expect.stringMatching(/^(before|after)$/),
          again: 'after',
        });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    process.stdout.write(`seed ${seed}: ${JSON.stringify(Object.fromEntries(seen))}\n`);
  }, 1_800_000);

  it(`applies all or nothing if the next two starts are killed too, at ${IN_RECOVERY} moments`, async () => {
    const seed = Date.now() % 1_000_000;
    const random = seeded(seed);
    const { took } = await killedWhileKeeping(1, Number.POSITIVE_INFINITY);
    const first = await killedWhileKeeping(0.7, took);
    let recovering = Math.max(first.recoveredIn, 10);
    const seen = new Map<string, number>();
    for (let round = 0; round < IN_RECOVERY; round += 1) {
      // Late enough that there is something to recover.
      const killed = await killedWhileKeeping(0.3 + random() * 0.7, took, {
        starts: [random() * recovering, random() * recovering],
      });
      recovering = Math.max(recovering, killed.recoveredIn);
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
