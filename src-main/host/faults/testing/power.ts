import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Storage } from '../../../storage';
import { expectApprovals, expectMemories, killWriter, look } from '../../../storage/testing/killed';
import { message, thread } from '../../../storage/testing/values';
import { expectWholeFiles, killEditor, writeFiles } from './edits';
import { preparePower } from './power-loss';
import { type FaultOptions, type Kind, Tally } from './tally';

/** Acknowledged writes before the power goes, at most. */
const WRITES = 60;
/** Milliseconds after the acknowledgment within which the power goes. */
const WITHIN = 6;

type Job = {
  kind: Kind;
  what: string;
  expectKept: (storage: Storage, told: unknown[]) => void | Promise<void>;
};

const JOBS: readonly Job[] = [
  { kind: 'approvals', what: 'approvals', expectKept: expectApprovals },
  { kind: 'memories', what: 'memories', expectKept: expectMemories },
  {
    kind: 'messages',
    what: 'messages',
    expectKept: ({ messages }, told) => {
      const all = messages.all(thread().id);
      expect(all.length).toBeGreaterThanOrEqual(z.array(z.number()).parse(told).length);
      expect(all).toEqual(all.map((_, index) => message(`m${index + 1}`, 'x'.repeat((index + 1) % 5_000))));
    },
  },
];

/** Kills a process that writes, and undoes the writes that it had not flushed. `library`: compiled from unsynced.c. */
export async function lostPower(library: string, options: FaultOptions): Promise<Tally> {
  const { bundle, place, times, random } = options;
  const tally = new Tally();
  for (let round = 1; round <= times; round += 1) {
    const [own, data] = [join(place, `${round}`), join(place, `${round}`, 'data')];
    mkdirSync(data, { recursive: true });
    const power = preparePower(library, data, own);
    const writes = 1 + Math.floor(random() * WRITES);
    const delay = Math.floor(random() * WITHIN);
    const job = JOBS[round % (JOBS.length + 1)];
    if (job === undefined) await tally.provoke('files', () => edited(data));
    else await tally.provoke(job.kind, () => written(job));
    rmSync(own, { recursive: true });

    async function written({ what, expectKept }: Job): Promise<void> {
      const file = join(data, 'd.sqlite');
      const isEnough = ({ length }: readonly unknown[]) => length === writes;
      const { env } = power;
      const storage = join(bundle, 'storage');
      const told = await killWriter({ bundle: storage, what, file, delay, env, isEnough });
      power.cut(random);
      await tally.recover(() => look(file, (storage) => expectKept(storage, told)));
    }

    /** An acknowledged edit may be missing, but a file is never torn. */
    async function edited(folder: string): Promise<void> {
      writeFiles(folder);
      const acknowledged = await killEditor({
        bundle,
        folder,
        edits: 1 + (writes % 24),
        delay,
        env: power.env,
      });
      power.cut(random);
      expectWholeFiles(folder, acknowledged, Number.POSITIVE_INFINITY);
    }
  }
  return tally;
}
