import { killedWhileKeeping, type PoweredDisk } from '../../../harness/sandbox/rehearsal/testing/killed';
import { removeBundle } from '../../../harness/sandbox/rehearsal/testing/place';
import { type FaultOptions, Tally } from './tally';

/** Kills a process at random moments of keeping what a command did in its throwaway layer; with disks, their power too. */
export async function killedKeeps(
  { times, random }: FaultOptions,
  diskFor?: (round: number) => PoweredDisk,
): Promise<Tally> {
  const tally = new Tally();
  try {
    const { took } = await killedWhileKeeping(1, Number.POSITIVE_INFINITY, diskFor?.(0));
    for (let round = 1; round <= times; round += 1) {
      const moment = random();
      await tally.provoke('files', async () => {
        const { state, again, recovered, recoveredIn, differs } = await killedWhileKeeping(
          moment,
          took,
          diskFor?.(round),
        );
        tally.recoveries.push(recoveredIn);
        if (state === 'torn' || again === 'torn')
          throw new Error(
            `${state}, recovered ${recovered}, kept again ${again}, at ${moment}: ${differs.join('; ')}`,
          );
      });
    }
  } finally {
    removeBundle();
  }
  return tally;
}
