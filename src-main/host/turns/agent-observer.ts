import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { Question } from '../../approvals/gate';
import type { RehearsedCall } from '../../contract/outcome';
import type { Media } from '../../contract/shared/media';
import type { Reasons } from '../../contract/shared/reasons';
import type { Todo } from '../../contract/shared/todo';
import type { AgentRef, Compaction } from '../../harness';
import type { CallPiece } from './calls/streamed-call';

/** What let a call run: the person (`args`: as they edited them), or a reason and a rule. Not `outside`: it only reads. */
export type CallTrace =
  | { asked: true; args?: Record<string, unknown> }
  | { asked: false; reason: Reasons; ruleId?: string; outside: boolean };

/** Events from the harness to its host during a run. Called in order; must not throw. */
export interface AgentObserver {
  /** Awaited before what must be saved: undefined, or resolves when it can be, or when the signal aborts. */
  maySave?(signal?: AbortSignal): Promise<void> | undefined;
  /** A tool call is running until the promise settles; a stopped graph does not wait for it. */
  working?(work: Promise<unknown>): void;
  /** `history`: the agent's messages as saved, not as sent. */
  modelStarted(agent: AgentRef, history: readonly BaseMessage[]): void;
  modelDelta(agent: AgentRef, text: string, reasoning: string): void;
  /** A part of a call that the model is writing. */
  callDelta?(agent: AgentRef, piece: CallPiece): void;
  modelEnded(agent: AgentRef, message: AIMessage): void;
  /** The request failed or was stopped; streamed text stays, marked as cut off. */
  modelFailed(agent: AgentRef): void;
  /** Not called again for a call that only resumes after its approval. */
  approvalRequested(
    agent: AgentRef,
    call: { callId: string; tool: string; args: Record<string, unknown> },
    question: Question,
  ): void;
  /** The decided call differs from the current one; nothing runs. */
  decisionRefused?(agent: AgentRef, call: { callId: string; tool: string }): void;
  /** `trace`: what let a call run that reaches outside the conversation or reads the folder. */
  toolStarted(agent: AgentRef, callId: string, trace?: CallTrace): void;
  /** Awaited, so that its lookups are reported before the model continues. */
  toolEnded(agent: AgentRef, callId: string, outcome: ToolEnd): void | Promise<void>;
  /** A command runs in a throwaway layer, or its changes there were decided on. */
  rehearsed?(agent: AgentRef, callId: string, rehearsal: RehearsedCall): void;
  /** The whole result is stored in a file; called after `toolEnded`. */
  offloaded?(agent: AgentRef, callId: string, path: string): void;
  todosChanged(agent: AgentRef, todos: Todo[]): void;
  /** Older messages are being summarized; `compacted` or the end of the request follows. */
  compacting?(agent: AgentRef): void;
  compacted?(agent: AgentRef, compaction: Compaction): void;
}

export interface ToolEnd {
  status: 'done' | 'failed' | 'rejected' | 'cancelled';
  text: string;
  /** Milliseconds. */
  durationMs: number;
  exitCode?: number | null;
  /** What it changed is a file of the thread, in no folder. */
  scratch?: true;
  /** Media in the result besides its text. */
  media?: Media[];
  /** Why it did not run. */
  refused?: Reasons;
  /** Why it failed after it started, if its tool tells. */
  failure?: Reasons;
}
