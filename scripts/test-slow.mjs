// npm run test:slow: tests that take too long for `npm test`: suites and journeys with real servers, a longer soak test, and
// the rows of the benchmark whose ratio is steady.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { ensureBuilt } from './build/app.mjs';
import { root, run } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { RESULT_FILE, readResult, summary } from './testing/results.mjs';
import { runServerJourneys, runServerSuites, runSlowSuites } from './testing/suites.mjs';

/** The soak test's length here: half of `npm run soak`. */
const SOAK = { DEEPDESK_SOAK_STEPS: '1000', DEEPDESK_SOAK_KILLS: '10' };

readArguments({ options: {} }, 'npm run test:slow');

await exitWith(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-test-'));
  try {
    const resultOf = (/** @type {string} */ suite) => join(folder, `${suite}.json`);
    const env = (/** @type {string} */ suite) => ({ ...process.env, [RESULT_FILE]: resultOf(suite) });
    const lines = (/** @type {string} */ suite) => (/** @type {string} */ line) =>
      console.log(`${suite.padEnd(8)} │ ${line}`);
    const servers = () => runServerSuites([], { onLine: lines('servers'), env: env('servers') });
    const soak = () => runSlowSuites(['soak'], { onLine: lines('soak'), env: { ...env('soak'), ...SOAK } });
    const journeys = () => runServerJourneys([], { onLine: lines('journeys'), env: env('journeys') });
    const isBuilt = await ensureBuilt();
    // Side by side: they wait for servers and processes, and the last suites leave a core idle.
    const ran = (
      await Promise.all([
        servers().then((result) => [result]),
        soak().then(async (result) => (isBuilt ? [result, await journeys()] : [result])),
      ])
    ).flat();
    // Alone, after everything else.
    const bench = [join(root, 'scripts', 'bench.mjs'), '--steady', '--no-peer'];
    ran.push(await run(process.execPath, bench, { onLine: lines('bench') }));
    const results = ['servers', 'soak', 'journeys'].map(
      (name) => readResult(resultOf(name)) ?? { passed: 0, failures: [], skips: [] },
    );
    console.log(`\n${summary(results).join('\n')}`);
    return isBuilt && ran.every(({ code }) => code === 0) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
