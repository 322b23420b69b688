import type { Approval, ThreadState, UserMessage } from '@contract/conversation';
import type { MessageId, ThreadId } from '@contract/ids';
import { ArrowDown, Hand, Paperclip } from 'lucide-react';
import {
  type ComponentProps,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useT } from '../../i18n';
import { call, KEEPS_FOCUS, loadEarlier, onIntent, takeJump, toast, useApp } from '../../link';
import { Button, CodeActionsProvider, Spinner } from '../../ui';
import { Composer } from './composer';
import { useDraft } from './drafts';
import { FindBar, type Found } from './find-bar';
import { MessageList, type MessageListHandle, type Row } from './message-list';
import { NoticeNote } from './notice-note';
import { RetryLine } from './retry-line';
import { type ByCall, callsIn, createSegmenter, type NestedMessage, placeOf } from './segments';
import { SegmentView } from './segments-view';
import { useDrop } from './use-drop';
import { useHighlights } from './use-highlights';

interface ConversationProps {
  thread: ThreadState;
  /**
   * The card for a call that waits, drawn where the call stands. `index` is 0-based among those that wait. `onLeft` is told
   * that it goes with the focus in it.
   */
  renderApproval(approval: Approval, index: number, total: number, onLeft: () => void): ReactNode;
  /** Stands where there are no messages yet; `use` puts a text into the composer. */
  empty(use: (text: string) => void): ReactNode;
  /** Below the text in the composer: the model picker. */
  controls?: ReactNode;
  stopKeys: string;
}

/** Messages of one page further back, and of all of them. */
const PAGE = 200;
const ALL = 100_000;
/** Milliseconds for which a message that was jumped to is pointed at. */
const MARKED_FOR = 1_600;

