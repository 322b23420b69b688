import { expect, it } from 'vitest';
import { foreground } from './foreground.mjs';

const run = (script: string) =>
  foreground(process.execPath, ['-e', script], { env: { PATH: process.env.PATH ?? '' } });

it("answers with the program's own exit code", async () => {
  expect(await run('process.exit(4)')).toBe(4);
});

it.skipIf(process.platform === 'win32')('counts an ending by signal as shells do', async () => {
  expect(await run("process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)")).toBe(143);
});

it('rejects when the program is not there', async () => {
  await expect(foreground('/no/such/program', [], { env: {} })).rejects.toThrow('ENOENT');
});
