import { readlinkSync } from 'node:fs';
import { endWithProcess } from '../base/end-with-process';
import type { TerminalInfo } from '../contract/app';
import { Flow } from './flow';
import { InputWait } from './input-wait';
import { type Ended, ProcessTree } from './pty/process-tree';
import type { StartedPty } from './pty/pty';
import { Recorder } from './recorder';

/**
 * Milliseconds for which output is collected before it is sent: one message instead of hundreds, and far less delay than an
 * echo may have.
 */
const GATHER_FOR = 5;
/**
 * UTF-16 units sent in one message when they arrived in smaller pieces. With the message's other fields this is just under
 * 64 KB: the renderer keeps each message until its next garbage collection, in a memory block of the next larger size.
 */
const GATHER_UNITS = 32_000;
/** Milliseconds between SIGTERM and SIGKILL for processes that a finished command left behind. */
const LEFTOVER_GRACE = 200;
/** Milliseconds between checks, while output is paused, whether the program still exists (see `hold`). */
const LOOK_EVERY = 50;
/** UTF-16 units of output in which a prompt is looked for. */
const PROMPT_UNITS = 400;

/** `lost`: it was meant to keep running, but the app quits. */
export type EndReason = 'stopped' | 'timed_out' | 'lost';

/** Its first process inside the sandbox exits a moment after the one outside. */
const SANDBOX_PROGRAM = 'bwrap';

export interface SessionOutcome {
  status: TerminalInfo['status'];
  /** Null if we killed the program. */
  exitCode: number | null;
  /** Names of processes that a finished agent command left running and that were killed with it. */
  leftovers: string[];
}

export interface SessionEvents {
  onData(offset: number, data: string): void;
  /** The record has new output, watched or not. */
  onRecorded(record: Recorder): void;
  onChanged(info: TerminalInfo): void;
}

/** One terminal with a running program, or one that has exited and is only viewed. */
export class Session {
  readonly ended: Promise<SessionOutcome>;
  private settle: (outcome: SessionOutcome) => void = () => undefined;
  private readonly recorder = new Recorder();
  private readonly flow = new Flow({ pause: () => this.hold('window'), resume: () => this.letGo('window') });
  /** Who currently cannot take more output. */
  private readonly holders = new Set<string>();
  private readonly tree: ProcessTree;
  private readonly inputWait: InputWait | undefined;
  private readonly listeners = new Set<(data: string) => void>();
  private gathered: string[] = [];
  private gatheredUnits = 0;
  private gathering: NodeJS.Timeout | undefined;
  private holding: NodeJS.Timeout | undefined;
  private reason: EndReason | null = null;
  private ending: Promise<Ended> | null = null;
  /** The command exited normally. Processes that it left behind may still be exiting. */
  private hasLeft = false;
  private told: { exitCode: number; leftovers: string[] } | null = null;
  private isOver = false;

  constructor(
    private current: TerminalInfo,
    private readonly started: StartedPty,
    private readonly now: () => number,
    private readonly events: SessionEvents,
    /** Output of an earlier terminal, shown above. */
    past = '',
    /** Somebody can answer what the agent's command asks. */
    isAnswerable = false,
  ) {
    this.ended = new Promise((resolve) => {
      this.settle = resolve;
    });
    const { pty, marker } = started;
    this.gather(past);
    this.tree = new ProcessTree(pty.pid, current.id);
    endWithProcess(this.tree, this.ended);
    if (isAnswerable) {
      this.inputWait = new InputWait({
        pid: pty.pid,
        tail: () => this.recorder.since(this.recorder.end - PROMPT_UNITS),
        changed: (isWaiting) => this.setAwaitsInput(isWaiting),
      });
    }
    pty.onData((data) => {
      const { text, exitCode } = marker?.filter(data) ?? { text: data };
      this.gather(text);
      if (exitCode !== undefined) void this.commandEnded(exitCode);
    });
    pty.onExit(({ exitCode, signal }) => void this.ptyEnded(signal ? 128 + signal : exitCode));
  }

  get info(): TerminalInfo {
    return this.current;
  }

  get attached(): boolean {
    return this.flow.attached;
  }

