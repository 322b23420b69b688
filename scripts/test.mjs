// npm test: all checks, the build and the journeys, with one sum at the end.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { prepareMachine } from './runtime/prepare.mjs';
import { meetIfPossible, sandboxNeeds } from './runtime/system-packages.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/** @param {string} file */
function json(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** @param {string} file of Vitest's JSON reporter @returns {Count} */
function unitCount(file) {
  const report = json(file);
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

/** @param {string} file of Playwright's JSON reporter @returns {Count} */
function journeyCount(file) {
  const stats = json(file)?.stats;
  return {
    passed: stats?.expected ?? 0,
    failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0),
    skipped: stats?.skipped ?? 0,
  };
}

await exitWith(async () => {
  await prepareMachine({ alsoNode: true });
  await meetIfPossible(sandboxNeeds());
  const reports = mkdtempSync(join(tmpdir(), 'deepdesk-test-'));
  try {
    const unit = join(reports, 'unit.json');
    const journeys = join(reports, 'journeys.json');
    const env = { ...process.env, DEEPDESK_UNIT_REPORT: unit, DEEPDESK_E2E_REPORT: journeys };
    const failed = [];
    for (const name of ['check', 'build', 'e2e']) {
      console.log(`\n── ${name} ──`);
      const { code } = await run(process.execPath, [join(root, 'scripts', `${name}.mjs`)], {
        env,
        show: true,
      });
      if (code !== 0) failed.push(name);
      if (code !== 0 && name === 'build') break;
    }
    const counts = [unitCount(unit), journeyCount(journeys)];
    const sum = (/** @type {keyof Count} */ key) => counts.reduce((total, count) => total + count[key], 0);
    if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`);
    const empty = counts.some((count) => count.passed + count.failed === 0);
    if (empty) console.log('\nthe unit tests or the journeys ran no test, which proves nothing');
    const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
    console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
    return failed.length > 0 || empty ? 1 : 0;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
});
