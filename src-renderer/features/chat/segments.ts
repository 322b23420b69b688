import type {
  AgentMessage,
  Compaction,
  Message,
  Notice,
  ThreadOrigin,
  ToolCall,
  UserMessage,
} from '@contract/conversation';
import type { CallId, MessageId } from '@contract/ids';
import type { ToolDisplay } from '@contract/shared/tool-display';
import { startsTurn } from '@contract/turn-messages';

/** What the conversation draws one below the other. Messages and calls keep their identity, so drawing can be memoized. */
export type Segment =
  | { kind: 'user'; key: string; message: UserMessage }
  | { kind: 'prose'; key: string; message: AgentMessage }
  /** `joined`: continues the previous segment, which is full. */
  | { kind: 'calls'; key: string; lines: Line[]; joined?: true }
  | { kind: 'notice'; key: string; notice: Notice }
  | { kind: 'compaction'; key: string; compaction: Compaction }
  | { kind: 'origin'; key: string; origin: ThreadOrigin }
  | { kind: 'receipt'; key: string; turn: FinishedTurn };

/** A turn that is over: the messages of the person in it, the first of which started it, and the agent's own. */
export interface FinishedTurn {
  asked: readonly MessageId[];
  answers: readonly AgentMessage[];
}

export type NestedMessage = AgentMessage | Compaction;

/** A single call, or a series of read-only calls that folds into one line. */
export type Line = { kind: 'call'; call: ToolCall } | { kind: 'fold'; key: string; calls: ToolCall[] };

/** Read-only tools. */
const LOOKS = new Set<ToolDisplay | undefined>(['read', 'list', 'match', 'search']);
/** This many consecutive read-only calls fold. */
const FOLD_FROM = 3;
/** Maximum number of call lines in one segment, which is drawn as a unit. */
const MAX_LINES = 24;

export interface Conversation {
  segments: Segment[];
  /** The messages of sub-agents, and compactions of their own context, by the task call that started them. */
  nested: ByCall<NestedMessage[]>;
  /** The thread's own message that made each call. */
  steps: ByCall<AgentMessage>;
}

/** Values by call id. */
export interface ByCall<T> {
  get(callId: CallId): T | undefined;
}

/** The thread's messages as segments. Calls of consecutive messages are grouped if no text separates them. */
export function segmentsOf(
  messages: readonly Message[],
  origin?: ThreadOrigin,
  /** The number of earlier messages that are not loaded. */
  earlier = 0,
  /** The agent works or waits, so that the last turn is not over. */
  active = false,
): Conversation {
  const nested = new Map<CallId, NestedMessage[]>();
  const own: Message[] = [];
  for (const message of messages) {
    const isNested = message.role === 'agent' || message.role === 'compaction';
    if (!isNested || message.parentCallId === undefined) {
      own.push(message);
      continue;
    }
    const list = nested.get(message.parentCallId) ?? [];
    list.push(message);
    nested.set(message.parentCallId, list);
  }
  const copied = own.findIndex((message) => message.id === origin?.lastMessageId) + 1;
  const isShown = origin !== undefined && (copied > 0 || earlier === 0);
  const mark: Segment[] = isShown ? [{ kind: 'origin', key: 'origin', origin }] : [];
  const segments = [
    ...segmentList(own.slice(0, copied), { active: false }),
    ...mark,
    ...segmentList(own.slice(copied), { active }),
  ];
  const steps = new Map<CallId, AgentMessage>();
  for (const message of own)
    if (message.role === 'agent') for (const { callId } of message.calls) steps.set(callId, message);
  return { segments, nested, steps };
}

/** How many messages at the end are checked again with each change. */
const FRESH = 64;

/**
 * `segmentsOf` for a growing conversation. The segments before the latest messages are reused, so that a token costs the
 * same in a thread of ten messages and of ten thousand.
 */
export function createSegmenter(): (
  messages: readonly Message[],
  origin?: ThreadOrigin,
  earlier?: number,
  active?: boolean,
) => Conversation {
  let kept: { messages: readonly Message[]; count: number; head: Conversation } | undefined;
  return (messages, origin, earlier, active) => {
    // A forked thread has its mark somewhere inside, so it is processed as a whole.
    if (origin !== undefined || messages.length < 2 * FRESH)
      return segmentsOf(messages, origin, earlier, active);
    if (
      !kept ||
      !beginsAlike(kept.messages, messages, kept.count) ||
      messages.length - kept.count > 4 * FRESH
    ) {
      const count = cutOf(messages);
      kept = { messages, count, head: segmentsOf(messages.slice(0, count)) };
    }
    const tail = segmentsOf(messages.slice(kept.count), undefined, 0, active);
    return { segments: [...kept.head.segments, ...tail.segments], ...joined(kept.head, tail) };
  };
}

const beginsAlike = (before: readonly Message[], now: readonly Message[], count: number): boolean => {
  if (now.length < count) return false;
  for (let at = 0; at < count; at += 1) if (before[at] !== now[at]) return false;
  return true;
};

/**
 * The index of the last message that starts a turn and is at least `FRESH` messages from the end: calls before and after it
 * are never grouped.
 */
