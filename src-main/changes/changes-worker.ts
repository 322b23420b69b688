// A worker of the main process that keeps earlier file contents, so that this work never blocks the main thread.
import { parentPort, workerData } from 'node:worker_threads';
import { Engine } from './engine';
import type { EngineApi, EngineOptions, EngineReply, EngineRequest } from './protocol';
import { codeOf } from './system';

const port = parentPort;
if (port === null) throw new Error('The changes worker was not started as a worker.');

// The main process always starts it with these options.
const engine: EngineApi = new Engine(workerData as EngineOptions);

port.on('message', ({ id, method, args }: EngineRequest) => {
  const call = engine[method] as (...given: unknown[]) => Promise<unknown>;
  call.apply(engine, args).then(
    (value) => port.postMessage({ id, ok: true, value } satisfies EngineReply),
    (error: unknown) =>
      port.postMessage({
        id,
        ok: false,
        error: String(error),
        code: codeOf(error),
        stack: error instanceof Error ? error.stack : undefined,
      } satisfies EngineReply),
  );
});
