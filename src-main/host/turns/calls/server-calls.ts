import { createHash, randomUUID } from 'node:crypto';
import type { Approval, Decision } from '../../../contract/approvals';
import { ApprovalId, CallId } from '../../../contract/ids';
import { because } from '../../../contract/shared/reasons';
import type { QuestionAnswer, ServerQuestion } from '../../../mcp/questions';
import type { CallsOfRun } from '../../../mcp/tools/server-tool';
import { findCall } from '../../memories/memories';
import type { LiveThread } from '../../threads/live-thread';
import type { RunServices, RunSetting } from '../run/run-services';
import { askDuringCall } from './ask-during-call';

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
        return answerOf(
          await askDuringCall(services, live, approvalOf(live, callId, tool, question), signal),
        );
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
    reason: [because(whatHappens(question)), ...(asksSecret ? [because('mcp_server_asks_secret')] : [])],
    risk: asksSecret ? 'high' : 'low',
    allowed: ['respond', 'reject'],
    digest: createHash('sha256')
      .update(JSON.stringify([id, question]))
      .digest('hex'),
    at: Date.now(),
  };
}

/** What the person's answer does. */
function whatHappens({ url, step }: ServerQuestion) {
  if (url === null) return 'mcp_server_asks';
  if (step === undefined) return 'mcp_page_asked';
  return step === 'first' ? 'mcp_page_first' : 'mcp_page_finish';
}

const answerOf = (decision: Decision | null): QuestionAnswer => {
  if (decision === null) return { action: 'cancel' };
  return decision.type === 'respond' ? { action: 'accept', text: decision.text } : { action: 'decline' };
};
