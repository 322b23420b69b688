// What Vitest's and Playwright's JSON reporters wrote, as `npm test` sums it up.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * @typedef {object} Failure
 * @property {string} test its file and its name
 * @property {string} why the first lines of its error
 *
 * @typedef {object} Result
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {Failure[]} failures of tests, and of files that ended before their tests did
 */

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** @param {string | undefined} message */
function firstLines(message) {
  return (message ?? 'no error was reported').replace(COLOURS, '').split('\n').slice(0, 8).join('\n');
}

/** @param {string} file @returns {any} undefined where the reporter wrote nothing */
function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** @param {string} file of Vitest's JSON reporter @param {string} root @returns {Result} */
export function unitResult(file, root) {
  const report = read(file);
  const failures = [];
  for (const ran of report?.testResults ?? []) {
    const name = relative(root, ran.name);
    const failed = ran.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed');
    for (const test of failed) {
      failures.push({ test: `${name} › ${test.fullName}`, why: firstLines(test.failureMessages?.[0]) });
    }
    if (ran.status === 'failed' && failed.length === 0) {
      failures.push({ test: name, why: firstLines(ran.message) });
    }
  }
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    failures,
  };
}

/** @param {string} file of Playwright's JSON reporter @returns {Result} */
export function journeyResult(file) {
  const report = read(file);
  const stats = report?.stats;
  /** @type {Failure[]} */
  const failures = [];
  const visit = (/** @type {any} */ suite) => {
    for (const spec of suite.specs ?? []) {
      if (spec.ok) continue;
      const results = spec.tests.flatMap((/** @type {any} */ test) => test.results);
      const error = results.findLast((/** @type {any} */ result) => result.error)?.error;
      failures.push({ test: `${spec.file} › ${spec.title}`, why: firstLines(error?.message) });
    }
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of report?.suites ?? []) visit(suite);
  return {
    passed: stats?.expected ?? 0,
    failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
    skipped: stats?.skipped ?? 0,
    failures,
  };
}
