import type { Attachment } from '@contract/attachments';
import type { QueuedMessage, Turn } from '@contract/conversation';
import type { ProjectId, ThreadId } from '@contract/ids';
import { LONG_PASTE, MAX_MESSAGE_LENGTH } from '@contract/limits';
import type { AppError } from '@contract/result';
import type { SecretKind, SecretsInMessage } from '@contract/secrets';
import { optional } from '@contract/shared/optional';
import { ArrowUp, Paperclip, Square } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useFormats, useT } from '../../i18n';
import { call, onIntent, toast, useAnswered } from '../../link';
import { Button, cx, ErrorNote, IconButton, Textarea } from '../../ui';
import { Attachments } from './attachments';
import { tellBegun } from './begun';
import { draftTokens, roundly, WORTH_SAYING } from './estimate';
import { PromptForm } from './prompt-form';
import { Queue } from './queue';
import { SecretQuestion, SecretsOff, secretsIn } from './secret-question';
import { remember } from './sent-history';
import { SuggestionList } from './suggestion-list';
import { useAttaching } from './use-attaching';
import { useCompletion } from './use-completion';
import { useSentHistory } from './use-sent-history';
import { useToastPlace } from './use-toast-place';
import { useFor, useWriting } from './use-writing';

/** Typed as a message, it has the older messages summarised for the model. */
const COMPACT = '/compact';
/** Milliseconds within which Escape is pressed twice to stop. */
const TWICE = 2_000;

interface ComposerProps {
  threadId: ThreadId;
  projectId: ProjectId;
  /** The folder, as the agent's tools name it. */
  mount: string;
  phase: Turn['phase'];
  queue: readonly QueuedMessage[];
  /** The last thing the person said, which Arrow Up brings back into an empty composer. */
  lastMessage: string | undefined;
  draft: string;
  onDraft(text: string): void;
  /** The model picker and the like. */
  controls?: ReactNode;
  stopKeys: string;
  /** ⌘ in place of Ctrl. */
  mac: boolean;
  onSent(): void;
  input?: Ref<HTMLTextAreaElement>;
  /** Is given a way to attach files that came elsewhere than here, such as by a drop on the conversation. */
  taker?: RefObject<(files: readonly File[]) => void>;
}

/**
 * Milliseconds until it is shown that a message is still on its way. Most are there before, and drawing the composer twice
 * would keep their request waiting for a processor.
 */
const SHOWN_AFTER = 150;

/** Letters: a key that was hit by accident is no message, and what is made ready for one takes memory. */
const BEGUN = 3;

