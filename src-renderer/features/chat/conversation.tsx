import { isActivePhase } from '@contract/active-phase';
import type { Project } from '@contract/app';
import type { Approval } from '@contract/approvals';
import type { ThreadState, UserMessage } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { ArrowDown, Hand, Paperclip, TextCursorInput } from 'lucide-react';
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useT } from '../../i18n';
import { KEEPS_FOCUS, loadEarlier, useApp } from '../../link';
import { Button } from '../../ui';
import { AnswerParts } from './answer-parts';
import { type EmptyComposer, ThreadComposer, useComposerRefs } from './composer/thread-composer';
import { type Dragged, useDrop } from './composer/use-drop';
import { FindBar, type Found } from './find-bar';
import { FolderGone } from './folder-gone';
import { MessageList, type MessageListHandle } from './message-list';
import { SegmentView } from './segments-view';
import { TurnState } from './turn-state';
import { useConversationRows } from './use-conversation-rows';
import { ALL_MESSAGES, useEarlier } from './use-earlier';
import { useHighlights } from './use-highlights';
import { useJump } from './use-jump';
import { useUnseen } from './use-unseen';

interface ConversationProps {
  thread: ThreadState;
  /**
   * Renders the card of the only pending call, at the call. Calls `onLeft` when the card is removed while it has the focus.
   */
  renderApproval(approval: Approval, onLeft: () => void): ReactNode;
  /** Renders the cards of several calls, above the composer. */
  renderDeck(approvals: readonly Approval[], onLeft: () => void): ReactNode;
  /** Scrolls to the first pending call. */
  onShowWaiting(): void;
  /** Shown if there are no messages yet. */
  empty(composer: EmptyComposer): ReactNode;
  /** Shown below the text in the composer: the model picker. */
  controls?: ReactNode;
  stopKeys: string;
}

/** Memoized, so that streamed text does not redraw it. */
const QuietFindBar = memo(FindBar);

const NO_APPROVALS: readonly Approval[] = [];

