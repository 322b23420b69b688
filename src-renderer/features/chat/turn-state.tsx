import type { ThreadState } from '@contract/conversation';
import { errorText } from '@contract/errors';
import type { ProjectId } from '@contract/ids';
import { appError } from '@contract/result';
import { AtWork, endOf } from './at-work';
import { NoticeNote } from './notice-note';
import { RetryLine } from './retry-line';

interface TurnStateProps {
  state: ThreadState;
  /** The last message already says how the turn ended. */
  hasNotice: boolean;
  missing: ProjectId | undefined;
}

/** Below the last message: the agent's current activity, or why it stopped. */
export const TurnState = ({ state, hasNotice, missing }: TurnStateProps) => {
  const { turn } = state;
  const threadId = state.thread.id;
  const last = state.messages.at(-1);
  const isStreaming =
    last?.role === 'agent' && last.phase === 'streaming' && (last.text !== '' || last.reasoning !== '');
  const isCalling = last?.role === 'agent' && last.calls.some((call) => call.status === 'running');

  return (
    <>
      {turn.phase === 'running' && turn.retry !== undefined && (
        <RetryLine threadId={threadId} retry={turn.retry} />
      )}
      {turn.phase === 'running' &&
        turn.retry === undefined &&
        state.approvals.length === 0 &&
        (turn.writing !== undefined || (!isStreaming && !isCalling)) && (
          <AtWork turn={turn} since={Math.max(turn.startedAt, endOf(last))} />
        )}
      {turn.phase === 'failed' && !hasNotice && (
        <NoticeNote threadId={threadId} error={turn.error} actions={['retry']} current missing={missing} />
      )}
      {turn.phase === 'interrupted' && !hasNotice && (
        <NoticeNote
          threadId={threadId}
          error={appError('cancelled', errorText('interrupted'))}
          actions={['continue']}
          current
          missing={missing}
        />
      )}
    </>
  );
};