/** Drawn again when something about them changed, not with each word that streams in. */
const QuietComposer = memo(DraftComposer);
const QuietFindBar = memo(FindBar);

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
  const project = useApp((app) => app.projects.find(({ id }) => id === state.thread.projectId));
  const mount = project?.mount ?? '';
  const missing = project?.missing === true ? project.id : undefined;
  const mac = useApp((app) => app.platform === 'darwin');
  /** Puts a text into the composer. */
  const setDraft = useRef<(text: string) => void>(() => undefined);
  const input = useRef<HTMLTextAreaElement>(null);
  const taker = useRef<(files: readonly File[]) => void>(() => undefined);
  const drop = useDrop((files) => taker.current(files));
  const list = useRef<MessageListHandle>(null);
  const segmenter = useRef(createSegmenter());

  const { segments, nested, steps } = useMemo(
    () => segmenter.current(state.messages, state.thread.origin, state.earlier),
    [state.messages, state.thread.origin, state.earlier],
  );
  const approvals = useMemo(
    () => new Map(state.approvals.map((approval) => [approval.callId, approval])),
    [state.approvals],
  );

  useEffect(() => {
    const isKept = document.activeElement?.closest(`[${KEEPS_FOCUS}]`) != null;
    if (threadId && !isKept) input.current?.focus();
  }, [threadId]);

  const { turn } = state;
  /** The window knows that there are messages, and has none of them yet. */
  const isToCome = state.earlier !== undefined && state.messages.length === 0;
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
  const placed = useMemo(
    () => (waiting > 0 ? callsIn(segments, nested) : undefined),
    [waiting, segments, nested],
  );
  const rows = useMemo(
    (): Row[] => (segments.length === 0 ? [] : [...segments, { kind: 'below', key: 'below' }]),
    [segments],
  );
  // A question is never out of sight because its call is: what holds one is drawn wherever one looks.
  const kept = useMemo(
    () =>
      approvals.size === 0
        ? []
        : rows.flatMap((row, index) =>
            row.kind === 'below' || (row.kind === 'calls' && asksIn(row, nested, approvals)) ? [index] : [],
          ),
    [rows, nested, approvals],
  );
  // Counted as they stand on the screen: first those at their calls, then those whose call is not shown.
  const unplaced = state.approvals.filter((approval) => !placed?.has(approval.callId));
  const inOrder = [...[...(placed ?? [])].filter((callId) => approvals.has(callId)), ...unplaced.map(callOf)];
  /** From a decision the focus goes to the next one, else to where one writes. */
  const leaveQuestion = ({ id }: Approval) => {
    const cards = [...(list.current?.element?.querySelectorAll<HTMLElement>('[data-approval]') ?? [])];
    const at = cards.findIndex((card) => card.dataset.approval === id);
    const next = cards[at + 1] ?? cards[at - 1];
    next?.scrollIntoView({ block: 'nearest' });
    (next ?? input.current)?.focus({ preventScroll: true });
  };
  const ask = (approval: Approval) =>
    renderApproval(approval, inOrder.indexOf(approval.callId), waiting, () => leaveQuestion(approval));
  const isStreaming =
    last?.role === 'agent' && last.phase === 'streaming' && (last.text !== '' || last.reasoning !== '');
  const isCalling = last?.role === 'agent' && last.calls.some((call) => call.status === 'running');

  const use = (text: string) => {
    setDraft.current(text);
    input.current?.focus();
  };
  const showWaiting = () => {
    const card = list.current?.element?.querySelector<HTMLElement>('[data-approval]');
    card?.scrollIntoView({ block: 'center' });
    card?.focus();
  };

  const said = useRef(state.messages);
  said.current = state.messages;
  const questionOf = useCallback((id: string): UserMessage | undefined => {
    const at = said.current.findIndex((message) => message.id === id);
    return said.current.slice(0, Math.max(0, at)).findLast((message) => message.role === 'user');
  }, []);
  const onSent = useCallback(() => list.current?.toEnd(), []);
  const { atEnd, onAtEnd, unseen } = useUnseen(state);
  const [goesOn, setGoesOn] = useState(false);
  const onEarlier = useEarlier(threadId);
  const onAll = useCallback(() => loadEarlier(threadId, { limit: ALL }), [threadId]);
  const { marked, jumpTo } = useJump(state, segments, list);
  const [found, setFound] = useState<Found>();
  useHighlights(() => list.current?.element ?? null, found?.text, found, segments);
  const onFound = useCallback(
    (next: Found | undefined) => {
      setFound(next);
      if (next?.messageId !== undefined) jumpTo(next.messageId, false);
    },
    [jumpTo],
  );

  const context = {
    threadId,
    mount,
    approvals,
    nested,
    steps,
    renderApproval: ask,
    questionOf,
    lastCompaction,
    missing,
    currentNotice: active || lastSegment?.kind !== 'notice' ? undefined : lastSegment.key,
  };
  const below = (
    <>
      {/* A question is never out of sight because its call is. */}
      {unplaced.map(ask)}
      {turn.phase === 'running' && turn.retry !== undefined && (
        <RetryLine threadId={threadId} retry={turn.retry} />
      )}
      {turn.phase === 'running' && turn.retry === undefined && !isStreaming && !isCalling && (
        <p className="flex h-6 items-center gap-2 text-fg-3">
          <Spinner size={14} /> {t(turn.detail === 'compacting' ? 'chat.compacting' : 'chat.working')}
        </p>
      )}
      {turn.phase === 'failed' && lastSegment?.kind !== 'notice' && (
        <NoticeNote threadId={threadId} error={turn.error} actions={['retry']} current missing={missing} />
      )}
      {turn.phase === 'interrupted' && lastSegment?.kind !== 'notice' && (
        <NoticeNote
          threadId={threadId}
          error={{ kind: 'cancelled', message: t('chat.interrupted') }}
          actions={['continue']}
          current
          missing={missing}
        />
      )}
    </>
  );

  return (
    <CodeActionsProvider value={codeActions}>
      <div {...drop.handlers} data-conversation className="relative flex h-full min-h-0 flex-col bg-bg">
        {drop.isOver && <DropTarget />}
        <QuietFindBar
          key={`find-${threadId}`}
          threadId={threadId}
          changed={state.messages.length}
          onFound={onFound}
        />
        <MessageList
          // A thread whose messages have come at last begins at its end.
          key={isToCome ? `${threadId} to come` : threadId}
          threadId={threadId}
          rows={rows}
          kept={kept}
          renderRow={(row) =>
            row.kind === 'below' ? below : <SegmentView segment={row} context={context} />
          }
          empty={
            <>
              {empty(use)}
              {below}
            </>
          }
          hasEarlier={state.earlier !== undefined && !isToCome}
          onEarlier={onEarlier}
          onAll={onAll}
          onAtEnd={onAtEnd}
          onGoesOn={setGoesOn}
          marked={marked}
          handle={list}
        />
        <p role="status" className="sr-only">
          {waiting > 0 ? t('chat.waitingBelow', { count: waiting }) : ''}
        </p>
        <div className="relative mx-auto w-full max-w-talk shrink-0 px-5 pb-4">
          {/* Of several questions the first may have its buttons there. */}
          {goesOn && waiting === 1 && (
            <div
              aria-hidden
              className="pointer-events-none absolute inset-x-0 bottom-full h-14 bg-linear-to-t from-bg to-transparent"
            />
          )}
          {(goesOn || !atEnd) && (
            <div className="absolute -top-10 right-0 left-0 z-10 flex justify-center">
              <Button
                size="sm"
                className="h-7 rounded-full shadow-float"
                icon={
                  waiting > 0 && !goesOn ? (
                    <Hand size={14} className="text-ask-text" />
                  ) : (
                    <ArrowDown size={14} />
                  )
                }
                onClick={waiting > 0 && !goesOn ? showWaiting : () => list.current?.toEnd()}
              >
                {waiting > 0
                  ? goesOn && waiting === 1
                    ? t('chat.goesOn')
                    : t('chat.waitingBelow', { count: waiting })
                  : unseen > 0
                    ? t('chat.latestNew', { count: unseen })
                    : t('chat.latest')}
              </Button>
            </div>
          )}
          <QuietComposer
            key={threadId}
            threadId={threadId}
            projectId={state.thread.projectId}
            mount={mount}
            phase={turn.phase}
            queue={state.queue}
            lastMessage={state.messages.findLast((message) => message.role === 'user')?.text}
            setDraft={setDraft}
            controls={controls}
            stopKeys={stopKeys}
            mac={mac}
            onSent={onSent}
            input={input}
            taker={taker}
          />
        </div>
      </div>
    </CodeActionsProvider>
  );
};

