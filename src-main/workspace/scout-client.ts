import { Worker } from 'node:worker_threads';
import { builtWorker } from '../base/built-worker';
import { Scout, type ScoutApi } from './scout';

export interface ScoutRequest {
  id: number;
  method: keyof ScoutApi;
  args: unknown[];
}
export type ScoutReply = { id: number; ok: true; value: unknown } | { id: number; ok: false; error: string };

/** Milliseconds without a request after which the worker exits and its names are dropped. */
const IDLE_AFTER = 5 * 60_000;

/** Runs the scout in a worker that starts with the first request. Without a built worker (tests) it runs in this thread. */
export function openScout(
  program: string | null,
  file: string | null = builtWorker('scout-worker'),
): ScoutApi & { close(): Promise<void> } {
  if (file === null) {
    const scout = new Scout(program);
    return {
      find: (...args) => scout.find(...args),
      marks: (...args) => scout.marks(...args),
      ignored: (...args) => scout.ignored(...args),
      changed: (...args) => scout.changed(...args),
      page: (...args) => scout.page(...args),
      close: async () => undefined,
    };
  }
  let worker: Worker | null = null;
  let nextId = 1;
  let idle: NodeJS.Timeout | undefined;
  const waiting = new Map<number, (reply: ScoutReply) => void>();

  const start = (): Worker => {
    const started = new Worker(file, { env: {}, execArgv: [], workerData: { program } });
    started.unref();
    started.on('message', (reply: ScoutReply) => waiting.get(reply.id)?.(reply));
    const ended = (error: unknown) => {
      if (worker !== started) return;
      worker = null;
      for (const [id, settle] of waiting)
        settle({ id, ok: false, error: `The worker ended: ${String(error)}` });
    };
    started.on('error', ended);
    started.on('exit', (code) => ended(`status ${code}`));
    return started;
  };
  const end = async () => {
    const ending = worker;
    worker = null;
    await ending?.terminate();
  };
  const ask = <T>(method: keyof ScoutApi, args: unknown[]): Promise<T> =>
    new Promise((resolve, reject) => {
      worker ??= start();
      clearTimeout(idle);
      idle = setTimeout(() => {
        if (waiting.size === 0) void end();
      }, IDLE_AFTER);
      idle.unref();
      const id = nextId++;
      waiting.set(id, (reply) => {
        waiting.delete(id);
        // The worker answers each method with the type of that method.
        if (reply.ok) resolve(reply.value as T);
        else reject(new Error(reply.error));
      });
      worker.postMessage({ id, method, args } satisfies ScoutRequest);
    });
  return {
    find: (...args) => ask('find', args),
    marks: (...args) => ask('marks', args),
    ignored: (...args) => ask('ignored', args),
    page: (...args) => ask('page', args),
    // Without a worker there are no names to invalidate.
    changed: (...args) => (worker === null ? Promise.resolve() : ask('changed', args)),
    close: async () => {
      clearTimeout(idle);
      await end();
    },
  };
}
