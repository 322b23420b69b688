import type { UserMessage } from '@contract/conversation';
import type { MessageId, ThreadId } from '@contract/ids';
import { MAX_MESSAGE_LENGTH } from '@contract/limits';
import type { SecretKind, SecretsInMessage } from '@contract/secrets';
import { type KeyboardEvent, useState } from 'react';
import { useT } from '../../i18n';
import { keepText, keptText, threadKey, toastUndo } from '../../link';
import { Button, Textarea, useBusy } from '../../ui';
import { Attachments } from './composer/attachments';
import { SecretQuestion } from './composer/secret-question';
import { forkAt } from './message-menu';

interface EditMessageProps {
  threadId: ThreadId;
  message: UserMessage;
  takesFocus: boolean;
  onDone(): void;
  /** Called to go on with an edit that was left. */
  onResume(): void;
}

const keyOf = (threadId: ThreadId, id: MessageId) => threadKey('edit', threadId, id);

/** Whether the message has a new text that was neither sent nor discarded. */
export const hasEdit = (threadId: ThreadId, id: MessageId): boolean => keptText(keyOf(threadId, id)) !== '';

/** Edits a sent message. The new text is sent in a new thread, because the results of the old text stay. */
export const EditMessage = ({ threadId, message, takesFocus, onDone, onResume }: EditMessageProps) => {
  const t = useT();
  const key = keyOf(threadId, message.id);
  const [text, setText] = useState(() => keptText(key) || message.text);
  const [busy, during] = useBusy();
  const [found, setFound] = useState<readonly SecretKind[]>([]);
  const { attachments = [] } = message;
  const canSend = (text.trim() !== '' || attachments.length > 0) && text.length <= MAX_MESSAGE_LENGTH;

  const send = async (secrets?: SecretsInMessage) => {
    if (!canSend || busy) return;
    const { done, asks } = await during(forkAt(threadId, message, t, text, secrets));
    setFound(asks);
    if (done) end();
  };
  const end = () => {
    keepText(key, '');
    onDone();
  };
  const leave = () => {
    end();
    if (text === message.text) return;
    toastUndo(t('chat.editLeft'), () => {
      keepText(key, text);
      onResume();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) void send();
    else if (event.key === 'Escape') leave();
    else return;
    event.preventDefault();
  };

  return (
    <div className="flex flex-col gap-2">
      {/* The attachments are sent with the new text too. */}
      <Attachments threadId={threadId} attachments={attachments} />
      <Textarea
        bare
        ref={(area) => {
          if (takesFocus && area && !area.contains(document.activeElement)) area.focus();
        }}
        aria-label={t('chat.editMessage')}
        rows={2}
        maxHeight={320}
        value={text}
        readOnly={busy}
        onChange={(event) => {
          const { value } = event.target;
          setText(value);
          keepText(key, value === message.text ? '' : value);
          setFound([]);
        }}
        onKeyDown={onKeyDown}
        className="text-read"
      />
      {found.length > 0 && <SecretQuestion kinds={found} onChoose={(choice) => void send(choice)} />}
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 grow text-small text-fg-3">{t('chat.editHint')}</p>
        {/* If they do not fit beside the hint, both buttons move below it. */}
        <div className="ml-auto flex gap-2">
          <Button size="sm" variant="ghost" onClick={leave}>
            {t('chat.cancel')}
          </Button>
          <Button size="sm" variant="primary" busy={busy} disabled={!canSend} onClick={() => void send()}>
            {t('chat.sendInNewThread')}
          </Button>
        </div>
      </div>
    </div>
  );
};
