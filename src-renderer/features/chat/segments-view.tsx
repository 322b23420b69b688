import type { AgentMessage, Approval, ToolCall, UserMessage } from '@contract/conversation';
import type { CallId, ThreadId } from '@contract/ids';
import type { ReactNode } from 'react';
import { CompactionMark } from './compaction-mark';
import { NoticeNote } from './notice-note';
import { OriginMark } from './origin-mark';
import { AgentProse, UserProse } from './prose';
import { type ByCall, type NestedMessage, type Segment, segmentList } from './segments';
import { Fold, ToolLine } from './tool-line';

export interface SegmentsContext {
  threadId: ThreadId;
  mount: string;
  approvals: ReadonlyMap<CallId, Approval>;
  nested: ByCall<NestedMessage[]>;
  steps: ByCall<AgentMessage>;
  renderApproval(approval: Approval): ReactNode;
  /** What the person said before a message; the same function for the whole life of the conversation. */
  questionOf(id: string): UserMessage | undefined;
  /** Key of the notice whose actions still make sense. */
  currentNotice: string | undefined;
  /** The compaction that can be taken back. */
  lastCompaction?: string | undefined;
}

/** Segments one below the other: what a sub-agent wrote, under the call that started it. */
const Segments = ({ segments, context }: { segments: readonly Segment[]; context: SegmentsContext }) =>
  segments.map((segment) => <SegmentView key={segment.key} segment={segment} context={context} />);

/** One segment; sub-agents stand under the call that started them. */
export const SegmentView = ({ segment, context }: { segment: Segment; context: SegmentsContext }) => {
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
        />
      );
    case 'origin':
      return <OriginMark origin={segment.origin} />;
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
};

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
