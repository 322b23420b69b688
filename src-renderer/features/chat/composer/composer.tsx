import { isActivePhase } from '@contract/active-phase';
import type { Attachment } from '@contract/attachments';
import type { QueuedMessage, Turn } from '@contract/conversation';
import type { ProjectId, ThreadId } from '@contract/ids';
import { MAX_MESSAGE_LENGTH } from '@contract/limits';
import type { ErrorInWords } from '@contract/result';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useT } from '../../../i18n';
import { call } from '../../../link';
import { ErrorNote, Textarea, useFocusBack } from '../../../ui';
import { Attachments } from './attachments';
import { ComposerBar } from './composer-bar';
import { handleComposerKey } from './composer-keys';
import { tellComposerStarted } from './composer-started';
import type { ChangeDraft } from './drafts';
import { draftTokens } from './estimate';
import { PromptForm } from './prompt-form';
import { Queue } from './queue';
import { SecretQuestion, SecretsOff } from './secret-question';
import { SuggestionList } from './suggestion-list';
import { useAddedText, usePaste } from './use-added-text';
import { type Attaching, useAttaching } from './use-attaching';
import { useCompletion } from './use-completion';
import type { Taker } from './use-drop';
import { useCompact, useSend } from './use-send';
import { useSentHistory } from './use-sent-history';
import { useToastPlace } from './use-toast-place';
import { useFor, useWriting } from './use-writing';

/** Milliseconds within which a second Escape stops the agent. */
const TWICE = 2_000;
/** Minimum number of characters: an accidental keystroke is not a message, and preparing for one takes memory. */
const MIN_LENGTH_TO_PREPARE = 3;

interface ComposerProps {
  threadId: ThreadId;
  projectId: ProjectId;
  /** The folder as the agent's tools name it. */
  mount: string;
  phase: Turn['phase'];
  queue: readonly QueuedMessage[];
  /** The person's last message, which Arrow Up restores into an empty composer. */
  lastMessage: string | undefined;
  draft: string;
  onDraft: ChangeDraft;
  /** Controls such as the model picker. */
  controls?: ReactNode;
  stopKeys: string;
  /** Uses ⌘ instead of Ctrl. */
  mac: boolean;
  onSent(): void;
  input?: Ref<HTMLTextAreaElement>;
  /** Receives what takes content from elsewhere. */
  taker?: RefObject<Taker | null>;
}

/** The message input. Nothing typed here can decide about a call. Text that could not be sent stays. */
export const Composer = (props: ComposerProps) => {
  const { threadId, projectId, phase, queue, draft, onDraft, mac } = props;
  const active = isActivePhase(phase);
  const [error, setError] = useState<ErrorInWords>();
  const field = useRef<HTMLTextAreaElement>(null);
  const queued = useRef<HTMLDivElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const attaching = useAttaching(threadId, setError);
  const { write, insert, append } = useWriting(field, draft, onDraft);
  const compaction = useCompact(threadId, onDraft, setError);
  const completion = useCompletion({
    place: { threadId, projectId, mount: props.mount },
    field,
    draft,
    ...{ write, append, attaching },
    onError: setError,
    onCompact: () => void compaction.compact(),
  });
  const history = useSentHistory(projectId, props.lastMessage, draft, write);
  const onSent = () => {
    history.begin();
    props.onSent();
  };
  const { sending, isWaiting, cannotSend, found, send } = useSend({
    ...{ threadId, projectId, draft, onDraft, attaching, compaction, onSent },
    onError: setError,
    onBegin: completion.close,
  });
  const { stop, isStopAsked, askStop } = useStop(threadId, setError);
  useToastPlace(whole, phase === 'waiting');
  const addText = useAddedText(attaching, insert);
  useTaker(props.taker, field, { files: (files) => attaching.files(files, 'file'), text: addText });
  const keepsFocus = useFocusBack(`${active} ${cannotSend} ${queue.length}`, field);
  const toField = () => field.current?.focus();
  const keyActions = {
    suggest: completion.onKey,
    send: (when?: QueuedMessage['when']) => void send(when),
    toQueue: () => focusLastQueued(queued.current),
    stepHistory: history.step,
    escape: askStop,
    stop,
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) =>
    handleComposerKey(event, { phase, draft, hasQueue: queue.length > 0, mac }, keyActions);

  return (
    <div ref={whole} className="flex flex-col gap-2" {...keepsFocus}>
      {error && <ErrorNote message={error.message} detail={error.detail} />}
      {found && <SecretQuestion kinds={found.kinds} onChoose={(choice) => void send(found.when, choice)} />}
      <SecretsOff threadId={threadId} />
      {draft.length > MAX_MESSAGE_LENGTH && <TooLong />}
      {queue.length > 0 && (
        <div ref={queued}>
          <Queue
            {...{ threadId, queue, active, mac }}
            onError={setError}
            onTaken={(text, attachments) => {
              onDraft((now) => joined(text, now));
              attaching.add(attachments);
              toField();
            }}
            onLeave={toField}
          />
        </div>
      )}
      {completion.prompt && (
        <PromptForm
          projectId={projectId}
          command={completion.prompt}
          onText={completion.onPromptText}
          onClose={completion.closePrompt}
        />
      )}
      <div className="relative rounded-card border border-line-strong bg-raised focus-within:border-accent">
        <Field
          {...props}
          {...{ field, completion, attaching, sending, insert }}
          onError={setError}
          onKeyDown={onKeyDown}
          onSend={() => void send()}
        />
        <ComposerBar
          controls={props.controls}
          {...{ sending, isWaiting, cannotSend, active, isStopAsked }}
          tokens={draftTokens(draft, attaching.attached)}
          stopKeys={props.stopKeys}
          onFiles={(files) => {
            attaching.files(files, 'file');
            toField();
          }}
          onStop={stop}
          onSend={() => void send()}
        />
      </div>
    </div>
  );
};

