import { digestOf } from '../../approvals/gate';
import type { Approval } from '../../contract/approvals';
import type { ThreadId } from '../../contract/ids';
import type { Result } from '../../contract/result';
import type { Storage } from '../../storage';
import type { Rehearsals } from '../project/rehearsals/rehearsals';
import type { LiveThread } from '../threads/live-thread';
import { journalOf } from './calls/call-journal';
import { addNote, replay, storedResult } from './middleware/call-results';
import { keptResult } from './middleware/rehearsed-call';
import type { RunOptions } from './run/run';
import { interruptTurn } from './turn-endings';

export type RecoveredLayers = Pick<Rehearsals, 'recover' | 'keptOf'>;
type RecoveredOutcome = Awaited<ReturnType<Rehearsals['keptOf']>>;

interface RecoveryParts extends Pick<RunOptions, 'storage' | 'report'> {
  thread(threadId: ThreadId): Result<LiveThread>;
}

/**
 * At startup: waiting turns keep waiting; turns that were running when Deepdesk exited are marked, and the person can
 * continue them. Threads run by another live process are left alone. A turn that was keeping an outcome waits here until
 * all of the files are in the folder or none is: where none is, the outcome is asked about again. `rehearsals` is null if
 * this is not the first process of the data folder.
 */
export async function recoverTurns(parts: RecoveryParts, rehearsals: RecoveredLayers | null): Promise<void> {
  const { storage, report } = parts;
  for (const live of leftUnfinished(parts)) {
    const keeps = rehearsals === null ? [] : interruptedKeeps(live, storage);
    try {
      if (keeps.length > 0) await rehearsals?.recover();
      for (const approval of keeps)
        recoverKeep(live, storage, approval, (await rehearsals?.keptOf(approval)) ?? null);
    } catch (error) {
      report('interrupted keep', error);
    }
    waitOrInterrupt(live, storage);
  }
}

/** Threads whose turn was not over when its process ended. */
function leftUnfinished({ storage: { leases, threads }, thread }: RecoveryParts): LiveThread[] {
  return threads.unfinished().flatMap((threadId) => {
    const lease = leases.acquire(threadId);
    if (!lease.ok) return [];
    leases.release(threadId);
    const found = thread(threadId);
    return found.ok ? [found.value] : [];
  });
}

/** Outcomes that the person decided to keep, where the call has no result. */
function interruptedKeeps(live: LiveThread, { approvals, journal }: Storage): Approval[] {
  return approvals
    .taken(live.id)
    .filter(({ approval: { outcome, callId }, decision }) => {
      const isKeep = outcome !== undefined && decision.type === 'keep';
      return isKeep && journal.lookup(live.id, callId)?.state !== 'finished';
    })
    .map(({ approval }) => approval);
}

/**
 * Records how an outcome ended whose keep was interrupted by a kill. If nothing was kept, it is a pending approval again.
 * Otherwise the call gets its result, so that it neither runs nor asks again.
 */
function recoverKeep(live: LiveThread, storage: Storage, approval: Approval, became: RecoveredOutcome): void {
  if (became === null) return;
  if (became === 'nothing') {
    live.emitWith({ type: 'approval.requested', approval }, () =>
      storage.approvals.reopen(live.id, approval.id),
    );
    return;
  }
  const { callId, tool, args } = approval;
  const { note, told, result } = keptResult(became);
  const { content = '', exitCode = null } = result ?? {};
  const message = replay({ content, exitCode, status: exitCode === 0 ? 'success' : 'error' }, callId, tool);
  addNote(message, note);
  const journal = journalOf(live.id, storage);
  live.emitWith({ type: 'tool.rehearsed', callId, rehearsal: told }, () => {
    journal.begin(callId, digestOf({ callId, tool, args }, '', undefined));
    journal.finish(callId, storedResult(message));
  });
}

/** A running call asked it: nobody waits for the answer any more. */
const isOfRunningCall = ({ preview }: Approval): boolean =>
  preview.kind === 'form' || preview.kind === 'timeout';

/** A turn with pending approvals waits for them; another one was cut off. */
function waitOrInterrupt(live: LiveThread, storage: Storage): void {
  const { turn } = live.state;
  if (turn.phase !== 'running' && turn.phase !== 'waiting') return;
  for (const { id, callId } of live.state.approvals.filter(isOfRunningCall))
    live.emitWith({ type: 'approval.withdrawn', approvalId: id, callId }, () =>
      storage.approvals.drop(live.id, id),
    );
  const { approvals } = live.state;
  if (approvals.length === 0) interruptTurn(live, turn.turnId);
  else if (turn.phase === 'running') live.emit({ type: 'turn.waiting', turnId: turn.turnId, at: Date.now() });
}

/** The thread, as after a start if its turn is of another process that was killed. `running`: the threads that run here. */
export function endAbandoned(
  live: LiveThread,
  storage: Storage,
  running: ReadonlyMap<ThreadId, unknown>,
): LiveThread {
  if (live.state.turn.phase === 'running' && !running.has(live.id) && storage.leases.isFree(live.id))
    waitOrInterrupt(live, storage);
  return live;
}
