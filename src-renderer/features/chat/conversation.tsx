import type { Approval, ThreadState } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { ArrowDown, Hand } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { useApp } from '../../link';
import { Button, Spinner } from '../../ui';
import { Composer } from './composer';
import { useDraft } from './drafts';
import { NoticeNote } from './notice-note';
import { RetryLine } from './retry-line';
import { callsIn, segmentsOf } from './segments';
import { Segments } from './segments-view';
import { useStick } from './use-stick';

interface ConversationProps {
  thread: ThreadState;
  /** The card for a call that waits, drawn where the call stands. `index` is 0-based among those that wait. */
  renderApproval(approval: Approval, index: number, total: number): ReactNode;
  /** Stands where there are no messages yet; `use` puts a text into the composer. */
  empty(use: (text: string) => void): ReactNode;
  /** Below the text in the composer: the model picker. */
  controls?: ReactNode;
  stopKeys: string;
}

/** Segments drawn at first, and how many more each time the person asks. */
const PAGE = 200;

const callOf = ({ callId }: Approval) => callId;

/** One thread: what was said and done, what waits, and the composer. */
export const Conversation = ({
  thread: state,
  renderApproval,
  empty,
  controls,
  stopKeys,
}: ConversationProps) => {
  const t = useT();
  const threadId: ThreadId = state.thread.id;
  const mount = useApp(
    (app) => app.projects.find((project) => project.id === state.thread.projectId)?.mount ?? '',
  );
  const mac = useApp((app) => app.platform === 'darwin');
  const [pages, setPages] = useState({ threadId, count: 1 });
  const [draft, setDraft] = useDraft(threadId);
  const input = useRef<HTMLTextAreaElement>(null);
  const { scroller, content, atEnd, toEnd } = useStick(threadId);

  const { segments, nested, steps } = useMemo(
    () => segmentsOf(state.messages, state.thread.origin),
    [state.messages, state.thread.origin],
  );
  const approvals = useMemo(
    () => new Map(state.approvals.map((approval) => [approval.callId, approval])),
    [state.approvals],
  );
  const hidden = Math.max(0, segments.length - PAGE * (pages.threadId === threadId ? pages.count : 1));

  useEffect(() => {
    if (threadId) input.current?.focus();
  }, [threadId]);

  const { turn } = state;
  const active = turn.phase === 'running' || turn.phase === 'waiting';
  const last = state.messages.at(-1);
  const lastSegment = segments.at(-1);
  const waiting = state.approvals.length;
  const lastCompaction = useMemo(
    () =>
      state.messages.findLast(
        (message) => message.role === 'compaction' && message.parentCallId === undefined && !message.undone,
      )?.id,
    [state.messages],
  );
  const shown = hidden > 0 ? segments.slice(hidden) : segments;
  const placed = waiting > 0 ? callsIn(shown, nested) : undefined;
  // Counted as they stand on the screen: first those at their calls, then those whose call is not shown.
  const unplaced = state.approvals.filter((approval) => !placed?.has(approval.callId));
  const inOrder = [...[...(placed ?? [])].filter((callId) => approvals.has(callId)), ...unplaced.map(callOf)];
  const ask = (approval: Approval) => renderApproval(approval, inOrder.indexOf(approval.callId), waiting);
  const isStreaming =
    last?.role === 'agent' && last.phase === 'streaming' && (last.text !== '' || last.reasoning !== '');
  const isCalling = last?.role === 'agent' && last.calls.some((call) => call.status === 'running');

  const use = (text: string) => {
    setDraft(text);
    input.current?.focus();
  };
  const showWaiting = () => {
    const card = content.current?.querySelector<HTMLElement>('[data-approval]');
    card?.scrollIntoView({ block: 'center' });
    card?.focus();
  };

  return (
    <div className="relative flex h-full min-h-0 flex-col bg-bg">
      <div ref={scroller} className="min-h-0 grow overflow-y-auto [scrollbar-gutter:stable_both-edges]">
        <div
          ref={content}
          role="log"
          aria-label={t('chat.messages')}
          aria-live="off"
          className="mx-auto flex min-h-full max-w-[44.75rem] flex-col gap-4 px-2.5 pt-5 pb-6"
        >
          {segments.length === 0 && empty(use)}
          {hidden > 0 && (
            <Button
              variant="ghost"
              className="self-center"
              onClick={() =>
                setPages({ threadId, count: (pages.threadId === threadId ? pages.count : 1) + 1 })
              }
            >
              {t('chat.earlier', { count: Math.min(hidden, PAGE) })}
            </Button>
          )}
          <Segments
            segments={shown}
            context={{
              threadId,
              mount,
              approvals,
              nested,
              steps,
              renderApproval: ask,
              lastCompaction,
              currentNotice: active || lastSegment?.kind !== 'notice' ? undefined : lastSegment.key,
            }}
          />
          {/* A question is never out of sight because its call is. */}
          {unplaced.map(ask)}
          {turn.phase === 'running' && turn.retry !== undefined && (
            <RetryLine threadId={threadId} retry={turn.retry} />
          )}
          {turn.phase === 'running' && turn.retry === undefined && !isStreaming && !isCalling && (
            <p className="flex h-6 items-center gap-2 text-fg-3">
              <Spinner size={13} /> {t(turn.detail === 'compacting' ? 'chat.compacting' : 'chat.working')}
            </p>
          )}
          {turn.phase === 'failed' && lastSegment?.kind !== 'notice' && (
            <NoticeNote threadId={threadId} error={turn.error} actions={['retry']} current />
          )}
          {turn.phase === 'interrupted' && lastSegment?.kind !== 'notice' && (
            <NoticeNote
              threadId={threadId}
              error={{ kind: 'cancelled', message: t('chat.interrupted') }}
              actions={['continue']}
              current
            />
          )}
        </div>
      </div>
      <p role="status" className="sr-only">
        {waiting > 0 ? t('chat.waitingBelow', { count: waiting }) : ''}
      </p>
      <div className="relative mx-auto w-full max-w-[46rem] shrink-0 px-5 pb-4">
        {!atEnd && (
          <div className="absolute -top-10 right-0 left-0 flex justify-center">
            <Button
              size="sm"
              className="h-7 rounded-full shadow-float"
              icon={waiting > 0 ? <Hand size={13} className="text-ask-text" /> : <ArrowDown size={13} />}
              onClick={waiting > 0 ? showWaiting : toEnd}
            >
              {waiting > 0 ? t('chat.waitingBelow', { count: waiting }) : t('chat.latest')}
            </Button>
          </div>
        )}
        <Composer
          key={threadId}
          threadId={threadId}
          phase={turn.phase}
          queue={state.queue}
          lastMessage={state.messages.findLast((message) => message.role === 'user')?.text}
          draft={draft}
          onDraft={setDraft}
          controls={controls}
          stopKeys={stopKeys}
          mac={mac}
          onSent={toEnd}
          input={input}
        />
      </div>
    </div>
  );
};
