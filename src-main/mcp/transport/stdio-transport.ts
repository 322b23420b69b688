import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { endWithProcess } from '../../base/end-with-process';
import { because, type Reason } from '../../contract/shared/reasons';
import { problem } from '../problem';
import { LineReader } from './lines';
import { MAX_MESSAGE } from './message-limits';
import { type OwnedProcess, watchOver } from './processes';

/** Milliseconds for a server to exit after its input has ended, and again between SIGTERM and SIGKILL. */
const LEAVE_WITHIN = 500;
const GRACE = 1_000;
/** Bytes that wait for the program to read them. It may ask for more and more answers without reading any. */
const MAX_UNREAD = 16 * 1024 * 1024;
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
  /** A line of its output that is not a protocol message. */
  onJunk: (line: string) => void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * A server as a child process. Unlike the SDK's transport, it leads a session, so that all its processes stop with it (`npx`
 * starts two more), it is not slowed down by the reader, and it reports why it exited.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The SDK recognizes a program by this and `pid`: one that does not answer its opening gets the older one. */
  readonly stderr = null;
  /** Why it exited. */
  ending: Reason | undefined;
  private child: Child | undefined;
  private owned: OwnedProcess | undefined;
  private gone: Promise<void> | undefined;

  constructor(private readonly options: StdioOptions) {}

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  /** Rejects if the program cannot be started. */
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
            ? because('mcp_program_missing', { command })
            : because('mcp_program_failed', { command, code: error.code ?? error.message });
        reject(problem(this.ending));
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
      this.ending ??= because('mcp_message_too_large');
      child.stdout.destroy();
      void this.close();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.options.onErrorOutput(text));
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error) => this.onerror?.(error));
    }
    this.gone = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.ending ??=
          signal === null
            ? because('mcp_exited', { status: String(code ?? '?') })
            : because('mcp_killed', { signal });
        const drained = new Promise((done) => child.once('close', done));
        // Kills its child processes immediately, because soon orphans could no longer be attributed to it.
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

  /** Does not wait for the reader, because callers have a time limit. */
  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin;
    if (!stdin?.writable) throw problem(this.ending ?? because('mcp_not_running'));
    if (stdin.writableLength > MAX_UNREAD) {
      this.ending ??= because('mcp_unresponsive');
      void this.close();
      throw problem(this.ending);
    }
    stdin.write(serializeMessage(message));
  }

  /** Stops the program and all its processes. */
  async close(): Promise<void> {
    const { child, gone, owned } = this;
    if (child === undefined || gone === undefined || owned === undefined) return;
    this.ending ??= because('mcp_stopped');
    child.stdin.end();
    const left = await Promise.race([gone.then(() => true), delay(LEAVE_WITHIN, false)]);
    if (left) return;
    await owned.end(GRACE);
    await Promise.race([gone, delay(GRACE)]);
  }
}
