import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expectMemories, killWriter, look } from '../../../storage/testing/killed';
import { type FaultOptions, Tally } from './tally';

/** Acknowledged writes before a kill, at most. */
const WRITES = 120;
/** Milliseconds after the acknowledgment within which the process is killed. */
const WITHIN = 4;

/** Kills a process that writes one memory again and again. */
export async function killedMemories({ bundle, place, times, random }: FaultOptions): Promise<Tally> {
  const tally = new Tally();
  for (let round = 1; round <= times; round += 1) {
    const writes = 1 + Math.floor(random() * WRITES);
    const delay = Math.floor(random() * WITHIN);
    await tally.provoke('memories', async () => {
      const folder = join(place, `${round}`);
      mkdirSync(folder);
      const file = join(folder, 'd.sqlite');
      const told = await killWriter({
        bundle,
        what: 'memories',
        file,
        delay,
        isEnough: ({ length }) => length === writes,
      });
      await tally.recover(() => look(file, (storage) => expectMemories(storage, told)));
      rmSync(folder, { recursive: true });
    });
  }
  return tally;
}
