import { spawn } from 'node:child_process';
import { type Failure, failure } from './failure';

/** Milliseconds a search may take when the caller does not say. */
const SEARCH_TIMEOUT = 30_000;

/**
 * Same rules everywhere, whatever the person's own configuration says: ignore files of the folder count (also without
 * git), those of the machine do not; hidden names are skipped unless `--hidden` is added; links are not followed.
 */
const FIXED = ['--no-config', '--no-messages', '--color=never', '--no-require-git', '--no-ignore-global'];

export interface SearchRun {
  args: string[];
  /** Where it runs; results are relative to it. */
  cwd: string;
  /** Called with each chunk of output, in order; returns true when it has enough, which ends the search. */
  onChunk: (chunk: Buffer) => boolean;
  /** Fed to ripgrep: an open file (its number), or texts one after the other. */
  input?: { fd: number } | { texts: Iterable<string> };
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** `cut`: it had enough, or ran out of time. */
export type SearchEnd = { cut: boolean; timedOut: boolean };

let located: Promise<string | null> | null = null;

/** The bundled program, loaded when first needed; in a packaged app it lies outside the archive. */
async function locate(): Promise<string | null> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath.replace(/\bapp\.asar\b/, 'app.asar.unpacked');
  } catch {
    return null;
  }
}

/**
 * Runs ripgrep until its end, until `onChunk` has enough, or until time is up.
 * Errors: `unsupported` without ripgrep, `invalid` with its words for a bad pattern. Cancel: ends the process, rejects
 * with the signal's reason.
 */
export async function runRipgrep(run: SearchRun): Promise<SearchEnd | Failure> {
  run.signal?.throwIfAborted();
  located ??= locate();
  const program = await located;
  if (program === null)
    return failure('unsupported', 'Searching needs ripgrep, which is not installed for this platform.');
  return new Promise((resolve, reject) => {
    const fromFile = run.input !== undefined && 'fd' in run.input;
    const stdin = run.input === undefined ? 'ignore' : 'fd' in run.input ? run.input.fd : 'pipe';
    const child = spawn(program, [...FIXED, ...run.args], {
      cwd: run.cwd,
      stdio: [stdin, 'pipe', 'pipe'],
      windowsHide: true,
      // Nothing of ours: neither keys nor settings that change results. Windows cannot start a program without these.
      env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot, PATH: process.env.PATH } : {},
    });
    let cut = false;
    let timedOut = false;
    let complaint = '';
    let spawnFailed: Error | null = null;
    const end = () => {
      cut = true;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, run.timeoutMs ?? SEARCH_TIMEOUT);
    run.signal?.addEventListener('abort', end, { once: true });

    child.stdout?.on('data', (chunk: Buffer) => {
      if (!cut && run.onChunk(chunk)) end();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (complaint.length < 4_000) complaint += chunk.toString();
    });
    if (!fromFile && run.input !== undefined && 'texts' in run.input && child.stdin !== null)
      feed(child.stdin, run.input.texts);
    child.on('error', (error) => {
      spawnFailed = error;
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      run.signal?.removeEventListener('abort', end);
      if (run.signal?.aborted) reject(run.signal.reason);
      else if (spawnFailed !== null)
        resolve(failure('unsupported', `Searching failed: ripgrep did not start (${spawnFailed.message}).`));
      else if (!cut && code === 2 && complaint !== '')
        resolve(failure('invalid', `The search pattern was not understood. ${firstLines(complaint)}`));
      else resolve({ cut, timedOut });
    });
  });
}

function feed(stdin: NodeJS.WritableStream, texts: Iterable<string>): void {
  // ripgrep closes its input when it has found enough; that is no failure of ours.
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

/** Bytes of a matching line that are kept; ripgrep notes what it left out. */
const MAX_COLUMNS = 5_000;

export const MATCH_ARGS = [
  '--line-number',
  '--with-filename',
  '--no-heading',
  '--null',
  `--max-columns=${MAX_COLUMNS}`,
  '--max-columns-preview',
];

export const patternArgs = (pattern: string, regex: boolean): string[] =>
  regex ? ['--crlf', `--regexp=${pattern}`] : ['--fixed-strings', `--regexp=${pattern}`];

/** What ripgrep prints between matches when a file turns out to be binary. */
const BINARY_NOTE = /^[^\0]*?(?:WARNING: stopped searching binary file|binary file matches)[^\n]*\n/;

/**
 * Takes ripgrep's `path NUL number : text LF` apart as it comes. Names may hold line ends and colons; text may hold
 * anything but a line end. `take` returns true once the receiver has enough.
 */
export class MatchParser {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly onMatch: (path: string, line: number, text: string) => boolean) {}

  take(chunk: Buffer): boolean {
    const data = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let at = 0;
    for (;;) {
      const nul = data.indexOf(0, at);
      if (nul < 0) break;
      const end = data.indexOf(10, nul + 1);
      if (end < 0) break;
      if (this.emit(data.toString('utf8', at, nul), data.toString('utf8', nul + 1, end))) return true;
      at = end + 1;
    }
    this.rest = Buffer.from(data.subarray(at));
    return false;
  }

  private emit(rawPath: string, numbered: string): boolean {
    let path = rawPath;
    while (BINARY_NOTE.test(path)) path = path.replace(BINARY_NOTE, '');
    const colon = numbered.indexOf(':');
    const text = numbered.slice(colon + 1);
    return this.onMatch(
      path.replace(/^\.[\\/]/, '').replaceAll('\\', process.platform === 'win32' ? '/' : '\\'),
      Number(numbered.slice(0, colon)),
      text.endsWith('\r') ? text.slice(0, -1) : text,
    );
  }
}
