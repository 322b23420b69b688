import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTestFolder } from '../../testing/bubblewrap';
import { makeBase, note, rehearsed, whyNoRehearsal } from '../testing/place';
import { holdInGroups } from './control-group';

const MB = 1024 * 1024;
const GENEROUS = { memory: 8 * 1024 * MB, pids: 10_000 };
const tried = await holdInGroups(() => [], GENEROUS);
await tried?.remove();
const missing = tried === null ? 'this user may make no control groups' : whyNoRehearsal;
const why = missing === null ? note : ` (skipped: ${missing})`;

let base = '';
beforeEach(() => {
  base = makeBase();
});
afterEach(() => removeTestFolder(base));

const groupOf = (pid: number): string | undefined =>
  /deepdesk-\d+-\d+/.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[0];

describe.skipIf(missing !== null)(`the control group of a command${why}`, () => {
  it('contains its processes with all that they start, and is removed when they have exited', async () => {
    const child = spawn('sh', ['-c', 'read line; sleep 100 & echo $!; wait'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    try {
      const group = await holdInGroups(() => [child.pid ?? 0], GENEROUS);
      expect(groupOf(child.pid ?? 0)).toBeDefined();
      child.stdin.write('go\n');
      const started = await new Promise<string>((resolve) =>
        child.stdout.once('data', (text) => resolve(String(text))),
      );
      expect(groupOf(Number(started))).toBe(groupOf(child.pid ?? 0));
      process.kill(Number(started));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      await group?.remove();
      expect(await group?.reached()).toBeNull();
      const own = readFileSync('/proc/self/mountinfo', 'utf8');
      const places = [...own.matchAll(/ (\/sys\/fs\/cgroup\S*) /g)].map(([, path = '']) => path);
      expect(
        places
          .flatMap((path) => readdirSync(path))
          .filter((name) => name.startsWith(`deepdesk-${process.pid}-`)),
      ).toEqual([]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('has a memory limit that the kernel enforces', async () => {
    const program = "process.stdin.once('data', () => Buffer.alloc(400e6, 1)); console.log('ready')";
    const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const group = await holdInGroups(() => [child.pid ?? 0], { ...GENEROUS, memory: 200 * MB });
      expect(await group?.reached()).toBeNull();
      const ended = new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)));
      child.stdin.write('go');
      expect(await ended).toBe('SIGKILL');
      expect(await group?.reached()).toBe('memory');
      await group?.remove();
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('is joined soon after the start, and cannot be left', async () => {
    const { limit, output, exitCode } = await rehearsed(
      base,
      'until grep -q deepdesk- /proc/self/cgroup; do sleep 0.02; done; for f in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do echo 0 2>/dev/null > $f && echo left; done; true',
    );
    expect({ limit, exitCode }).toEqual({ limit: undefined, exitCode: 0 });
    expect(output).not.toContain('left');
  });
});
