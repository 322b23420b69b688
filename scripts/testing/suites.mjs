// The test suites of `npm run check`, `npm test` and `npm run test:slow`.
import { join } from 'node:path';
import { packageBin, root, run, runBin } from '../process.mjs';
import { onMemoryDisk } from './memory-disk.mjs';

/** @typedef {import('../process.mjs').RunOptions} RunOptions */

const reporter = (/** @type {string} */ name) =>
  `--reporter=${join(root, 'scripts', 'testing', `${name}-reporter.mjs`)}`;

/** @param {string[]} projects @param {string[]} args @param {RunOptions} options */
async function vitest(projects, args, options) {
  const only = projects.map((name) => `--project=${name}`);
  const vitest = [process.execPath, packageBin('vitest'), 'run', ...only, reporter('vitest'), ...args];
  const { command, env } = await onMemoryDisk(vitest);
  const [program = '', ...words] = command;
  return run(program, words, { ...options, env: { ...(options.env ?? process.env), ...env } });
}

/** @param {string[]} args for Vitest @param {RunOptions} options */
export const runUnitTests = (args, options) =>
  vitest(['main', 'main-own-process', 'renderer', 'renderer-own-process'], args, options);

/**
 * Kills, floods, many real programs and long comparisons, which `npm test` runs beside the journeys.
 * @param {string[]} args for Vitest
 * @param {RunOptions} options
 */
export const runSlowSuites = (args, options) => vitest(['slow', 'slow-own-process'], args, options);

/**
 * Suites with real servers, which only `npm run test:slow` runs.
 * @param {string[]} args for Vitest
 * @param {RunOptions} options
 */
export const runServerSuites = (args, options) =>
  vitest(['servers'], ['--passWithNoTests', ...args], options);

/** The journeys in the real Electron. @param {string[]} args for Playwright @param {RunOptions} options */
export const runJourneys = (args, options) =>
  runBin(['@playwright/test', 'playwright'], ['test', reporter('playwright'), ...args], options);

/**
 * Journeys with real servers, which only `npm run test:slow` runs. They need a build.
 * @param {string[]} args for Playwright
 * @param {RunOptions} options
 */
export const runServerJourneys = (args, options) =>
  runJourneys(args, { ...options, env: { ...(options.env ?? process.env), DEEPDESK_E2E_SERVERS: '1' } });
