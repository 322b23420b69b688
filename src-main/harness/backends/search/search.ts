import { randomUUID } from 'node:crypto';
import { access, constants, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasOddIgnoreFile } from '../../../base/ignore-files';
import { type Failure, failure, isFailure } from '../failure';
import { locateRipgrep, type RipgrepRun, runRipgrep, type SearchEnd } from './ripgrep';
import { closesUnopened, translateRegex } from './rust-regex';
import { type HiddenNames, handedName, type ScanPlace, type ScanTarget } from './scan/job';
import { ScanWorkers } from './scan/workers';
import { SENT_COLUMNS } from './search-records';

/** Default time limit of a search, in milliseconds. */
export const SEARCH_TIMEOUT = 30_000;

export interface SearchRun {
  find: { kind: 'lines'; pattern: string; regex: boolean } | { kind: 'names' };
  where:
    | {
        kind: 'folder';
        /** The host path. */
        path: string;
        /** An ignore file for it, whose rules come after the ones inside. */
        outerRules: string;
        hidden: Exclude<HiddenNames, 'files'>;
        /**
         * A glob that the base names of all wanted files match. Hidden files that match are searched. It only saves work if
         * possible: the receiver checks every name. Null: all files, hidden ones by `hidden`.
         */
        only: string | null;
      }
    | { kind: 'file'; fd: number }
    /** Open files. Each has its matches under its `handedName`. */
    | { kind: 'files'; fds: readonly number[] }
    | { kind: 'texts'; texts: () => Iterable<string> };
  /** Receives each chunk of output (`search-records.ts`) in order. Returns true when it has enough. */
  onChunk: (chunk: Buffer) => boolean;
  /** Discards the results so far: all of them come again from another engine. */
  onRestart?: () => void;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** `byName`: files were opened by name, some time after they were listed. */
export type EndedSearch = SearchEnd & { byName: boolean };

export interface SearchEngine {
  /** `auto` (default): ripgrep, or the worker if ripgrep cannot start. */
  engine: 'auto' | 'worker';
  /** Replaces the bundled ripgrep. */
  program?: string;
  /** The built worker (`search-worker.ts`), if it is not beside the program. */
  workerFile?: string;
}

let program: Promise<string | null> | null = null;
let workers: ScanWorkers | null = null;

/** Sets how this process searches, for tests and measurements. */
export async function setSearchEngine({ engine, program: other, workerFile }: SearchEngine): Promise<void> {
  program = engine === 'worker' ? Promise.resolve(null) : null;
  if (other !== undefined) program = Promise.resolve(other);
  await workers?.close();
  workers = workerFile === undefined ? null : new ScanWorkers(workerFile);
}

/**
 * Searches with ripgrep, or without it in a worker with the same results: the same files, the same lines, in the same form.
 * Errors: `invalid` for an invalid pattern, `unsupported` without either, and for regular expressions that only ripgrep
 * understands. Cancel: stops the search and rejects with the signal's reason.
 */
export async function runSearch(run: SearchRun): Promise<EndedSearch | Failure> {
  run.signal?.throwIfAborted();
  const until = performance.now() + (run.timeoutMs ?? SEARCH_TIMEOUT);
  if (run.timeoutMs !== undefined && run.timeoutMs <= 0)
    return { cut: true, timedOut: true, incomplete: false, byName: false };
  const { find } = run;
  if (find.kind === 'lines' && find.regex && closesUnopened(find.pattern))
    return failure('invalid', 'The search pattern is not valid: unopened group.');
  program ??= findProgram();
  const path = await program;
  if (path !== null && !(await isForWorker(run))) {
    const end = await byRipgrep(path, run);
    if ('givenUp' in end) run.onRestart?.();
    else if (!('notStarted' in end))
      return isFailure(end) ? end : { ...end, byName: run.where.kind === 'folder' };
    else if (await staysSo(end.notStarted, path)) noteMissing();
  }
  const end = await byWorker({ ...run, timeoutMs: until - performance.now() });
  if (isFailure(end)) return end;
  const { cut, timedOut, incomplete } = end;
  return { cut, timedOut, incomplete, byName: false };
}

/** Real paths of folders in which an odd ignore file was found, and when (ms of this process). */
const odd = new Map<string, number>();
/** Milliseconds for which the worker searches such a folder, without trying ripgrep first. */
const ODD_FOR = 600_000;
/** Milliseconds after which ripgrep may be waiting for something, or reading something endless. */
const STALLED = 1_000;

/** Ripgrep would read an odd ignore file. The worker skips it. */
async function isForWorker({ where }: SearchRun): Promise<boolean> {
  if (where.kind !== 'folder') return false;
  const known = odd.get(await realpath(where.path).catch(() => where.path));
  if (known !== undefined && performance.now() - known < ODD_FOR) return true;
  return hasOddIgnoreFile(where.path);
}

/**
 * Gives up a slow ripgrep run in a folder with an odd ignore file somewhere below. Looking for one before each search would
 * take longer than most searches.
 */
function watchForOdd(run: SearchRun): { giveUp: AbortSignal; done: () => void } {
  const { where } = run;
  const over = new AbortController();
  const giveUp = new AbortController();
  if (where.kind !== 'folder') return { giveUp: giveUp.signal, done: () => undefined };
  const look = async () => {
    workers ??= new ScanWorkers();
    const { path } = where;
    const place = { kind: 'folder', path, outerRules: '', hidden: 'all' } as const;
    const found = await workers.run({
      target: { kind: 'odd-ignore-file' },
      place,
      onChunk: () => false,
      timeoutMs: SEARCH_TIMEOUT,
      signal: over.signal,
    });
    if (isFailure(found) || !found.isOdd) return;
    if (odd.size >= MAX_ODD) odd.clear();
    odd.set(await realpath(path), performance.now());
    giveUp.abort();
  };
  // If the check itself fails, ripgrep still has its own limits.
  const timer = setTimeout(() => void look().catch(() => undefined), STALLED);
  return {
    giveUp: giveUp.signal,
    done: () => {
      clearTimeout(timer);
      over.abort();
    },
  };
}
const MAX_ODD = 1_000;

async function findProgram(): Promise<string | null> {
  const path = await locateRipgrep();
  if (path !== null && (await isProgram(path))) return path;
  noteMissing();
  return null;
}

function noteMissing(): void {
  program = Promise.resolve(null);
  process.emitWarning('ripgrep cannot be started: files are searched by a worker, which takes longer.');
}

/**
 * Whether ripgrep will keep failing. Too many open files or too little memory pass, and a missing path may have been the
 * folder.
 */
async function staysSo(code: string, path: string): Promise<boolean> {
  if (['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes(code)) return false;
  return code !== 'ENOENT' || !(await isProgram(path));
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function byRipgrep(path: string, run: SearchRun): ReturnType<typeof runRipgrep> {
  const { giveUp, done } = watchForOdd(run);
  try {
    return await startRipgrep(path, run, giveUp);
  } finally {
    done();
  }
}

async function startRipgrep(
  path: string,
  run: SearchRun,
  giveUp: AbortSignal,
): ReturnType<typeof runRipgrep> {
  const { find, where, onChunk, timeoutMs = SEARCH_TIMEOUT, signal } = run;
  const args = find.kind === 'names' ? ['--files', '--null'] : lineArgs(find);
  const ripgrep: Omit<RipgrepRun, 'args' | 'cwd'> = { onChunk, timeoutMs, signal, giveUp };
  if (where.kind === 'file')
    return runRipgrep(path, { ...ripgrep, args: [...args, '-'], cwd: '/', input: { fd: where.fd } });
  if (where.kind === 'files')
    return runRipgrep(path, {
      ...ripgrep,
      args: [...args, '--', ...where.fds.map((_, index) => handedName(index))],
      cwd: '/',
      fds: where.fds,
    });
  if (where.kind === 'texts')
    return runRipgrep(path, {
      ...ripgrep,
      args: ['--text', ...args, '-'],
      cwd: '/',
      input: { texts: where.texts() },
    });
  if (where.hidden !== 'none') args.push('--hidden');
  // One that only leaves out includes nothing again.
  if (where.hidden === 'not-git') args.push('--glob=!.git/');
  // A file type, since a separate glob (`-g`) would include ignored files again.
  if (where.only !== null) args.push(`--type-add=wanted:${where.only}`, '--type=wanted');
  const rules = where.outerRules === '' ? null : await keepRules(where.outerRules);
  if (rules !== null) args.push(`--ignore-file=${rules}`);
  try {
    return await runRipgrep(path, { ...ripgrep, args: [...args, '--', '.'], cwd: where.path });
  } finally {
    if (rules !== null) await rm(rules, { force: true });
  }
}

const lineArgs = ({ pattern, regex }: { pattern: string; regex: boolean }): string[] => [
  '--line-number',
  '--with-filename',
  '--no-heading',
  '--null',
  `--max-columns=${SENT_COLUMNS}`,
  '--max-columns-preview',
  ...(regex ? ['--crlf'] : ['--fixed-strings']),
  `--regexp=${pattern}`,
];

async function keepRules(text: string): Promise<string> {
  const path = join(tmpdir(), `deepdesk-${randomUUID()}.ignore`);
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  return path;
}

async function byWorker(run: SearchRun): Promise<SearchEnd | Failure> {
  const { find, where, onChunk, timeoutMs = SEARCH_TIMEOUT, signal } = run;
  const target = targetOf(find);
  if (isFailure(target)) return target;
  workers ??= new ScanWorkers();
  return workers.run({ target, place: placeOf(where), onChunk, timeoutMs, signal });
}

function targetOf(find: SearchRun['find']): ScanTarget | Failure {
  if (find.kind === 'names') return { kind: 'names' };
  if (!find.regex) return { kind: 'literal', text: find.pattern };
  const regex = translateRegex(find.pattern);
  return isFailure(regex) ? regex : { kind: 'regex', ...regex };
}

function placeOf(where: SearchRun['where']): ScanPlace {
  if (where.kind === 'file' || where.kind === 'files') return where;
  if (where.kind === 'texts') return { kind: 'text', text: [...where.texts()].join('') };
  const { path, outerRules, hidden, only } = where;
  return { kind: 'folder', path, outerRules, hidden: hidden === 'none' && only !== null ? 'files' : hidden };
}
