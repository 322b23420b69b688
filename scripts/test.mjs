// npm test [-- --changed[=REVISION]]: every check and every test. The journeys run in parallel with the slow suites, which wait, too.
// On three cores or more they begin with the checks and the unit tests. On two, those compute as much as the machine can.
// --changed skips what the changes since a revision (default: HEAD) cannot affect.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuse } from './arguments.mjs';
import { ensureBuilt } from './build/app.mjs';
import { root, run } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { prepareMachine } from './runtime/prepare.mjs';
import { meetIfPossible, sandboxNeeds } from './runtime/system-packages.mjs';
import { affectedSpecs, changedTests, rememberPassed, specHashes } from './testing/changed.mjs';
import { RESULT_FILE, readResult, summary } from './testing/results.mjs';
import { runJourneys, runSlowSuites } from './testing/suites.mjs';

const USAGE = 'npm test [-- --changed[=REVISION]]';

/** The revision after `--changed`; undefined: run everything. */
function changedSince() {
  const args = process.argv.slice(2).map((word) => (word === '--changed' ? '--changed=HEAD' : word));
  const options = /** @type {const} */ ({ changed: { type: 'string' } });
  const { changed } = readArguments({ args, options }, USAGE).values;
  return changed === '' ? refuse('--changed needs a revision', USAGE) : changed;
}

/** Prefixes the output lines of a part with its name, because parts may run in parallel. @param {string} part */
const lines = (part) => (/** @type {string} */ line) => console.log(`${part.padEnd(8)} │ ${line}`);

/**
 * @typedef {object} Plan
 * @property {string | undefined} since
 * @property {(suite: string) => string} resultOf the file for a suite's result
 * @property {(what: string) => void} fail
 */

/** @param {Plan} plan @param {string} suite */
const environment = ({ resultOf }, suite) => ({ ...process.env, [RESULT_FILE]: resultOf(suite) });

/** Types, lint, layers, dead code and unit tests. @param {Plan} plan */
async function checks(plan) {
  const { since, fail } = plan;
  const ran = await run(
    process.execPath,
    [join(root, 'scripts', 'check.mjs'), ...(since ? [`--changed=${since}`] : [])],
    {
      env: environment(plan, 'unit'),
      onLine: lines('check'),
    },
  );
  if (ran.code !== 0) fail('check');
}

/** Kills, floods and long comparisons. @param {Plan} plan */
async function slowSuites(plan) {
  const { since, fail } = plan;
  const slow = await runSlowSuites(since ? changedTests(since) : [], {
    env: environment(plan, 'slow'),
    onLine: lines('slow'),
  });
  if (slow.code !== 0) fail('slow suites');
}

/** The build and the journeys. @param {Plan} plan */
async function journeys(plan) {
  const { since, resultOf, fail } = plan;
  if (!(await ensureBuilt())) return fail('build');
  const hashes = specHashes();
  const specs = since ? affectedSpecs() : [];
  if (since && specs.length === 0) return lines('journeys')('none: all of them passed on what is here');
  const ran = await runJourneys(specs, { env: environment(plan, 'journeys'), onLine: lines('journeys') });
  if (ran.code !== 0) fail('journeys');
  const result = readResult(resultOf('journeys'));
  const wanted =
    specs.length === 0 ? hashes : Object.fromEntries(specs.map((spec) => [spec, hashes[spec] ?? '']));
  if (result) rememberPassed(wanted, result.failures);
}

const since = changedSince();

await exitWith(async () => {
  const started = Date.now();
  await prepareMachine({ alsoNode: true });
  await meetIfPossible(sandboxNeeds());
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-test-'));
  try {
    /** @type {string[]} */
    const failed = [];
    const resultOf = (/** @type {string} */ suite) => join(folder, `${suite}.json`);
    const plan = { since, resultOf, fail: (/** @type {string} */ what) => void failed.push(what) };
    const checked = checks(plan);
    if (availableParallelism() <= 2) await checked;
    await Promise.all([checked.then(() => slowSuites(plan)), journeys(plan)]);

    const suites = ['unit', 'slow', 'journeys'];
    const results = suites.map((suite) => readResult(resultOf(suite)));
    const silent = suites.filter((_, index) => results[index] === undefined);
    const known = results.filter((result) => result !== undefined);
    if (known.some(({ skips }) => skips.some(({ reason }) => reason === '')))
      failed.push('a skip without a reason');
    // Without --changed, a suite that reports nothing proves nothing.
    if (!since) for (const suite of silent) failed.push(`${suite}: no result`);
    const minutes = ((Date.now() - started) / 60_000).toFixed(1);
    console.log(['', ...summary(known).slice(0, -1)].join('\n'));
    if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`);
    console.log(`\n${minutes} minutes\n${summary(known).at(-1)}`);
    return failed.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
