import type {
  AgentMessage,
  Compaction,
  Message,
  Notice,
  ThreadOrigin,
  ToolCall,
  UserMessage,
} from '@contract/conversation';
import type { CallId } from '@contract/ids';

/** What the conversation draws one below the other. Messages and calls keep their identity, so drawing can be memoised. */
export type Segment =
  | { kind: 'user'; key: string; message: UserMessage }
  | { kind: 'prose'; key: string; message: AgentMessage }
  | { kind: 'calls'; key: string; lines: Line[] }
  | { kind: 'notice'; key: string; notice: Notice }
  | { kind: 'compaction'; key: string; compaction: Compaction }
  | { kind: 'origin'; key: string; origin: ThreadOrigin };

export type NestedMessage = AgentMessage | Compaction;

/** A call of its own, or a run of looks that folds into one line. */
export type Line = { kind: 'call'; call: ToolCall } | { kind: 'fold'; key: string; calls: ToolCall[] };

/** Tools that only look. */
const LOOKS = new Set(['read_file', 'ls', 'glob', 'grep']);
/** From this many looks in a row they fold. */
const FOLD_FROM = 3;

export interface Conversation {
  segments: Segment[];
  /** What sub-agents wrote, and where their own context was compacted, by the task call that started them. */
  nested: ReadonlyMap<CallId, NestedMessage[]>;
  /** The thread's own message that made a call. */
  steps: ReadonlyMap<CallId, AgentMessage>;
}

/** The thread's messages as segments: calls of one message after another stand together where no text parts them. */
export function segmentsOf(messages: readonly Message[], origin?: ThreadOrigin): Conversation {
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
  const mark: Segment[] = origin === undefined ? [] : [{ kind: 'origin', key: 'origin', origin }];
  const segments = [...segmentList(own.slice(0, copied)), ...mark, ...segmentList(own.slice(copied))];
  const steps = new Map<CallId, AgentMessage>();
  for (const message of own)
    if (message.role === 'agent') for (const { callId } of message.calls) steps.set(callId, message);
  return { segments, nested, steps };
}

/** The segments of messages that all belong together (the thread's own, or one sub-agent's). */
export function segmentList(messages: readonly Message[]): Segment[] {
  const segments: Segment[] = [];
  let calls: ToolCall[] = [];
  const close = () => {
    const [first] = calls;
    if (first) segments.push({ kind: 'calls', key: `calls-${first.callId}`, lines: foldLooks(calls) });
    calls = [];
  };
  for (const message of messages) {
    if (message.role === 'agent') {
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
  return segments;
}

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
    if (LOOKS.has(call.name) && call.status === 'done') {
      run.push(call);
      continue;
    }
    close();
    lines.push({ kind: 'call', call });
  }
  close();
  return lines;
}

/** Every call that has a place in these segments, those of sub-agents included. */
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
