import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ripgrepCommand } from '../../../base/ripgrep';
import { type Failure, failure, systemCode } from '../failure';

/** Milliseconds for which output may block the thread before it yields. */
const SLICE = 4;

export interface RipgrepRun {
  args: string[];
  /** The working directory. Results are relative to it. */
  cwd: string;
  /** Receives each chunk of output in order. Returns true to end the search when it has enough. */
  onChunk: (chunk: Buffer) => boolean;
  /** Input for ripgrep: an open file (its number), or texts one after another. */
  input?: { fd: number } | { texts: Iterable<string> };
  /** Open files that it receives under the names of `handedName` (`scan/job.ts`). */
  fds?: readonly number[];
  /** Ends it and discards its results. */
  giveUp?: AbortSignal;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * `cut`: it had enough, or ran out of time. `incomplete`: a part could not be searched, for another reason than being gone
 * or not permitted.
 */
export type SearchEnd = { cut: boolean; timedOut: boolean; incomplete: boolean };

/** It was given up, or exited without an answer: a crash, or not enough memory. Its results do not count. */
export type GivenUp = { givenUp: true };

/** It could not start. The system's code says why. */
export interface NotStarted {
  notStarted: string;
}

/** The bundled program, resolved on first use. In a packaged app it is outside the archive. */
export async function locateRipgrep(): Promise<string | null> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath.replace(/\bapp\.asar\b/, 'app.asar.unpacked');
  } catch {
    return null;
  }
}

/**
 * Runs ripgrep until it exits, `onChunk` has enough, or time is up. Errors: `invalid` with ripgrep's message for a bad
 * pattern. Cancel: kills the process and rejects with the signal's reason.
 */
export async function runRipgrep(
  program: string,
  run: RipgrepRun,
): Promise<SearchEnd | Failure | NotStarted | GivenUp> {
  run.signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const fromFile = run.input !== undefined && 'fd' in run.input;
    const stdin = run.input === undefined ? 'ignore' : 'fd' in run.input ? run.input.fd : 'pipe';
    const { file, args } = ripgrepCommand(program, run.args);
    const child = spawn(file, args, {
      cwd: run.cwd,
      stdio: [stdin, 'pipe', 'pipe', ...(run.fds ?? [])],
      windowsHide: true,
      // Passes none of our environment: neither keys nor settings that change results. Windows needs these to start a
      // program.
      env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot, PATH: process.env.PATH } : {},
    });
    let cut = false;
    let timedOut = false;
    let delivered = false;
    let spawnFailed: Error | null = null;
    const complaints = new Complaints();
    const end = () => {
      cut = true;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, run.timeoutMs);
    run.signal?.addEventListener('abort', end, { once: true });
    run.giveUp?.addEventListener('abort', end, { once: true });

    const { stdout } = child;
    let since = 0;
    const onTurn = () => {
      since = 0;
      stdout?.resume();
    };
    stdout?.on('data', (chunk: Buffer) => {
      const now = performance.now();
      if (since === 0) {
        since = now;
        // Several chunks may come in one turn of the loop.
        setImmediate(onTurn);
      }
      delivered = true;
      if (!cut && run.onChunk(chunk)) end();
      if (performance.now() - since > SLICE) stdout.pause();
    });
    child.stderr?.on('data', (chunk: Buffer) => complaints.take(chunk));
    if (!fromFile && run.input !== undefined && 'texts' in run.input && child.stdin !== null)
      feed(child.stdin, run.input.texts);
    child.on('error', (error) => {
      spawnFailed = error;
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      run.signal?.removeEventListener('abort', end);
      run.giveUp?.removeEventListener('abort', end);
      if (run.signal?.aborted) reject(run.signal.reason);
      else if (run.giveUp?.aborted) resolve({ givenUp: true });
      else if (spawnFailed !== null) resolve({ notStarted: systemCode(spawnFailed) });
      else if (!cut && delivered && code === null) resolve({ givenUp: true });
      else if (!cut && code === 2 && complaints.words.startsWith('rg: '))
        resolve(failure('invalid', `The search pattern is not valid. ${firstLines(complaints.words)}`));
      // A shell may have tried to run a file that the system could not load, or ripgrep crashed.
      else if (!cut && !delivered && isForeign(code, complaints.words))
        resolve({ notStarted: code === null || code === PANIC ? 'EAGAIN' : 'ENOEXEC' });
      else resolve({ cut, timedOut, incomplete: complaints.incomplete });
    });
  });
}

/** Exit code of a Rust program that panics, for example if no thread can be started. */
const PANIC = 101;

/** ripgrep exits with 0 (found), 1 (nothing found) or 2 (errors, which it names). */
const isForeign = (code: number | null, words: string): boolean =>
  code === null || code > 2 || (code === 2 && words !== '');

/** What ripgrep prints on stderr: about files that it could not open, which are skipped, or about the pattern. */
class Complaints {
  words = '';
  incomplete = false;
  private line = '';

  take(chunk: Buffer): void {
    const lines = (this.line + chunk.toString()).split('\n');
    // The end of the line has the error code.
    this.line = lines.pop()?.slice(-MAX_COMPLAINT) ?? '';
    for (const line of lines) {
      const system = /\(os error (\d+)\)$/.exec(line);
      if (system === null) {
        if (this.words.length < MAX_COMPLAINT && !IGNORE_COMPLAINT.test(line)) this.words += `${line}\n`;
      } else if (process.platform !== 'win32' && !PASSED_OVER.has(Number(system[1]))) this.incomplete = true;
    }
  }
}

const MAX_COMPLAINT = 4_000;
/**
 * Complaints that are not about the pattern: an invalid line of an ignore file, which is skipped; no files to search; a
 * folder that was deleted, which the shell that starts ripgrep reports too.
 */
const IGNORE_COMPLAINT =
  /: line \d+: error parsing glob |No files were searched|Running with --debug|did your CWD get deleted|getcwd/;
const { EACCES, ELOOP, ENOENT, ENOTDIR, ENXIO, EPERM } = constants.errno;
/** Missing or forbidden files are skipped. Other errors (too deep, too many open files) mean that there may be more. */
const PASSED_OVER = new Set([EACCES, ELOOP, ENOENT, ENOTDIR, ENXIO, EPERM]);

function feed(stdin: NodeJS.WritableStream, texts: Iterable<string>): void {
  // ripgrep closes its input when it has found enough. That is not a failure.
  stdin.on('error', () => undefined);
  const pending = texts[Symbol.iterator]();
  const next = () => {
    for (let text = pending.next(); !text.done; text = pending.next())
      if (!stdin.write(text.value)) {
        stdin.once('drain', next);
        return;
      }
    stdin.end();
  };
  next();
}

const firstLines = (text: string): string =>
  text.replace(/^rg: /, '').trim().split('\n').slice(0, 6).join('\n');
