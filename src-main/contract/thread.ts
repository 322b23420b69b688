import type { Approval } from './approvals';
import type { AgentMessage, Message, ThreadState, ToolCall } from './conversation';
import type { ThreadEvent } from './events';
import type { CallId } from './ids';
import { optional } from './shared/optional';

/**
 * The only place that changes a thread's state, on both sides of the port. Pure. Ignores an event that the state already
 * includes (`seq` not above it), so a snapshot and the events around it can overlap.
 */
export function reduce(state: ThreadState, event: ThreadEvent): ThreadState {
  if (event.seq <= state.seq) return state;
  return { ...apply(state, event), seq: event.seq };
}

function apply(state: ThreadState, event: ThreadEvent): ThreadState {
  switch (event.type) {
    case 'thread.changed':
      return { ...state, thread: event.thread };
    case 'turn.started': {
      const { turn: _, ...usage } = state.usage;
      return { ...state, usage, turn: { phase: 'running', turnId: event.turnId, startedAt: event.at } };
    }
    case 'turn.waiting':
      return { ...state, turn: { phase: 'waiting', turnId: event.turnId, startedAt: event.at } };
    case 'turn.resumed':
      return { ...state, turn: { phase: 'running', turnId: event.turnId, startedAt: event.at } };
    case 'turn.ended':
      return endTurn(state, event);
    case 'message.added':
      return { ...state, messages: [...state.messages, event.message] };
    case 'message.pinned':
      return {
        ...state,
        messages: state.messages.map((message) =>
          message.id === event.messageId && (message.role === 'user' || message.role === 'agent')
            ? { ...message, pinned: event.pinned }
            : message,
        ),
      };
    case 'turn.detail':
      return withDetail(state, event);
    case 'turn.writing':
      return withWriting(state, event);
    case 'turn.retrying':
      return withRetry(state, event);
    case 'compaction.added':
      return { ...state, messages: [...state.messages, event.compaction] };
    case 'compaction.undone':
      return {
        ...state,
        messages: state.messages.map((message) =>
          message.role === 'compaction' && message.id === event.compactionId
            ? { ...message, undone: true }
            : message,
        ),
      };
    case 'message.delta':
      return changeMessage(state, event.messageId, (message) => ({
        ...message,
        text: message.text + event.text,
        reasoning: message.reasoning + event.reasoning,
      }));
    case 'message.ended':
      return changeMessage(state, event.message.id, () => event.message);
    case 'message.removed':
      return { ...state, messages: state.messages.filter((message) => message.id !== event.messageId) };
    case 'tool.started':
      return changeCall(state, event.callId, (call) => ({
        // A call that opens a terminal has already started.
        ...(event.terminalId === undefined ? withoutAttempt(call) : call),
        status: 'running',
        startedAt: event.at,
        ...optional({ terminalId: event.terminalId, unasked: event.unasked }),
      }));
    case 'tool.progress':
      return changeCall(state, event.callId, (call) => ({ ...call, progress: event.progress }));
    case 'tool.ended':
      return changeCall(state, event.callId, ({ progress: _, ...call }) => ({
        ...call,
        status: event.status,
        result: event.result,
        durationMs: event.durationMs,
        ...optional({
          exitCode: event.exitCode,
          memory: event.memory,
          refused: event.refused,
          failure: event.failure,
          media: event.media,
          scratch: event.scratch,
          withheld: event.withheld,
        }),
      }));
    case 'tool.sandboxed':
      return changeCall(state, event.callId, (call) => ({ ...call, sandbox: event.sandbox }));
    case 'tool.rehearsed':
      return changeCall(state, event.callId, (call) => ({ ...call, rehearsal: event.rehearsal }));
    case 'tool.saved':
      return changeCall(state, event.callId, (call) => ({ ...call, savedAt: event.path }));
    case 'memory.undone':
      return changeCall(state, event.callId, (call) =>
        call.memory ? { ...call, memory: { ...call.memory, undone: true } } : call,
      );
    case 'approval.requested':
      return changeCall(
        {
          ...state,
          approvals: inCallOrder(
            [...state.approvals.filter((a) => a.id !== event.approval.id), event.approval],
            state.messages,
          ),
        },
        event.approval.callId,
        (call) => ({ ...withoutAttempt(call), status: 'waiting' }),
      );
    case 'approval.decided':
    case 'approval.withdrawn':
      return { ...state, approvals: state.approvals.filter((approval) => approval.id !== event.approvalId) };
    case 'todos.changed':
      return { ...state, todos: event.todos };
    case 'queue.changed':
      return { ...state, queue: event.queue };
    case 'usage.changed':
      return { ...state, usage: event.usage };
    default:
      return event satisfies never;
  }
}

