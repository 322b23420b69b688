import type { ToolMessage } from '@langchain/core/messages';
import type { Command } from '@langchain/langgraph';
import type { CallPast, Gate, GateCall, Verdict } from '../../../approvals/gate';
import type { AgentRef } from '../../../harness/agent/agent-ref';
import type { CallJournal } from '../../threads/journal';
import type { AgentObserver, CallTrace } from '../agent-observer';
import type { CallRehearsals } from './rehearsed-call';

export interface ApprovalOptions {
  agent: AgentRef;
  gate: Gate;
  journal: CallJournal;
  observer: AgentObserver;
  /** Versions of files that approved calls are bound to, by call id; the write tools read it. */
  approvedVersions: Map<string, string>;
  /** Layers in which commands run first. Absent: there are none. */
  rehearsals?: CallRehearsals;
  /** Why a call that is not denied would be of no use, so that nobody is asked; null where nothing is known against it. */
  refusal?: (call: GateCall, signal: AbortSignal) => Promise<string | null>;
}

export interface Running {
  /** Default: as the model wrote them. */
  args?: Record<string, unknown>;
  outside: boolean;
  note?: string;
  trace?: CallTrace;
  /** What lets it run. It is judged so again just before anything is started. */
  judged: Verdict;
  past: CallPast;
}

/** A result, or what is known of the call when it is judged again. */
export interface Step {
  result?: ToolMessage | Command;
  past?: CallPast;
}
