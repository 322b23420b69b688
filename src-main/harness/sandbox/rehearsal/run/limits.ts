import { chmodSync, readdirSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemPath, textOfLatin1 } from '../../../../base/path-names';
import { CACHES, freeBytes, HOME, namesIn, PARTS, SHARED } from '../layer/layer';
import type { Limit, RehearsalLimits, RehearseOptions } from '../layer/shapes';
import { type ControlGroup, holdInGroups } from './control-group';
import { firstProcess, firstProcessNow, killAll, processesOf, tasksOfMachine } from './processes';

const GB = 1024 ** 3;
/** The limits of a command unless options say otherwise. */
export const DEFAULT_LIMITS: RehearsalLimits = {
  time: 10 * 60_000,
  bytes: 4 * GB,
  files: 300_000,
  processes: 2_000,
  memory: 8 * GB,
};

/** Milliseconds between two process counts on this machine. */
const COUNT_EVERY = 20;
/** Milliseconds between two checks. A slow check is followed by a longer pause. */
const LOOK_EVERY = 100;
const PAUSE_FACTOR = 4;
/** Bytes that stay free on the disk whatever the limit is, or half of the free space. */
const RESERVE = GB / 2;
/** Processes that are moved into control groups: each takes milliseconds, on a busy machine hundreds. */
const MAX_MOVED = 20;
/** Bytes that a control group has at least. */
const MIN_MEMORY = 16 * 1024 * 1024;
/** Processes above the limit, so that a command is killed for it before it waits for a process that it never gets. */
const SPARE = 100;
/** Bytes per page, the kernel's unit of memory. */
const PAGE = 4_096;

export interface Watch {
  /** The limit that stopped the command; null if none has. */
  limit(): Limit | null;
  stop(): Promise<void>;
  /** Call when all processes have exited. Returns the limit that the kernel enforced. */
  enforced(): Promise<Limit | null>;
}

/**
 * Polls a command's resource use, because an ordinary user cannot set one limit for all its processes. A command over a
 * limit is killed with all its processes.
 */
