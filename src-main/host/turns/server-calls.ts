import { createHash, randomUUID } from 'node:crypto';
import type { Approval, Decision } from '../../contract/conversation';
import { ApprovalId, CallId } from '../../contract/ids';
import { optional } from '../../contract/shared/optional';
import { because } from '../../contract/shared/reasons';
import type { QuestionAnswer, ServerQuestion } from '../../mcp/questions';
import type { CallsOfRun } from '../../mcp/server-tool';
import { findCall } from '../memories/memories';
import type { LiveThread } from '../threads/live-thread';
import type { RunServices, RunSetting } from './run-services';

/** Milliseconds between two reports of a call's progress. */
const PROGRESS_EVERY = 200;

/** Shows the progress of a run's calls of MCP servers, and asks the person what the servers ask. */
export function serverCalls(
  services: Pick<RunServices, 'storage' | 'hub' | 'editors'>,
  { hasPerson }: Pick<RunSetting, 'hasPerson'>,
  live: LiveThread,
): CallsOfRun {
  return (tool, id) => {
    const callId = CallId.parse(id);
    let shownAt = 0;
    return {
      progressed: (progress) => {
        const now = Date.now();
        if (now - shownAt < PROGRESS_EVERY || findCall(live.state.messages, callId)?.status !== 'running')
          return;
        shownAt = now;
        live.emit({ type: 'tool.progress', callId, progress });
      },
      ask: async (question, signal) => {
        // An editor has no form for it, and without a window nobody would answer.
        const isAlone = !hasPerson() || services.editors.of(live.id) !== null;
        if (isAlone || live.state.turn.phase !== 'running') return { action: 'cancel' };
        return askPerson(services, live, approvalOf(live, callId, tool, question), signal);
      },
    };
  };
}

function approvalOf(live: LiveThread, callId: CallId, tool: string, question: ServerQuestion): Approval {
  const { asksSecret } = question;
  const id = randomUUID();
  return {
    id: ApprovalId.parse(id),
    threadId: live.id,
    callId,
    tool,
    args: {},
    preview: { kind: 'form', ...question },
    reason: [because('mcp_server_asks'), ...(asksSecret ? [because('mcp_server_asks_secret')] : [])],
    risk: asksSecret ? 'high' : 'low',
    allowed: ['respond', 'reject'],
    digest: createHash('sha256')
      .update(JSON.stringify([id, question]))
      .digest('hex'),
    at: Date.now(),
  };
}

/** Waits for the decision. Rejects with the reason of `signal`. */
async function askPerson(
  { storage, hub }: Pick<RunServices, 'storage' | 'hub'>,
  live: LiveThread,
  approval: Approval,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const { id, callId } = approval;
  const before = findCall(live.state.messages, callId);
  let stopListening: () => void = () => undefined;
  let stop: () => void = () => undefined;
  try {
    const decided = new Promise<QuestionAnswer>((resolve, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      stopListening = hub.onThread(live.id, (event) => {
        if (event.type === 'approval.decided' && event.approvalId === id) resolve(answerOf(event.decision));
        else if (event.type === 'approval.withdrawn' && event.approvalId === id)
          resolve({ action: 'cancel' });
        else if (event.type === 'turn.ended') resolve({ action: 'cancel' });
      });
    });
    signal.throwIfAborted();
    storage.approvals.insert(approval);
    live.emit({ type: 'approval.requested', approval });
    const answer = await decided;
    goOn(live, before);
    return answer;
  } finally {
    stopListening();
    signal.removeEventListener('abort', stop);
    if (live.state.approvals.some((open) => open.id === id)) {
      storage.approvals.drop(live.id, id);
      live.emit({ type: 'approval.withdrawn', approvalId: id, callId });
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

const answerOf = (decision: Decision): QuestionAnswer =>
  decision.type === 'respond' ? { action: 'accept', text: decision.text } : { action: 'decline' };
