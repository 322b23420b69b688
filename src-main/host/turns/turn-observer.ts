import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { Question } from '../../approvals/gate';
import type { AgentMessage, MemoryChange } from '../../contract/conversation';
import { type ErrorText, errorText } from '../../contract/errors';
import type { NewThreadEvent } from '../../contract/events';
import { CallId, type TerminalId } from '../../contract/ids';
import type { RehearsedCall } from '../../contract/outcome';
import { type AppError, appError } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import type { AgentRef, Compaction } from '../../harness';
import { partsOf } from '../../harness/agent/message-parts';
import { displayOf } from '../../harness/tools/catalogue';
import { isCutAtLimit } from '../../models/incomplete';
import type { Spent } from '../../models/model-call';
import type { Storage } from '../../storage';
import { WORK_WAITS } from '../../storage/database/write-lock';
import { routineLimits } from '../approvals/routine-gate';
import type { EndedCall } from '../places/place-activity';
import type { LiveThread } from '../threads/live-thread';
import { newMessageId } from '../threads/new-ids';
import type { ThreadMedia } from '../threads/thread-media';
import type { AgentObserver, CallTrace, ToolEnd } from './agent-observer';
import { approvalIdOf } from './approval-id';
import { callsIn } from './calls/answered-calls';
import { lostAnswers } from './calls/lost-answers';
import type { CallPiece } from './calls/streamed-call';
import { markerOf } from './messages/compactions';
import { blankAnswer, endRetry, keyOf, StreamedAnswers } from './messages/streamed-answers';
import { usageAfter } from './usage-after';

/** UTF-16 units of a result for the window; the model may get more. */
const MAX_RESULT_LENGTH = 20_000;

/** Converts harness events into thread events. One per run; `finish` flushes and stops its timer. */
export class TurnObserver implements AgentObserver {
  private readonly answers: StreamedAnswers;
  /** Agents whose model was called in this run. */
  private readonly asking = new Set<string>();
  private readonly atWork = new Set<Promise<unknown>>();
  private isClosed = false;
  /** The last answer of the thread's own agent had neither text nor calls. */
  answeredNothing = false;

  constructor(
    private readonly live: LiveThread,
    private readonly storage: Storage,
    /** What a finished call, with its result, did to a memory. */
    private readonly memoryChangeOf: (callId: CallId, result: string) => Promise<MemoryChange | undefined>,
    /** Stores media of results for the window. */
    private readonly media?: ThreadMedia,
    /** Called for refused decisions. */
    private readonly onRefused: (what: string) => void = () => undefined,
    /** Numbers of the secrets redacted from a call's result. */
    private readonly redactedIn: (callId: CallId) => readonly number[] = () => [],
    /** Receives each call that has ended. */
    private readonly onEnded: (call: EndedCall) => void = () => undefined,
  ) {
    this.answers = new StreamedAnswers(live);
  }

  maySave(signal?: AbortSignal): Promise<void> | undefined {
    return this.storage.lock.wait(WORK_WAITS, signal);
  }

  working(work: Promise<unknown>): void {
    this.atWork.add(work);
    const forget = () => this.atWork.delete(work);
    work.then(forget, forget);
  }

