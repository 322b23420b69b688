// npm test: all checks, the build and the journeys, with one sum at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './process.mjs';
import { exitWith } from './runtime/foreground.mjs';
import { prepareMachine } from './runtime/prepare.mjs';
import { meetIfPossible, sandboxNeeds } from './runtime/system-packages.mjs';
import { journeyResult, unitResult } from './test-reports.mjs';

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
    const results = [unitResult(unit, root), journeyResult(journeys)];
    const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
      results.reduce((total, result) => total + result[key], 0);
    // Said again at the end: of a long log often only that is kept.
    for (const { test, why } of results.flatMap((result) => result.failures)) {
      console.log(`\n✗ ${test}\n${why.replace(/^/gm, '    ')}`);
    }
    if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`);
    const empty = results.some((result) => result.passed + result.failed === 0);
    if (empty) console.log('\nthe unit tests or the journeys ran no test, which proves nothing');
    const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
    console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
    return failed.length > 0 || empty ? 1 : 0;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
});
