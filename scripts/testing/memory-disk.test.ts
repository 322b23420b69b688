import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { run } from '../process.mjs';
import { keepsAttributes, MEMORY_DISK, onMemoryDisk } from './memory-disk.mjs';

it('needs a kernel that keeps extended attributes in memory', () => {
  expect(['6.1.0-18-amd64', '6.5.13', '6.6.0', '6.18.44', '7.0.1-generic'].map(keepsAttributes)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

it('leaves nothing of the disk when the command ends, even if it is killed', async ({ skip }) => {
  vi.stubEnv('DEEPDESK_CACHE', mkdtempSync(join(tmpdir(), 'deepdesk-memory-')));
  const { command, env } = await onMemoryDisk(['sh', '-c', `echo x > "$${MEMORY_DISK}/file"; kill -9 $$`]);
  const folder = env[MEMORY_DISK];
  if (folder === undefined) return skip('this machine allows no disk in memory');
  const [program = '', ...args] = command;
  const ran = await run(program, args, { env: { ...process.env, ...env } });
  expect(ran).toMatchObject({ code: 128, output: '' });
  expect([existsSync(folder), readdirSync(folder)]).toEqual([true, []]);
});

it('is the command itself where the machine allows no such disk', async () => {
  vi.stubEnv('DEEPDESK_CACHE', mkdtempSync(join(tmpdir(), 'deepdesk-memory-')));
  vi.stubEnv('PATH', '/nonexistent');
  expect(await onMemoryDisk(['true'])).toEqual({ command: ['true'], env: {} });
});
