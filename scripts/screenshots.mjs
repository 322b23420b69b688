// npm run screenshots [-- options of playwright test]: runs the journeys and keeps their pictures in docs/images.
import { runBin } from './process.mjs';

const ran = await runBin(['@playwright/test', 'playwright'], ['test', ...process.argv.slice(2)], {
  show: true,
  env: { ...process.env, DEEPDESK_SCREENSHOTS: '1' },
});
process.exitCode = ran.code;
