import { ArrowUp, Paperclip, Square } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useFormats, useT } from '../../../i18n';
import { useAnswered } from '../../../link';
import { Button, cx, IconButton } from '../../../ui';
import { roundly, WORTH_SAYING } from './estimate';

interface ComposerBarProps {
  controls: ReactNode;
  sending: boolean;
  /** The message is sent once its attachments have arrived. */
  isWaiting: boolean;
  cannotSend: boolean;
  /** The agent is working or waiting, so there is something to stop. */
  active: boolean;
  /** Escape was pressed once. */
  isStopAsked: boolean;
  /** Tokens of the draft and its attachments. */
  tokens: number;
  stopKeys: string;
  onFiles(files: readonly File[]): void;
  onStop(): void;
  onSend(): void;
}

/** Below the text in the composer: the model picker, the status, and the buttons. */
export const ComposerBar = (props: ComposerBarProps) => {
  const { active, cannotSend, stopKeys, onFiles, onStop, onSend } = props;
  const t = useT();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="flex items-center gap-1.5 pr-2 pb-2 pl-2">
      <div className="flex min-w-0 grow items-center gap-1.5">{props.controls}</div>
      <Status {...props} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t('chat.attach')}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
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
          onClick={onStop}
        >
          {t('chat.stop')}
        </Button>
      )}
      <IconButton
        label={active ? t('chat.sendNextStep') : t('chat.send')}
        shortcut="Enter"
        side="top"
        disabled={cannotSend}
        onClick={onSend}
        icon={<ArrowUp size={16} />}
        className={cx(
          'bg-accent text-on-accent forced-color-adjust-none hover:bg-accent-hover hover:text-on-accent disabled:bg-hover disabled:text-fg-3',
        )}
      />
    </div>
  );
};

/** One status: the app or an attachment is not ready, Escape stops, or the approximate length of the message. */
const Status = ({
  sending,
  isWaiting,
  isStopAsked,
  active,
  tokens,
}: Pick<ComposerBarProps, 'sending' | 'isWaiting' | 'isStopAsked' | 'active' | 'tokens'>) => {
  const t = useT();
  const formats = useFormats();
  const isAnswered = useAnswered();
  const isLate = sending && !isAnswered;
  const note = isLate
    ? 'app.sentOnceReady'
    : isWaiting
      ? 'chat.sentWithAttachments'
      : isStopAsked && active
        ? 'chat.escapeAgain'
        : null;
  if (note !== null)
    return (
      <span role="status" className="shrink-0 text-small text-fg-2">
        {t(note)}
      </span>
    );
  if (tokens < WORTH_SAYING) return null;
  return (
    <span title={t('chat.draftTokensAbout')} className="shrink-0 text-small text-fg-3 tabular-nums">
      {t('chat.draftTokens', { tokens: formats.number(roundly(tokens)) })}
    </span>
  );
};
