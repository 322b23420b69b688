import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ThreadId } from '../contract/ids';
import { openLeases } from './leases';
import { temporaryDatabase } from './testing/fixtures';

const t1 = ThreadId.parse('t1');
const other = { pid: 111, start: 'a' };

describe('leases', () => {
  it('are held by one process at a time, until released', () => {
    const db = temporaryDatabase();
    const mine = openLeases(db);
    const theirs = openLeases(db, { owner: other, isAlive: () => true });
    expect(mine.acquire(t1)).toEqual({ ok: true, value: undefined });
    expect(mine.acquire(t1)).toEqual({ ok: true, value: undefined });
    expect(theirs.acquire(t1)).toMatchObject({ ok: false, error: { kind: 'conflict' } });
    theirs.release(t1);
    expect(theirs.heartbeat(t1)).toBe(false);
    mine.release(t1);
    expect(theirs.acquire(t1)).toEqual({ ok: true, value: undefined });
    expect(mine.heartbeat(t1)).toBe(false);
  });

  it('of a running process survive sleep of the computer', () => {
    const db = temporaryDatabase();
    openLeases(db, { owner: other, now: () => 0 }).acquire(t1);
    const late = openLeases(db, { now: () => 1e12, isAlive: () => true });
    expect(late.acquire(t1)).toMatchObject({ ok: false, error: { kind: 'conflict' } });
  });

  it('expire when nobody can tell whether the process is still the same', () => {
    const db = temporaryDatabase();
    openLeases(db, { owner: other, now: () => 0 }).acquire(t1);
    const at = (now: number) => openLeases(db, { now: () => now, isAlive: () => null });
    expect(at(29_000).acquire(t1).ok).toBe(false);
    expect(at(31_000).acquire(t1).ok).toBe(true);
  });

  it.runIf(process.platform === 'linux')('of a killed process are free immediately', async () => {
    const db = temporaryDatabase();
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const start = `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
    openLeases(db, { owner: { pid, start } }).acquire(t1);
    expect(openLeases(db).acquire(t1).ok).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(openLeases(db).acquire(t1).ok).toBe(true);
  });
});
