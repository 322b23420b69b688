// The results of test runs: written by our reporters for Vitest and Playwright, summarized by `npm test`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * @typedef {object} Failure
 * @property {string} test its file and its name
 * @property {string} why the first lines of its error
 *
 * @typedef {object} Skip
 * @property {string} test its file and its name
 * @property {string} reason what this machine lacks; empty if the test gives none
 *
 * @typedef {object} Result
 * @property {number} passed
 * @property {Failure[]} failures of tests, and of files that failed before their tests ran
 * @property {Skip[]} skips
 * @property {number} [longest] milliseconds of the longest test that passed
 */

/** The variable with the path of the result file. Without it, a reporter writes none. */
export const RESULT_FILE = 'DEEPDESK_TEST_RESULT';

const COLORS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const FIRST_LINES = 12;

/** @param {string | undefined} message */
export function firstLines(message) {
  const text = message ?? 'no error was reported';
  return text.replace(COLORS, '').split('\n').slice(0, FIRST_LINES).join('\n').trimEnd();
}

/** Writes a result to the file in the environment. @param {Result} result */
export function writeResult(result) {
  const file = process.env[RESULT_FILE];
  if (!file) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(result));
}

/** @param {string} file @returns {Result | undefined} undefined if the run wrote nothing */
export function readResult(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** @param {Failure} failure */
export const failureText = ({ test, why }) => `✗ ${test}\n${why.replace(/^/gm, '    ')}`;

/**
 * The last lines of a run: what was skipped and why, what failed, and one line of counts.
 * @param {readonly Result[]} results
 */
export function summary(results) {
  const failures = results.flatMap((result) => result.failures);
  const skips = results.flatMap((result) => result.skips);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const skipped = skips.length > 0 ? `, ${skips.length} skipped` : '';
  return [
    ...skipLines(skips),
    ...failures.map(failureText),
    `${passed} passed, ${failures.length} failed${skipped}`,
  ];
}

/** Skipped tests by name, grouped by reason. @param {readonly Skip[]} skips */
function skipLines(skips) {
  /** @type {Map<string, string[]>} */
  const byReason = new Map();
  for (const { test, reason } of skips) byReason.set(reason, [...(byReason.get(reason) ?? []), test]);
  return [...byReason].map(
    ([reason, tests]) =>
      `- skipped ${tests.length}: ${reason || 'no reason given'}\n${tests.map((test) => `    ${test}`).join('\n')}`,
  );
}
