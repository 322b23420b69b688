import type { EngineApi } from '../../../changes';
import type { Project } from '../../../contract/app';
import { sameState, UNREACHABLE } from '../../../contract/changes';
import type { ThreadId } from '../../../contract/ids';
import type { Storage } from '../../../storage';
import { unclear } from './unclear-author';

interface Parts {
  engine: Pick<EngineApi, 'states'>;
  storage: Pick<Storage, 'placeWrites' | 'leases'>;
}

/**
 * Records what calls changed in places before they were cut off. A place that does not answer has to wait for another start.
 * `onRecorded` is called for each thread that gets changes.
 */
export async function takeUpPlaceWrites(
  { id, folder }: Project,
  { engine, storage }: Parts,
  onRecorded: (threadId: ThreadId) => void,
): Promise<void> {
  const { placeWrites, leases } = storage;
  // Another live process records its own calls.
  const open = placeWrites.open(id).filter(({ author }) => leases.isFree(author.threadId));
  for (const { author, before } of open) {
    const states = await engine.states(
      folder,
      before.map(({ path }) => path),
    );
    if (states.some((state) => sameState(state, UNREACHABLE))) continue;
    const changes = before.flatMap((one, index) => {
      const after = states[index];
      return after === undefined || sameState(one.before, after) ? [] : [{ ...one, after }];
    });
    placeWrites.end(id, author, Date.now(), changes, unclear(author));
    if (changes.length > 0) onRecorded(author.threadId);
  }
}
