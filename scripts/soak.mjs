// npm run soak [-- steps kills seed]: the full soak test.
import { readArguments, refuse } from './arguments.mjs';
import { runBin } from './process.mjs';
import { endOnSignals } from './runtime/at-exit.mjs';

endOnSignals();

const USAGE = 'npm run soak [-- steps kills seed]';
const { positionals } = readArguments({ allowPositionals: true, options: {} }, USAGE);
const [steps = '2000', kills = '20', seed = String(Math.floor(Math.random() * 1_000_000))] = positionals;
if (positionals.length > 3 || positionals.some((number) => !/^\d+$/.test(number)))
  refuse('steps, kills and seed must be whole numbers', USAGE);
Object.assign(process.env, {
  DEEPDESK_SOAK_STEPS: steps,
  DEEPDESK_SOAK_KILLS: kills,
  DEEPDESK_SOAK_SEED: seed,
});
const args = ['run', 'src-main/host/turns/soak.slow.test.ts', '--reporter=verbose'];
const { code } = await runBin('vitest', args, { show: true });
process.exitCode = code;
