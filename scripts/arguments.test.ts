import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, run } from './process.mjs';

const script = (name: string, ...args: string[]) =>
  run(process.execPath, [join(root, 'scripts', name), ...args]);

/** Their arguments are for the app, the agent, the benchmark and Playwright, which refuse them themselves. */
const PASSES_ON = ['start.mjs', 'agent.mjs', 'bench.mjs', 'e2e.mjs', 'screenshots.mjs'];

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const named = Object.values(scripts).flatMap((command) => /^node scripts\/(\S+)$/.exec(command)?.[1] ?? []);
const own = named.filter((name) => !PASSES_ON.includes(name));

it('every script that takes arguments of its own reads them before it does anything else', () => {
  expect(own).toContain('package.mjs');
  const atTop = /^(const [^;]* = )?readArguments\(|^const since = changedSince\(\);$/m;
  const unread = own.filter((name) => !atTop.test(readFileSync(join(root, 'scripts', name), 'utf8')));
  expect(unread).toEqual([]);
});

it('a script prints its usage for --help, and for an option that it does not have', async () => {
  const helped = await script('project.mjs', '--help');
  expect([helped.code, helped.output]).toEqual([0, 'usage: npm run project\n']);
  const refused = await script('project.mjs', '--frobnicate');
  const output = "Unknown option '--frobnicate'\nusage: npm run project\n";
  expect([refused.code, refused.output]).toEqual([2, output]);
});

it.each([
  ['check.mjs', ['--changed='], '--changed needs a revision'],
  ['test.mjs', ['--changed', 'HEAD'], "Unexpected argument 'HEAD'"],
  ['soak.mjs', ['many'], 'steps, kills and seed must be whole numbers'],
  ['fuzz.mjs', ['nothing'], 'there is no part nothing'],
  ['test-faults.mjs', ['--row', 'nothing'], 'there is no row nothing'],
  ['transcripts.mjs', ['compare', 'none', 'neither'], 'there is no folder'],
  ['transcripts.mjs', ['compare', 'one'], 'Name record or compare, and its folders'],
])('%s says what is wrong with %j', async (name, args, problem) => {
  const refused = await script(name, ...args);
  expect(refused.code).toBe(2);
  expect(refused.output).toContain(problem);
  expect(refused.output).toContain('\nusage: n');
});
