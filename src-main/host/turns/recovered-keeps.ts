import { digestOf } from '../../approvals/gate';
import type { Approval } from '../../contract/conversation';
import type { Storage } from '../../storage';
import type { Rehearsals } from '../project/rehearsals';
import type { LiveThread } from '../threads/live-thread';
import { journalOf } from './call-journal';
import { addNote, replay, storedResult } from './middleware/call-results';
import { keptResult } from './middleware/rehearsed-call';

type RecoveredOutcome = Awaited<ReturnType<Rehearsals['keptOf']>>;

/**
 * Records what became of an outcome whose keep a kill interrupted. If nothing was kept, it is a pending approval again.
 * Otherwise the call gets its result, so that it neither runs nor asks again.
 */
export function recoverKeep(
  live: LiveThread,
  storage: Storage,
  approval: Approval,
  became: RecoveredOutcome,
): void {
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
