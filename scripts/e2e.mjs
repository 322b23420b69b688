// npm run e2e [-- options of playwright test]: the user journeys in the real Electron.
import { runBin } from './process.mjs';
import { endOnSignals } from './runtime/at-exit.mjs';

endOnSignals();

const ran = await runBin(['@playwright/test', 'playwright'], ['test', ...process.argv.slice(2)], {
  show: true,
});
process.exitCode = ran.code;
