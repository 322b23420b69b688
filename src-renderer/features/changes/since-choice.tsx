import type { ThreadState } from '@contract/conversation';
import type { MessageId, ThreadId } from '@contract/ids';
import { useId } from 'react';
import { useT } from '../../i18n';
import { openState, useThreadPart } from '../../link';
import { Select } from '../../ui';

/** How many of the last messages are offered. */
const OFFERED = 30;
/** Maximum length of a message in the choice, in characters. */
const MAX_LENGTH = 80;

interface SinceChoiceProps {
  threadId: ThreadId;
  since: MessageId | undefined;
  onChange(since: MessageId | undefined): void;
}

/**
 * Chooses where the changes start: at the beginning of the thread, or at a message of the person. Hidden if there is only one
 * message.
 */
export const SinceChoice = ({ threadId, since, onChange }: SinceChoiceProps) => {
  const t = useT();
  const label = useId();
  // A string, so that streamed text causes no render.
  const ids = useThreadPart(threadId, (state) => lastOf(state, since).join(' ')) ?? '';
  const said = new Map(openState(threadId)?.messages.map((message) => [message.id, message]));
  const offered = ids.split(' ').flatMap((id) => {
    const message = said.get(id as MessageId);
    return message?.role === 'user' ? [message] : [];
  });
  if (offered.length < 2 && since === undefined) return null;
  return (
    <div className="flex shrink-0 items-center gap-2 border-b border-line py-1 pr-2 pl-3">
      <span id={label} className="shrink-0 text-small text-fg-2">
        {t('changes.since')}
      </span>
      <Select
        aria-labelledby={label}
        className="h-7! min-w-0 grow"
        value={since ?? ''}
        onChange={({ target }) => onChange(offered.find(({ id }) => id === target.value)?.id)}
        options={[
          { value: '', label: t('changes.sinceBeginning') },
          ...offered.map(({ id, text }) => ({ value: id, label: shortened(text) || t('changes.noWords') })),
        ]}
      />
    </div>
  );
};

/** The person's last messages, newest first, and the chosen one. */
function lastOf({ messages }: ThreadState, since: MessageId | undefined): MessageId[] {
  const ids: MessageId[] = [];
  for (let at = messages.length - 1; at >= 0 && ids.length < OFFERED; at -= 1) {
    const message = messages[at];
    if (message?.role === 'user') ids.push(message.id);
  }
  return since === undefined || ids.includes(since) ? ids : [...ids, since];
}

function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/gu, ' ');
  const characters = [...line.slice(0, MAX_LENGTH * 2)];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : line;
}
