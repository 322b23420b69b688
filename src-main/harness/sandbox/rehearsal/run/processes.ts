import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { STATUS } from '../layer/layer';

/** Milliseconds between checks of an exiting process. */
const LOOK_EVERY = 2;
/** Milliseconds before a process that has not exited is killed. */
const PATIENCE = 500;

/** The first process in a layer's namespace: the others exit with it. */
export interface FirstProcess {
  pid: number;
  /** Its namespace; empty if bubblewrap does not report it. */
  namespace: string;
}

/** The process that bubblewrap reported for a layer; null if it did not start. */
export const firstProcess = async (place: string): Promise<FirstProcess | null> =>
  parsed(await readFile(join(place, STATUS), 'utf8').catch(() => ''));

export function firstProcessNow(place: string): FirstProcess | null {
  try {
    return parsed(readFileSync(join(place, STATUS), 'utf8'));
  } catch {
    return null;
  }
}

function parsed(status: string): FirstProcess | null {
  const pid = /"child-pid": *(\d+)/.exec(status)?.[1];
  if (pid === undefined) return null;
  return { pid: Number(pid), namespace: /"pid-namespace": *(\d+)/.exec(status)?.[1] ?? '' };
}

/** Whether it still runs; false if its id was reused or it is a zombie. */
function isRunning({ pid, namespace }: FirstProcess): boolean {
  const status = statusOf(pid);
  // The kernel kills all others before the first one reaches that state.
  if (status === '' || /^State:\s+[ZX]/m.test(status)) return false;
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === `pid:[${namespace}]`;
  } catch {
    // Another user's namespace id is hidden, but not that the process is the first in it.
    return /^NSpid:\s+\d+(\s+\d+)*\s+1$/m.test(status);
  }
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** Kills all processes of a layer. */
export function killAll(first: FirstProcess): void {
  try {
    if (isRunning(first)) process.kill(first.pid, 'SIGKILL');
  } catch {
    // Already exited.
  }
}

/** Resolves when no process of a layer is left. The kernel kills the others before the first one is gone. */
export async function allEnded(first: FirstProcess): Promise<void> {
  const since = performance.now();
  while (isRunning(first)) {
    if (performance.now() - since > PATIENCE) killAll(first);
    await wait(LOOK_EVERY);
  }
}

/**
 * Host ids of a layer's processes, until there are more than `most`. Synchronous: a fork bomb leaves the event loop little
 * time.
 */
export function processesOf(first: FirstProcess, most: number): number[] {
  const found = [first.pid];
  for (const pid of found) {
    if (found.length > most) break;
    found.push(...childrenOf(pid));
  }
  return found;
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    // Already exited.
    return [];
  }
}

/** Processes and threads on this machine; 0 if unknown. */
export function tasksOfMachine(): number {
  try {
    return Number(/\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
