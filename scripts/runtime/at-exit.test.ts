import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const script = (body: string) => `
  import { atExit, endOnSignals, removedAfter, takeSignals } from '${pathToFileURL(join(import.meta.dirname, 'at-exit.mjs')).href}';
  endOnSignals();
  ${body}`;
const run = (body: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', script(body)], { encoding: 'utf8' });

it.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('removes unfinished work when %s terminates the script', (signal, code) => {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-exit-'));
  try {
    const ran = run(`
      atExit(() => console.log('first'));
      atExit(() => { throw new Error('no matter'); });
      atExit(() => console.log('forgotten'))();
      await removedAfter(${JSON.stringify(folder)}, async () => {
        process.kill(process.pid, '${signal}');
        await new Promise((done) => setTimeout(done, 60_000));
      });`);
    expect(ran).toMatchObject({ status: code, stdout: 'first\n' });
    expect(existsSync(folder)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it.skipIf(process.platform === 'win32')('sends signals to the registered handler until it is removed', () => {
  const ran = run(`
    const giveBack = takeSignals((signal) => { console.log(signal); giveBack(); process.kill(process.pid, 'SIGTERM'); });
    process.kill(process.pid, 'SIGHUP');
    setTimeout(() => {}, 60_000);`);
  expect(ran).toMatchObject({ status: 143, stdout: 'SIGHUP\n' });
});

const scripts = resolve(import.meta.dirname, '..');
const commands = readdirSync(scripts)
  .filter((name) => name.endsWith('.mjs') && name !== 'process.mjs')
  .map((name) => ({ name, text: readFileSync(join(scripts, name), 'utf8') }))
  .filter(({ text }) => /\b(?:run|runBin|build|ensureBuilt|buildHarness)\(/.test(text));

it.each(commands)('ends the programs that $name started when a signal ends it', ({ text }) => {
  expect(text).toMatch(/^(?:await exitWith|endOnSignals)\(/m);
});
