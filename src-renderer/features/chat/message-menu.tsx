import type { AgentMessage, UserMessage } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { Ellipsis, GitFork, Pencil, RotateCw, Undo2 } from 'lucide-react';
import { type Translate, useT } from '../../i18n';
import { call, openThread, restoreTo, toast } from '../../link';
import { IconButton, Menu, type MenuItem } from '../../ui';
import { writeDraft } from './drafts';

/** Goes on from a message in a new thread, and shows that; `text` is sent there at once. False where it failed. */
export async function forkAt(
  threadId: ThreadId,
  message: UserMessage | AgentMessage,
  t: Translate,
  text?: string,
): Promise<boolean> {
  const result = await call('thread.fork', {
    threadId,
    messageId: message.id,
    ...(text === undefined ? {} : { text }),
  });
  if (!result.ok) {
    toast(result.error.message);
    return false;
  }
  const { thread, draft } = result.value;
  if (draft !== '') writeDraft(thread.id, draft);
  openThread(thread.id);
  toast(t('chat.forked'));
  return true;
}

interface MessageMenuProps {
  threadId: ThreadId;
  message: UserMessage | AgentMessage;
  /** Only for what the person said. */
  onEdit?: () => void;
}

/** What can be begun anew at a message, which changes nothing in this thread, and the way back to it for files. */
export const MessageMenu = ({ threadId, message, onEdit }: MessageMenuProps) => {
  const t = useT();
  const fork: MenuItem = {
    label: t(message.role === 'user' ? 'chat.forkBefore' : 'chat.forkAfter'),
    icon: <GitFork size={14} strokeWidth={1.5} />,
    onSelect: () => void forkAt(threadId, message, t),
  };
  const restore: MenuItem = {
    label: t('changes.restoreHere'),
    icon: <Undo2 size={14} strokeWidth={1.5} />,
    onSelect: () => restoreTo(threadId, message.id),
  };
  const own: MenuItem[] =
    message.role !== 'user' || onEdit === undefined
      ? []
      : [
          { label: t('chat.editMessage'), icon: <Pencil size={14} strokeWidth={1.5} />, onSelect: onEdit },
          {
            label: t('chat.sendAgain'),
            icon: <RotateCw size={14} strokeWidth={1.5} />,
            onSelect: () => void forkAt(threadId, message, t, message.text),
          },
        ];
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          size="sm"
          label={t('chat.messageActions')}
          icon={<Ellipsis size={14} strokeWidth={1.5} />}
        />
      }
      items={[restore, 'separator', { heading: t('chat.inNewThread') }, ...own, fork]}
    />
  );
};
