import type { UserMessage } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { MAX_MESSAGE_LENGTH } from '@contract/limits';
import type { SecretKind, SecretsInMessage } from '@contract/secrets';
import { type KeyboardEvent, useState } from 'react';
import { useT } from '../../i18n';
import { Button, Textarea, useBusy } from '../../ui';
import { Attachments } from './composer/attachments';
import { SecretQuestion } from './composer/secret-question';
import { forkAt } from './message-menu';

interface EditMessageProps {
  threadId: ThreadId;
  message: UserMessage;
  onDone(): void;
}

/** Edits a sent message. The new text is sent in a new thread, because the results of the old text stay. */
export const EditMessage = ({ threadId, message, onDone }: EditMessageProps) => {
  const t = useT();
  const [text, setText] = useState(message.text);
  const [busy, during] = useBusy();
  const [found, setFound] = useState<readonly SecretKind[]>([]);
  const { attachments = [] } = message;
  const canSend = (text.trim() !== '' || attachments.length > 0) && text.length <= MAX_MESSAGE_LENGTH;

  const send = async (secrets?: SecretsInMessage) => {
    if (!canSend || busy) return;
    const { done, asks } = await during(forkAt(threadId, message, t, text, secrets));
    setFound(asks);
    if (done) onDone();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) void send();
    else if (event.key === 'Escape') onDone();
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
          if (area && !area.contains(document.activeElement)) area.focus();
        }}
        aria-label={t('chat.editMessage')}
        rows={2}
        maxHeight={320}
        value={text}
        readOnly={busy}
        onChange={(event) => {
          setText(event.target.value);
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
          <Button size="sm" variant="ghost" onClick={onDone}>
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