/** Over all of the conversation while files are held above it. */
const DropTarget = () => {
  const t = useT();
  return (
    <div className="pointer-events-none absolute inset-0 z-20 flex items-center justify-center border-2 border-dashed border-accent bg-accent-soft/60">
      <div className="mx-4 flex flex-col items-center gap-1 rounded-card border border-line-strong bg-raised px-5 py-4 text-center shadow-float">
        <Paperclip aria-hidden size={32} className="text-accent" />
        <p className="font-medium">{t('chat.dropHere')}</p>
        <p className="text-fg-2">{t('chat.dropFolder')}</p>
      </div>
    </div>
  );
};

/** The main process asks for the place: the window knows no paths. */
async function saveText(name: string, text: string): Promise<void> {
  const result = await call('text.save', { name, text });
  if (!result.ok) toast(result.error.message);
}
const codeActions = { save: (name: string, text: string) => void saveText(name, text) };

type DraftComposerProps = Omit<ComponentProps<typeof Composer>, 'draft' | 'onDraft'> & {
  setDraft: RefObject<(text: string) => void>;
};

/** Holds what is typed, so that a key draws the composer and nothing of the conversation. */
function DraftComposer({ setDraft, ...rest }: DraftComposerProps) {
  const [draft, change] = useDraft(rest.threadId);
  useLayoutEffect(() => {
    setDraft.current = change;
  }, [setDraft, change]);
  return <Composer {...rest} draft={draft} onDraft={change} />;
}

const asksIn = (
  row: Extract<Row, { kind: 'calls' }>,
  nested: ByCall<NestedMessage[]>,
  approvals: ReadonlyMap<string, Approval>,
): boolean => {
  for (const callId of callsIn([row], nested)) if (approvals.has(callId)) return true;
  return false;
};

/** Whether the end is seen, and how many messages came since it no longer was. */
function useUnseen(state: ThreadState) {
  const [left, setLeft] = useState<{ threadId: ThreadId; lastId: string | undefined }>();
  const last = useRef<string>(undefined);
  last.current = state.messages.at(-1)?.id;
  const threadId = state.thread.id;
  const onAtEnd = useCallback(
    (atEnd: boolean) => setLeft(atEnd ? undefined : { threadId, lastId: last.current }),
    [threadId],
  );
  const away = left?.threadId === threadId ? left : undefined;
  const from = away === undefined ? -1 : state.messages.findLastIndex(({ id }) => id === away.lastId);
  return {
    atEnd: away === undefined,
    onAtEnd,
    unseen: away === undefined || from === -1 ? 0 : state.messages.length - 1 - from,
  };
}

/** Asks for one more page, one at a time. */
function useEarlier(threadId: ThreadId): () => void {
  const busy = useRef(false);
  return useCallback(() => {
    if (busy.current) return;
    busy.current = true;
    void loadEarlier(threadId, { limit: PAGE }).then(() => {
      busy.current = false;
    });
  }, [threadId]);
}

/** Goes to a message, wherever it is, and points at it for a moment. */
function useJump(
  state: ThreadState,
  segments: Parameters<typeof placeOf>[0],
  list: RefObject<MessageListHandle | null>,
) {
  const threadId = state.thread.id;
  const [wanted, setWanted] = useState<{ id: MessageId; point: boolean }>();
  const [marked, setMarked] = useState<string>();

  const jumpTo = useCallback((id: MessageId, point = true) => setWanted({ id, point }), []);
  useEffect(() => {
    const take = () => {
      const id = takeJump(threadId);
      if (id !== undefined) setWanted({ id, point: true });
    };
    take();
    return onIntent((intent) => {
      if (intent.type === 'openThread' && intent.threadId === threadId) take();
    });
  }, [threadId]);

  const { messages, earlier } = state;
  useEffect(() => {
    if (!wanted) return;
    const at = placeOf(segments, messages, wanted.id);
    if (at === -1 && earlier !== undefined && !messages.some(({ id }) => id === wanted.id)) {
      let isWanted = true;
      void loadEarlier(threadId, { limit: ALL, from: wanted.id }).then((came) => {
        if (isWanted && !came) setWanted(undefined);
      });
      return () => {
        isWanted = false;
      };
    }
    setWanted(undefined);
    if (at === -1) return;
    list.current?.show(at);
    if (wanted.point) setMarked(segments[at]?.key);
    return undefined;
  }, [wanted, segments, messages, earlier, threadId, list]);
  useEffect(() => {
    if (marked === undefined) return;
    const timer = setTimeout(() => setMarked(undefined), MARKED_FOR);
    return () => clearTimeout(timer);
  }, [marked]);
  return { marked, jumpTo };
}
