import { parentPort, workerData } from 'node:worker_threads';
import { Scout } from './scout';
import type { ScoutReply, ScoutRequest } from './scout-client';

const { program } = workerData as { program: string | null };
const scout = new Scout(program);

parentPort?.on('message', async ({ id, method, args }: ScoutRequest) => {
  const answer = (reply: ScoutReply) => parentPort?.postMessage(reply);
  try {
    // The client sends the arguments of this method.
    const work = scout[method] as (...given: unknown[]) => Promise<unknown>;
    answer({ id, ok: true, value: await work.apply(scout, args) });
  } catch (error) {
    answer({ id, ok: false, error: String(error) });
  }
});
