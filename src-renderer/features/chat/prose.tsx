import type { AgentMessage, UserMessage } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { withOverridesShown } from '@contract/shared/unseen';
import { ChevronRight } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { openLink } from '../../link';
import { CopyButton, cx, Markdown, useElapsed } from '../../ui';
import { Attachments } from './composer/attachments';
import { EditMessage, hasEdit } from './edit-message';
import { MessageMenu, useMessageMenu } from './message-menu';
import { PinButton, Pinned } from './pin';
import { StepCost } from './step-cost';
import { holdInPlace } from './use-hold';

export const UserProse = memo(function UserProse({
  message,
  threadId,
}: {
  message: UserMessage;
  threadId: ThreadId;
}) {
  const t = useT();
  const formats = useFormats();
  // An edit goes on where it was left, such as after another thread was shown.
  const [editing, setEditing] = useState<'left' | 'asked' | null>(() =>
    hasEdit(threadId, message.id) ? 'left' : null,
  );
  const article = useRef<HTMLElement>(null);
  const edit = () => {
    holdInPlace(article.current);
    setEditing('asked');
  };
  const menu = useMessageMenu({ threadId, message, onEdit: edit });
  if (editing !== null) {
    return (
      <article
        aria-label={t('chat.you')}
        className="rounded-card border border-line-strong bg-raised px-3.5 py-2.5 focus-within:border-accent"
      >
        <EditMessage
          threadId={threadId}
          message={message}
          takesFocus={editing === 'asked'}
          onDone={() => setEditing(null)}
          onResume={() => setEditing('asked')}
        />
      </article>
    );
  }
  return (
    <article
      ref={article}
      aria-label={t('chat.you')}
      onContextMenu={menu.onContextMenu}
      className="group/message relative rounded-card border border-line bg-raised px-3.5 py-2.5"
    >
      {message.text !== '' && (
        <p className="prose-text text-read whitespace-pre-wrap" title={formats.moment(message.at)}>
          {withOverridesShown(message.text)}
        </p>
      )}
      <Attachments
        threadId={threadId}
        attachments={message.attachments ?? []}
        {...(message.text === '' ? {} : { className: 'mt-2' })}
      />
      <Pinned message={message} />
      <span className="absolute top-1.5 right-1.5 flex rounded-control bg-raised opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100">
        <PinButton threadId={threadId} message={message} />
        <CopyButton text={message.text} label={t('chat.copyMessage')} />
        <MessageMenu threadId={threadId} message={message} onEdit={edit} />
      </span>
      {menu.element}
    </article>
  );
});

/** UTF-16 units of an answer that is also copied at its end: its beginning may be off the screen. */
const LONG = 1_500;

/** Code has buttons of its own at its top right, and a table has a heading there. */
const BEGINS_WITH_BLOCK = /^\s*(?:```|~~~|\|)/;

export const AgentProse = memo(function AgentProse({
  message,
  threadId,
  questionOf,
}: {
  message: AgentMessage;
  threadId: ThreadId;
  /** The person's message before a message. */
  questionOf(id: string): UserMessage | undefined;
}) {
  const t = useT();
  const isDone = message.phase !== 'streaming' && message.text !== '';
  const question = () => questionOf(message.id);
  const menu = useMessageMenu(isDone ? { threadId, message, question } : undefined);
  return (
    <article
      aria-label={t('chat.agent')}
      onContextMenu={menu.onContextMenu}
      aria-busy={message.phase === 'streaming'}
      className="group/message relative text-read"
    >
      {message.reasoning !== '' && (
        <Reasoning
          text={message.reasoning}
          since={message.phase === 'streaming' && message.text === '' ? message.at : undefined}
        />
      )}
      <Markdown text={message.text} streaming={message.phase === 'streaming'} onOpenLink={openLink} />
      {message.phase === 'cut' && (
        <p className="mt-2 border-l-2 border-ask pl-2.5 text-body text-fg-2">{t('chat.cut')}</p>
      )}
      <Pinned message={message} />
      {message.phase !== 'streaming' && message.text.length > LONG && (
        <div className="mt-1 -ml-1">
          <CopyButton text={message.text} label={t('chat.copyAnswer')} />
        </div>
      )}
      {isDone && (
        <div
          className={cx(
            'absolute right-0 z-10 flex items-center rounded-control bg-bg opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100',
            BEGINS_WITH_BLOCK.test(message.text) ? '-top-7' : 'top-0',
          )}
        >
          <StepCost message={message} />
          <PinButton threadId={threadId} message={message} />
          <CopyButton text={message.text} label={t('chat.copyMessage')} />
          <MessageMenu threadId={threadId} message={message} question={question} />
        </div>
      )}
      {menu.element}
    </article>
  );
});

/** `since`: the model is still thinking, from then on. */
const Reasoning = ({ text, since }: { text: string; since: number | undefined }) => {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    <div className="mb-2 text-body text-fg-2">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-6 items-center gap-1 rounded-control text-fg-3 hover:text-fg"
      >
        <ChevronRight aria-hidden size={14} className={cx(open && 'rotate-90')} />
        <span className={cx(since !== undefined && 'animate-pulse')}>{t('chat.reasoning')}</span>
        {since !== undefined && <ThinkingFor since={since} />}
      </button>
      {open && (
        <p className="prose-text mt-1 ml-2 border-l border-line pl-3 whitespace-pre-wrap">
          {withOverridesShown(text)}
        </p>
      )}
    </div>
  );
};

const ThinkingFor = ({ since }: { since: number }) => {
  const { duration } = useFormats();
  const ran = useElapsed(since);
  return ran < 1_000 ? null : (
    <span className="tabular-nums">{duration(Math.floor(ran / 1_000) * 1_000)}</span>
  );
};
