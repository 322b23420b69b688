import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { packageBin, root, run } from '../process.mjs';
import { RESULT_FILE, readResult, summary } from './results.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deepdesk-results-'));
  return () => rmSync(folder, { recursive: true });
});

const reporter = (name: string) => join(root, 'scripts', 'testing', `${name}-reporter.mjs`);
const resultFile = () => join(folder, 'result.json');
const env = () => ({ ...process.env, [RESULT_FILE]: resultFile(), FORCE_COLOR: '0' });

it('records failures of unit tests, files that fail before their tests, and reasons for skips', async () => {
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { globals: true } }');
  writeFileSync(
    join(folder, 'sums.test.js'),
    `describe('sums', () => {
      test('holds', () => {});
      test('is two', () => expect(1).toBe(2));
      test('needs a cat', (context) => context.skip('there is no cat'));
      test.skip('later', () => {});
    });
    describe.skip('dogs (skipped: there is no dog)', () => { test('bark', () => {}) });`,
  );
  writeFileSync(join(folder, 'broken.test.js'), "throw new Error('has no test')");

  const args = ['run', '--root', folder, `--reporter=${reporter('vitest')}`];
  const { output } = await run(process.execPath, [packageBin('vitest'), ...args], {
    cwd: folder,
    env: env(),
  });

  const result = readResult(resultFile());
  expect(result?.passed).toBe(1);
  expect(result?.failures.sort((a, b) => a.test.localeCompare(b.test))).toEqual([
    { test: 'broken.test.js', why: expect.stringContaining('has no test') },
    { test: 'sums.test.js › sums > is two', why: expect.stringContaining('expected 1 to be 2') },
  ]);
  expect(result?.skips).toEqual([
    { test: 'sums.test.js › sums > needs a cat', reason: 'there is no cat' },
    { test: 'sums.test.js › sums > later', reason: '' },
    { test: 'sums.test.js › dogs  > bark', reason: 'there is no dog' },
  ]);
  expect(output).toContain('✗ sums.test.js › sums > is two\n');
}, 30_000);

it('records failures of journeys and reasons for skips', async () => {
  writeFileSync(
    join(folder, 'a.spec.mjs'),
    `import { test } from ${JSON.stringify(join(root, 'node_modules/@playwright/test/index.mjs'))};
    test('opens', () => {});
    test.describe('a group', () => { test('closes', () => { throw new Error('no window') }); });
    test('cries', () => { test.skip(true, 'there is no cat') });`,
  );
  const config = join(folder, 'playwright.config.mjs');
  writeFileSync(
    config,
    `export default { testDir: '.', reporter: [[${JSON.stringify(reporter('playwright'))}]] }`,
  );

  await run(process.execPath, [packageBin('@playwright/test', 'playwright'), 'test', '-c', config], {
    cwd: folder,
    env: env(),
  });

  const result = readResult(resultFile());
  expect(result?.passed).toBe(1);
  expect(result?.failures.map(({ test }) => test)).toEqual([
    expect.stringContaining('a.spec.mjs › a group › closes'),
  ]);
  expect(result?.failures[0]?.why).toContain('no window');
  expect(result?.skips).toEqual([
    { test: expect.stringContaining('a.spec.mjs › cries'), reason: 'there is no cat' },
  ]);
}, 30_000);

it('ends with the skipped tests by reason, each failure again, and one line of counts', () => {
  const one = {
    passed: 2,
    failures: [{ test: 'a › b', why: 'Error: no\n  at c' }],
    skips: [{ test: 'd', reason: 'no cat' }],
  };
  const two = { passed: 1, failures: [], skips: [{ test: 'e', reason: 'no cat' }] };
  expect(summary([one, two])).toEqual([
    '- skipped 2: no cat\n    d\n    e',
    '✗ a › b\n    Error: no\n      at c',
    '3 passed, 1 failed, 2 skipped',
  ]);
});
