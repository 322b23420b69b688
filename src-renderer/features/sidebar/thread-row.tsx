import type { ThreadSummary } from '@contract/app';
import { CircleAlert, Ellipsis, FileDown, GitFork, Hand, Pause, Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { openThread } from '../../link';
import { Badge, cx, IconButton, Menu, Spinner } from '../../ui';
import { deleteThread, exportThread, renameThread } from './actions';

interface ThreadRowProps {
  thread: ThreadSummary;
  selected: boolean;
  /** The one row that Tab reaches. */
  tabStop: boolean;
  now: number;
}

/** One thread: title, state, how long ago. F2 or a double click renames, Delete deletes. */
export const ThreadRow = ({ thread, selected, tabStop, now }: ThreadRowProps) => {
  const t = useT();
  const formats = useFormats();
  const [renaming, setRenaming] = useState(false);
  const title = thread.title || t('sidebar.untitled');

  if (renaming) return <RenameField thread={thread} title={title} onDone={() => setRenaming(false)} />;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') void deleteThread(thread, t);
    else return;
    event.preventDefault();
  };

  return (
    <div
      className={cx(
        'group/row relative flex items-center rounded-control',
        selected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <button
        type="button"
        data-thread={thread.id}
        tabIndex={tabStop ? 0 : -1}
        aria-current={selected ? 'true' : undefined}
        title={`${title}\n${formats.moment(thread.updatedAt)}`}
        onClick={() => openThread(thread.id)}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={onKeyDown}
        className="flex h-7 min-w-0 grow items-center gap-2 rounded-control pr-2 pl-7 text-left -outline-offset-2"
      >
        {thread.origin !== undefined && (
          <span
            className="-ml-5 flex shrink-0 text-fg-3"
            title={t('sidebar.forkOf', { title: thread.origin.title || t('sidebar.untitled') })}
          >
            <GitFork aria-hidden size={12} strokeWidth={1.5} />
            <span className="sr-only">
              {t('sidebar.forkOf', { title: thread.origin.title || t('sidebar.untitled') })}
            </span>
          </span>
        )}
        <span className={cx('min-w-0 grow truncate', selected ? 'font-medium text-fg' : 'text-fg-2')}>
          {title}
        </span>
        <Mark thread={thread} />
        <span className="shrink-0 text-small whitespace-nowrap text-fg-3 tabular-nums group-focus-within/row:invisible group-hover/row:invisible">
          {thread.status === 'idle' ? formats.ago(thread.updatedAt, now) : ''}
        </span>
      </button>
      <span className="absolute right-0.5 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100">
        <Menu
          align="end"
          trigger={
            <IconButton
              size="sm"
              tabIndex={tabStop ? 0 : -1}
              label={t('sidebar.threadActions', { title })}
              icon={<Ellipsis size={16} strokeWidth={1.5} />}
              className={selected ? 'bg-accent-soft' : 'bg-hover'}
            />
          }
          items={[
            {
              label: t('sidebar.rename'),
              icon: <Pencil size={14} strokeWidth={1.5} />,
              shortcut: 'F2',
              onSelect: () => setRenaming(true),
            },
            'separator',
            { heading: t('sidebar.export') },
            {
              label: t('sidebar.exportMarkdown'),
              icon: <FileDown size={14} strokeWidth={1.5} />,
              onSelect: () => void exportThread(thread.id, 'markdown', t),
            },
            {
              label: t('sidebar.exportHtml'),
              icon: <FileDown size={14} strokeWidth={1.5} />,
              onSelect: () => void exportThread(thread.id, 'html', t),
            },
            {
              label: t('sidebar.exportJson'),
              icon: <FileDown size={14} strokeWidth={1.5} />,
              onSelect: () => void exportThread(thread.id, 'json', t),
            },
            'separator',
            {
              label: t('sidebar.delete'),
              icon: <Trash2 size={14} strokeWidth={1.5} />,
              shortcut: 'Del',
              danger: true,
              onSelect: () => void deleteThread(thread, t),
            },
          ]}
        />
      </span>
    </div>
  );
};

/** What the thread is at: an icon and a word, never colour alone. */
const Mark = ({ thread }: { thread: ThreadSummary }) => {
  const t = useT();
  switch (thread.status) {
    case 'idle':
      return null;
    case 'running':
      return (
        <span className="flex items-center" title={t('sidebar.running')}>
          <Spinner size={13} />
          <span className="sr-only">{t('sidebar.running')}</span>
        </span>
      );
    case 'waiting':
      return (
        <Badge tone="ask" icon={<Hand aria-hidden size={11} strokeWidth={2} />}>
          <span title={t('sidebar.waiting', { count: thread.waiting })}>
            <span aria-hidden>{thread.waiting}</span>
            <span className="sr-only">{t('sidebar.waiting', { count: thread.waiting })}</span>
          </span>
        </Badge>
      );
    case 'failed':
      return (
        <Badge tone="deny" icon={<CircleAlert aria-hidden size={11} strokeWidth={2} />}>
          {t('sidebar.failed')}
        </Badge>
      );
    case 'interrupted':
      return <Badge icon={<Pause aria-hidden size={11} strokeWidth={2} />}>{t('sidebar.interrupted')}</Badge>;
    default:
      return thread.status satisfies never;
  }
};

const RenameField = ({ thread, title, onDone }: { thread: ThreadSummary; title: string; onDone(): void }) => {
  const t = useT();
  const [value, setValue] = useState(title);
  const save = () => {
    void renameThread(thread, value);
    onDone();
  };
  return (
    <input
      ref={(input) => input?.focus()}
      aria-label={t('sidebar.renameThread')}
      value={value}
      maxLength={200}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setValue(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') save();
        if (event.key === 'Escape') onDone();
        event.stopPropagation();
      }}
      className="ml-5 h-7 w-[calc(100%-20px)] rounded-control border border-accent bg-bg px-2 outline-none"
    />
  );
};
