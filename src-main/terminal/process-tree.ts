import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { listProcesses, listProcessesNow, type ProcessEntry, readProc } from './process-list';

/**
 * Name of the variable that every process of a terminal inherits. It finds those that left the terminal's session and
 * lost their parent (`setsid … &`, daemons); only a process that also cleared its environment escapes.
 */
export const MARK_VARIABLE = 'DEEPDESK_TERMINAL';

/** Milliseconds between looks at processes that were asked to end. Not ours to wait for, so they are looked at. */
const LOOK_EVERY = 10;
/** Milliseconds after SIGKILL until what is still there (stuck in the kernel) is reported instead of waited for. */
const GIVE_UP_AFTER = 3_000;
/** Milliseconds after its start in which a command cannot have used up all pids, so that they tell what is younger. */
const PIDS_LAST_FOR = 1_000;

export interface Ended {
  /** Names of the processes that were ended, in the order they were found. */
  names: string[];
  /** Pids that could not be ended. */
  survivors: number[];
}

/**
 * All processes that came from one: by session, group, parents and the inherited mark. `rootPid` must lead its own
 * session. Ask nothing of it once the root and its children are gone: the system may give their numbers to others.
 */
export class ProcessTree {
  private readonly bornAt = performance.now();
  private readonly rootStarted: number;
  private readonly mark: string;
  /** pid → start of every member ever seen, so that children of members which left are found too. */
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

  /** Members that are alive. Linux: a full look at /proc, or only at younger processes while a command is short. */
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
      // Only what nothing else names has its environment read, which costs more.
      for (const entry of candidates) {
        if (!members.has(entry.pid) && entry.marked(this.mark)) members.set(entry.pid, entry);
      }
    }
    for (const entry of members.values()) this.seen.set(entry.pid, entry.started);
    return [...members.values()].filter((entry) => !entry.zombie);
  }

  /**
   * Ends every member (`butRoot`: except the root): SIGTERM (and SIGHUP where `hangUp`: interactive shells ignore SIGTERM), after `graceMs` SIGKILL,
   * and looks again until none is left, so that what they start meanwhile goes too.
   */
  async end(graceMs: number, { hangUp = false, butRoot = false } = {}): Promise<Ended> {
    if (process.platform === 'win32') return this.endOnWindows();
    const began = performance.now();
    const asked = new Map<number, string>();
    for (;;) {
      const found = await this.members().catch(() => null);
      if (found === null) {
        // This process has no descriptor left to look with. What is in the terminal's own group is ended unseen.
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
          // A stopped process (Ctrl Z) hears nothing until it goes on.
          signal(pid, 'SIGCONT');
        }
        // A name can change: a process is a copy of its parent until its program starts.
        asked.set(pid, name);
      }
      await delay(LOOK_EVERY);
    }
  }

  /** Ends every member without waiting and without asking: this process is about to be gone itself. */
  killNow(): void {
    // What is killed cannot start others; what was started while looking is found by the second look.
    for (let look = 0; look < 2; look += 1) {
      for (const { pid } of this.pick(listProcessesNow())) signal(pid, 'SIGKILL');
    }
    this.killGroup();
  }

  private killGroup(): void {
    // Minus nothing, and minus one, would be everybody's group.
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

/** Ends what a killed app left running under `markValue`: there is no root any more, only the mark. */
export async function endMarked(markValue: string, graceMs: number): Promise<Ended> {
  // No process has this pid, so session, group and parent match nothing.
  return new ProcessTree(-1, markValue).end(graceMs);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile, or not ours to signal; the next look tells.
  }
}
