import type { SecretKind, SecretsInMessage } from '@contract/secrets';
import { useState } from 'react';
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
}

/** Edits a queued message: Enter and blur save, Escape cancels. */
export const QueuedText = ({ edited, onSave, onCancel }: QueuedTextProps) => {
  const t = useT();
  const [text, setText] = useState(edited.text);
  const [found, setFound] = useState(edited.found);
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
        onBlur={() => found.length === 0 && onSave(text)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.keyCode === 229) return;
          if (event.key === 'Enter' && !event.shiftKey) onSave(text);
          else if (event.key === 'Escape') onCancel();
          else return;
          event.preventDefault();
        }}
      />
      {found.length > 0 && <SecretQuestion kinds={found} onChoose={(choice) => onSave(text, choice)} />}
    </li>
  );
};