export function watchLimits(
  place: string,
  temporary: string,
  limits: RehearsalLimits,
  events: { onLimit: (limit: Limit) => void; overtime?: RehearseOptions['overtime'] },
): Watch {
  const over = new AbortController();
  let limit: Limit | null = null;
  const clock = new Deadline(limits.time, events.overtime);
  const tasks = tasksOfMachine();
  const reach = async (reached: Limit) => {
    limit = reached;
    const first = await firstProcess(place);
    if (first !== null) killAll(first);
    events.onLimit(reached);
  };
  // Not awaited between two checks: during a wait, a command could write tens of thousands of files.
  let grouping: Promise<ControlGroup | null> | undefined;
  const look = async () => {
    const before = await start(place, temporary);
    let pause = Math.min(LOOK_EVERY, clock.left());
    while (!over.signal.aborted && limit === null) {
      await wait(pause, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return;
      const since = performance.now();
      const reached = clock.isOver() ? 'time' : await reachedIn(place, temporary, limits, before);
      if (reached !== null && !over.signal.aborted) await reach(reached);
      else if (grouping === undefined && (await firstProcess(place)) !== null)
        grouping = heldInGroups(place, limits).catch(() => null);
      const took = performance.now() - since;
      pause = Math.max(1, Math.min(Math.max(LOOK_EVERY, took * PAUSE_FACTOR), clock.left()));
    }
  };
  const looking = look();
  const counting = setInterval(() => {
    if (limit === null && forksTooMuch(place, limits.processes, tasks)) void reach('processes');
  }, COUNT_EVERY);
  return {
    limit: () => limit,
    stop: async () => {
      clearInterval(counting);
      over.abort();
      await looking;
    },
    enforced: async () => {
      const group = await grouping;
      const enforced = (await group?.reached()) ?? null;
      void group?.remove();
      return enforced;
    },
  };
}

/** Null if there are none, or the command has exited. */
async function heldInGroups(
  place: string,
  { memory, processes }: RehearsalLimits,
): Promise<ControlGroup | null> {
  const first = await firstProcess(place);
  if (first === null) return null;
  const pids = () => processesOf(first, processes);
  if (pids().length > MAX_MOVED) return null;
  const taken = await takenBy(pids(), processes);
  const left = Math.max(MIN_MEMORY, memory - taken.memory);
  return holdInGroups(pids, { memory: left, pids: processes + SPARE });
}

/** The time of a command. While somebody decides whether it gets more, it has as much as it takes. */
class Deadline {
  private readonly started = performance.now();
  private at: number;
  private decision: 'none' | 'pending' | 'stop' = 'none';

  constructor(
    time: number,
    private readonly overtime: RehearseOptions['overtime'],
  ) {
    this.at = this.started + time;
  }

  /** Milliseconds until the next check of it. */
  left(): number {
    return this.decision === 'pending' ? LOOK_EVERY : this.at - performance.now();
  }

  isOver(): boolean {
    if (this.decision === 'stop') return true;
    if (this.decision === 'pending' || performance.now() < this.at) return false;
    if (this.overtime === undefined) return true;
    this.decision = 'pending';
    this.overtime(performance.now() - this.started).then(
      (more) => {
        this.at = performance.now() + (more ?? 0);
        this.decision = more === null ? 'stop' : 'none';
      },
      () => (this.decision = 'stop'),
    );
    return false;
  }
}

/** The kernel does not limit root. One system-wide number shows whether counting is worthwhile. */
function forksTooMuch(place: string, most: number, before: number): boolean {
  if (tasksOfMachine() - before <= most) return false;
  const first = firstProcessNow(place);
  if (first === null || processesOf(first, most).length <= most) return false;
  killAll(first);
  return true;
}

interface Start {
  free: number;
  available: number;
  temporary: Usage;
}

async function start(place: string, temporary: string): Promise<Start> {
  const usage = { bytes: 0, files: 0 };
  await measure(temporary, usage, Number.POSITIVE_INFINITY);
  return { free: await freeBytes(place), available: await availableMemory(), temporary: usage };
}

async function reachedIn(
  place: string,
  temporary: string,
  limits: RehearsalLimits,
  before: Start,
): Promise<Limit | null> {
  const usage: Usage = { bytes: -before.temporary.bytes, files: -before.temporary.files };
  for (const path of [...[PARTS.upper, SHARED, CACHES].map((name) => join(place, name)), temporary])
    await measure(path, usage, limits.files);
  const home = join(place, HOME);
  await measureNamed(home, await namesInHome(home), usage, limits.files);
  if (usage.files > limits.files) return 'files';
  const free = await freeBytes(place);
  // The disk shows what cannot be read, together with what other programs write.
  const bytes = usage.isPartial === true ? Math.max(usage.bytes, before.free - free) : usage.bytes;
  if (bytes > limits.bytes) return 'bytes';
  // Deleted files that are still open take space that no folder shows.
  if (free < Math.min(RESERVE, before.free / 2)) return 'bytes';
  const first = await firstProcess(place);
  if (first === null) return null;
  const { processes, memory } = await takenBy(processesOf(first, limits.processes), limits.processes);
  if (processes > limits.processes) return 'processes';
  if (memory > limits.memory) return 'memory';
  // Shared memory belongs to no single process.
  return (await availableMemory()) < Math.min(RESERVE, before.available / 2) ? 'memory' : null;
}

/** Bytes of available memory; infinite if unknown. */
async function availableMemory(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const kilobytes = /^MemAvailable:\s+(\d+)/m.exec(text)?.[1];
  return kilobytes === undefined ? Number.POSITIVE_INFINITY : Number(kilobytes) * 1_024;
}

export interface Usage {
  bytes: number;
  files: number;
  /** A folder could not be read: a command can close one to its owner and still write in it. */
  isPartial?: boolean;
}

/** Adds the disk use below a folder, until there are more than `most` files. */
async function measure(path: string, usage: Usage, most: number): Promise<void> {
  const names = await namesIn(path).catch(() => {
    usage.isPartial = true;
    return [];
  });
  await measureNamed(path, names, usage, most);
}

/**
 * A layer's home folder cannot be listed, not even by its owner, or a command would take the list for that of the real one. It
 * is open only while its names are read; nothing else happens in this process during that time.
 */
async function namesInHome(home: string): Promise<string[]> {
  const listed = await namesIn(home).catch(() => null);
  if (listed !== null) return listed;
  const { mode } = await lstat(home);
  chmodSync(home, (mode & 0o7777) | 0o500);
  try {
    return readdirSync(home, 'latin1').map(textOfLatin1);
  } finally {
    chmodSync(home, mode & 0o7777);
  }
}

async function measureNamed(
  path: string,
  names: readonly string[],
  usage: Usage,
  most: number,
): Promise<void> {
  for (const name of names) {
    if (usage.files > most) return;
    const at = `${path}/${name}`;
    const stats = await lstat(systemPath(at)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') usage.isPartial = true;
      return null;
    });
    if (stats === null) continue;
    usage.files += 1;
    usage.bytes += stats.blocks * 512;
    if (stats.isDirectory()) await measure(at, usage, most);
  }
}

async function takenBy(
  pids: readonly number[],
  most: number,
): Promise<{ processes: number; memory: number }> {
  if (pids.length > most) return { processes: pids.length, memory: 0 };
  const pages = await Promise.all(
    pids.map(async (pid) => {
      const [, resident = 0, shared = 0] = (await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => ''))
        .split(' ')
        .map(Number);
      return Math.max(0, resident - shared);
    }),
  );
  return { processes: pids.length, memory: pages.reduce((sum, one) => sum + one, 0) * PAGE };
}
