import { randomBytes } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { after } from '../../../base/timers';
import { optional } from '../../../contract/shared/optional';
import type { ExecuteOptions, ExecuteResponse } from '../commands';
import type { CallOptions, FileDownloadResponse, FileUploadResponse } from '../protocol';
import type { SandboxClient } from '../sandbox/sandbox';
import { isDiskFull } from '../sandbox/sandbox-answers';
import { quotePath, sizeScript } from '../sandbox/sandbox-scripts';
import { HeadAndTail, type OutputEncoding } from '../text/head-and-tail';
import { guardedCommand } from './remote-command';
import type { RemoteError, RemoteTransport } from './remote-transport';

/** Bytes of a script's answer that are kept: listings, pages and files for a search. */
const MAX_ANSWER = 64 * 1024 * 1024;
/** Milliseconds after a stop until the local client is ended, because the other side does not answer. */
const STOP_LIMIT = 5_000;
/** Bytes kept of what the other side prints before a command. */
const MAX_BEFORE = 64 * 1024;
/** Maximum characters of the paths of one download. */
const MAX_COMMAND = 60_000;

const IS_DIRECTORY = 21;

/** Stores its input, all of it: of one that a broken connection cut, and on a full disk, nothing is left behind. */
const uploadScript = (path: string, size: number): string => `t=${quotePath(path)}
[ -d "$t" ] && exit ${IS_DIRECTORY}
{ LC_ALL=C cat >"$t" && [ $(($(wc -c <"$t"))) -eq ${size} ]; } 2>&1 && exit 0
rm -f -- "$t"; exit 1`;

interface RunGiven {
  input?: Uint8Array;
  /** Ends a command that waits for the end of its input, see `guardedCommand`. */
  stop?: AbortSignal;
  /** Ends the local program. */
  cut?: AbortSignal;
  onBytes?: (bytes: Buffer) => void;
}

interface Ran {
  output: Buffer[];
  exitCode: number | null;
  /** The connection broke after the command had begun. */
  lost: RemoteError | null;
}

/** The commands and file transfers of a connection. Bytes travel as they are. Rejects with `RemoteError` without one. */
export class RemoteClient implements SandboxClient {
  constructor(private readonly transport: RemoteTransport) {}

  get id(): string {
    return this.transport.id;
  }

  execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    return this.executeIn('utf8', command, options);
  }

  executeLatin1(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    return this.executeIn('latin1', command, options);
  }

  private async executeIn(
    encoding: OutputEncoding,
    command: string,
    options: ExecuteOptions,
  ): Promise<ExecuteResponse> {
    const { lost, ...answer } = await this.ranUpTo(command, options, MAX_ANSWER, encoding);
    if (lost !== null) throw lost;
    return answer;
  }

  /**
   * Keeps head and tail of a longer output. Stopping ends everything that the command has started on the other side. If the
   * connection breaks in between, `exitCode` is null, and the output so far says so at its end.
   */
  async executeUpTo(command: string, options: ExecuteOptions, maxBytes: number): Promise<ExecuteResponse> {
    const { lost, ...answer } = await this.ranUpTo(command, options, maxBytes);
    if (lost === null) return answer;
    const output = `${answer.output.trimEnd()}\n\n${lostNote(this.transport.name)}`.trimStart();
    return { ...answer, output, exitCode: null };
  }

  private async ranUpTo(
    command: string,
    options: ExecuteOptions,
    maxBytes: number,
    encoding: OutputEncoding = 'utf8',
  ): Promise<ExecuteResponse & Pick<Ran, 'lost'>> {
    const { signal, timeoutMs, onOutput, onStopped } = options;
    signal?.throwIfAborted();
    await options.beforeStart?.();
    signal?.throwIfAborted();
    const kept = new HeadAndTail(maxBytes);
    const decoder = new StringDecoder();
    const stopped = new AbortController();
    const timer = after(timeoutMs ?? Number.POSITIVE_INFINITY, () => stopped.abort());
    const stop = signal === undefined ? stopped.signal : AbortSignal.any([signal, stopped.signal]);
    try {
      const mark = randomBytes(8).toString('hex');
      const { exitCode, lost } = await this.run(guardedCommand(command, mark), {
        stop,
        onBytes: (bytes) => {
          kept.push(bytes);
          onOutput?.(decoder.write(bytes));
        },
      });
      const { text: output, truncated } = kept.end(encoding);
      if (signal?.aborted) {
        onStopped?.({ output, truncated });
        throw signal.reason;
      }
      if (stopped.signal.aborted) return { output, exitCode: 124, truncated, timedOut: true, lost };
      return { output, exitCode, truncated, lost };
    } finally {
      clearTimeout(timer);
    }
  }

  async uploadFiles(
    files: [path: string, content: Uint8Array][],
    { signal }: CallOptions = {},
  ): Promise<FileUploadResponse[]> {
    const answers: FileUploadResponse[] = [];
    for (const [path, content] of files) {
      const { exitCode, output } = await this.whole(uploadScript(path, content.length), {
        input: content,
        ...optional({ signal }),
      });
      const error = exitCode === 0 ? null : exitCode === IS_DIRECTORY ? 'is_directory' : 'permission_denied';
      const isFull = exitCode !== 0 && isDiskFull(Buffer.concat(output).toString());
      answers.push({ path, error, ...(isFull ? { kind: 'storage' as const } : {}) });
    }
    return answers;
  }

  /** Larger files have the kind `too_large` and are not sent. */
  async downloadFiles(
    paths: string[],
    maxBytes = MAX_ANSWER,
    options: CallOptions = {},
  ): Promise<FileDownloadResponse[]> {
    const answers: FileDownloadResponse[] = [];
    for (let from = 0; from < paths.length; ) {
      let to = from;
      for (let length = 0; to < paths.length; to += 1) {
        length += (paths[to]?.length ?? 0) + 10;
        if (to > from && length > MAX_COMMAND) break;
      }
      const some = await this.downloadSome(paths.slice(from, to), maxBytes, options);
      for (const answer of some) answers.push(answer);
      from += some.length;
    }
    return answers;
  }

  /**
   * One round trip: a line for each path, and the bytes of a file after its line. Fewer answers than paths, but at least one,
   * if the files together are too much for one answer.
   */
  private async downloadSome(
    paths: string[],
    maxBytes: number,
    { signal }: CallOptions,
  ): Promise<FileDownloadResponse[]> {
    const script = `t=0
one() {
if [ -d "$1" ]; then echo directory; elif [ ! -e "$1" ]; then echo missing
elif [ ! -f "$1" ] || [ ! -r "$1" ]; then echo closed
else s=$(${sizeScript('$1')}); s=$((s)); t=$((t + s))
if [ $s -gt ${maxBytes} ]; then t=$((t - s)); echo large
elif [ $t -gt ${MAX_ANSWER} ] && [ $s -ne $t ]; then echo later; exit 0
else echo "file $s"; head -c "$s" "$1"; fi; fi; }
${paths.map((path) => `one ${quotePath(path)}`).join('\n')}`;
    const { output } = await this.whole(script, optional({ signal }));
    const bytes = Buffer.concat(output);
    const answers: FileDownloadResponse[] = [];
    for (let at = 0; answers.length < paths.length; ) {
      const path = paths[answers.length] ?? '';
      const end = bytes.indexOf(10, at);
      const [word, size = '0'] = bytes.toString('latin1', at, Math.max(at, end)).split(' ');
      if (word === 'later' && answers.length > 0) break;
      if (end < 0 || word !== 'file') {
        at = end < 0 ? bytes.length : end + 1;
        answers.push({ path, content: null, ...notSent(word) });
        continue;
      }
      const content = bytes.subarray(end + 1, end + 1 + Number(size));
      at = end + 1 + content.length;
      answers.push(
        content.length === Number(size)
          ? { path, content: new Uint8Array(content), error: null }
          : { path, content: null, error: 'permission_denied' },
      );
    }
    return answers;
  }

  /** Rejects if the connection breaks in between, and as soon as it is stopped. */
  private async whole(
    command: string,
    { signal, ...given }: { input?: Uint8Array; signal?: AbortSignal },
  ): Promise<Ran> {
    signal?.throwIfAborted();
    const ran = await this.run(command, { ...given, ...optional({ cut: signal }) });
    signal?.throwIfAborted();
    if (ran.lost !== null) throw ran.lost;
    return ran;
  }

  private async run(command: string, { input, stop, cut, onBytes }: RunGiven): Promise<Ran> {
    const mark = randomBytes(16).toString('hex');
    const child = await this.transport.start(`printf %s ${mark}; ${command}`);
    return new Promise((resolve, reject) => {
      const output: Buffer[] = [];
      let stderr = '';
      // The end of its input ends the command, see `guardedCommand`.
      let killing: NodeJS.Timeout | undefined;
      const end = () => {
        child.stdin?.end();
        killing = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT);
      };
      // A transfer ends with its connection.
      const kill = () => child.kill('SIGKILL');
      const over = () => {
        clearTimeout(killing);
        stop?.removeEventListener('abort', end);
        cut?.removeEventListener('abort', kill);
      };
      child.stdin?.on('error', () => undefined);
      const answer = new AfterMark(mark, onBytes ?? ((bytes: Buffer) => output.push(bytes)));
      child.stdout?.on('data', (bytes: Buffer) => answer.push(bytes));
      child.stderr?.on('data', (bytes: Buffer) => {
        stderr += String(bytes);
      });
      child.on('error', (error) => {
        over();
        reject(this.transport.missing(error));
      });
      child.on('close', (exitCode) => {
        over();
        if (stop?.aborted || cut?.aborted) return resolve({ output, exitCode, lost: null });
        this.transport.failure(exitCode, stderr).then((lost) => {
          if (answer.hasBegun) resolve({ output, exitCode, lost });
          else reject(lost ?? this.transport.unable(`${answer.before.trim()}\n${stderr.trim()}`.trim()));
        }, reject);
      });
      if (cut?.aborted) kill();
      else cut?.addEventListener('abort', kill, { once: true });
      if (input !== undefined) child.stdin?.end(input);
      else if (stop?.aborted) end();
      else stop?.addEventListener('abort', end, { once: true });
    });
  }
}

