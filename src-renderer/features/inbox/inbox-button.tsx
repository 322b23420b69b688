import { Inbox } from 'lucide-react';
import { useT } from '../../i18n';
import { openInbox, useApp } from '../../link';
import { IconButton } from '../../ui';

/** The number of pending decisions in all projects; opens the inbox. */
export const InboxButton = ({ shortcut, pressed }: { shortcut: string; pressed: boolean }) => {
  const t = useT();
  const count = useApp((app) => app.threads.reduce((sum, thread) => sum + thread.waiting, 0));
  return (
    <span className="relative flex">
      <IconButton
        label={count === 0 ? t('inbox.open') : t('inbox.openCount', { count })}
        shortcut={shortcut}
        pressed={pressed}
        onClick={openInbox}
        icon={<Inbox size={16} className={count === 0 ? '' : 'text-ask-text'} />}
      />
      {count > 0 && (
        <span
          aria-hidden
          className="pointer-events-none absolute -top-0.5 -right-1 flex h-3.5 min-w-3.5 items-center justify-center rounded-full bg-ask-soft px-1 text-tiny leading-none font-semibold text-ask-text tabular-nums"
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
      <span role="status" className="sr-only">
        {count === 0 ? '' : t('inbox.openCount', { count })}
      </span>
    </span>
  );
};
