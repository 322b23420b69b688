import { defineConfig } from '@playwright/test';

/** The journeys with real servers, which only `npm run test:slow` runs. */
const withServers = process.env.DEEPDESK_E2E_SERVERS === '1';

// No retries: a flaky journey is a bug. Two workers, each with a display of its own: a journey mostly waits. On two cores, too: a
// run there takes 10 minutes with them and 14 with one.
export default defineConfig({
  testDir: 'e2e',
  testMatch: withServers ? '*.servers.ts' : '*.spec.ts',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'test-results',
  workers: 2,
  retries: 0,
  timeout: withServers ? 180_000 : 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: { trace: 'retain-on-failure' },
});
