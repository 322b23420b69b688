import { readFileSync } from 'node:fs';
import type { Db } from '../base/sqlite/db';
import { unsynced } from '../base/sqlite/unsynced';
import type { ThreadId } from '../contract/ids';
import { fail, ok, type Result } from '../contract/result';

/**
 * Milliseconds for which a lease is valid without a heartbeat, when a process cannot be distinguished from a later one with
 * the same id.
 */
const LEASE_FOR = 30_000;

export interface Owner {
  pid: number;
  /** Distinguishes a process from a later one with the same id. */
  start: string;
}

export interface Leases {
  /** Errors: `conflict` while another running process holds the thread. Acquiring a lease again renews it. */
  acquire(threadId: ThreadId): Result<void>;
  /** Whether no other running process holds the thread. Does not acquire it. */
  isFree(threadId: ThreadId): boolean;
  /** Call it about every 10 s while a thread runs. False: another process took the lease. */
  heartbeat(threadId: ThreadId): boolean;
  release(threadId: ThreadId): void;
}

/**
 * Records which process runs a thread, so that the app and the headless command never run the same thread in one data
 * folder. The lease of an exited process is free immediately. `isAlive` returns null if the process may be a later one with
 * the same id.
 */
export function openLeases(
  db: Db,
  options: { now?: () => number; owner?: Owner; isAlive?: (owner: Owner) => boolean | null } = {},
): Leases {
  const now = options.now ?? Date.now;
  const owner = options.owner ?? { pid: process.pid, start: startOf(process.pid) ?? 'unknown' };
  const isAlive = options.isAlive ?? isRunning;
  const get = db.prepare<[string], { pid: number; start: string; until: number }>(
    'SELECT owner_pid AS pid, owner_start AS start, until FROM leases WHERE thread_id = ?',
  );
  const put = db.prepare<[string, number, string, number]>(
    'INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)',
  );
  const prolong = db.prepare<[number, string, number, string]>(
    'UPDATE leases SET until = ? WHERE thread_id = ? AND owner_pid = ? AND owner_start = ?',
  );
  const remove = db.prepare<[string, number, string]>(
    'DELETE FROM leases WHERE thread_id = ? AND owner_pid = ? AND owner_start = ?',
  );

  const isHeld = (held: { pid: number; start: string; until: number }): boolean => {
    if (held.pid === owner.pid && held.start === owner.start) return false;
    // A running owner keeps its lease past `until`, because the computer may have slept.
    return isAlive(held) ?? held.until > now();
  };
  // A lease means nothing after a power failure, and a message is waiting, so this does not wait for the disk.
  const acquire = db.transaction((threadId: ThreadId): boolean => {
    const held = get.get(threadId);
    if (held && isHeld(held)) return false;
    put.run(threadId, owner.pid, owner.start, now() + LEASE_FOR);
    return true;
  });

  return {
    isFree: (threadId) => {
      const held = get.get(threadId);
      return held === undefined || !isHeld(held);
    },
    acquire: (threadId) =>
      unsynced(db, () => acquire.immediate(threadId))
        ? ok(undefined)
        : fail('conflict', 'thread_run_elsewhere'),
    heartbeat: (threadId) =>
      unsynced(db, () => prolong.run(now() + LEASE_FOR, threadId, owner.pid, owner.start).changes === 1),
    release: (threadId) => {
      unsynced(db, () => remove.run(threadId, owner.pid, owner.start));
    },
  };
}

/** Null if a process with that id runs but may be a later one. */
function isRunning(owner: Owner): boolean | null {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it runs as another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const stat = statOf(owner.pid);
  // Killed but not yet reaped by its parent: it does nothing any more.
  if (stat?.[0] === 'Z') return false;
  const start = startOf(owner.pid);
  return start === null ? null : start === owner.start;
}

/** Start time of a process, in clock ticks since boot with the boot id; null if the system does not tell (not Linux). */
function startOf(pid: number): string | null {
  try {
    const start = statOf(pid)?.[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return start === undefined ? null : `${boot}:${start}`;
  } catch {
    return null;
  }
}

/** The fields of /proc/PID/stat after the name, which may contain spaces. The first is the state. Null if there are none. */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
