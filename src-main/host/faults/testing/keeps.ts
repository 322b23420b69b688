import { killedWhileKeeping } from '../../../harness/sandbox/rehearsal/testing/killed';
import { removeBundle } from '../../../harness/sandbox/rehearsal/testing/place';
import { type FaultOptions, Tally } from './tally';

/** Kills a process at random moments of keeping what a command did in its throwaway layer. */
export async function killedKeeps({ times, random }: FaultOptions): Promise<Tally> {
  const tally = new Tally();
  try {
    const { took } = await killedWhileKeeping(1, Number.POSITIVE_INFINITY);
    for (let round = 1; round <= times; round += 1) {
      const moment = random();
      await tally.provoke('files', async () => {
        const { state, again, recovered, recoveredIn } = await killedWhileKeeping(moment, took);
        tally.recoveries.push(recoveredIn);
        if (state === 'torn' || again === 'torn')
          throw new Error(`${state}, recovered ${recovered}, kept again ${again}, at ${moment}`);
      });
    }
  } finally {
    removeBundle();
  }
  return tally;
}
