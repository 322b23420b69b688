import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeFolder } from './temporary.mjs';

const SCRIPT = `
  import { runFolder, makeTemporaryFolder } from ${JSON.stringify(join(import.meta.dirname, 'temporary.mjs'))};
  import { mkdtempSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  const { folder } = runFolder('deepdesk-sample-');
  makeTemporaryFolder(join(folder, 'tmp'));
  mkdtempSync(join(tmpdir(), 'left-'));
`;

/** Runs a one-line test run that creates folders; resolves when it exits. */
function runScript(place: string, last: string): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', `${SCRIPT}\n${last}`], {
    env: { ...process.env, TMPDIR: place, TMP: place, TEMP: place },
    stdio: 'ignore',
  });
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

it('leaves nothing when a run fails, and removes the folders of a killed run', async () => {
  const place = mkdtempSync(join(tmpdir(), 'deepdesk-place-'));
  await runScript(place, 'throw new Error("failed");');
  expect(readdirSync(place)).toEqual([]);
  await runScript(place, 'process.kill(process.pid, "SIGKILL");');
  expect(readdirSync(place)).toHaveLength(1);
  await runScript(place, '');
  expect(readdirSync(place)).toEqual([]);
});

it('keeps the folder of a run in progress', async () => {
  const place = mkdtempSync(join(tmpdir(), 'deepdesk-place-'));
  const other = join(place, `deepdesk-sample-${process.pid}-abcdef`);
  mkdirSync(other);
  await runScript(place, '');
  expect(readdirSync(place)).toEqual([`deepdesk-sample-${process.pid}-abcdef`]);
});

it('removes folders that a test closed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-closed-'));
  mkdirSync(join(folder, 'a', 'b'), { recursive: true });
  writeFileSync(join(folder, 'a', 'b', 'file'), '');
  chmodSync(join(folder, 'a', 'b'), 0o000);
  chmodSync(join(folder, 'a'), 0o500);
  removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
});