  /** Resolves when no tool call is running, after `within` milliseconds at the latest. */
  async settled(within: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, within);
    });
    await Promise.race([Promise.allSettled([...this.atWork]), late]);
    clearTimeout(timer);
  }

  /** Whether the run requested an approval since the last call of this; then it waits for it. */
  takeAsked(): boolean {
    const { asked } = this;
    this.asked = false;
    return asked;
  }
  private asked = false;

  modelStarted(agent: AgentRef, history: readonly BaseMessage[]): void {
    // Only events of an earlier run can have been lost.
    if (!this.asking.has(keyOf(agent))) {
      this.asking.add(keyOf(agent));
      const lost = lostAnswers(this.live.state.messages, agent?.callId ?? null, history);
      for (const messageId of lost) this.emit({ type: 'message.removed', messageId });
    }
    this.answers.start(agent);
  }

  modelDelta(agent: AgentRef, text: string, reasoning: string): void {
    this.answers.add(agent, text, reasoning);
  }

  callDelta(agent: AgentRef, piece: CallPiece): void {
    this.answers.addCall(agent, piece);
  }

  modelEnded(agent: AgentRef, answer: AIMessage): void {
    const streamed = this.answers.end(agent);
    const { text, reasoning } = partsOf(answer);
    const calls = callsIn(answer);
    const message: AgentMessage = {
      ...blankAnswer(streamed?.id ?? newMessageId(), agent),
      text,
      reasoning,
      calls,
      phase: 'done',
      ...optional({ graphId: answer.id }),
      ...this.billOf(agent),
    };
    if (agent === null) this.answeredNothing = text.trim() === '' && calls.length === 0;
    if (text !== '' || reasoning !== '' || calls.length > 0) {
      this.emit(streamed?.shown ? { type: 'message.ended', message } : { type: 'message.added', message });
    }
    this.retried();
    if (agent === null && calls.length === 0 && isCutAtLimit(answer))
      this.told(appError('provider', errorText('answer_at_limit')));
  }

  modelFailed(agent: AgentRef): void {
    this.answers.flush();
    const streamed = this.answers.end(agent);
    this.retried();
    this.bills.delete(keyOf(agent));
    if (!streamed?.shown) return;
    const message = this.live.state.messages.findLast((m) => m.id === streamed.id);
    if (message?.role === 'agent')
      this.emit({ type: 'message.ended', message: { ...message, phase: 'cut' } });
  }

  approvalRequested(
    agent: AgentRef,
    call: { callId: string; tool: string; args: Record<string, unknown> },
    question: Question,
  ): void {
    // Stopped while the approval was prepared: nobody waits for it.
    if (this.isClosed) return;
    this.asked = true;
    const { fileVersion: _, thenRehearse: _rehearses, outcomeDigest: _outcome, ...asked } = question;
    const callId = CallId.parse(call.callId);
    const approval = {
      ...asked,
      id: approvalIdOf(this.live.id, callId, question.digest),
      threadId: this.live.id,
      callId,
      tool: call.tool,
      ...optional({ display: displayOf(call.tool) }),
      args: call.args,
      at: Date.now(),
      ...(agent === null ? {} : { agent: agent.name }),
    };
    const open = this.live.state.approvals;
    if (open.some((known) => known.id === approval.id)) return;
    // The file changed since the first request: the old approval is outdated.
    for (const old of open.filter((known) => known.callId === callId)) {
      this.emit({ type: 'approval.withdrawn', approvalId: old.id, callId });
    }
    // Saved before the window gets it; false if there is already an unused decision.
    if (this.storage.approvals.insert(approval))
      this.emit({ type: 'approval.requested', approval }, () =>
        this.storage.activity.waits(this.live.id, callId),
      );
  }

  toolStarted(agent: AgentRef, id: string, trace?: CallTrace): void {
    const callId = CallId.parse(id);
    if (agent !== null) this.agents.set(id, agent.name);
    if (trace?.asked === true) this.decided.set(callId, trace);
    this.withdraw(callId);
    const at = Date.now();
    const isAutoApproved = trace !== undefined && !trace.asked && trace.outside;
    const { reason = [], ruleId } = trace === undefined || trace.asked ? {} : trace;
    const unasked = ruleId === undefined ? { reason } : { reason, ruleId };
    if (isAutoApproved && ruleId === undefined) this.autoApproved.add(id);
    const event = { type: 'tool.started' as const, callId, at, ...(isAutoApproved ? { unasked } : {}) };
    const call = trace && this.callOf(callId);
    if (trace === undefined || call === undefined) {
      this.emit(event);
      return;
    }
    const { thread } = this.live.state;
    this.emit(event, (seq) =>
      this.storage.activity.started({
        projectId: thread.projectId,
        threadId: this.live.id,
        callId,
        at,
        agent: agent?.name ?? null,
        tool: call.name,
        args: trace.asked ? (trace.args ?? call.args) : call.args,
        asked: trace.asked,
        outside: trace.asked || trace.outside,
        reason,
        ruleId: ruleId ?? null,
        mode:
          routineLimits(this.storage, this.live.id)?.mode ??
          this.storage.projects.get(thread.projectId)?.mode ??
          'ask-risky',
        stepCost: call.stepCost,
        seq,
      }),
    );
  }

  /** The call with the cost of its step. */
  private callOf(callId: CallId) {
    const message = this.live.state.messages.findLast(
      (one) => one.role === 'agent' && one.calls.some((call) => call.callId === callId),
    );
    if (message?.role !== 'agent') return undefined;
    const call = message.calls.find((one) => one.callId === callId);
    return call && { ...call, stepCost: message.costMicroDollars ?? null };
  }

  /** The approved call differs from the one that would run now. */
  decisionRefused(_agent: AgentRef, { callId, tool }: { callId: string; tool: string }): void {
    this.onRefused(
      `A decision on ${tool} (${callId}) no longer applies: the call would now run differently from what was shown.`,
    );
  }

  /** Withdraws an approval that a new rule or another mode has settled. */
  private withdraw(callId: CallId): void {
    for (const { id } of this.live.state.approvals.filter((open) => open.callId === callId)) {
      this.storage.approvals.drop(this.live.id, id);
      this.emit({ type: 'approval.withdrawn', approvalId: id, callId });
    }
  }

  /** Name of the sub-agent that makes a call; null for the thread's own agent. */
  agentOf(callId: string): string | null {
    return this.agents.get(callId) ?? null;
  }
  private readonly agents = new Map<string, string>();

  /** Whether the call runs although neither the person nor a rule of theirs allowed it. */
  isAutoApproved(callId: string): boolean {
    return this.autoApproved.has(callId);
  }
  private readonly autoApproved = new Set<string>();

  /** Calls that the person allowed in this run. */
  private readonly decided = new Map<CallId, CallTrace & { asked: true }>();

  /** A terminal was opened for a running call. */
  terminalOpened(callId: string, terminalId: TerminalId): void {
    this.emit({ type: 'tool.started', callId: CallId.parse(callId), at: this.storage.now(), terminalId });
  }

  /** The command of a call has exited. What surrounds it, such as its sandbox, does not count as its time. */
  commandEnded(callId: string, durationMs: number): void {
    this.commandTimes.set(callId, durationMs);
  }
  private readonly commandTimes = new Map<string, number>();

  async toolEnded(_agent: AgentRef, id: string, end: ToolEnd): Promise<void> {
    if (this.isClosed) return;
    const callId = CallId.parse(id);
    this.withdraw(callId);
    const memory = await this.memoryChangeOf(callId, end.text);
    const media = end.media === undefined ? undefined : await this.media?.keep(this.live.id, end.media);
    const redacted = this.redactedIn(callId);
    const ended = {
      callId,
      status: end.status,
      result: end.text.length > MAX_RESULT_LENGTH ? `${end.text.slice(0, MAX_RESULT_LENGTH)}…` : end.text,
      durationMs: Math.round(this.commandTimes.get(id) ?? end.durationMs),
      ...optional({ exitCode: end.exitCode, memory }),
      ...(redacted.length === 0 ? {} : { withheld: [...redacted] }),
    };
    const { refused, failure, scratch } = end;
    this.emit({ type: 'tool.ended', ...ended, ...optional({ media, refused, failure, scratch }) }, (seq) =>
      this.storage.activity.ended(this.live.id, callId, { ...ended, seq }),
    );
    const call = this.callOf(callId);
    const decided = this.decided.get(callId);
    if (call !== undefined)
      this.onEnded({
        callId,
        tool: call.name,
        args: decided?.args ?? call.args,
        status: end.status,
        asked: decided !== undefined,
        refused: refused !== undefined,
      });
  }

  rehearsed(_agent: AgentRef, callId: string, rehearsal: RehearsedCall): void {
    this.emit({ type: 'tool.rehearsed', callId: CallId.parse(callId), rehearsal });
  }

  todosChanged(
    agent: AgentRef,
    todos: { content: string; status: 'pending' | 'in_progress' | 'completed' }[],
  ): void {
    if (agent === null) this.emit({ type: 'todos.changed', todos });
  }

  offloaded(_agent: AgentRef, callId: string, path: string): void {
    this.emit({ type: 'tool.saved', callId: CallId.parse(callId), path });
  }

  compacting(): void {
    const { turn } = this.live.state;
    if (turn.phase === 'running')
      this.emit({ type: 'turn.detail', turnId: turn.turnId, detail: 'compacting' });
  }

  compacted(agent: AgentRef, compaction: Compaction): void {
    this.emit({ type: 'compaction.added', compaction: markerOf(compaction, agent) });
    const { turn, usage } = this.live.state;
    if (turn.phase === 'running') this.emit({ type: 'turn.detail', turnId: turn.turnId, detail: null });
    if (agent === null)
      this.emit({ type: 'usage.changed', usage: { ...usage, contextTokens: compaction.tokensAfter } });
  }

  /** A request was answered or cut off: reports its cost and adds it to the answer. */
  spent(agent: AgentRef, spent: Spent): void {
    if (!spent.isSummary) this.bills.set(keyOf(agent), spent);
    const { usage } = this.live.state;
    // Includes the cost of a stopped turn.
    const after = usageAfter(usage, spent, {
      isOwn: agent === null,
      costOfThread: () => this.storage.spending.ofThread(this.live.id),
    });
    if (after !== null) this.emit({ type: 'usage.changed', usage: after });
  }
  private readonly bills = new Map<string, Pick<Spent, 'model' | 'usage' | 'cost'>>();

  private billOf(agent: AgentRef): Pick<AgentMessage, 'model' | 'usage' | 'costMicroDollars'> {
    const bill = this.bills.get(keyOf(agent));
    if (bill === undefined) return {};
    this.bills.delete(keyOf(agent));
    const { model, usage, cost } = bill;
    return { model, ...(usage === null ? {} : { usage, costMicroDollars: cost }) };
  }

  /** A request was refused for now and will be retried after this many milliseconds. */
  retrying(attempt: number, waitMs: number, error: AppError): void {
    const { turn } = this.live.state;
    if (turn.phase !== 'running') return;
    const retry = { attempt, until: Date.now() + waitMs, error };
    this.emit({ type: 'turn.retrying', turnId: turn.turnId, retry });
  }

  /** Another model takes over. The conversation shows it, because answers and costs may differ. */
  fellBack({ from, to, reason }: { from: string; to: string; reason: AppError }): void {
    this.retried();
    const { code, values, detail } = reason;
    const error = appError(reason.kind, errorText('fell_back', { from, to }), {
      cause: { code, values } as ErrorText,
      detail,
    });
    this.told(error);
  }

  /** A line in the conversation, for information only. */
  told(error: AppError): void {
    this.emit({
      type: 'message.added',
      message: { role: 'notice', id: newMessageId(), at: Date.now(), error, actions: [] },
    });
  }

  private retried(): void {
    if (!this.isClosed) endRetry(this.live);
  }

  /** Flushes streamed text; nothing is emitted automatically until more arrives. */
  finish(): void {
    this.answers.flush();
  }

  /** Stops all events: leftover work of a stopped turn changes nothing any more. */
  close(): void {
    this.isClosed = true;
    this.answers.close();
  }

  private emit(event: NewThreadEvent, write?: (seq: number) => void): void {
    if (this.isClosed) return;
    this.answers.flush();
    if (write) this.live.emitWith(event, write);
    else this.live.emit(event);
  }
}