function cutOf(messages: readonly Message[]): number {
  for (let at = messages.length - FRESH; at > 0; at -= 1) {
    const [before, message] = [messages[at - 1], messages[at]];
    if (message && before && startsTurn(message, before.role !== 'user')) return at;
  }
  return 0;
}

/** Merges what both halves know of a call. A sub-agent of the first half may have written in the second. */
function joined(head: Conversation, tail: Conversation): Pick<Conversation, 'nested' | 'steps'> {
  return {
    steps: { get: (callId) => tail.steps.get(callId) ?? head.steps.get(callId) },
    nested: {
      get: (callId) => {
        const [before, after] = [head.nested.get(callId), tail.nested.get(callId)];
        return before && after ? [...before, ...after] : (after ?? before);
      },
    },
  };
}

/**
 * The segments of messages that belong together (the thread's own, or one sub-agent's). `turns`: each turn ends with its
 * receipt; the last one is still open while it is `active`.
 */
export function segmentList(messages: readonly Message[], turns?: { active: boolean }): Segment[] {
  const segments: Segment[] = [];
  let turn = startTurn();
  const endTurn = () => {
    const { asked, answers } = turn;
    if (turns && asked.length > 0 && answers.length > 0)
      segments.push({ kind: 'receipt', key: `receipt-${asked[0]}`, turn: { asked, answers } });
    turn = startTurn();
  };
  let calls: ToolCall[] = [];
  const close = () => {
    const lines = foldLooks(calls);
    for (let at = 0; at < lines.length; at += MAX_LINES) {
      const part = lines.slice(at, at + MAX_LINES);
      segments.push({
        kind: 'calls',
        key: `calls-${firstCall(part)}`,
        lines: part,
        ...(at > 0 ? { joined: true as const } : {}),
      });
    }
    calls = [];
  };
  for (const message of messages) {
    if (message.role === 'user') {
      if (startsTurn(message, turn.hasAnswer)) {
        close();
        endTurn();
      }
      turn.asked.push(message.id);
    } else turn.hasAnswer = true;
    if (message.role === 'agent') {
      turn.answers.push(message);
      const says = message.text !== '' || message.reasoning !== '' || message.phase === 'cut';
      if (says) {
        close();
        segments.push({ kind: 'prose', key: message.id, message });
      }
      calls.push(...message.calls);
      continue;
    }
    close();
    segments.push(segmentOf(message));
  }
  close();
  if (!turns?.active) endTurn();
  return segments;
}

const startTurn = () => ({ asked: [] as MessageId[], answers: [] as AgentMessage[], hasAnswer: false });

function segmentOf(message: Exclude<Message, AgentMessage>): Segment {
  switch (message.role) {
    case 'user':
      return { kind: 'user', key: message.id, message };
    case 'notice':
      return { kind: 'notice', key: message.id, notice: message };
    case 'compaction':
      return { kind: 'compaction', key: message.id, compaction: message };
    default:
      return message satisfies never;
  }
}

const firstCall = ([line]: readonly Line[]): string =>
  (line?.kind === 'call' ? line.call : line?.calls[0])?.callId ?? '';

function foldLooks(calls: readonly ToolCall[]): Line[] {
  const lines: Line[] = [];
  let run: ToolCall[] = [];
  const close = () => {
    const [first] = run;
    if (first && run.length >= FOLD_FROM)
      lines.push({ kind: 'fold', key: `fold-${first.callId}`, calls: run });
    else lines.push(...run.map((call): Line => ({ kind: 'call', call })));
    run = [];
  };
  for (const call of calls) {
    if (LOOKS.has(call.display) && call.status === 'done') {
      run.push(call);
      continue;
    }
    close();
    lines.push({ kind: 'call', call });
  }
  close();
  return lines;
}

/** Every call in these segments, including those of sub-agents. */
export function callsIn(segments: readonly Segment[], nested: Conversation['nested']): Set<CallId> {
  const found = new Set<CallId>();
  const take = ({ callId }: ToolCall) => {
    found.add(callId);
    for (const message of nested.get(callId) ?? []) if (message.role === 'agent') message.calls.forEach(take);
  };
  for (const segment of segments) {
    if (segment.kind !== 'calls') continue;
    for (const line of segment.lines) (line.kind === 'call' ? [line.call] : line.calls).forEach(take);
  }
  return found;
}

/** The index of the segment with a message, or with the call whose sub-agent wrote it; -1 if there is none. */
export function placeOf(segments: readonly Segment[], messages: readonly Message[], id: string): number {
  const direct = segments.findIndex((segment) => segment.key === id);
  if (direct !== -1) return direct;
  let message = messages.find((one) => one.id === id);
  while (message !== undefined) {
    if (message.role !== 'agent' && message.role !== 'compaction') return -1;
    const parent = message.parentCallId;
    const callId = parent ?? (message.role === 'agent' ? message.calls[0]?.callId : undefined);
    if (callId === undefined) return -1;
    const at = segments.findIndex(
      (segment) =>
        segment.kind === 'calls' &&
        segment.lines.some((line) =>
          (line.kind === 'call' ? [line.call] : line.calls).some((call) => call.callId === callId),
        ),
    );
    if (at !== -1 || parent === undefined) return at;
    message = messages.find(
      (one) => one.role === 'agent' && one.calls.some((call) => call.callId === parent) && one.id !== id,
    );
  }
  return -1;
}
