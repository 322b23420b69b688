import type { SecretKind, SecretsInMessage } from '@contract/secrets';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { Textarea } from '../../../ui';
import { SecretQuestion } from './secret-question';

/** The new text of a queued message, and the likely secrets found in it on save. */
export interface Edited {
  text: string;
  found: readonly SecretKind[];
}

interface QueuedTextProps {
  edited: Edited;
  onSave(text: string, secrets?: SecretsInMessage): void;
  onCancel(): void;
  /** The field goes before the edit is over: the message was sent, or another thread is shown. */
  onLeft(text: string): void;
}

/** Edits a queued message: Enter and blur save, Escape cancels. */
export const QueuedText = ({ edited, onSave, onCancel, onLeft }: QueuedTextProps) => {
  const t = useT();
  const [text, setText] = useState(edited.text);
  const [found, setFound] = useState(edited.found);
  const isOver = useRef(false);
  const save = (secrets?: SecretsInMessage) => {
    isOver.current = true;
    onSave(text, secrets);
  };
  const latest = useRef(() => {});
  latest.current = () => onLeft(text);
  useEffect(
    () => () => {
      if (!isOver.current) latest.current();
    },
    [],
  );
  return (
    <li className="flex flex-col gap-1 px-2 py-1">
      <Textarea
        ref={(area) => {
          if (area && document.activeElement !== area) area.focus();
        }}
        aria-label={t('chat.queuedWords')}
        rows={1}
        maxHeight={160}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setFound([]);
        }}
        // While the person is asked about a secret, only the answer saves.
        onBlur={() => found.length === 0 && save()}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.keyCode === 229) return;
          if (event.key === 'Enter' && !event.shiftKey) save();
          else if (event.key === 'Escape') {
            isOver.current = true;
            onCancel();
          } else return;
          event.preventDefault();
        }}
      />
      {found.length > 0 && <SecretQuestion kinds={found} onChoose={(choice) => save(choice)} />}
    </li>
  );
};
