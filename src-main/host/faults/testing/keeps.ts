import { optional } from '../../../contract/shared/optional';
import { killedWhileKeeping, type PoweredDisk } from '../../../harness/sandbox/rehearsal/testing/killed';
import { removeBundle } from '../../../harness/sandbox/rehearsal/testing/place';
import { type FaultOptions, Tally } from './tally';

/** Kills a process at random moments of keeping what a command did in its throwaway layer; with disks, their power too. */
export async function killedKeeps(
  { times, random }: FaultOptions,
  diskFor?: () => PoweredDisk,
): Promise<Tally> {
  const tally = new Tally();
  try {
    const { took } = await killedWhileKeeping(1, Number.POSITIVE_INFINITY);
    for (let round = 1; round <= times; round += 1) {
      const moment = random();
      await tally.provoke('files', async () => {
        const killed = await killedWhileKeeping(moment, took, optional({ disk: diskFor?.() }));
        const { state, again: then, recovered, recoveredIn, differs } = killed;
        tally.recoveries.push(recoveredIn);
        if (state === 'torn' || then === 'torn')
          throw new Error(
            `${state}, recovered ${recovered}, kept again ${then}, at ${moment}: ${differs.join('; ')}`,
          );
      });
    }
  } finally {
    removeBundle();
  }
  return tally;
}