  /** Calls `listener` with every later piece of output. The return value removes the listener. */
  listen(listener: (data: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  attach(viewer: string): { offset: number; data: string } {
    this.deliver();
    this.flow.attach(viewer, this.recorder.end);
    return this.recorder.snapshot();
  }

  recorded(): { offset: number; data: string } {
    this.deliver();
    return this.recorder.snapshot();
  }

  detach(viewer: string): void {
    this.flow.detach(viewer, this.recorder.end);
  }

  ack(viewer: string, offset: number): void {
    this.flow.ack(viewer, offset, this.recorder.end);
  }

  /** Returns false if too much input is pending and this was rejected. After the exit, all input is accepted. */
  input(data: string): boolean {
    this.inputWait?.heard();
    return this.isOver || this.started.pty.write(data);
  }

  resize(cols: number, rows: number): void {
    if (this.isOver) return;
    this.started.pty.resize(cols, rows);
    this.current = { ...this.current, cols, rows };
  }

  /** An empty title removes the name. */
  rename(title: string): void {
    this.current = renamed(this.current, title);
  }

  /** Names of the running programs. For a person's terminal, without the shell itself. */
  async programs(): Promise<string[]> {
    if (this.isOver) return [];
    const members = await this.tree.members();
    const { pid } = this.started.pty;
    return members
      .filter((entry) => this.current.kind === 'agent' || entry.pid !== pid)
      .map(({ name }) => name);
  }

  /** The current folder of the leading process, or the initial one if the system does not tell. */
  get folder(): string {
    return (this.isOver ? null : folderOf(this.started.pty.pid)) ?? this.current.cwd;
  }

  /**
   * Kills every process of the terminal. Resolves when they are gone (or could not be killed, a few seconds after SIGKILL).
   * The first reason given counts.
   */
  async end(reason: EndReason, graceMs: number): Promise<SessionOutcome> {
    if (this.isOver || this.hasLeft) return this.ended;
    this.reason ??= reason;
    this.ending ??= this.tree.end(graceMs, { hangUp: this.current.kind === 'person' });
    const { survivors } = await this.ending;
    if (survivors.length > 0) this.finish(null, []);
    return this.ended;
  }

  private setAwaitsInput(awaitsInput: boolean): void {
    this.current = withAwaitsInput(this.current, awaitsInput);
    this.events.onChanged(this.current);
  }

  private gather(data: string): void {
    if (data === '') return;
    if (this.gatheredUnits + data.length > GATHER_UNITS) this.deliver();
    this.gathered.push(data);
    this.gatheredUnits += data.length;
    if (this.gatheredUnits >= GATHER_UNITS) this.deliver();
    else this.gathering ??= setTimeout(() => this.deliver(), GATHER_FOR);
  }

  private deliver(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    if (this.gatheredUnits === 0) return;
    const data = this.gathered.join('');
    this.gathered = [];
    this.gatheredUnits = 0;
    const offset = this.recorder.end;
    this.recorder.push(data);
    this.inputWait?.heard();
    this.events.onRecorded(this.recorder);
    for (const listener of this.listeners) listener(data);
    if (this.flow.watched) this.events.onData(offset, data);
    this.flow.weigh(this.recorder.end);
  }

  /**
   * Stops reading until every holder has released it. The program then waits once the kernel's buffer is full. Shortly after
   * a program exits, node-pty drops output that was not read, so while nothing is read this polls for the exit, to read the
   * rest in time.
   */
  hold(who: string): void {
    if (this.isOver) return;
    const wasHeld = this.holders.size > 0;
    this.holders.add(who);
    if (wasHeld) return;
    this.started.pty.pause();
    this.holding = setInterval(() => {
      if (!isAlive(this.started.pty.pid)) this.resume();
    }, LOOK_EVERY);
  }

  letGo(who: string): void {
    if (this.holders.delete(who) && this.holders.size === 0) this.resume();
  }

  private resume(): void {
    clearInterval(this.holding);
    if (!this.isOver) this.started.pty.resume();
  }

  /** The agent's command has exited and all its output was read. The shell around it waits to be killed. */
  private async commandEnded(exitCode: number): Promise<void> {
    this.deliver();
    if (this.ending === null && !this.hasLeft) {
      this.hasLeft = true;
      const { names } = await this.tree.end(LEFTOVER_GRACE, { butRoot: true });
      this.told = { exitCode, leftovers: this.own(names) };
    }
    this.started.pty.kill();
  }

  private async ptyEnded(exitCode: number): Promise<void> {
    if (this.started.marker) this.gather(this.started.marker.rest());
    this.deliver();
    if (this.ending !== null) {
      await this.ending;
      this.finish(null, []);
    } else if (this.told) this.finish(this.told.exitCode, this.told.leftovers);
    else if (this.current.kind === 'person') {
      // A process that a person deliberately put in the background of their shell keeps running, as in any terminal.
      this.finish(exitCode, []);
    } else {
      this.hasLeft = true;
      const { names } = await this.tree.end(LEFTOVER_GRACE);
      this.finish(exitCode, this.own(names));
    }
  }

  /** Excludes processes of the sandbox that are still exiting, because the command did not start them. */
  private own(leftovers: string[]): string[] {
    return this.current.kind === 'agent' ? leftovers.filter((name) => name !== SANDBOX_PROGRAM) : leftovers;
  }

  private finish(exitCode: number | null, leftovers: string[]): void {
    if (this.isOver) return;
    this.deliver();
    this.isOver = true;
    this.flow.release();
    clearInterval(this.holding);
    const status = this.reason ?? 'exited';
    const code = this.reason === null ? exitCode : null;
    this.inputWait?.end();
    const ended = withAwaitsInput(this.current, false);
    this.current = { ...ended, status, exitCode: code, endedAt: this.now() };
    this.events.onChanged(this.current);
    this.settle({ status, exitCode: code, leftovers });
  }
}

function withAwaitsInput(info: TerminalInfo, awaitsInput: boolean): TerminalInfo {
  const { awaitsInput: _before, ...rest } = info;
  return awaitsInput ? { ...rest, awaitsInput } : rest;
}

export function renamed(info: TerminalInfo, title: string): TerminalInfo {
  const { title: _before, ...rest } = info;
  return title === '' ? rest : { ...rest, title };
}

/** Linux only. */
function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // Another system, or the process has just exited.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: it has exited and was reaped.
    return false;
  }
}