/** Where the person writes. Nothing typed here can decide about a call; what could not be sent stays. */
export const Composer = (props: ComposerProps) => {
  const { threadId, projectId, mount, phase, queue, lastMessage, draft, onDraft } = props;
  const { controls, stopKeys, mac, onSent, input, taker } = props;
  const t = useT();
  const formats = useFormats();
  const [sending, setSending] = useState(false);
  /** A message is on its way, whether that is shown yet or not. */
  const isSending = useRef(false);
  const written = useRef({ threadId, draft });
  useLayoutEffect(() => {
    written.current = { threadId, draft };
  });
  const [error, setError] = useState<AppError>();
  /** What the message seems to have in it, and when it was to be sent. */
  const [found, setFound] = useState<{
    kinds: readonly SecretKind[];
    when?: QueuedMessage['when'] | undefined;
  }>();
  const own = useRef<HTMLTextAreaElement>(null);
  const queued = useRef<HTMLDivElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const active = phase === 'running' || phase === 'waiting';
  const tooLong = draft.length > MAX_MESSAGE_LENGTH;
  const attaching = useAttaching(threadId, setError);
  const { attached, arriving } = attaching;
  const isEmpty = draft.trim() === '' && attached.length === 0;
  const cannotSend = isEmpty || sending || tooLong || arriving.length > 0;
  const tokens = draftTokens(draft, attached);
  const isAnswered = useAnswered();

  useLayoutEffect(() => {
    if (!taker) return;
    taker.current = (files) => {
      attaching.files(files, 'file');
      own.current?.focus();
    };
  });

  const { write, insert } = useWriting(own, draft, onDraft);
  const history = useSentHistory(projectId, lastMessage, draft, write);
  const [isStopAsked, setStopAsked] = useFor(TWICE);
  useToastPlace(whole, phase === 'waiting');

  const compact = async () => {
    setSending(true);
    setError(undefined);
    const compacted = await call('thread.compact', { threadId });
    setSending(false);
    if (!compacted.ok) {
      setError(compacted.error);
      return;
    }
    onDraft('');
    const made = compacted.value;
    toast(
      made === null
        ? t('chat.nothingToCompact')
        : t('chat.compactedToast', { before: made.tokensBefore, after: made.tokensAfter }),
    );
  };
  const completion = useCompletion({
    place: { threadId, projectId, mount },
    field: own,
    draft,
    write,
    attaching,
    onError: setError,
    onCompact: () => void compact(),
  });
  const send = async (when?: QueuedMessage['when'], secrets?: SecretsInMessage) => {
    if (cannotSend || isSending.current) return;
    completion.close();
    if (draft.trim() === COMPACT && attached.length === 0) {
      await compact();
      return;
    }
    setError(undefined);
    setFound(undefined);
    isSending.current = true;
    const late = setTimeout(() => setSending(true), SHOWN_AFTER);
    const result = await call('thread.send', {
      threadId,
      text: draft,
      ...(attached.length === 0 ? {} : { attachments: [...attached] }),
      ...optional({ when, secrets }),
    });
    clearTimeout(late);
    isSending.current = false;
    setSending(false);
    if (!result.ok) {
      const kinds = secrets === undefined ? await secretsIn(threadId, draft, result.error, attached) : [];
      if (kinds.length > 0) setFound({ kinds, when });
      else setError(result.error);
      return;
    }
    // What has secrets in it is kept nowhere but in the conversation.
    if (secrets === undefined) remember(projectId, draft);
    history.begin();
    // What was written since is of the next message.
    const now = written.current.threadId === threadId ? written.current.draft : draft;
    onDraft(now.startsWith(draft) ? now.slice(draft.length) : now);
    attaching.clear();
    onSent();
  };
  const stop = async () => {
    const result = await call('thread.stop', { threadId });
    if (!result.ok) setError(result.error);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, its keys are its own. 229 is what some of them send for Enter.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    if (isPlain && completion.onKey(event.key)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      // With nothing to send, Ctrl+Enter leads to the decision that waits.
      if (phase === 'waiting' && !isPlain && draft === '') return;
      event.preventDefault();
      // A key that is held was pressed for something else, such as the decision that the focus came from.
      if (!event.repeat) void send();
    } else if (event.key === 'Enter' && event.altKey && !event.shiftKey && active) {
      event.preventDefault();
      void send('after_turn');
    } else if (event.key === 'ArrowUp' && draft === '' && queue.length > 0) {
      event.preventDefault();
      [...(queued.current?.querySelectorAll<HTMLElement>('[data-queued]') ?? [])].at(-1)?.focus();
    } else if (isArrow && isPlain) {
      if (history.step(event.key === 'ArrowUp' ? 1 : -1)) event.preventDefault();
    } else if (event.key === 'Escape' && isPlain && active) {
      event.preventDefault();
      setStopAsked(!isStopAsked);
      if (isStopAsked) void stop();
    } else if (event.key === '.' && (mac ? event.metaKey : event.ctrlKey) && active) {
      event.preventDefault();
      void stop();
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    const files = [...event.clipboardData.files];
    // Offices put a picture of what was copied beside its words: the words are meant.
    const areMeant =
      files.length > 0 && (text === '' || files.some(({ type }) => !type.startsWith('image/')));
    if (!areMeant && text.length <= LONG_PASTE) return;
    event.preventDefault();
    if (areMeant) attaching.files(files.map(named), 'paste');
    else attaching.text(text);
  };
  /** A picture from the clipboard has no name of its own that says anything. */
  const named = (file: File) =>
    /^image\.\w+$/u.test(file.name)
      ? new File([file], `${t('chat.pastedPicture')}.${file.name.split('.').at(-1)}`, { type: file.type })
      : file;
  const insertText = async (attachment: Attachment) => {
    const kept = await call('attachments.text', { threadId, id: attachment.id });
    if (!kept.ok) {
      setError(kept.error);
      return;
    }
    attaching.remove(attachment);
    insert(kept.value.text);
  };
  // What is added from elsewhere in the window stands where the caret is, or behind what is there.
  const add = useRef((_words: string) => {});
  add.current = (words) => {
    const isBlock = words.includes('\n');
    if (words.length > 2 * LONG_PASTE) attaching.text(words);
    else insert(isBlock ? words : `${words.trimEnd()} `);
  };
  useEffect(
    () =>
      onIntent((intent) => {
        if (intent.type === 'addToChat') add.current(intent.text);
      }),
    [],
  );

  return (
    <div ref={whole} className="flex flex-col gap-2">
      {error && <ErrorNote message={error.message} detail={error.detail} />}
      {found && <SecretQuestion kinds={found.kinds} onChoose={(choice) => void send(found.when, choice)} />}
      <SecretsOff threadId={threadId} />
      {tooLong && <ErrorNote message={t('chat.tooLong', { limit: MAX_MESSAGE_LENGTH })} />}
      {queue.length > 0 && (
        <div ref={queued}>
          <Queue
            threadId={threadId}
            queue={queue}
            mac={mac}
            onError={setError}
            onTaken={(text, attachments) => {
              onDraft(draft.trim() === '' ? text : text === '' ? draft : `${text}\n${draft}`);
              attaching.add(attachments);
              own.current?.focus();
            }}
            onLeave={() => own.current?.focus()}
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
        {completion.token && (
          <SuggestionList
            key={completion.token.kind}
            id={completion.listId}
            token={completion.token}
            place={completion.place}
            handle={completion.list}
            onActive={completion.setActive}
            onChoose={completion.choose}
          />
        )}
        <Attachments
          threadId={threadId}
          attachments={attached}
          arriving={arriving}
          onRemove={(attachment) => {
            attaching.remove(attachment);
            own.current?.focus();
          }}
          onInsert={(attachment) => void insertText(attachment)}
          className="px-2.5 pt-2.5"
        />
        <Textarea
          bare
          ref={(area) => {
            own.current = area;
            if (typeof input === 'function') input(area);
            else if (input) input.current = area;
          }}
          rows={2}
          maxHeight={240}
          aria-label={t('chat.composer')}
          placeholder={
            phase === 'waiting'
              ? t('chat.placeholderWaiting')
              : phase === 'running'
                ? t('chat.placeholderRunning')
                : t('chat.placeholder')
          }
          value={draft}
          readOnly={sending}
          onChange={(event) => {
            if (event.target.value.trim().length >= BEGUN) tellBegun(threadId);
            onDraft(event.target.value);
            completion.look(event.target);
          }}
          onSelect={(event) => completion.look(event.currentTarget)}
          onBlur={completion.close}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          {...completion.aria}
          className="px-3.5 pt-2.5 pb-1 text-read"
        />
        <div className="flex items-center gap-1.5 pr-2 pb-2 pl-2">
          <div className="flex min-w-0 grow items-center gap-1.5">{controls}</div>
          {sending && !isAnswered ? (
            <span role="status" className="shrink-0 text-small text-fg-2">
              {t('app.sentOnceReady')}
            </span>
          ) : isStopAsked && active ? (
            <span role="status" className="shrink-0 text-small text-fg-2">
              {t('chat.escapeAgain')}
            </span>
          ) : (
            tokens >= WORTH_SAYING && (
              <span title={t('chat.draftTokensAbout')} className="shrink-0 text-small text-fg-3 tabular-nums">
                {t('chat.draftTokens', { tokens: formats.number(roundly(tokens)) })}
              </span>
            )
          )}
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-label={t('chat.attach')}
            onChange={(event) => {
              attaching.files([...(event.target.files ?? [])], 'file');
              event.target.value = '';
              own.current?.focus();
            }}
          />
          <IconButton
            label={t('chat.attach')}
            side="top"
            icon={<Paperclip size={16} />}
            onClick={() => picker.current?.click()}
          />
          {active && (
            <Button
              size="sm"
              className="h-7"
              title={stopKeys}
              icon={<Square aria-hidden size={12} fill="currentColor" />}
              onClick={() => void stop()}
            >
              {t('chat.stop')}
            </Button>
          )}
          <IconButton
            label={active ? t('chat.sendNextStep') : t('chat.send')}
            shortcut="Enter"
            side="top"
            disabled={cannotSend}
            onClick={() => void send()}
            icon={<ArrowUp size={16} />}
            className={cx(
              'bg-accent text-on-accent hover:bg-accent-hover hover:text-on-accent disabled:bg-hover disabled:text-fg-3',
            )}
          />
        </div>
      </div>
    </div>
  );
};
