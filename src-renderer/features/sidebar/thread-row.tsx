import type { ThreadSummary } from '@contract/app';
import {
  AppWindow,
  Archive,
  ArchiveRestore,
  CircleAlert,
  Copy,
  FileDown,
  GitFork,
  Hand,
  Pause,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react';
import { type KeyboardEvent, memo, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { openThread, openWindow } from '../../link';
import { Badge, cx, type MenuItem, Spinner } from '../../ui';
import { deleteThread, duplicateThread, exportThread, markThread, renameThread } from './actions';
import { RenameField } from './rename-field';
import { RowMenu, useRowMenu } from './row-menu';

interface ThreadRowProps {
  thread: ThreadSummary;
  selected: boolean;
  /** The one row that Tab reaches. */
  tabStop: boolean;
  now: number;
  /** Puts the focus on this line again. */
  onFocus(key: string): void;
}

const icon = { size: 14 } as const;

/** One thread: title, state, how long ago. F2 or a double click renames, Delete deletes. */
export const ThreadRow = memo(({ thread, selected, tabStop, now, onFocus }: ThreadRowProps) => {
  const t = useT();
  const formats = useFormats();
  const [renaming, setRenaming] = useState(false);
  const menu = useRowMenu();
  const title = thread.title || t('sidebar.untitled');
  const unread = thread.unread === true && !selected;

  if (renaming) {
    return (
      <RenameField
        label={t('sidebar.renameThread')}
        value={title}
        max={200}
        onSave={(value) => void renameThread(thread, value)}
        onDone={() => {
          setRenaming(false);
          onFocus(thread.id);
        }}
      />
    );
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') void deleteThread(thread, t);
    else return;
    event.preventDefault();
  };
  const { pinned = false, archived = false } = thread;
  const items = (): MenuItem[] => [
    {
      label: t('sidebar.rename'),
      icon: <Pencil {...icon} />,
      shortcut: 'F2',
      onSelect: () => setRenaming(true),
    },
    {
      label: t(pinned ? 'sidebar.unpin' : 'sidebar.pin'),
      icon: pinned ? <PinOff {...icon} /> : <Pin {...icon} />,
      onSelect: () => void markThread(thread, { pinned: !pinned }, t),
    },
    { label: t('sidebar.duplicate'), icon: <Copy {...icon} />, onSelect: () => void duplicateThread(thread) },
    {
      label: t('sidebar.openInWindow'),
      icon: <AppWindow {...icon} />,
      onSelect: () => openWindow(thread.id),
    },
    'separator',
    { heading: t('sidebar.export') },
    {
      label: t('sidebar.exportMarkdown'),
      icon: <FileDown {...icon} />,
      onSelect: () => void exportThread(thread.id, 'markdown', t),
    },
    {
      label: t('sidebar.exportHtml'),
      icon: <FileDown {...icon} />,
      onSelect: () => void exportThread(thread.id, 'html', t),
    },
    {
      label: t('sidebar.exportJson'),
      icon: <FileDown {...icon} />,
      onSelect: () => void exportThread(thread.id, 'json', t),
    },
    'separator',
    {
      label: t(archived ? 'sidebar.unarchive' : 'sidebar.archive'),
      icon: archived ? <ArchiveRestore {...icon} /> : <Archive {...icon} />,
      onSelect: () => void markThread(thread, { archived: !archived }, t),
    },
    {
      label: t('sidebar.delete'),
      icon: <Trash2 {...icon} />,
      shortcut: 'Del',
      danger: true,
      onSelect: () => void deleteThread(thread, t),
    },
  ];

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the line's own button is inside; this is its menu's place
    <div
      onContextMenu={menu.onContextMenu}
      className={cx(
        'group/row relative flex items-center rounded-control',
        selected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <button
        type="button"
        data-thread={thread.id}
        data-row={thread.id}
        tabIndex={tabStop ? 0 : -1}
        aria-current={selected ? 'true' : undefined}
        title={`${title}\n${formats.moment(thread.updatedAt)}`}
        onClick={() => openThread(thread.id)}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={onKeyDown}
        className={cx(
          'flex h-7 min-w-0 grow items-center gap-2 rounded-control pr-2 pl-7 text-left -outline-offset-2',
          // What it is at makes room for the button of the menu, which stands on the time otherwise.
          thread.status !== 'idle' && 'group-focus-within/row:pr-5 group-hover/row:pr-5',
        )}
      >
        <Origin thread={thread} />
        <span
          className={cx(
            'min-w-0 grow truncate',
            unread ? 'font-semibold text-fg' : selected ? 'font-medium text-fg' : 'text-fg-2',
            archived && !selected && 'text-fg-3',
          )}
        >
          {title}
        </span>
        <Mark thread={thread} />
        {unread && <Unread />}
        <span className="shrink-0 text-small whitespace-nowrap text-fg-3 tabular-nums group-focus-within/row:invisible group-hover/row:invisible">
          {thread.status === 'idle' ? formats.ago(thread.updatedAt, now) : ''}
        </span>
      </button>
      <span
        className={cx(
          'absolute right-0.5 group-focus-within/row:opacity-100 group-hover/row:opacity-100',
          menu.open !== 'button' && 'opacity-0',
        )}
      >
        <RowMenu
          state={menu}
          label={t('sidebar.threadActions', { title })}
          items={items}
          tabIndex={tabStop ? 0 : -1}
          className={selected ? 'bg-accent-soft' : 'bg-hover'}
          onClosed={() => onFocus(thread.id)}
        />
      </span>
    </div>
  );
});

/** A pin, or where the thread came from. */
const Origin = ({ thread }: { thread: ThreadSummary }) => {
  const t = useT();
  const words =
    thread.pinned === true
      ? t('sidebar.pinned')
      : thread.origin && t('sidebar.forkOf', { title: thread.origin.title || t('sidebar.untitled') });
  if (words === undefined) return null;
  const Icon = thread.pinned === true ? Pin : GitFork;
  return (
    <span className="-ml-5 flex shrink-0 text-fg-3" title={words}>
      <Icon aria-hidden size={12} />
      <span className="sr-only">{words}</span>
    </span>
  );
};

/** An answer that the person has not seen. */
export const Unread = () => {
  const t = useT();
  return (
    <span className="flex shrink-0 items-center" title={t('sidebar.unread')}>
      <span aria-hidden className="size-2 rounded-full bg-accent" />
      <span className="sr-only">{t('sidebar.unread')}</span>
    </span>
  );
};

/** What the thread is at: an icon and a word, never colour alone. */
const Mark = ({ thread }: { thread: ThreadSummary }) => {
  const t = useT();
  switch (thread.status) {
    case 'idle':
      return null;
    case 'running':
      return <Running />;
    case 'waiting':
      return <WaitingMark count={thread.waiting} />;
    case 'failed':
      return (
        <Badge tone="deny" icon={<CircleAlert aria-hidden size={12} />}>
          {t('sidebar.failed')}
        </Badge>
      );
    case 'interrupted':
      return <Badge icon={<Pause aria-hidden size={12} />}>{t('sidebar.interrupted')}</Badge>;
    default:
      return thread.status satisfies never;
  }
};

export const Running = () => {
  const t = useT();
  return (
    <span className="flex shrink-0 items-center" title={t('sidebar.running')}>
      <Spinner size={14} />
      <span className="sr-only">{t('sidebar.running')}</span>
    </span>
  );
};

export const WaitingMark = ({ count }: { count: number }) => {
  const t = useT();
  return (
    <Badge tone="ask" icon={<Hand aria-hidden size={12} />}>
      <span title={t('sidebar.waiting', { count })}>
        <span aria-hidden>{count}</span>
        <span className="sr-only">{t('sidebar.waiting', { count })}</span>
      </span>
    </Badge>
  );
};
