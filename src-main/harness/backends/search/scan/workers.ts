import { Worker } from 'node:worker_threads';
import { builtWorker } from '../../../../base/built-worker';
import { Semaphore } from '../../../../base/semaphore';
import { type Failure, failure } from '../../failure';
import { IN_FLIGHT, type ScanJob, type ScanPlace, type ScanReport, type ScanTarget, STOPPED } from './job';

/** Milliseconds for a worker to notice that it was stopped. It may be deep in a regular expression. */
const GRACE = 100;
/** Concurrent searches. Further ones wait for their turn. */
const MAX_WORKERS = 2;

export interface Scan {
  target: ScanTarget;
  place: ScanPlace;
  /** See `SearchRun`. */
  onChunk: (chunk: Buffer) => boolean;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export type ScanResult = { cut: boolean; timedOut: boolean; incomplete: boolean; isOdd: boolean };

/** Workers that search files. An idle one is kept, and does not keep the process alive. */
export class ScanWorkers {
  private idle: Worker | null = null;
  private running = 0;
  private readonly places = new Semaphore(MAX_WORKERS);

  constructor(private readonly file: string | null = builtWorker('search-worker')) {}

  /**
   * Runs a scan until it ends, `onChunk` has enough, or time is up. Nothing of it runs on after that. Errors: `unsupported`
   * if there is no worker. Cancel: stops it and rejects with the signal's reason.
   */
  async run(scan: Scan): Promise<ScanResult | Failure> {
    if (this.file === null)
      return failure('unsupported', 'Searching needs ripgrep, which cannot be started here.');
    const asked = performance.now();
    await this.places.take(scan.signal);
    this.running += 1;
    const worker = this.idle ?? this.start(this.file);
    this.idle = null;
    try {
      const timeoutMs = Math.max(0, scan.timeoutMs - (performance.now() - asked));
      const { result, usable } = await runOn(worker, { ...scan, timeoutMs });
      if (usable && this.idle === null) {
        this.idle = worker;
        worker.unref();
      } else await worker.terminate();
      return result;
    } catch (thrown) {
      await worker.terminate();
      scan.signal?.throwIfAborted();
      throw thrown;
    } finally {
      this.running -= 1;
      this.places.leave();
    }
  }

  /** Starts a worker that will be needed soon, so that `run` does not have to. */
  prepare(): void {
    if (this.file === null || this.idle !== null || this.running > 0) return;
    this.idle = this.start(this.file);
    this.idle.unref();
  }

  private start(file: string): Worker {
    // Passes none of our environment: neither keys nor settings that change module loading.
    const worker = new Worker(file, { env: {}, execArgv: [] });
    // The code that uses a worker listens too. A worker that fails while idle is not used again.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.idle === worker) this.idle = null;
    });
    return worker;
  }

  async close(): Promise<void> {
    await this.idle?.terminate();
    this.idle = null;
  }
}

function runOn(
  worker: Worker,
  { target, place, onChunk, timeoutMs, signal }: Scan,
): Promise<{ result: ScanResult | Failure; usable: boolean }> {
  const shared = new SharedArrayBuffer(8);
  const flags = new Int32Array(shared);
  let cut = false;
  let timedOut = false;
  let grace: NodeJS.Timeout | undefined;
  return new Promise((resolve, reject) => {
    const stop = () => {
      cut = true;
      Atomics.store(flags, STOPPED, 1);
      Atomics.notify(flags, IN_FLIGHT);
      grace ??= setTimeout(() => finish({ cut, timedOut, incomplete: false, isOdd: false }, false), GRACE);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, timeoutMs);
    const takeNext = () => {
      Atomics.sub(flags, IN_FLIGHT, 1);
      Atomics.notify(flags, IN_FLIGHT);
    };
    const onReport = (report: ScanReport) => {
      switch (report.kind) {
        case 'output':
          if (!cut && onChunk(Buffer.from(report.bytes.buffer))) stop();
          // Deferred: otherwise more would arrive in the same turn of the event loop.
          setImmediate(takeNext);
          return;
        case 'end':
          return finish({ cut, timedOut, incomplete: report.incomplete, isOdd: report.isOdd ?? false }, true);
        case 'failed':
          return finish(failureOf(report.code), true);
      }
    };
    const onError = (error: unknown) => {
      clear();
      reject(error);
    };
    const onExit = () => onError(new Error('The search worker exited during the search.'));
    const clear = () => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener('abort', stop);
      worker.off('message', onReport);
      worker.off('error', onError);
      worker.off('exit', onExit);
    };
    const finish = (result: ScanResult | Failure, usable: boolean) => {
      clear();
      // The worker always stops before the caller is told.
      if (signal?.aborted) reject(signal.reason);
      else resolve({ result, usable });
    };
    signal?.addEventListener('abort', stop, { once: true });
    worker.on('message', onReport);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.ref();
    worker.postMessage({ target, place, shared } satisfies ScanJob);
  });
}

const failureOf = (code: string): Failure =>
  code === ''
    ? failure('invalid', 'The search pattern is too large. Use a simpler one.')
    : failure('storage', 'The folder cannot be searched right now. Try again.');