/** Clears the result of an attempt in the read-only sandbox when a call restarts or needs approval. */
const withoutAttempt = ({ sandbox: _sandbox, unasked: _unasked, ...call }: ToolCall): ToolCall => call;

function endTurn(state: ThreadState, event: Extract<ThreadEvent, { type: 'turn.ended' }>): ThreadState {
  const turn: ThreadState['turn'] =
    event.reason === 'failed' && event.error
      ? { phase: 'failed', turnId: event.turnId, error: event.error }
      : event.reason === 'interrupted'
        ? { phase: 'interrupted', turnId: event.turnId }
        : { phase: 'idle' };
  return { ...state, turn, approvals: [], messages: state.messages.map(closeOpenCalls) };
}

function withDetail(state: ThreadState, event: Extract<ThreadEvent, { type: 'turn.detail' }>): ThreadState {
  const { turn } = state;
  if (turn.phase !== 'running' || turn.turnId !== event.turnId) return state;
  const { detail: _, ...rest } = turn;
  return { ...state, turn: event.detail === null ? rest : { ...rest, detail: event.detail } };
}

function withRetry(state: ThreadState, event: Extract<ThreadEvent, { type: 'turn.retrying' }>): ThreadState {
  const { turn } = state;
  if (turn.phase !== 'running' || turn.turnId !== event.turnId) return state;
  const { retry: _, ...rest } = turn;
  return { ...state, turn: event.retry === null ? rest : { ...rest, retry: event.retry } };
}

function withWriting(state: ThreadState, event: Extract<ThreadEvent, { type: 'turn.writing' }>): ThreadState {
  const { turn } = state;
  if (turn.phase !== 'running' || turn.turnId !== event.turnId) return state;
  const { writing: _, ...rest } = turn;
  return { ...state, turn: event.writing === null ? rest : { ...rest, writing: event.writing } };
}

/** A finished turn leaves no call open: unfinished calls are cancelled. */
export function closeOpenCalls(message: Message): Message {
  if (message.role !== 'agent') return message;
  const isOpen = (call: ToolCall) =>
    call.status === 'pending' || call.status === 'waiting' || call.status === 'running';
  if (message.phase !== 'streaming' && !message.calls.some(isOpen)) return message;
  return {
    ...message,
    phase: message.phase === 'streaming' ? 'cut' : message.phase,
    calls: message.calls.map((call) => (isOpen(call) ? { ...call, status: 'cancelled' } : call)),
  };
}

function changeMessage(
  state: ThreadState,
  id: string,
  change: (message: AgentMessage) => AgentMessage,
): ThreadState {
  const index = state.messages.findLastIndex((message) => message.id === id);
  const message = state.messages[index];
  if (message?.role !== 'agent') return state;
  return { ...state, messages: state.messages.with(index, change(message)) };
}

/**
 * Pending approvals in the order of the model's calls. Calls of one step are judged in parallel, so the questions come in
 * any order; `--decide` without a name and the top card use this one. A call in none of the messages comes first, because it
 * is older than the loaded ones.
 */
export function inCallOrder(approvals: readonly Approval[], messages: readonly Message[]): Approval[] {
  if (approvals.length < 2) return [...approvals];
  const places = new Map<CallId, number>();
  const wanted = new Set(approvals.map(({ callId }) => callId));
  const calls = messages.flatMap((message) => (message.role === 'agent' ? message.calls : []));
  for (const [place, { callId }] of calls.entries()) if (wanted.has(callId)) places.set(callId, place);
  const placeOf = ({ callId }: Approval) => places.get(callId) ?? -1;
  return approvals.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function changeCall(state: ThreadState, callId: CallId, change: (call: ToolCall) => ToolCall): ThreadState {
  const index = state.messages.findLastIndex(
    (message) => message.role === 'agent' && message.calls.some((call) => call.callId === callId),
  );
  const message = state.messages[index];
  if (message?.role !== 'agent') return state;
  const calls = message.calls.map((call) => (call.callId === callId ? change(call) : call));
  return { ...state, messages: state.messages.with(index, { ...message, calls }) };
}