/** One thread: messages and calls, pending questions, and the composer. */
export const Conversation = (props: ConversationProps) => {
  const { thread: state, renderApproval, renderDeck, onShowWaiting, empty, controls, stopKeys } = props;
  const threadId: ThreadId = state.thread.id;
  const project = useApp((app) => app.projects.find(({ id }) => id === state.thread.projectId));
  const mount = project?.mount ?? '';
  const missing = missingFolderOf(project);
  const composer = useComposerRefs(threadId);
  const drop = useDrop(composer);
  const list = useRef<MessageListHandle>(null);

  const root = useRef<HTMLDivElement>(null);
  const { inDeck, shown, unplaced, ask, onLeft } = useQuestions(state, renderApproval, root, composer.input);
  const { segments, nested, rows, approvals } = shown;
  useFocusOnThread(threadId, composer.input);

  const { turn } = state;
  /** Messages are known to exist, but none has loaded yet. */
  const isToCome = state.earlier !== undefined && state.messages.length === 0;
  const lastSegment = segments.findLast(({ kind }) => kind !== 'receipt');
  const waiting = state.approvals.length;
  const questionOf = useQuestionOf(state.messages);
  const toEnd = useCallback(() => list.current?.toEnd(), []);
  const { atEnd, onAtEnd, unseen } = useUnseen(state);
  const onEarlier = useEarlier(threadId);
  const onAll = useCallback(() => loadEarlier(threadId, { limit: ALL_MESSAGES }), [threadId]);
  const { marked, jumpTo } = useJump(state, segments, list);
  const onFound = useFound(list, segments, jumpTo);

  const { steps, lastCompaction } = shown;
  const currentNotice =
    isActivePhase(turn.phase) || lastSegment?.kind !== 'notice' ? undefined : lastSegment.key;
  const facts = { threadId, mount, approvals, nested, steps, questionOf, lastCompaction, missing };
  const context = { ...facts, renderApproval: ask, currentNotice };
  // A question stays visible even if its call is not.
  const below = (
    <>
      {unplaced.map(ask)}
      <TurnState state={state} hasNotice={lastSegment?.kind === 'notice'} missing={missing} />
    </>
  );

  return (
    <FolderGone value={missing !== undefined}>
      <AnswerParts state={state} mount={mount} onRequest={composer.putText}>
        <div
          ref={root}
          {...drop.handlers}
          data-conversation
          className="relative flex h-full min-h-0 flex-col bg-bg [container-type:size]"
        >
          {drop.over !== null && <DropTarget kind={drop.over} />}
          <QuietFindBar
            key={`find-${threadId}`}
            threadId={threadId}
            changed={state.messages.length}
            onFound={onFound}
          />
          <MessageList
            // When a thread's messages have finally loaded, it starts at its end.
            key={isToCome ? `${threadId} to come` : threadId}
            threadId={threadId}
            rows={rows}
            kept={shown.kept}
            renderRow={(row) =>
              row.kind === 'below' ? below : <SegmentView segment={row} context={context} />
            }
            empty={
              <>
                {empty({ use: composer.putText, fill: composer.fill })}
                {below}
              </>
            }
            hasEarlier={state.earlier !== undefined && !isToCome}
            onEarlier={onEarlier}
            onAll={onAll}
            onAtEnd={onAtEnd}
            marked={marked}
            handle={list}
          />
          <WaitingStatus waiting={waiting} />
          {inDeck && <AboveComposer>{renderDeck(state.approvals, onLeft)}</AboveComposer>}
          <div className="relative mx-auto w-full max-w-talk shrink-0 px-5 pb-4 [@container(max-height:20rem)]:pb-1.5">
            {!inDeck && !atEnd && (
              <ToEnd waiting={waiting} unseen={unseen} onShowWaiting={onShowWaiting} onEnd={toEnd} />
            )}
            <ThreadComposer
              key={threadId}
              state={state}
              mount={mount}
              controls={controls}
              stopKeys={stopKeys}
              onSent={toEnd}
              refs={composer}
            />
          </div>
        </div>
      </AnswerParts>
    </FolderGone>
  );
};

/** Tells a screen reader how many calls wait. */
const WaitingStatus = ({ waiting }: { waiting: number }) => {
  const t = useT();
  return (
    <p role="status" className="sr-only">
      {waiting > 0 ? t('chat.waitingBelow', { count: waiting }) : ''}
    </p>
  );
};

/** The project whose folder is missing. Going on connects to another computer again, so nothing waits for that. */
const missingFolderOf = (project: Project | undefined) =>
  project?.missing === true && project.remote === undefined ? project.id : undefined;

/** Focuses the composer when the thread changes, but leaves the focus in a list that keeps it. */
function useFocusOnThread(threadId: ThreadId, input: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const isKept = document.activeElement?.closest(`[${KEEPS_FOCUS}]`) != null;
    if (threadId && !isKept) input.current?.focus();
  }, [threadId, input]);
}

/** Returns the person's question before a message. */
function useQuestionOf(messages: ThreadState['messages']): (id: string) => UserMessage | undefined {
  const latest = useRef(messages);
  latest.current = messages;
  return useCallback((id: string): UserMessage | undefined => {
    const at = latest.current.findIndex((message) => message.id === id);
    return latest.current.slice(0, Math.max(0, at)).findLast((message) => message.role === 'user');
  }, []);
}

/** Highlights search matches, and scrolls to each. */
function useFound(
  list: RefObject<MessageListHandle | null>,
  segments: ReturnType<typeof useConversationRows>['segments'],
  jumpTo: ReturnType<typeof useJump>['jumpTo'],
) {
  const [found, setFound] = useState<Found>();
  useHighlights(() => list.current?.element ?? null, found?.text, found, segments);
  return useCallback(
    (next: Found | undefined) => {
      setFound(next);
      if (next?.messageId !== undefined) jumpTo(next.messageId, false);
    },
    [jumpTo],
  );
}

