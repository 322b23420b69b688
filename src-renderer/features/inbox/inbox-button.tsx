import { Inbox } from 'lucide-react';
import { listed, useT } from '../../i18n';
import { awaitsInput, openInbox, useApp } from '../../link';
import { IconButton } from '../../ui';

/** The number of pending decisions in all projects; opens the inbox. */
export const InboxButton = ({ shortcut, pressed }: { shortcut: string; pressed: boolean }) => {
  const t = useT();
  const approvals = useApp((app) => app.threads.reduce((sum, thread) => sum + thread.waiting, 0));
  const commands = useApp((app) => app.terminals.filter(awaitsInput).length);
  const count = approvals + commands;
  const label = listed(t, [
    ...(approvals > 0 ? [t('inbox.openCount', { count: approvals })] : []),
    ...(commands > 0 ? [t('inbox.awaitsInput')] : []),
  ]);
  return (
    <span className="relative flex">
      <IconButton
        label={count === 0 ? t('inbox.open') : label}
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
        {label}
      </span>
    </span>
  );
};
