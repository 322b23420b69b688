import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { Question } from '../../approvals/gate';
import type { RehearsedCall } from '../../contract/outcome';
import type { Media } from '../../contract/shared/media';
import type { Reasons } from '../../contract/shared/reasons';
import type { Todo } from '../../contract/shared/todo';
import type { AgentRef } from '../../harness/agent/agent-ref';
import type { Compaction } from '../../harness/agent/context/compaction';

/** What let a call run: the person (`args`: as they put them), or a reason and a rule. Not `outside`: it only looks. */
export type CallTrace =
  | { asked: true; args?: Record<string, unknown> }
  | { asked: false; reason: Reasons; ruleId?: string; outside: boolean };

/** What the harness tells its host while it runs. Called in order; must not throw. */
export interface AgentObserver {
  /** A tool call is at work until the promise settles; a stopped graph does not wait for it. */
  working?(work: Promise<unknown>): void;
  /** `history`: the agent's messages as they are saved, not what is sent of them. */
  modelStarted(agent: AgentRef, history: readonly BaseMessage[]): void;
  modelDelta(agent: AgentRef, text: string, reasoning: string): void;
  modelEnded(agent: AgentRef, message: AIMessage): void;
  /** The request failed or was stopped; what had streamed stands as cut. */
  modelFailed(agent: AgentRef): void;
  /** Not called again for a call that only resumes after its question was answered. */
  approvalRequested(
    agent: AgentRef,
    call: { callId: string; tool: string; args: Record<string, unknown> },
    question: Question,
  ): void;
  /** What a decision was taken on is not what would run now; nothing is run. */
  decisionRefused?(agent: AgentRef, call: { callId: string; tool: string }): void;
  /** `trace`: it reaches outside the conversation or looks into the folder; what let it run. */
  toolStarted(agent: AgentRef, callId: string, trace?: CallTrace): void;
  /** Awaited, so that what it looks up is told before the model goes on. */
  toolEnded(agent: AgentRef, callId: string, outcome: ToolEnd): void | Promise<void>;
  /** A command runs in a throwaway layer, or what it did there was decided about. */
  rehearsed?(agent: AgentRef, callId: string, rehearsal: RehearsedCall): void;
  /** The whole of a result is kept in a file; told after `toolEnded`. */
  offloaded?(agent: AgentRef, callId: string, path: string): void;
  todosChanged(agent: AgentRef, todos: Todo[]): void;
  /** Older messages are being summarised; `compacted` or the end of the request follows. */
  compacting?(agent: AgentRef): void;
  compacted?(agent: AgentRef, compaction: Compaction): void;
}

export interface ToolEnd {
  status: 'done' | 'failed' | 'rejected' | 'cancelled';
  text: string;
  /** Milliseconds. */
  durationMs: number;
  exitCode?: number | null;
  /** What the result holds beside its words. */
  media?: Media[];
  /** Why it did not run. */
  refused?: Reasons;
}
