// npm run soak [-- steps kills seed]: the full soak test.
import { runBin } from './process.mjs';

const [steps = '2000', kills = '20', seed = String(Math.floor(Math.random() * 1_000_000))] =
  process.argv.slice(2);
Object.assign(process.env, {
  DEEPDESK_SOAK_STEPS: steps,
  DEEPDESK_SOAK_KILLS: kills,
  DEEPDESK_SOAK_SEED: seed,
});
const args = ['run', 'src-main/host/turns/soak.slow.test.ts', '--reporter=verbose'];
const { code } = await runBin('vitest', args, { show: true });
process.exitCode = code;
