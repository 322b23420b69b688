import { dirname, join } from 'node:path';
import { growthOf, soak } from '../../src-main/host/testing/soak';
import type { Part } from '../contest';

const STEPS = 300;
/** Tokens. */
const WINDOW = 8_000;
const SEED = 1;

/** The thread of `npm run soak` without its kills, on a host in another process: checks that its file grows evenly. */
export const longThread: Part = [
  {
    row: `${STEPS} steps in a window of ${WINDOW} tokens: stored for a late step to an early one`,
    unit: 'x',
    runs: 1,
    warmUp: 0,
    target: { atMost: 1.2 },
    ours: ({ own }) => {
      let run = 0;
      return {
        run: async () => {
          run += 1;
          // Bundled beside this program.
          const bundle = dirname(process.argv[1] ?? '');
          const place = join(own, `run-${run}`);
          const result = await soak({ bundle, place, steps: STEPS, kills: 0, seed: SEED, window: WINDOW });
          const [first, last] = [result.sizes[0], result.sizes.at(-1)];
          if (!first || !last) throw new Error('no sizes were taken');
          return {
            value: growthOf(result.sizes),
            more: {
              stored: (last.bytes - first.bytes) / STEPS,
              step: result.took / STEPS,
              request: Math.max(result.model.largest.counted, result.model.largest.bytes) / WINDOW,
            },
          };
        },
      };
    },
    more: {
      stored: { row: '  stored for a step', unit: 'bytes', target: {} },
      step: { row: '  a step, with its answer, its calls and its decisions', unit: 'ms', target: {} },
      request: { row: '  the largest request to the window', unit: 'x', target: { atMost: 1 } },
    },
  },
];
