import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { packageBin, run } from './process.mjs';
import { journeyResult, unitResult } from './test-reports.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deepdesk-reports-'));
  return () => rmSync(folder, { recursive: true });
});

it('names the unit tests that failed and the files that ended before their tests', async () => {
  const globals = { test: { globals: true } };
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(globals)}`);
  writeFileSync(
    join(folder, 'sums.test.js'),
    "describe('sums', () => { test('holds', () => {}); test('is two', () => expect(1).toBe(2)); test.skip('later', () => {}) })",
  );
  writeFileSync(join(folder, 'broken.test.js'), "throw new Error('has no test')");
  const report = join(folder, 'report.json');

  const args = ['run', '--root', folder, '--reporter=json', `--outputFile=${report}`];
  await run(process.execPath, [packageBin('vitest'), ...args], { cwd: folder });

  const { failures, ...counts } = unitResult(report, folder);
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(failures.sort((a, b) => a.test.localeCompare(b.test))).toEqual([
    { test: 'broken.test.js', why: 'has no test' },
    {
      test: 'sums.test.js › sums is two',
      why: expect.stringContaining('expected 1 to be 2'),
    },
  ]);
}, 30_000);

it('names the journeys that failed, also those in a group', () => {
  const report = join(folder, 'report.json');
  const failed = {
    ok: false,
    tests: [{ results: [{ error: { message: '\u001b[31mno window\u001b[39m' } }] }],
  };
  const suites = [
    {
      specs: [{ ok: true, title: 'opens', file: 'a.spec.ts', tests: [] }],
      suites: [{ specs: [{ ...failed, title: 'closes', file: 'a.spec.ts' }] }],
    },
  ];
  writeFileSync(
    report,
    JSON.stringify({ suites, stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 2 } }),
  );

  expect(journeyResult(report)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 2,
    failures: [{ test: 'a.spec.ts › closes', why: 'no window' }],
  });
});

it('counts nothing where a reporter wrote nothing', () => {
  const none = { passed: 0, failed: 0, skipped: 0, failures: [] };
  expect(unitResult(join(folder, 'none.json'), folder)).toEqual(none);
  expect(journeyResult(join(folder, 'none.json'))).toEqual(none);
});
