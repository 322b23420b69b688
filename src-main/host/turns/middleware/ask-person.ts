import { interrupt, isGraphInterrupt } from '@langchain/langgraph';
import type { GateCall, Question } from '../../../approvals/gate';
import { Decision } from '../../../contract/approvals';
import { optional } from '../../../contract/shared/optional';
import type { AgentRef } from '../../../harness';
import type { AgentObserver } from '../agent-observer';

/** What a pending call passes to whoever resumes it. */
export interface ApprovalInterrupt {
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  agent?: string;
  question: Question;
}

/** What the call is resumed with. `fileVersion` and the digests are those that the person saw. */
export interface ApprovalResume {
  decision: Decision;
  digest?: string;
  outcomeDigest?: string;
  fileVersion?: string | null;
}

/**
 * Stops the graph until the person has decided. Returns only in a resumed run, and only a decision on this exact request:
 * one on an earlier state of the call leads to a new request. The last decision counts.
 */
export function askPerson(
  call: GateCall,
  question: Question,
  agent: AgentRef,
  observer: AgentObserver,
): ApprovalResume {
  const payload: ApprovalInterrupt = {
    callId: call.callId,
    tool: call.tool,
    args: call.args,
    question,
    ...optional({ agent: call.agent }),
  };
  let last: ApprovalResume | undefined;
  for (;;) {
    try {
      const resumed = interrupt<
        ApprovalInterrupt,
        Partial<Omit<ApprovalResume, 'decision'>> & { decision?: unknown }
      >(payload);
      // Fails closed: a resume without a valid decision throws here, and nothing runs.
      last = { ...resumed, decision: Decision.parse(resumed?.decision) };
    } catch (error) {
      if (!isGraphInterrupt(error)) throw error;
      if (last !== undefined && isOn(last, question)) return last;
      if (last !== undefined) observer.decisionRefused?.(agent, call);
      observer.approvalRequested(agent, call, question);
      throw error;
    }
  }
}

/** Decisions after which the command runs with what is in the folder then. */
const RUNS: readonly Decision['type'][] = ['approve', 'edit', 'run'];

/** A rejection or a text answer applies whatever has changed since. */
const isOn = ({ decision, digest, outcomeDigest }: ApprovalResume, question: Question): boolean =>
  decision.type === 'reject' ||
  decision.type === 'respond' ||
  digest === undefined ||
  digest === question.digest ||
  (outcomeDigest !== undefined && outcomeDigest === question.outcomeDigest && !RUNS.includes(decision.type));
