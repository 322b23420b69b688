import type { ToolMessage } from '@langchain/core/messages';
import type { Command } from '@langchain/langgraph';
import type { CallPast, Gate, GateCall, Verdict } from '../../../approvals/gate';
import type { Reason, Reasons } from '../../../contract/shared/reasons';
import type { AgentRef } from '../../../harness';
import type { CallJournal } from '../../threads/journal';
import type { AgentObserver, CallTrace } from '../agent-observer';
import type { OutsideContext } from '../messages/outside-context';
import type { CallRehearsals } from './rehearsed-call';

export interface ApprovalOptions {
  agent: AgentRef;
  gate: Gate;
  journal: CallJournal;
  observer: AgentObserver;
  /** Versions of files that approved calls are bound to, by call id; the write tools check them. */
  approvedVersions: Map<string, string | null>;
  /** Layers in which commands run first. Absent: none. */
  rehearsals?: CallRehearsals;
  /** Text from outside in the contexts of the run's agents. */
  outside: OutsideContext;
  /** Why an allowed call would be useless, so that nobody is asked; null if nothing is known. */
  refusal?: (call: GateCall, signal: AbortSignal) => Promise<{ why: Reason; toModel: string } | null>;
  /** Whether a file at this path is the thread's own, in no folder. */
  isInScratch?: (path: string) => boolean;
  /** Why a hook denies a call that is otherwise allowed or asked about; null if none does. */
  denied?: (call: GateCall, signal: AbortSignal) => Promise<Reasons | null>;
}

export interface Running {
  /** Default: as the model wrote them. */
  args?: Record<string, unknown>;
  outside: boolean;
  note?: string;
  trace?: CallTrace;
  /** The verdict that lets it run. It must be the same just before anything starts. */
  judged: Verdict;
  past: CallPast;
}

/** A result, or what the next judgment of the call needs. */
export interface Step {
  result?: ToolMessage | Command;
  past?: CallPast;
}