/** Leaves out everything up to the mark: the start files of a login shell may print a greeting, also without a terminal. */
class AfterMark {
  /** Null once the mark has come. */
  private greeting: Buffer | null = Buffer.alloc(0);

  constructor(
    private readonly mark: string,
    private readonly take: (bytes: Buffer) => void,
  ) {}

  get hasBegun(): boolean {
    return this.greeting === null;
  }

  /** What came instead of the mark. */
  get before(): string {
    return this.greeting?.toString() ?? '';
  }

  push(bytes: Buffer): void {
    if (this.greeting === null) {
      this.take(bytes);
      return;
    }
    const all = Buffer.concat([this.greeting, bytes]);
    const at = all.indexOf(this.mark);
    this.greeting = at >= 0 ? null : all.length > MAX_BEFORE ? all.subarray(-this.mark.length) : all;
    if (at < 0 || at + this.mark.length === all.length) return;
    this.take(all.subarray(at + this.mark.length));
  }
}

const lostNote = (machine: string): string =>
  `[The connection to ${machine} was lost, so how the command ended is unknown. Its processes there are ended when that machine notices it. Look at what it did before you repeat it.]`;

function notSent(word: string | undefined): Pick<FileDownloadResponse, 'error' | 'kind'> {
  if (word === 'missing') return { error: 'file_not_found' };
  if (word === 'directory') return { error: 'is_directory' };
  return { error: 'permission_denied', ...(word === 'large' ? { kind: 'too_large' as const } : {}) };
}
