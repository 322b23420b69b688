import { MAX_MESSAGE_LENGTH } from '@contract/commands';
import type { QueuedMessage, Turn } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import type { AppError } from '@contract/result';
import type { SecretKind, SecretsInMessage } from '@contract/secrets';
import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { call, onIntent, toast } from '../../link';
import { Button, cx, ErrorNote, IconButton, Textarea } from '../../ui';
import { Queue } from './queue';
import { SecretQuestion, SecretsOff } from './secret-question';

/** Typed as a message, it has the older messages summarised for the model. */
const COMPACT = '/compact';

interface ComposerProps {
  threadId: ThreadId;
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
}

/** Where the person writes. Nothing typed here can decide about a call; what could not be sent stays. */
export const Composer = (props: ComposerProps) => {
  const { threadId, phase, queue, lastMessage, draft, onDraft, controls, stopKeys, mac, onSent, input } =
    props;
  const t = useT();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<AppError>();
  /** What the message seems to have in it, and when it was to be sent. */
  const [found, setFound] = useState<{ kinds: SecretKind[]; when?: QueuedMessage['when'] | undefined }>();
  const own = useRef<HTMLTextAreaElement>(null);
  const queued = useRef<HTMLDivElement>(null);
  const active = phase === 'running' || phase === 'waiting';
  const tooLong = draft.length > MAX_MESSAGE_LENGTH;

  // What is added from elsewhere in the window stands behind what is there.
  useEffect(
    () =>
      onIntent((intent) => {
        if (intent.type !== 'addToChat') return;
        onDraft(draft === '' || /\s$/u.test(draft) ? `${draft}${intent.text} ` : `${draft} ${intent.text} `);
        own.current?.focus();
      }),
    [draft, onDraft],
  );

  const send = async (when?: QueuedMessage['when'], secrets?: SecretsInMessage) => {
    if (sending || tooLong || draft.trim() === '') return;
    setSending(true);
    setError(undefined);
    setFound(undefined);
    if (draft.trim() === COMPACT) {
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
      return;
    }
    const result = await call('thread.send', {
      threadId,
      text: draft,
      ...(when === undefined ? {} : { when }),
      ...(secrets === undefined ? {} : { secrets }),
    });
    setSending(false);
    if (!result.ok && result.error.kind === 'conflict' && secrets === undefined) {
      const looked = await call('secrets.check', { threadId, text: draft });
      if (looked.ok && looked.value.kinds.length > 0) {
        setFound({ kinds: looked.value.kinds, when });
        return;
      }
    }
    if (!result.ok) {
      setError(result.error);
      return;
    }
    onDraft('');
    onSent();
  };
  const stop = async () => {
    const result = await call('thread.stop', { threadId });
    if (!result.ok) setError(result.error);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, its keys are its own. 229 is what some of them send for Enter.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void send();
    } else if (event.key === 'Enter' && event.altKey && !event.shiftKey && active) {
      event.preventDefault();
      void send('after_turn');
    } else if (event.key === 'ArrowUp' && draft === '' && queue.length > 0) {
      event.preventDefault();
      [...(queued.current?.querySelectorAll<HTMLElement>('[data-queued]') ?? [])].at(-1)?.focus();
    } else if (event.key === 'ArrowUp' && draft === '' && lastMessage !== undefined) {
      event.preventDefault();
      onDraft(lastMessage);
    } else if (event.key === '.' && (mac ? event.metaKey : event.ctrlKey) && active) {
      event.preventDefault();
      void stop();
    }
  };

  return (
    <div className="flex flex-col gap-2">
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
            onTaken={(text) => {
              onDraft(draft.trim() === '' ? text : `${text}\n${draft}`);
              own.current?.focus();
            }}
            onLeave={() => own.current?.focus()}
          />
        </div>
      )}
      <div className="rounded-card border border-line-strong bg-raised focus-within:border-accent">
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
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={onKeyDown}
          className="px-3.5 pt-2.5 pb-1 text-read"
        />
        <div className="flex items-center gap-1.5 pr-2 pb-2 pl-2">
          <div className="flex min-w-0 grow items-center gap-1.5">{controls}</div>
          {active && (
            <Button
              size="sm"
              className="h-7"
              title={stopKeys}
              icon={<Square aria-hidden size={11} fill="currentColor" />}
              onClick={() => void stop()}
            >
              {t('chat.stop')}
            </Button>
          )}
          <IconButton
            label={active ? t('chat.sendNextStep') : t('chat.send')}
            shortcut="Enter"
            side="top"
            disabled={draft.trim() === '' || sending || tooLong}
            onClick={() => void send()}
            icon={<ArrowUp size={16} strokeWidth={2} />}
            className={cx(
              'bg-accent text-on-accent hover:bg-accent-hover hover:text-on-accent disabled:bg-hover disabled:text-fg-3',
            )}
          />
        </div>
      </div>
    </div>
  );
};
