import { Worker } from 'node:worker_threads';
import { builtWorker } from '../base/built-worker';
import { Engine } from './engine';
import type { EngineApi, EngineMethod, EngineOptions, EngineReply, EngineRequest } from './protocol';

export type { EngineApi, NamedLimits, PathChange, RevertStep, StepResult } from './protocol';
export { contentMark, isOnlyMode } from './unkept-file';

/** How often a worker that exited unexpectedly is restarted. Beyond that, every call fails. */
const RESTARTS = 3;

/**
 * Keeps earlier file contents of folders, in a worker that starts with the first call. Without a built worker (tests from
 * source) it runs in this thread. A call rejects when the worker fails; the results of earlier calls are on the disk.
 */
export function openEngine(
  options: EngineOptions,
  file: string | null = builtWorker('changes-worker'),
): EngineApi {
  return file === null ? new Engine(options) : new WorkerEngine(options, file);
}

class WorkerEngine implements EngineApi {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, (reply: EngineReply) => void>();
  private nextId = 1;
  private failures = 0;
  private closed = false;

  constructor(
    private readonly options: EngineOptions,
    private readonly file: string,
  ) {}

  open = this.method('open');
  scan = this.method('scan');
  release = this.method('release');
  states = this.method('states');
  diff = this.method('diff');
  withoutHunk = this.method('withoutHunk');
  apply = this.method('apply');
  keep = this.method('keep');
  content = this.method('content');
  usage = this.method('usage');
  setBudget = this.method('setBudget');
  planSweep = this.method('planSweep');
  sweep = this.method('sweep');

  async close(): Promise<void> {
    const { worker } = this;
    this.closed = true;
    if (worker === null) return;
    await this.ask(worker, 'close', []);
    await worker.terminate();
  }

  private method<M extends EngineMethod>(name: M) {
    return async (...args: Parameters<EngineApi[M]>): Promise<Awaited<ReturnType<EngineApi[M]>>> => {
      if (this.closed) throw new Error('Changes are not kept any more: Deepdesk is closing.');
      this.worker ??= this.start();
      // The engine method of that name returns this type.
      return (await this.ask(this.worker, name, args)) as Awaited<ReturnType<EngineApi[M]>>;
    };
  }

  private ask(worker: Worker, method: EngineMethod, args: unknown[]): Promise<unknown> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, (reply) => {
        this.waiting.delete(id);
        if (reply.ok) resolve(reply.value);
        else reject(failed(method, reply));
      });
      worker.postMessage({ id, method, args } satisfies EngineRequest);
    });
  }

  private start(): Worker {
    if (this.failures > RESTARTS) throw new Error('Keeping track of changes failed several times.');
    // Inherits nothing from us: neither keys nor settings that change how modules are loaded.
    const worker = new Worker(this.file, { env: {}, execArgv: [], workerData: this.options });
    worker.unref();
    worker.on('message', (reply: EngineReply) => this.waiting.get(reply.id)?.(reply));
    const ended = (error: unknown) => {
      if (this.worker !== worker) return;
      this.worker = null;
      this.failures += 1;
      for (const [id, settle] of this.waiting)
        settle({ id, ok: false, error: `The worker ended: ${String(error)}`, code: '', stack: undefined });
    };
    worker.on('error', ended);
    worker.on('exit', (code) => ended(`status ${code}`));
    return worker;
  }
}

function failed(method: EngineMethod, { error, code, stack }: Extract<EngineReply, { ok: false }>): Error {
  const made = new Error(`${method}: ${error}`, { cause: stack });
  return code === '' ? made : Object.assign(made, { code });
}
