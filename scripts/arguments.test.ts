import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, run } from './process.mjs';

const script = (name: string, ...args: string[]) =>
  run(process.execPath, [join(root, 'scripts', name), ...args]);

it.each(['fuzz.mjs', 'soak.mjs', 'test-faults.mjs', 'test-growth.mjs', 'test-slow.mjs'])(
  '%s prints its usage for --help, and for an option that it does not have',
  async (name) => {
    const helped = await script(name, '--help');
    expect([helped.code, helped.stdout]).toEqual([0, expect.stringMatching(/^usage: npm run /)]);
    const refused = await script(name, '--frobnicate');
    expect(refused.code).toBe(2);
    expect(refused.output).toMatch(/^Unknown option '--frobnicate'\nusage: npm run [^\n]+\n*$/);
  },
);

it.each([
  ['soak.mjs', ['many'], 'steps, kills and seed must be whole numbers'],
  ['fuzz.mjs', ['nothing'], 'there is no part nothing'],
  ['test-faults.mjs', ['--row', 'nothing'], 'there is no row nothing'],
])('%s says what is wrong with %j', async (name, args, problem) => {
  const refused = await script(name, ...args);
  expect(refused.code).toBe(2);
  expect(refused.output).toContain(problem);
});
