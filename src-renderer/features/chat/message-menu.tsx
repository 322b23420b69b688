import type { AgentMessage, UserMessage } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import type { SecretKind, SecretsInMessage } from '@contract/secrets';
import { optional } from '@contract/shared/optional';
import { Copy, Ellipsis, GitFork, Pencil, Pin, RotateCw, Undo2 } from 'lucide-react';
import { type ComponentProps, type MouseEvent, useState } from 'react';
import { listed, type Translate, useT } from '../../i18n';
import { call, openThread, revert, toast } from '../../link';
import { ContextMenu, type CopyText, Menu, type MenuItem, useContextMenu, useCopy } from '../../ui';
import { writeAttached, writeDraft } from './composer/drafts';
import { secretsIn } from './composer/secret-question';
import { useFolderGone } from './folder-gone';
import { canPin, changePin } from './pin';

/** `asks`: the kinds of likely secrets in the text, if the person has not decided about them. */
type ForkOutcome = { done: boolean; asks: readonly SecretKind[] };

/** Forks from a message into a new thread and shows it. With `text`, sends it there immediately. Reports errors here. */
export async function forkAt(
  threadId: ThreadId,
  message: UserMessage | AgentMessage,
  t: Translate,
  text?: string,
  secrets?: SecretsInMessage,
): Promise<ForkOutcome> {
  const result = await call('thread.fork', {
    threadId,
    messageId: message.id,
    ...optional({ text, secrets }),
  });
  if (!result.ok) {
    const asks =
      text === undefined || secrets !== undefined ? [] : await secretsIn(threadId, text, result.error);
    if (asks.length === 0) toast(result.error.message);
    return { done: false, asks };
  }
  const { thread, draft, attachments = [] } = result.value;
  if (draft !== '') writeDraft(thread.id, draft);
  if (attachments.length > 0) writeAttached(thread.id, attachments);
  openThread(thread.id);
  toast(t('chat.forked'));
  return { done: true, asks: [] };
}

/** Sends the same message in a new thread. If there is no space for a question, offers to redact a likely secret. */
async function sayAgain(threadId: ThreadId, message: UserMessage, t: Translate): Promise<void> {
  const { asks } = await forkAt(threadId, message, t, message.text);
  if (asks.length === 0) return;
  const kinds = listed(
    t,
    asks.map((kind) => t(`secretKinds.${kind}`)),
  );
  toast(t('secrets.inMessage', { kinds }), {
    label: t('secrets.redactAndSend'),
    run: () => void forkAt(threadId, message, t, message.text, 'redact'),
  });
}

interface MessageMenuProps {
  threadId: ThreadId;
  message: UserMessage | AgentMessage;
  /** Only for the person's messages. */
  onEdit?: () => void;
  /** The question that an answer belongs to. */
  question?: () => UserMessage | undefined;
}

/**
 * Actions that start from a message and leave this thread unchanged, and reverting files to it. A long thread has hundreds
 * of these menus, so each is created when it opens.
 */
export const MessageMenu = (props: MessageMenuProps) => {
  const t = useT();
  const [asked, setAsked] = useState(false);
  if (asked) return <Opened {...props} />;
  return <Dots label={t('chat.messageActions')} aria-haspopup="menu" onClick={() => setAsked(true)} />;
};

/** A small icon button without a tooltip, which would cost as much as the menu. */
const Dots = ({ label, ...rest }: ComponentProps<'button'> & { label: string }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className="inline-flex size-6 shrink-0 items-center justify-center rounded-control text-fg-2 hover:bg-hover hover:text-fg"
    {...rest}
  >
    <Ellipsis aria-hidden size={14} />
  </button>
);

const Opened = (props: MessageMenuProps) => {
  const t = useT();
  const gone = useFolderGone();
  const copy = useCopy();
  return (
    <Menu
      align="end"
      defaultOpen
      trigger={<Dots label={t('chat.messageActions')} />}
      items={itemsOf(props, gone, t, copy)}
    />
  );
};

/** What a right click on text, a link or a picture is for: the system's menu for it. */
const hasOwnMenu = ({ target, button }: MouseEvent<HTMLElement>): boolean =>
  target instanceof Element &&
  (target.closest('a[href], img, video, audio, input, textarea, [data-approval]') !== null ||
    (button === 2 && getSelection()?.isCollapsed === false));

/** The same menu for right click and the menu key. Undefined: the message has none. */
export function useMessageMenu(props: MessageMenuProps | undefined) {
  const t = useT();
  const gone = useFolderGone();
  const copy = useCopy();
  const menu = useContextMenu();
  return {
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      if (props !== undefined && !event.defaultPrevented && !hasOwnMenu(event)) menu.onContextMenu(event);
    },
    element: props !== undefined && (
      <ContextMenu
        state={menu}
        label={t('chat.messageActions')}
        items={() => itemsOf(props, gone, t, copy)}
      />
    ),
  };
}

function itemsOf(
  { threadId, message, onEdit, question }: MessageMenuProps,
  gone: string | undefined,
  t: Translate,
  copy: CopyText,
): MenuItem[] {
  // Forks and restored files start from a message of the thread itself.
  const isNested = message.role === 'agent' && message.parentCallId !== undefined;
  const nested = isNested ? t('chat.insideSubAgent') : undefined;
  const asked = isNested ? undefined : question?.();
  const copyItem: MenuItem = {
    label: t('chat.copyMarkdown'),
    icon: <Copy size={14} />,
    onSelect: () => copy(message.text, t('chat.messageCopied')),
  };
  const pin: MenuItem[] = canPin(message)
    ? [
        {
          label: t(message.pinned === true ? 'chat.unpin' : 'chat.pinShort'),
          icon: <Pin size={14} />,
          onSelect: () => void changePin(threadId, message),
        },
      ]
    : [];
  const fork: MenuItem = {
    label: t(message.role === 'user' ? 'chat.forkBefore' : 'chat.forkAfter'),
    icon: <GitFork size={14} />,
    disabled: nested,
    onSelect: () => void forkAt(threadId, message, t),
  };
  const restore: MenuItem = {
    label: t('changes.restoreHere'),
    icon: <Undo2 size={14} />,
    disabled: nested ?? gone,
    onSelect: () => revert(threadId, { kind: 'message', messageId: message.id }),
  };
  const own: MenuItem[] =
    message.role !== 'user' || onEdit === undefined
      ? asked === undefined
        ? []
        : [
            {
              label: t('chat.answerAgain'),
              icon: <RotateCw size={14} />,
              disabled: gone,
              onSelect: () => void sayAgain(threadId, asked, t),
            },
          ]
      : [
          { label: t('chat.editMessage'), icon: <Pencil size={14} />, disabled: gone, onSelect: onEdit },
          {
            label: t('chat.sendAgain'),
            icon: <RotateCw size={14} />,
            disabled: gone,
            onSelect: () => void sayAgain(threadId, message, t),
          },
        ];
  return [copyItem, ...pin, restore, 'separator', { heading: t('chat.inNewThread') }, ...own, fork];
}
