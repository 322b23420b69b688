import { defineConfig } from '@playwright/test';

// One worker and no retries: the journeys drive real windows on one display, and a flaky journey is a bug.
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'test-results',
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [
    ['list'],
    // `npm test` sums this up; the file is named by the environment so that runs do not overwrite each other.
    ...(process.env.DEEPDESK_E2E_REPORT
      ? [['json', { outputFile: process.env.DEEPDESK_E2E_REPORT }] as const]
      : []),
  ],
  use: { trace: 'retain-on-failure' },
});
