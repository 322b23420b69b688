import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { alone, cacheFolder } from './cache.mjs';

beforeEach(() => {
  vi.stubEnv('DEEPDESK_CACHE', join(mkdtempSync(join(tmpdir(), 'deepdesk-cache-')), 'deep', 'cache'));
  return () => vi.unstubAllEnvs();
});

it.skipIf(process.platform === 'win32')(
  'creates a folder that every user can read, whatever the umask',
  () => {
    const before = process.umask(0o077);
    try {
      expect(statSync(cacheFolder()).mode & 0o777).toBe(0o755);
    } finally {
      process.umask(before);
    }
  },
);

it('lets one process at a time run work with a given name', async () => {
  const file = join(cacheFolder(), 'log');
  const script = `
    import { appendFileSync } from 'node:fs';
    import { setTimeout as after } from 'node:timers/promises';
    import { alone } from ${JSON.stringify(join(import.meta.dirname, 'cache.mjs'))};
    await alone('work', async () => {
      appendFileSync(process.argv[1], 'in ');
      await after(50);
      appendFileSync(process.argv[1], 'out ');
    });`;
  const runs = [1, 2, 3].map(
    () =>
      new Promise((done) => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
          stdio: 'inherit',
        });
        child.on('close', done);
      }),
  );
  expect(await Promise.all(runs)).toEqual([0, 0, 0]);
  expect(readFileSync(file, 'utf8')).toBe('in out in out in out ');
});

it('takes over from a process that died with the lock', async () => {
  const dead = spawn(process.execPath, ['-e', '']);
  await new Promise((gone) => dead.on('close', gone));
  writeFileSync(join(cacheFolder(), 'work.lock'), String(dead.pid));
  expect(await alone('work', () => Promise.resolve('done'))).toBe('done');
});

it.each([
  ['a full disk or a kill left empty', '', 60],
  [
    'is older than the start of the computer, whose number another process has now',
    String(process.ppid),
    uptime() + 60,
  ],
])('takes over a lock that %s', async (_, holder, seconds) => {
  const lock = join(cacheFolder(), 'work.lock');
  writeFileSync(lock, holder);
  const then = Date.now() / 1_000 - seconds;
  utimesSync(lock, then, then);
  expect(await alone('work', () => Promise.resolve('done'))).toBe('done');
});
