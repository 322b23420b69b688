// npm run test:faults [-- --row NAME ...] [--times N] [--seed N] [--write] [--no-run]: provokes the faults of
// scripts/testing/faults.mjs, prints what was lost and how long recovery took, and keeps the results in fault-results/.
// --write puts them into docs/reliability.json, and writes docs/reliability.md from all results there.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuse } from './arguments.mjs';
import { build } from './build/app.mjs';
import { root, runBin } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { prepareMachine } from './runtime/prepare.mjs';
import { heading, isLost, line, ROWS } from './testing/faults.mjs';
import { machineFacts } from './testing/machine.mjs';
import { readResults, writeReliability } from './testing/reliability.mjs';
import { RESULT_FILE, readResult } from './testing/results.mjs';

/** @typedef {import('./testing/faults.mjs').Row} Row */
/** @typedef {import('./testing/faults.mjs').RowResult} RowResult */
/** @typedef {import('./testing/faults.mjs').Suite} Suite */

const RESULTS = join(root, 'fault-results');

const USAGE = `npm run test:faults [-- --row ${ROWS.map(({ name }) => name).join(' | ')}] [--times N] [--seed N] [--write] [--no-run]`;
const { values } = readArguments(
  {
    options: {
      row: { type: 'string', multiple: true, default: [] },
      times: { type: 'string' },
      seed: { type: 'string' },
      write: { type: 'boolean', default: false },
      'no-run': { type: 'boolean', default: false },
    },
  },
  USAGE,
);

function wanted() {
  const unknown = values.row.filter((name) => !ROWS.some((row) => row.name === name));
  const times = values.times === undefined ? undefined : Number(values.times);
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000_000) : Number(values.seed);
  if (unknown.length > 0) refuse(`there is no row ${unknown.join(', ')}`, USAGE);
  if (!(times === undefined || times >= 1)) refuse('--times must be at least 1', USAGE);
  if (!Number.isInteger(seed)) refuse('--seed must be a whole number', USAGE);
  const rows = values['no-run']
    ? []
    : ROWS.filter(({ name }) => values.row.length === 0 || values.row.includes(name));
  return { rows, times, seed };
}

/** @param {Row} row @param {number} times @param {number} seed @param {string} folder */
async function killed({ name }, times, seed, folder) {
  const env = {
    ...process.env,
    DEEPDESK_FAULTS: JSON.stringify({ times: { [name]: times }, seed, results: folder }),
    [RESULT_FILE]: join(folder, 'tests.json'),
  };
  const ran = await vitest(['src-main/host/faults/faults.slow.test.ts'], env);
  const tests = readResult(join(folder, 'tests.json'));
  /** @type {{ provoked: number, lost: Record<string, number>, problems: string[], recoveries: number[] } | null} */
  const found = readJson(join(folder, `${name}.json`));
  const skipped = (tests?.skips ?? []).map(({ reason }) => reason).filter((reason) => reason !== '');
  const failures = (tests?.failures ?? []).map(({ why }) => why);
  if (found === null && skipped.length === 0)
    return {
      ...nothing,
      lost: { failures: 1 },
      problems: failures.length > 0 ? failures : [ran.output.slice(-2_000)],
    };
  return { ...nothing, ...found, skipped, seed };
}

const nothing = {
  provoked: 0,
  lost: /** @type {Record<string, number>} */ ({}),
  problems: /** @type {string[]} */ ([]),
  recoveries: /** @type {number[]} */ ([]),
  longest: /** @type {number | null} */ (null),
  skipped: /** @type {string[]} */ ([]),
  seed: /** @type {number | null} */ (null),
};

/** @param {Row} row @param {number} times @param {string} folder */
async function tested({ suites = [] }, times, folder) {
  const all = structuredClone(nothing);
  for (let round = 0; round < times; round += 1)
    for (const suite of suites) {
      const file = join(folder, 'tests.json');
      rmSync(file, { force: true });
      const ran = await runSuite(suite, { ...process.env, [RESULT_FILE]: file });
      const result = readResult(file);
      const failures = (
        result?.failures ?? [{ test: suite.files.join(' '), why: ran.output.slice(-2_000) }]
      ).map(({ test, why }) => `${test}\n${why}`);
      const skips = result?.skips.filter(({ reason }) => reason !== '') ?? [];
      // A suite that runs nothing proves nothing.
      if (result?.passed === 0 && failures.length + skips.length === 0)
        failures.push(`no test of ${suite.files} matches ${suite.title}`);
      all.provoked += (result?.passed ?? 0) + failures.length;
      all.lost.failures = (all.lost.failures ?? 0) + failures.length;
      all.problems.push(...failures);
      all.skipped.push(...skips.map(({ test, reason }) => `${test}: ${reason}`));
      all.longest = Math.max(all.longest ?? 0, result?.longest ?? 0);
    }
  return { ...all, skipped: [...new Set(all.skipped)] };
}

/** @param {Suite} suite @param {NodeJS.ProcessEnv} env */
function runSuite({ runner, files, title }, env) {
  if (runner === 'unit') return vitest([...files, ...(title ? ['-t', title] : [])], env);
  const args = ['test', reporter('playwright'), ...files, ...(title ? ['-g', title] : [])];
  return runBin(['@playwright/test', 'playwright'], args, { env });
}

const reporter = (/** @type {string} */ name) =>
  `--reporter=${join(root, 'scripts', 'testing', `${name}-reporter.mjs`)}`;

/** @param {string[]} args @param {NodeJS.ProcessEnv} env */
const vitest = (args, env) => runBin('vitest', ['run', reporter('vitest'), ...args], { env });

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** @param {Row} row @param {number | undefined} times @param {number} seed @returns {Promise<RowResult>} */
async function provoke(row, times, seed) {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-faults-'));
  const known = { date: new Date().toISOString(), ...(await machineFacts()) };
  const since = performance.now();
  try {
    const result = row.times
      ? await killed(row, times ?? row.times, seed, folder)
      : await tested(row, times ?? 1, folder);
    const seconds = Math.round((performance.now() - since) / 1_000);
    return { name: row.name, ...known, ...result, seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await exitWith(async () => {
  const { rows, times, seed } = wanted();
  mkdirSync(RESULTS, { recursive: true });
  let code = 0;
  if (rows.length > 0) {
    await prepareMachine({ alsoNode: true });
    const needsApp = rows.some(({ suites = [] }) => suites.some(({ runner }) => runner === 'journeys'));
    if (needsApp && !(await build())) return 1;
    console.log(`seed ${seed}\n${heading}`);
  }
  for (const row of rows) {
    const result = await provoke(row, times, seed);
    console.log(line(result));
    for (const reason of result.skipped) console.log(`    skipped: ${reason}`);
    for (const problem of result.problems) console.log(problem.replace(/^/gm, '    '));
    if (isLost(result)) code = 1;
    writeFileSync(join(RESULTS, `${row.name}.json`), `${JSON.stringify(result, null, 1)}\n`);
  }
  if (values.write) writeReliability(readResults(RESULTS));
  return code;
});
