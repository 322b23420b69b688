import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../base/testing/random';
import { whyNoRehearsal } from '../../harness/sandbox/rehearsal/testing/place';
import { bundleFaults, FAULTS } from './testing/faults';
import { whyNoDisk } from './testing/powered-disk';
import { compilePreload } from './testing/preload';

/** Rounds of each fault here. Kills of runs are in soak.slow.test.ts, and of keeps in keep-killed.slow.test.ts. */
const SHORT: Record<string, number> = {
  approvals: 2,
  memories: 2,
  edits: 2,
  migrations: 2,
  updates: 4,
  power: 2,
  locked: 1,
  sleep: 1,
};

/** What `npm run test:faults` asks for: how often each fault is provoked, and where the results go. */
const asked = JSON.parse(process.env.DEEPDESK_FAULTS ?? 'null') as {
  times: Record<string, number>;
  seed: number;
  results: string;
} | null;
const times = asked?.times ?? SHORT;
const seed = asked?.seed ?? 20_261_123;

/** Inside node_modules, so that the bundle finds the native packages. */
const bundle = join(import.meta.dirname, `../../../node_modules/.cache/deepdesk-faults-${process.pid}`);
const place = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-faults-')));

beforeAll(() => bundleFaults(bundle), 120_000);
afterAll(() => {
  rmSync(bundle, { recursive: true, force: true });
  rmSync(place, { recursive: true, force: true });
});

const preload = compilePreload('unsynced', join(place, 'trial'));
const whyNoPreload = 'whyNot' in preload ? preload.whyNot : null;
const lacks: Record<string, string | null> = {
  keeps: whyNoRehearsal,
  'power-keeps': times['power-keeps'] === undefined ? null : (whyNoRehearsal ?? whyNoDisk(place)),
  power: whyNoPreload,
  clock: whyNoPreload,
  sleep: whyNoPreload,
};
const whyNot = (fault: string) => lacks[fault] ?? null;
const noteOn = (fault: string) => (whyNot(fault) === null ? '' : ` (skipped: ${whyNot(fault)})`);

describe(`faults with seed ${seed}`, () => {
  for (const [fault, count] of Object.entries(times))
    it.skipIf(whyNot(fault) !== null)(
      `${fault}: nothing is lost and nothing happens twice in ${count} rounds${noteOn(fault)}`,
      async () => {
        const own = join(place, fault);
        mkdirSync(own);
        const provoke = FAULTS[fault];
        if (provoke === undefined) throw new Error(`there is no fault named ${fault}`);
        const options = { bundle, place: own, times: count, seed, random: randomFrom(seed) };
        const result = (await provoke(options)).result(fault);
        if (asked !== null) {
          const file = join(asked.results, `${fault}.json`);
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, JSON.stringify(result));
        }
        expect(result.problems).toEqual([]);
        expect(result.provoked).toBe(count);
      },
      asked === null ? 240_000 : 24 * 3_600_000,
    );
});
