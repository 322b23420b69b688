import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { listProcesses, listProcessesNow, type ProcessEntry, readProc } from './process-list';

/**
 * The name of the variable that every process of a terminal inherits. It identifies processes that left the terminal's
 * session and lost their parent (`setsid … &`, daemons). Only a process that also clears its environment escapes.
 */
export const MARK_VARIABLE = 'DEEPDESK_TERMINAL';

/** Milliseconds between checks on processes that were asked to exit. They are not our children, so we must poll. */
const LOOK_EVERY = 10;
/** Milliseconds after SIGKILL until remaining processes (stuck in the kernel) are reported instead of awaited. */
const GIVE_UP_AFTER = 3_000;
/** Milliseconds after its start in which a command cannot have used up all pids, so that a pid shows which is younger. */
const PIDS_LAST_FOR = 1_000;

export interface Ended {
  /** Names of the killed processes, in the order they were found. */
  names: string[];
  /** Pids of processes that could not be killed. */
  survivors: number[];
}

/**
 * All processes that descend from one: found by session, group, parents and the inherited mark. `rootPid` must lead its own
 * session. Do not use it after the root and its children are gone: the system may reuse their pids.
 */
export class ProcessTree {
  private readonly bornAt = performance.now();
  private readonly rootStarted: number;
  private readonly mark: string;
  /** pid → start time of every member ever seen, so that children of members that exited are found too. */
  private readonly seen = new Map<number, number>();

  constructor(
    private readonly rootPid: number,
    markValue: string,
    private readonly list: (since: number) => Promise<ProcessEntry[]> = listProcesses,
  ) {
    this.mark = `${MARK_VARIABLE}=${markValue}`;
    this.rootStarted = process.platform === 'linux' ? (readProc(rootPid)?.started ?? 0) : 0;
    this.seen.set(rootPid, this.rootStarted);
  }

  /** Members that are alive. On Linux it scans all of /proc, or only younger processes while a command is short. */
  async members(): Promise<ProcessEntry[]> {
    const isShort = performance.now() - this.bornAt < PIDS_LAST_FOR;
    return this.pick(await this.list(isShort ? this.rootPid : 0));
  }

  private pick(all: ProcessEntry[]): ProcessEntry[] {
    const candidates = all.filter((entry) => entry.started >= this.rootStarted && entry.pid !== process.pid);
    const members = new Map<number, ProcessEntry>();
    const isMember = (entry: ProcessEntry) =>
      this.seen.get(entry.pid) === entry.started ||
      entry.session === this.rootPid ||
      entry.group === this.rootPid ||
      members.has(entry.parent);
    for (let before = -1; before !== members.size; ) {
      before = members.size;
      for (const entry of candidates)
        if (!members.has(entry.pid) && isMember(entry)) members.set(entry.pid, entry);
      if (before !== members.size) continue;
      // Reading the environment costs more, so it is read only for processes that nothing else identifies.
      for (const entry of candidates) {
        if (!members.has(entry.pid) && entry.marked(this.mark)) members.set(entry.pid, entry);
      }
    }
    for (const entry of members.values()) this.seen.set(entry.pid, entry.started);
    return [...members.values()].filter((entry) => !entry.zombie);
  }

  /**
   * Kills every member (`butRoot`: except the root): SIGTERM (and SIGHUP if `hangUp`: interactive shells ignore SIGTERM),
   * SIGKILL after `graceMs`. It checks again until none is left, so that processes they start in between are killed too.
   */
  async end(graceMs: number, { hangUp = false, butRoot = false } = {}): Promise<Ended> {
    if (process.platform === 'win32') return this.endOnWindows();
    const began = performance.now();
    const asked = new Map<number, string>();
    for (;;) {
      const found = await this.members().catch(() => null);
      if (found === null) {
        // This process has no descriptor left to list processes. It kills the terminal's process group without listing it.
        this.killGroup();
        return { names: [...asked.values()], survivors: [] };
      }
      const members = found.filter(({ pid }) => !butRoot || pid !== this.rootPid);
      const waited = performance.now() - began;
      if (members.length === 0) return { names: [...asked.values()], survivors: [] };
      if (waited > graceMs + GIVE_UP_AFTER) {
        return { names: [...asked.values()], survivors: members.map((entry) => entry.pid) };
      }
      for (const { pid, name } of members) {
        if (waited >= graceMs) signal(pid, 'SIGKILL');
        else if (!asked.has(pid)) {
          signal(pid, 'SIGTERM');
          if (hangUp) signal(pid, 'SIGHUP');
          // A stopped process (Ctrl Z) receives no other signal until it continues.
          signal(pid, 'SIGCONT');
        }
        // A name can change: a process is a copy of its parent until its program starts.
        asked.set(pid, name);
      }
      await delay(LOOK_EVERY);
    }
  }

  /** Kills every member synchronously and without a grace period: this process is about to exit. */
  killNow(): void {
    // A killed process cannot start others. The second pass finds processes started during the first.
    for (let look = 0; look < 2; look += 1) {
      for (const { pid } of this.pick(listProcessesNow())) signal(pid, 'SIGKILL');
    }
    this.killGroup();
  }

  private killGroup(): void {
    // A pid of 0 would signal our own process group, and -1 every process.
    if (this.rootPid > 1 && process.platform !== 'win32') signal(-this.rootPid, 'SIGKILL');
  }

  private endOnWindows(): Promise<Ended> {
    return new Promise((resolve) => {
      execFile('taskkill', ['/PID', String(this.rootPid), '/T', '/F'], () =>
        resolve({ names: [], survivors: [] }),
      );
    });
  }
}

/** Kills what a killed app left running under `markValue`. There is no root any more, only the mark. */
export async function endMarked(markValue: string, graceMs: number): Promise<Ended> {
  // No process has this pid, so session, group and parent match nothing.
  return new ProcessTree(-1, markValue).end(graceMs);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process exited or is not ours to signal. The next check shows which.
  }
}
