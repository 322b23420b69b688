import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

/** The journeys with real servers, which only `npm run test:slow` runs. */
const withServers = process.env.DEEPDESK_E2E_SERVERS === '1';

// No retries: a flaky journey is a bug. Two workers, each with a display of its own: a journey mostly waits. Not on two cores, since
// a start of the app takes both.
export default defineConfig({
  testDir: 'e2e',
  testMatch: withServers ? '*.servers.ts' : '*.spec.ts',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'test-results',
  workers: availableParallelism() > 2 ? 2 : 1,
  retries: 0,
  timeout: withServers ? 180_000 : 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: { trace: 'retain-on-failure' },
});
