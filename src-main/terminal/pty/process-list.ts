import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks since boot. Together with the pid it identifies a process. 0 if the system does not tell. */
  started: number;
  /** Exited, but not yet reaped by its parent. */
  zombie: boolean;
  name: string;
  /** Whether its environment contains `mark` (`NAME=value`). Called only for processes that could be ours. */
  marked(mark: string): boolean;
}

/** Processes inspected before other work gets a turn; about 1 ms. */
const BATCH_SIZE = 48;

/**
 * The processes of this machine that we may inspect, from /proc on Linux and `ps` elsewhere; none on Windows. `since`: only
 * processes with a pid assigned from this one on (Linux only; a process older than a command cannot be its child). Use it
 * only while the pids cannot all have been reassigned since.
 */
export async function listProcesses(since = 0): Promise<ProcessEntry[]> {
  if (process.platform === 'linux') return listProc(since);
  if (process.platform === 'win32') return [];
  return listPs();
}

/** The synchronous version, on Linux. For the last moment of the app, when nothing can be awaited. */
export function listProcessesNow(): ProcessEntry[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    return pid > 0 && pid !== process.pid ? (readProc(pid) ?? []) : [];
  });
}

async function listProc(since: number): Promise<ProcessEntry[]> {
  const found: ProcessEntry[] = [];
  let looked = 0;
  const all = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  // Read after the names, so that it is not older than any of them.
  for (const pid of since > 0 ? givenOutSince(all, since, lastPid()) : all) {
    const entry = readProc(pid);
    if (entry) found.push(entry);
    looked += 1;
    if (looked % BATCH_SIZE === 0) await turn();
  }
  return found;
}

/** One process from /proc, or null if it is gone. */
export function readProc(pid: number): ProcessEntry | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name is in parentheses and may contain anything, including parentheses. Numbers follow the last one.
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  return {
    pid,
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    started: Number(fields[19]),
    marked: (mark) => (readOrNull(`/proc/${pid}/environ`)?.split('\0') ?? []).includes(mark),
  };
}

/**
 * The pids in `pids` that were assigned from `since` to `last`. Pids count up and wrap around, so on a machine that has run
 * for a long time most older processes have a higher pid than a new one.
 */
export function givenOutSince(pids: readonly number[], since: number, last: number): number[] {
  return last >= since
    ? pids.filter((pid) => pid >= since && pid <= last)
    : pids.filter((pid) => pid >= since || pid <= last);
}

/** The most recently assigned pid of this machine, or a value above all pids if it is unknown. */
function lastPid(): number {
  const last = Number(readOrNull('/proc/loadavg')?.trim().split(' ')[4]);
  return last > 0 ? last : Number.POSITIVE_INFINITY;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process exited or belongs to another user.
    return null;
  }
}

function listPs(): Promise<ProcessEntry[]> {
  return new Promise((resolve) => {
    // -E adds the environment to the command, for the person's own processes.
    const args = ['-axEww', '-o', 'pid=,ppid=,pgid=,stat=,command='];
    execFile('ps', args, { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(parsePs(stdout)));
  });
}

/** Parses the lines of `ps -o pid=,ppid=,pgid=,stat=,command=`. macOS lists no session there, so it stays 0. */
export function parsePs(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((row) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s*(.*)$/.exec(row);
    if (!match) return [];
    const [, pid, parent, group, stat = '', command = ''] = match;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: 0,
        started: 0,
        zombie: stat.startsWith('Z'),
        name: command.split(' ')[0]?.split('/').at(-1) ?? '',
        marked: (mark: string) => command.split(' ').includes(mark),
      },
    ];
  });
}
