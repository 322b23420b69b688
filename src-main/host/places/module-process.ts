import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { z } from 'zod';
import { parseJson } from '../../base/limited-json';
import type { EnteredSandbox } from '../../harness';
import { watchOver } from '../../mcp/transport/processes';
import { MODULE_RUNNER } from './module-runner';

/** Bytes of one answer. */
const MAX_ANSWER = 32 * 1024 * 1024;
/** Characters of what the module printed last, for errors. */
const MAX_PRINTED = 2_000;
/** Megabytes of a module's heap. */
const MAX_HEAP = 512;

const isWindows = process.platform === 'win32';

const Answer = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.string().max(10_000).optional(),
});

/** A call on a module failed. The process is still there unless `module.ended` says otherwise. */
export class ModuleError extends Error {
  override readonly name = 'ModuleError';
  /** Makes it an answer of the store. */
  readonly code = 'MODULE';
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: ModuleError): void;
  timer: NodeJS.Timeout;
}

export interface ModuleProcessOptions {
  node: string;
  cwd: string;
  /** All of the process's environment. */
  env: Record<string, string>;
  /** Null: it is not confined. */
  entered: EnteredSandbox | null;
  /** Milliseconds for one call. After that, the process is killed. */
  callLimit: number;
}

/** A process that runs one module, and nothing else. */
export class ModuleProcess {
  /** Why it no longer runs. */
  ended: string | null = null;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, Waiting>();
  private readonly gone: Promise<void>;
  private buffer: Buffer[] = [];
  private buffered = 0;
  private printed = '';
  private calls = 0;

  constructor(private readonly options: ModuleProcessOptions) {
    const { node, cwd, env, entered } = options;
    const args = [`--max-old-space-size=${MAX_HEAP}`, '--input-type=module', '-e', MODULE_RUNNER];
    const program = { file: node, args };
    const { file, args: all } = entered?.wrap(program) ?? program;
    // Its own process group, which is killed as a whole.
    this.child = spawn(file, all, { cwd, env, detached: !isWindows, stdio: 'pipe' });
    const forget = watchOver(this.child.pid ?? -1);
    this.child.stdout.on('data', (bytes: Buffer) => this.receive(bytes));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.printed = (this.printed + text).slice(-MAX_PRINTED);
    });
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr])
      stream.on('error', () => undefined);
    this.gone = new Promise((resolve) => {
      const over = (why: string) => {
        forget();
        this.end(why);
        void (entered?.leave({ output: this.printed }) ?? Promise.resolve()).catch(() => undefined);
        resolve();
      };
      this.child.on('error', (error) => over(error.message));
      this.child.on('close', (status, signal) => over(`It exited with ${signal ?? status}.`));
    });
  }

  /** Rejects with a `ModuleError`. */
  call(name: string, ...given: unknown[]): Promise<unknown> {
    if (this.ended !== null) return Promise.reject(new ModuleError(`The module has exited. ${this.ended}`));
    this.calls += 1;
    const id = this.calls;
    return new Promise((resolve, reject) => {
      const { callLimit } = this.options;
      const timer = setTimeout(
        () => this.end(`It did not answer ${name} within ${Math.ceil(callLimit / 1_000)} s.`),
        callLimit,
      );
      this.waiting.set(id, { resolve, reject, timer });
      this.child.stdin.write(`${JSON.stringify({ id, name, given })}\n`);
    });
  }

  async close(): Promise<void> {
    this.end('It was closed.');
    await this.gone;
  }

  private end(why: string): void {
    if (this.ended !== null) return;
    this.ended = this.printed.trim() === '' ? why : `${why} ${this.printed.trim()}`;
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new ModuleError(`The module has exited. ${this.ended}`));
    }
    this.waiting.clear();
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      if (isWindows) this.child.kill();
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // The whole group is already gone.
    }
  }

  private receive(bytes: Buffer): void {
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      const line = Buffer.concat([...this.buffer, bytes.subarray(from, at)]).toString();
      this.buffer = [];
      this.buffered = 0;
      from = at + 1;
      this.read(line);
    }
    this.buffer.push(bytes.subarray(from));
    this.buffered += bytes.length - from;
    if (this.buffered > MAX_ANSWER) this.end('Its answer is too large.');
  }

  /** A line that is no answer is something that the module printed past its output. */
  private read(line: string): void {
    const parsed = parseJson(line, { maxBytes: MAX_ANSWER });
    const answer = Answer.safeParse('value' in parsed ? parsed.value : null);
    const waiting = answer.success ? this.waiting.get(answer.data.id) : undefined;
    if (!answer.success || waiting === undefined) return;
    this.waiting.delete(answer.data.id);
    clearTimeout(waiting.timer);
    const { error, result } = answer.data;
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new ModuleError(error.slice(0, MAX_PRINTED)));
  }
}
