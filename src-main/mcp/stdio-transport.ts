import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineReader } from './lines';
import { MAX_MESSAGE } from './message-limits';
import { type OwnedProcess, watchOver } from './processes';

/** Milliseconds for a server to end by itself once its input has ended, and then between SIGTERM and SIGKILL. */
const LEAVE_WITHIN = 500;
const GRACE = 1_000;
/** Milliseconds to read the last output after the exit, when another process keeps the pipes open. */
const DRAIN = 200;

export interface StdioOptions {
  command: string;
  args: string[];
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  own: (pid: number) => OwnedProcess;
  onErrorOutput: (text: string) => void;
  /** A line on its output that is no message of the protocol. */
  onJunk: (line: string) => void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * A server as a child process. Unlike the SDK's own: it leads a session, so that all that it started ends with it
 * (`npx` starts two more), it is not stopped by a reader's speed, and its end is told with the reason.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it ended, in words. */
  ending: string | undefined;
  private child: Child | undefined;
  private owned: OwnedProcess | undefined;
  private gone: Promise<void> | undefined;

  constructor(private readonly options: StdioOptions) {}

  /** Rejects where the program cannot be started. */
  start(): Promise<void> {
    const { command, args, cwd, env } = this.options;
    return new Promise((resolve, reject) => {
      const child: Child = spawn(command, args, {
        cwd,
        env,
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      this.child = child;
      child.on('error', (error: NodeJS.ErrnoException) => {
        this.ending ??=
          error.code === 'ENOENT'
            ? `The program "${command}" was not found, or its folder is not there.`
            : `The program "${command}" could not be started (${error.code ?? error.message}).`;
        reject(new Error(this.ending));
        if (child.pid === undefined) this.onclose?.();
      });
      child.on('spawn', () => {
        this.hold(child);
        resolve();
      });
    });
  }

  private hold(child: Child): void {
    const pid = child.pid ?? -1;
    const owned = this.options.own(pid);
    this.owned = owned;
    const forget = watchOver(pid);
    const reader = new LineReader(MAX_MESSAGE, (line) => this.read(line));
    child.stdout.on('data', (chunk: Buffer) => {
      if (reader.push(chunk)) return;
      this.ending ??= 'It sent a message of more than 10 MB.';
      child.stdout.destroy();
      void this.close();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.options.onErrorOutput(text));
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error) => this.onerror?.(error));
    }
    this.gone = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.ending ??= `It ended (${signal ?? `exit code ${code ?? 'unknown'}`}).`;
        const drained = new Promise((done) => child.once('close', done));
        // What it started goes with it, at once: a process without its parent could be anybody's soon.
        void owned
          .end(GRACE)
          // A busy event loop runs the timer before it reads the pipes; `turn` waits for that read.
          .then(() => Promise.race([drained, delay(DRAIN).then(() => turn())]))
          .finally(() => {
            forget();
            for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
            this.onclose?.();
            resolve();
          });
      });
    });
    endWithProcess(owned, this.gone);
  }

  private read(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.options.onJunk(line);
      return;
    }
    this.onmessage?.(message);
  }

  /** Does not wait for the reader: whoever asks has a time limit of its own. */
  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin;
    if (!stdin?.writable) throw new Error(this.ending ?? 'It is not running.');
    stdin.write(serializeMessage(message));
  }

  /** Ends the program and all that it started. */
  async close(): Promise<void> {
    const { child, gone, owned } = this;
    if (child === undefined || gone === undefined || owned === undefined) return;
    this.ending ??= 'It was stopped.';
    child.stdin.end();
    const left = await Promise.race([gone.then(() => true), delay(LEAVE_WITHIN, false)]);
    if (left) return;
    await owned.end(GRACE);
    await Promise.race([gone, delay(GRACE)]);
  }
}

const running = new Set<OwnedProcess>();
let watchesExit = false;

/** Whatever way this process ends by itself, no server outlives it; should it be killed, a watch is kept. */
function endWithProcess(owned: OwnedProcess, ended: Promise<unknown>): void {
  running.add(owned);
  void ended.then(() => running.delete(owned));
  if (watchesExit) return;
  watchesExit = true;
  process.once('exit', () => {
    for (const one of running) one.killNow();
  });
}
