import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  /** Bytes of a process and its descendants; shared memory counts once. */
  memory: number;
  /** Milliseconds of CPU time so far. */
  cpu: number;
}

/** Clock ticks per second in /proc/PID/stat, the same on every Linux that Node supports. */
const TICKS = 100;

/** Reads a file of /proc; empty if the process is gone or not ours. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}

/** Fields of /proc/PID/stat after the name, which may contain spaces: [0] is the state, [1] the parent. */
const statOf = (pid: number) =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');

function withChildren(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statOf(Number(name))[1])] as const);
  const found = [root];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found;
}

/** What a process and its descendants use (Linux only). */
export function usageOf(root: number): Usage {
  let memory = 0;
  let cpu = 0;
  for (const pid of withChildren(root)) {
    memory += Number(/^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;
    const stat = statOf(pid);
    cpu += ((Number(stat[11]) + Number(stat[12])) * 1000) / TICKS;
  }
  return { memory, cpu };
}