const AboveComposer = ({ children }: { children: ReactNode }) => (
  <div
    data-deck
    className="mx-auto flex min-h-0 w-full max-w-talk shrink flex-col px-5 pb-2 [@container(max-height:20rem)]:pb-1"
  >
    {children}
  </div>
);

/**
 * The pending calls. A single one is shown at its call, or below the last message if that is not visible; several are shown
 * in a deck.
 */
function useQuestions(
  state: ThreadState,
  renderApproval: ConversationProps['renderApproval'],
  root: RefObject<HTMLElement | null>,
  input: RefObject<HTMLTextAreaElement | null>,
) {
  const { approvals } = state;
  const inDeck = useIsDeck(state.thread.id, approvals.length);
  const shown = useConversationRows(state, inDeck ? NO_APPROVALS : approvals);
  const onLeft = useFocusOnNext(root, input);
  const ask = (approval: Approval) => renderApproval(approval, onLeft);
  const unplaced = inDeck ? [] : approvals.filter(({ callId }) => !shown.placed?.has(callId));
  return { inDeck, shown, unplaced, ask, onLeft };
}

/** Whether pending calls are in a deck: several are, and the last one of them stays there. */
function useIsDeck(threadId: ThreadId, count: number): boolean {
  const deck = useRef({ threadId, open: false });
  if (deck.current.threadId !== threadId) deck.current = { threadId, open: false };
  deck.current.open = count > 1 || (count > 0 && deck.current.open);
  return deck.current.open;
}

/** After a decision, focuses the next card once it is laid out, or else the composer. */
function useFocusOnNext(root: RefObject<HTMLElement | null>, input: RefObject<HTMLTextAreaElement | null>) {
  const isDue = useRef(false);
  useLayoutEffect(() => {
    if (!isDue.current) return;
    isDue.current = false;
    const card = root.current?.querySelector<HTMLElement>('[data-approval]');
    (card ?? input.current)?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: 'nearest' });
  });
  return useCallback(() => {
    isDue.current = true;
  }, []);
}

interface ToEndProps {
  waiting: number;
  unseen: number;
  onShowWaiting(): void;
  onEnd(): void;
}

/** Above the composer, while the end is not visible: scrolls to it. */
const ToEnd = ({ waiting, unseen, onShowWaiting, onEnd }: ToEndProps) => {
  const t = useT();
  return (
    <div className="absolute -top-10 right-0 left-0 z-10 flex justify-center">
      <Button
        size="sm"
        className="h-7 rounded-full shadow-float"
        icon={waiting > 0 ? <Hand size={14} className="text-ask-text" /> : <ArrowDown size={14} />}
        onClick={waiting > 0 ? onShowWaiting : onEnd}
      >
        {waiting > 0
          ? t('chat.waitingBelow', { count: waiting })
          : unseen > 0
            ? t('chat.latestNew', { count: unseen })
            : t('chat.latest')}
      </Button>
    </div>
  );
};

/** Covers the conversation while something that it takes is dragged over it. */
const DropTarget = ({ kind }: { kind: Dragged }) => {
  const t = useT();
  const Icon = kind === 'files' ? Paperclip : TextCursorInput;
  return (
    <div
      data-drop-target
      className="pointer-events-none absolute inset-0 z-20 flex items-center justify-center border-2 border-dashed border-accent bg-accent-soft/60"
    >
      <div className="mx-4 flex flex-col items-center gap-1 rounded-card border border-line-strong bg-raised px-5 py-4 text-center shadow-float">
        <Icon aria-hidden size={32} className="text-accent" />
        <p className="font-medium">{t(kind === 'files' ? 'chat.dropHere' : 'chat.dropText')}</p>
        {kind === 'files' && <p className="text-fg-2">{t('chat.dropFolder')}</p>}
      </div>
    </div>
  );
};
