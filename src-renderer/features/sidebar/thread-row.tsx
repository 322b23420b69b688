import type { ThreadSummary } from '@contract/app';
import type { ProjectId } from '@contract/ids';
import {
  AppWindow,
  Archive,
  ArchiveRestore,
  Check,
  CircleAlert,
  Copy,
  FileDown,
  FolderGit2,
  GitFork,
  Hand,
  ListChecks,
  Pause,
  Pencil,
  Pin,
  PinOff,
  SquareTerminal,
  Trash2,
} from 'lucide-react';
import { type KeyboardEvent, memo, type ReactNode } from 'react';
import { useFormats, useT } from '../../i18n';
import { openThread, openWindow, useApp, useAwaitsInput } from '../../link';
import { Badge, cx, type MenuItem, Spinner, useStateOf } from '../../ui';
import { deleteThreads, duplicateThread, exportThread, markThreads, renameThread } from './actions';
import { RenameField } from './rename-field';
import { RowMenu, useRowMenu } from './row-menu';
import type { MarkHands } from './use-marks';

interface ThreadRowProps {
  thread: ThreadSummary;
  /** It is a run below its routine. */
  nested: boolean;
  selected: boolean;
  /** The one row that Tab reaches. */
  tabStop: boolean;
  marked: boolean;
  /** The threads that an action on this thread applies to. Null if it is not selected: only this thread. */
  together: readonly ThreadSummary[] | null;
  marks: MarkHands;
  now: number;
  /** Focuses this row again. */
  onFocus(key: string): void;
}

const icon = { size: 14 } as const;

/**
 * One thread: title, state, age. F2 or a double click renames, Delete deletes. Ctrl or Shift with a click, Ctrl Space and
 * Ctrl A select threads for a common action.
 */