const TooLong = () => <ErrorNote message={useT()('chat.tooLong', { limit: MAX_MESSAGE_LENGTH })} />;

/** A queued message before the draft. */
const joined = (queued: string, draft: string) => {
  if (draft.trim() === '') return queued;
  return queued === '' ? draft : `${queued}\n${draft}`;
};

const focusLastQueued = (queue: HTMLElement | null) =>
  [...(queue?.querySelectorAll<HTMLElement>('[data-queued]') ?? [])].at(-1)?.focus();

/** Stops the turn; Escape must be pressed twice. */
function useStop(threadId: ThreadId, onError: (error: ErrorInWords) => void) {
  const [isStopAsked, setStopAsked] = useFor(TWICE);
  const stop = () =>
    void call('thread.stop', { threadId }).then((result) => {
      if (!result.ok) onError(result.error);
    });
  const askStop = () => {
    setStopAsked(!isStopAsked);
    if (isStopAsked) stop();
  };
  return { stop, isStopAsked, askStop };
}

/** Lets `taker` add what was dropped elsewhere, and focuses the field. */
function useTaker(
  taker: ComposerProps['taker'],
  field: RefObject<HTMLTextAreaElement | null>,
  { files, text }: Taker,
): void {
  useLayoutEffect(() => {
    if (!taker) return;
    const focused =
      <T,>(take: (content: T) => void) =>
      (content: T) => {
        take(content);
        field.current?.focus();
      };
    taker.current = { files: focused(files), text: focused(text) };
  });
}

const PLACEHOLDERS = {
  waiting: 'chat.placeholderWaiting',
  running: 'chat.placeholderRunning',
} as const;

interface FieldProps extends ComposerProps {
  field: RefObject<HTMLTextAreaElement | null>;
  completion: ReturnType<typeof useCompletion>;
  attaching: Attaching;
  sending: boolean;
  /** Inserts a text at the caret. */
  insert(text: string): void;
  onError(error: ErrorInWords): void;
  onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void;
  onSend(): void;
}

/** The text field, with attachments above it and suggestions over it. */
const Field = (props: FieldProps) => {
  const { threadId, phase, field, completion, attaching } = props;
  const t = useT();
  const onPaste = usePaste(attaching);
  const insertText = async (attachment: Attachment) => {
    const kept = await call('attachments.text', { threadId, id: attachment.id });
    if (!kept.ok) {
      props.onError(kept.error);
      return;
    }
    attaching.remove(attachment);
    props.insert(kept.value.text);
  };
  return (
    <>
      {completion.token && (
        <SuggestionList
          key={completion.token.kind}
          id={completion.listId}
          token={completion.token}
          place={completion.place}
          handle={completion.list}
          onActive={completion.setActive}
          onChoose={completion.choose}
          onNothing={props.onSend}
        />
      )}
      <Attachments
        threadId={threadId}
        attachments={attaching.attached}
        arriving={attaching.arriving}
        onRemove={(attachment) => {
          attaching.remove(attachment);
          field.current?.focus();
        }}
        onInsert={(attachment) => void insertText(attachment)}
        // With many, the messages and the text need the height more: the newest are shown, and the others by scrolling.
        className="max-h-[30cqh] overflow-y-auto px-2.5 pt-2.5"
      />
      <Textarea
        bare
        ref={(area) => {
          field.current = area;
          if (typeof props.input === 'function') props.input(area);
          else if (props.input) props.input.current = area;
        }}
        // The decision above needs the space.
        rows={phase === 'waiting' && props.draft === '' ? 1 : 2}
        maxHeight={240}
        aria-label={t('chat.composer')}
        placeholder={t(phase === 'waiting' || phase === 'running' ? PLACEHOLDERS[phase] : 'chat.placeholder')}
        value={props.draft}
        readOnly={props.sending}
        onChange={(event) => {
          if (event.target.value.trim().length >= MIN_LENGTH_TO_PREPARE) tellComposerStarted(threadId);
          props.onDraft(event.target.value);
          completion.look(event.target);
        }}
        onSelect={(event) => completion.look(event.currentTarget)}
        onBlur={completion.close}
        onKeyDown={props.onKeyDown}
        onPaste={onPaste}
        {...completion.aria}
        // In a low window, the messages and a decision above need the height more than the rest of the hint.
        className="px-3.5 pt-2.5 pb-1 text-read [@container(max-height:20rem)]:placeholder:overflow-hidden [@container(max-height:20rem)]:placeholder:text-ellipsis [@container(max-height:20rem)]:placeholder:whitespace-nowrap"
      />
    </>
  );
};
