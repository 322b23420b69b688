import { readFileSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
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
  exitCode: number | null;
}

/** What bubblewrap said of a layer; null where it did not start. */
export async function firstProcess(place: string): Promise<FirstProcess | null> {
  const text = await readFile(join(place, STATUS), 'utf8').catch(() => '');
  const pid = /"child-pid": *(\d+)/.exec(text)?.[1];
  if (pid === undefined) return null;
  const exitCode = /"exit-code": *(\d+)/.exec(text)?.[1];
  return {
    pid: Number(pid),
    namespace: /"pid-namespace": *(\d+)/.exec(text)?.[1] ?? '',
    exitCode: exitCode === undefined ? null : Number(exitCode),
  };
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

/** Numbers of the processes of a layer, as this machine counts them, until there are more than `most`. */
export async function processesOf(first: FirstProcess, most: number): Promise<number[]> {
  const found = [first.pid];
  for (const pid of found) {
    if (found.length > most) break;
    for (const child of await childrenOf(pid)) found.push(child);
  }
  return found;
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return lists.flatMap((text) => text.split(' ').filter(Boolean).map(Number));
}
