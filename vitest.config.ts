import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { withOwnProcess } from './scripts/testing/own-process.mjs';
import { LongestFirst } from './scripts/testing/sequencer.mjs';
import { WITHIN } from './scripts/testing/waiting.ts';
import { workers } from './scripts/testing/workers.mjs';

const alias = { '@contract': resolve(import.meta.dirname, 'src-main/contract') };

const NODE = ['src-main', 'scripts', 'bench', 'e2e'];
/** Kills, floods, many real programs, long random comparisons: `npm test` runs them beside the journeys. */
const SLOW = '**/*.slow.test.ts';
/** Suites on servers that have to be installed, and the longest without one: only `npm run test:slow` runs them. */
const SERVERS = '**/*.servers.test.ts';

const nodeTests = NODE.map((folder) => `${folder}/**/*.test.ts`);
const slowTests = NODE.map((folder) => `${folder}/${SLOW}`);
const own = withOwnProcess(import.meta.dirname, NODE);
const slowOwn = own.filter((file) => file.endsWith('.slow.test.ts'));
const ownInRenderer = withOwnProcess(import.meta.dirname, ['src-renderer']);
const rendererSetup = { environment: 'happy-dom', setupFiles: ['src-renderer/testing/each-file.ts'] };

export default defineConfig({
  resolve: { alias },
  test: {
    maxWorkers: workers(),
    sequence: { sequencer: LongestFirst },
    globalSetup: ['scripts/testing/unit-setup.mjs'],
    setupFiles: ['scripts/testing/each-file.ts'],
    // Many tests of the published package's programs pass a factory, which warns once for each process.
    execArgv: ['--disable-warning=DEEPDESK_BACKEND_FACTORY'],
    // Longer than what a test waits for, so that it can say what did not come.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: WITHIN } },
    projects: [
      {
        extends: true,
        test: {
          name: 'main',
          include: nodeTests,
          exclude: [SLOW, SERVERS, ...own],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'main-own-process', include: own, exclude: [SLOW, SERVERS] },
      },
      {
        extends: true,
        test: {
          name: 'renderer',
          ...rendererSetup,
          include: ['src-renderer/**/*.test.{ts,tsx}'],
          exclude: ownInRenderer,
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'renderer-own-process', ...rendererSetup, include: ownInRenderer },
      },
      { extends: true, test: { name: 'slow', include: slowTests, exclude: slowOwn, isolate: false } },
      { extends: true, test: { name: 'slow-own-process', include: slowOwn } },
      { extends: true, test: { name: 'servers', include: NODE.map((folder) => `${folder}/${SERVERS}`) } },
    ],
  },
});