export const ThreadRow = memo((props: ThreadRowProps) => {
  const { thread, nested, selected, tabStop, marked, together, marks, now, onFocus } = props;
  const t = useT();
  const formats = useFormats();
  const [renaming, setRenaming] = useStateOf(thread.id, false);
  const menu = useRowMenu(thread.id);
  const title = thread.title || t('sidebar.untitled');
  const shown = nested ? runTitle(title) : title;
  const unread = thread.unread === true && !selected;

  if (renaming) {
    return (
      <RenameField
        label={t('sidebar.renameThread')}
        value={title}
        max={200}
        onSave={(value) => void renameThread(thread, value, t)}
        onDone={() => {
          setRenaming(false);
          onFocus(thread.id);
        }}
      />
    );
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const isMod = event.ctrlKey || event.metaKey;
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') act(deleteThreads(together ?? [thread], t));
    else if (isMod && event.key === ' ') marks.toggle(thread.id);
    else if (isMod && event.key === 'a') marks.all(thread.id);
    else return;
    event.preventDefault();
  };
  const act = (done: Promise<void>) => {
    marks.clear();
    void done;
  };
  const items = () =>
    together === null || together.length < 2
      ? itemsForOne({ thread, marked, marks, t, onRename: () => setRenaming(true) })
      : itemsForMany(together, act, t);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the row's button is inside; this only positions its menu
    <div
      onContextMenu={menu.onContextMenu}
      className={cx(
        'group/row relative flex items-center rounded-control',
        selected || marked ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <button
        type="button"
        data-thread={thread.id}
        data-row={thread.id}
        tabIndex={tabStop ? 0 : -1}
        aria-current={selected ? 'true' : undefined}
        title={`${title}\n${formats.moment(thread.updatedAt)}`}
        onClick={(event) => {
          if (!marks.pick(thread.id, event)) openThread(thread.id);
        }}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={onKeyDown}
        className={cx(
          'flex h-7 min-w-0 grow items-center gap-2 rounded-control pr-2 text-left -outline-offset-2',
          nested ? 'pl-12.5' : 'pl-7',
          // The state makes room for the menu button, which otherwise covers the time.
          thread.status !== 'idle' && 'group-focus-within/row:pr-7 group-hover/row:pr-7',
        )}
      >
        {marked ? <MarkSign /> : <Origin thread={thread} />}
        <span
          dir="auto"
          className={cx(
            'min-w-0 grow truncate',
            unread ? 'font-semibold text-fg' : selected ? 'font-medium text-fg' : 'text-fg-2',
            thread.archived && !selected && 'text-fg-3',
          )}
        >
          {shown}
        </span>
        <CopyMark projectId={thread.projectId} />
        <Mark thread={thread} />
        {unread && <Unread />}
        {thread.status === 'idle' && <Age at={thread.updatedAt} now={now} />}
      </button>
      <MenuPlace isOpen={menu.open === 'button'}>
        <RowMenu
          state={menu}
          label={t('sidebar.threadActions', { title })}
          items={items}
          tabIndex={tabStop ? 0 : -1}
          className={selected || marked ? 'bg-accent-soft' : 'bg-hover'}
          onClosed={() => onFocus(thread.id)}
        />
      </MenuPlace>
    </div>
  );
});

/** The title of a run without the year, if it is this one: below its routine, the beginning tells runs apart. */
const runTitle = (title: string): string =>
  title.startsWith(`${new Date().getFullYear()}-`) ? title.replace(/^\d+-(?=\d\d-\d\d )/, '') : title;

/** Makes room for the menu button. */
const Age = ({ at, now }: { at: number; now: number }) => (
  <span className="shrink-0 text-small whitespace-nowrap text-fg-3 tabular-nums group-focus-within/row:invisible group-hover/row:invisible">
    {useFormats().age(at, now)}
  </span>
);

/** Shows the menu button of a row while the row has the pointer or the focus. */
const MenuPlace = ({ isOpen, children }: { isOpen: boolean; children: ReactNode }) => (
  <span
    className={cx(
      'absolute right-0.5 group-focus-within/row:opacity-100 group-hover/row:opacity-100',
      !isOpen && 'opacity-0',
    )}
  >
    {children}
  </span>
);

/** The menu of several selected threads. `act` runs an action on them and clears the selection. */
const itemsForMany = (
  chosen: readonly ThreadSummary[],
  act: (done: Promise<void>) => void,
  t: ReturnType<typeof useT>,
): MenuItem[] => {
  const isPinned = chosen.every((one) => one.pinned === true);
  const isArchived = chosen.every((one) => one.archived === true);
  return [
    { heading: t('sidebar.marked', { count: chosen.length }) },
    {
      label: t(isPinned ? 'sidebar.unpin' : 'sidebar.pin'),
      icon: isPinned ? <PinOff {...icon} /> : <Pin {...icon} />,
      onSelect: () => act(markThreads(chosen, { pinned: !isPinned }, t)),
    },
    {
      label: t(isArchived ? 'sidebar.unarchive' : 'sidebar.archive'),
      icon: isArchived ? <ArchiveRestore {...icon} /> : <Archive {...icon} />,
      onSelect: () => act(markThreads(chosen, { archived: !isArchived }, t)),
    },
    {
      label: t('sidebar.delete'),
      icon: <Trash2 {...icon} />,
      shortcut: 'Del',
      danger: true,
      onSelect: () => act(deleteThreads(chosen, t)),
    },
  ];
};

interface ItemOptions extends Pick<ThreadRowProps, 'thread' | 'marked' | 'marks'> {
  t: ReturnType<typeof useT>;
  onRename(): void;
}

const itemsForOne = ({ thread, marked, marks, t, onRename }: ItemOptions): MenuItem[] => {
  const { pinned = false, archived = false } = thread;
  return [
    {
      label: t('sidebar.rename'),
      icon: <Pencil {...icon} />,
      shortcut: 'F2',
      onSelect: onRename,
    },
    {
      label: t(pinned ? 'sidebar.unpin' : 'sidebar.pin'),
      icon: pinned ? <PinOff {...icon} /> : <Pin {...icon} />,
      onSelect: () => void markThreads([thread], { pinned: !pinned }, t),
    },
    {
      label: t(marked ? 'sidebar.unmark' : 'sidebar.mark'),
      icon: <ListChecks {...icon} />,
      onSelect: () => marks.toggle(thread.id),
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
      onSelect: () => void markThreads([thread], { archived: !archived }, t),
    },
    {
      label: t('sidebar.delete'),
      icon: <Trash2 {...icon} />,
      shortcut: 'Del',
      danger: true,
      onSelect: () => void deleteThreads([thread], t),
    },
  ];
};

/** Marks a selected thread, instead of the icon before its title. */
const MarkSign = () => {
  const t = useT();
  return (
    <span className="-ml-5 flex shrink-0 text-accent">
      <Check aria-hidden size={12} />
      <span className="sr-only">{t('sidebar.isMarked')}</span>
    </span>
  );
};

/** The thread works in a private copy of the folder. */
const CopyMark = ({ projectId }: { projectId: ProjectId }) => {
  const t = useT();
  const copy = useApp((app) => app.projects.find(({ id }) => id === projectId)?.copy);
  if (copy === undefined) return null;
  const words = t(copy.gone === true ? 'copies.gone' : 'copies.inCopy');
  return (
    <span className={cx('flex shrink-0', copy.gone === true ? 'text-fg-3' : 'text-accent')} title={words}>
      <FolderGit2 aria-hidden size={12} />
      <span className="sr-only">{words}</span>
    </span>
  );
};

/** A pin, or the origin of the thread. */
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

/** The state of the thread: an icon and a word, never color alone. */
const Mark = ({ thread }: { thread: ThreadSummary }) => {
  const t = useT();
  const awaitsInput = useAwaitsInput(({ threadId }) => threadId === thread.id);
  switch (thread.status) {
    case 'idle':
      return null;
    case 'running':
      // A running call can ask too, such as one of an MCP server.
      if (thread.waiting > 0) return <WaitingMark count={thread.waiting} />;
      return awaitsInput ? <AwaitsInput /> : <Running />;
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

/** A command asks in the terminal. */
const AwaitsInput = () => {
  const t = useT();
  return (
    <Badge tone="ask" icon={<Hand aria-hidden size={12} />}>
      <span title={t('sidebar.awaitsInput')}>
        <SquareTerminal aria-hidden size={12} />
        <span className="sr-only">{t('sidebar.awaitsInput')}</span>
      </span>
    </Badge>
  );
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
