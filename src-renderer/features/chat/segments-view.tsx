import type { Approval } from '@contract/approvals';
import type { AgentMessage, ToolCall, UserMessage } from '@contract/conversation';
import type { CallId, ProjectId, ThreadId } from '@contract/ids';
import { memo, type ReactNode } from 'react';
import { Fold, ToolLine } from './calls/tool-line';
import { CompactionMark } from './compaction-mark';
import { NoticeNote } from './notice-note';
import { OriginMark } from './origin-mark';
import { AgentProse, UserProse } from './prose';
import { type ByCall, type NestedMessage, type Segment, segmentList } from './segments';
import { TurnReceipt } from './turn-receipt';

export interface SegmentsContext {
  threadId: ThreadId;
  mount: string;
  approvals: ReadonlyMap<CallId, Approval>;
  nested: ByCall<NestedMessage[]>;
  steps: ByCall<AgentMessage>;
  renderApproval(approval: Approval): ReactNode;
  /** The person's message before a message; the same function for the whole life of the conversation. */
  questionOf(id: string): UserMessage | undefined;
  /** Key of the notice whose actions still apply. */
  currentNotice: string | undefined;
  /** The project, if its folder is missing. */
  missing?: ProjectId | undefined;
  /** The compaction that can be undone. */
  lastCompaction?: string | undefined;
}

/** Segments one below the other: the messages of a sub-agent, under the call that started it. */
const Segments = ({ segments, context }: { segments: readonly Segment[]; context: SegmentsContext }) =>
  segments.map((segment) => <SegmentView key={segment.key} segment={segment} context={context} />);

interface SegmentViewProps {
  segment: Segment;
  context: SegmentsContext;
}

/** Whether a segment would be drawn the same: streamed text redraws one segment, not all that are near it. */
function isSame(before: SegmentViewProps, now: SegmentViewProps): boolean {
  const [a, b] = [before.context, now.context];
  return (
    a.threadId === b.threadId &&
    a.mount === b.mount &&
    a.approvals === b.approvals &&
    a.lastCompaction === b.lastCompaction &&
    a.currentNotice === b.currentNotice &&
    a.missing === b.missing &&
    sameSegment(before.segment, now.segment) &&
    nestingCalls(now.segment).every((call) => sameNested(call, a, b))
  );
}

function sameSegment(a: Segment, b: Segment): boolean {
  if (a === b) return true;
  if (a.key !== b.key) return false;
  switch (a.kind) {
    case 'user':
    case 'prose':
      return b.kind === a.kind && a.message === b.message;
    case 'notice':
      return b.kind === a.kind && a.notice === b.notice;
    case 'compaction':
      return b.kind === a.kind && a.compaction === b.compaction;
    case 'origin':
      return b.kind === a.kind && a.origin === b.origin;
    case 'receipt':
      return (
        b.kind === a.kind &&
        sameItems(a.turn.asked, b.turn.asked) &&
        sameItems(a.turn.answers, b.turn.answers)
      );
    case 'calls': {
      if (b.kind !== 'calls' || a.lines.length !== b.lines.length) return false;
      const [before, now] = [callsOf(a), callsOf(b)];
      return before.length === now.length && before.every((call, index) => call === now[index]);
    }
    default:
      return a satisfies never;
  }
}

const sameItems = <T,>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

const callsOf = (segment: Extract<Segment, { kind: 'calls' }>): ToolCall[] =>
  segment.lines.flatMap((line) => (line.kind === 'call' ? [line.call] : line.calls));

/** The calls whose sub-agents belong to the segment. */
const nestingCalls = (segment: Segment): ToolCall[] =>
  segment.kind === 'calls'
    ? callsOf(segment)
    : segment.kind === 'receipt'
      ? segment.turn.answers.flatMap(({ calls }) => calls)
      : [];

/** The same for the messages of the call's sub-agent, and recursively its sub-agents. */
function sameNested({ callId }: ToolCall, a: SegmentsContext, b: SegmentsContext): boolean {
  const [before = [], now = []] = [a.nested.get(callId), b.nested.get(callId)];
  return (
    before.length === now.length &&
    before.every((message, index) => message === now[index]) &&
    now.every((message) => message.role !== 'agent' || message.calls.every((call) => sameNested(call, a, b)))
  );
}

/** One segment; sub-agents appear under the call that started them. */
export const SegmentView = memo(function SegmentView({ segment, context }: SegmentViewProps) {
  switch (segment.kind) {
    case 'user':
      return <UserProse message={segment.message} threadId={context.threadId} />;
    case 'prose':
      return (
        <AgentProse message={segment.message} threadId={context.threadId} questionOf={context.questionOf} />
      );
    case 'notice':
      return (
        <NoticeNote
          threadId={context.threadId}
          error={segment.notice.error}
          actions={segment.notice.actions}
          current={segment.key === context.currentNotice}
          missing={context.missing}
        />
      );
    case 'origin':
      return <OriginMark origin={segment.origin} />;
    case 'receipt':
      return (
        <TurnReceipt
          threadId={context.threadId}
          mount={context.mount}
          turn={segment.turn}
          nested={context.nested}
        />
      );
    case 'compaction':
      return (
        <CompactionMark
          threadId={context.threadId}
          compaction={segment.compaction}
          isLast={segment.compaction.id === context.lastCompaction}
        />
      );
    case 'calls':
      return (
        <div>
          {segment.lines.map((line) =>
            line.kind === 'call' ? (
              <Call key={line.call.callId} call={line.call} context={context} />
            ) : (
              <Fold
                key={line.key}
                calls={line.calls}
                renderCall={(call) => <Call key={call.callId} call={call} context={context} />}
              />
            ),
          )}
        </div>
      );
    default:
      return segment satisfies never;
  }
}, isSame);

const Call = ({ call, context }: { call: ToolCall; context: SegmentsContext }) => {
  const messages = context.nested.get(call.callId);
  return (
    <ToolLine
      threadId={context.threadId}
      call={call}
      mount={context.mount}
      step={context.steps.get(call.callId)}
      approval={context.approvals.get(call.callId)}
      renderApproval={context.renderApproval}
      nestedAsks={hasQuestion(messages, context)}
      {...(messages
        ? {
            nested: (
              <div className="flex flex-col gap-3">
                <Segments segments={segmentList(messages)} context={context} />
              </div>
            ),
          }
        : {})}
    />
  );
};

const hasQuestion = (messages: readonly NestedMessage[] | undefined, context: SegmentsContext): boolean =>
  messages?.some(
    (message) =>
      message.role === 'agent' &&
      message.calls.some(
        (call) => context.approvals.has(call.callId) || hasQuestion(context.nested.get(call.callId), context),
      ),
  ) ?? false;
