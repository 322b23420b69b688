import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { STATUS } from './layer';

/** Milliseconds between looks at a process that is ending. */
const LOOK_EVERY = 2;
/** Milliseconds after which what has not ended by itself is killed. */
const PATIENCE = 500;

/** The first process of a layer's namespace: the others end with it. */
export interface FirstProcess {
  pid: number;
  /** Of the namespace; empty where bubblewrap does not say. */
  namespace: string;
}

/** What bubblewrap said of a layer; null where it did not start. */
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

/** Whether it still runs, or its number has been given to another. What has ended and waits for its parent does not run. */
function isRunning({ pid, namespace }: FirstProcess): boolean {
  const status = statusOf(pid);
  // The kernel ends all others before the first one comes to that.
  if (status === '' || /^State:\s+[ZX]/m.test(status)) return false;
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === `pid:[${namespace}]`;
  } catch {
    // Another user's namespaces are not told; that it is the first of its own is.
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

/** Ends all processes of a layer at once. */
export function killAll(first: FirstProcess): void {
  try {
    if (isRunning(first)) process.kill(first.pid, 'SIGKILL');
  } catch {
    // Over.
  }
}

/** Resolves when no process of a layer is left. The kernel ends the others before the first one is gone. */
export async function allEnded(first: FirstProcess): Promise<void> {
  const since = performance.now();
  while (isRunning(first)) {
    if (performance.now() - since > PATIENCE) killAll(first);
    await wait(LOOK_EVERY);
  }
}

/**
 * Numbers of the processes of a layer, as this machine counts them, until there are more than `most`. At once: who forks
 * without end leaves little time for turns of the event loop.
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
    // Over.
    return [];
  }
}

/** Processes and threads of this machine; 0 where it does not say. */
export function tasksOfMachine(): number {
  try {
    return Number(/\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
