import { setImmediate as nextRound } from 'node:timers/promises';
import type { ThreadId } from '../../../contract/ids';
import type { RunServices } from './run-services';

/** What a run imports when it is needed. */
const MODULES: readonly (() => Promise<unknown>)[] = [
  () => import('./thread-agent'),
  () => import('./prepare-next-run'),
  () => import('../messages/graph-input'),
  () => import('./knowledge'),
];

/** Loads the code that the first run of a thread needs, with its model's. Creates nothing that stays. */
export async function loadRunModules(
  { storage, models }: Pick<RunServices, 'storage' | 'models'>,
  threadId: ThreadId,
): Promise<void> {
  for (const load of MODULES) {
    await load();
    await nextRound();
  }
  const thread = storage.threads.get(threadId)?.thread;
  if (thread === undefined) return;
  // Without a key or an address, the first message reports it.
  await models.forRun(threadId, thread.model, { onRetry: () => undefined, onFallback: () => undefined });
}
