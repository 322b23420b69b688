import type { Approval, Decision } from '../../../contract/approvals';
import { optional } from '../../../contract/shared/optional';
import { findCall } from '../../memories/memories';
import type { LiveThread } from '../../threads/live-thread';
import type { RunServices } from '../run/run-services';

/** Asks the person while a call is running. Null: the question was withdrawn. Rejects with the reason of `signal`. */
export async function askDuringCall(
  { storage, hub }: Pick<RunServices, 'storage' | 'hub'>,
  live: LiveThread,
  approval: Approval,
  signal: AbortSignal,
): Promise<Decision | null> {
  const { id, callId } = approval;
  const before = findCall(live.state.messages, callId);
  let stopListening: () => void = () => undefined;
  let stop: () => void = () => undefined;
  try {
    const decided = new Promise<Decision | null>((resolve, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      stopListening = hub.onThread(live.id, (event) => {
        if (event.type === 'approval.decided' && event.approvalId === id) resolve(event.decision);
        else if (event.type === 'approval.withdrawn' && event.approvalId === id) resolve(null);
        else if (event.type === 'turn.ended') resolve(null);
      });
    });
    signal.throwIfAborted();
    storage.approvals.insert(approval);
    live.emit({ type: 'approval.requested', approval });
    const decision = await decided;
    goOn(live, before);
    return decision;
  } finally {
    stopListening();
    signal.removeEventListener('abort', stop);
    if (live.state.approvals.some((open) => open.id === id)) {
      storage.approvals.drop(live.id, id);
      live.emit({ type: 'approval.withdrawn', approvalId: id, callId });
      goOn(live, before);
    }
  }
}

/** The call runs again, as before the question. */
function goOn(live: LiveThread, before: ReturnType<typeof findCall>): void {
  if (before === undefined || live.state.turn.phase !== 'running') return;
  const { callId, startedAt = Date.now(), unasked } = before;
  if (findCall(live.state.messages, callId)?.status !== 'waiting') return;
  live.emit({ type: 'tool.started', callId, at: startedAt, ...optional({ unasked }) });
}
