import type { ToolCall } from '../../../contract/conversation';
import type { CallId } from '../../../contract/ids';
import { fail, ok, type Result } from '../../../contract/result';
import { STOPPED_BY_PERSON } from '../../../harness/agent/stopped';
import { delegates } from '../../../harness/tools/catalogue';
import type { Storage } from '../../../storage';
import { findCall } from '../../memories/memories';
import type { LiveThread } from '../../threads/live-thread';

/**
 * Records that the sub-agent of a `task` call was stopped. Its approvals are withdrawn, and it does not continue even after
 * a kill. Errors: `invalid` for other calls, `conflict` if it has finished.
 */
export function recordStop(
  live: LiveThread,
  callId: CallId,
  storage: Storage,
): Result<Record<string, never>> {
  const { messages, approvals } = live.state;
  const call = findCall(messages, callId);
  if (call === undefined || !delegates(call.name)) return fail('invalid', 'sub_agents_only');
  if (!isOpen(call)) return fail('conflict', 'sub_agent_finished');
  const open = messages.flatMap((message) =>
    message.role === 'agent' && message.parentCallId === callId ? message.calls.filter(isOpen) : [],
  );
  const own = new Set(open.map((one) => one.callId));
  const asked = approvals.filter((approval) => own.has(approval.callId));
  const { journal, approvals: questions } = storage;
  for (const { id } of asked) questions.drop(live.id, id);
  // Its own calls too: their decisions must not be used any more.
  for (const id of [callId, ...own]) {
    journal.begin(live.id, id, 'stopped');
    journal.finish(live.id, id, JSON.stringify({ content: STOPPED_BY_PERSON, status: 'error' }));
  }
  live.emit(
    ...asked.map((approval) => ({
      type: 'approval.withdrawn' as const,
      approvalId: approval.id,
      callId: approval.callId,
    })),
    ...[...asked.map((approval) => approval.callId), callId].map((id) => ({
      type: 'tool.ended' as const,
      callId: id,
      status: 'cancelled' as const,
      result: STOPPED_BY_PERSON,
      durationMs: call.startedAt === undefined ? 0 : Math.max(0, storage.now() - call.startedAt),
    })),
  );
  return ok({});
}

const isOpen = ({ status }: ToolCall) => status === 'pending' || status === 'waiting' || status === 'running';
