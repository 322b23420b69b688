import type { AgentMessage, UserMessage } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { Pin, PinOff } from 'lucide-react';
import { useT } from '../../i18n';
import { call, toast } from '../../link';
import { IconButton } from '../../ui';

interface PinProps {
  threadId: ThreadId;
  message: UserMessage | AgentMessage;
}

/** Messages of sub-agents, and messages that are not in the agent's own state, cannot be pinned. */
export const canPin = (message: PinProps['message']): boolean =>
  message.role === 'user' || (message.parentCallId === undefined && message.graphId !== undefined);

export async function changePin(threadId: ThreadId, message: PinProps['message']): Promise<void> {
  const result = await call('thread.pin', {
    threadId,
    messageId: message.id,
    pinned: message.pinned !== true,
  });
  if (!result.ok) toast(result.error.message);
}

/** Whether the message stays verbatim when the thread is compacted. Sub-agents' messages have no pin. */
export const PinButton = ({ threadId, message }: PinProps) => {
  const t = useT();
  const pinned = message.pinned === true;
  if (!canPin(message)) return null;
  return (
    <IconButton
      size="sm"
      label={pinned ? t('chat.unpin') : t('chat.pin')}
      pressed={pinned}
      onClick={() => void changePin(threadId, message)}
      icon={pinned ? <PinOff size={14} /> : <Pin size={14} />}
    />
  );
};

/** Shows below a message that it is pinned. */
export const Pinned = ({ message }: { message: PinProps['message'] }) => {
  const t = useT();
  if (message.pinned !== true) return null;
  return (
    <p className="mt-1.5 flex items-center gap-1.5 text-small text-fg-3">
      <Pin aria-hidden size={12} /> {t('chat.pinned')}
    </p>
  );
};
