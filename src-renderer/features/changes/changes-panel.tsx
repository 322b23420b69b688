import type { ChangedFile } from '@contract/changes';
import type { MessageId, ThreadId } from '@contract/ids';
import { Copy, FileDiff, FileSearch2, ScrollText, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Translate, useT } from '../../i18n';
import { lastIn, openActivity, useLiveAnswer } from '../../link';
import {
  Badge,
  Button,
  ContextMenu,
  type CopyText,
  EmptyState,
  IconButton,
  LineCounts,
  LoadFailed,
  type MenuItem,
  PathList,
  PathName,
  Skeleton,
  Tabs,
  useBusy,
  useContextMenu,
  useCopy,
  useFocusBack,
} from '../../ui';
import { ChangedFileView } from './changed-file';
import { GitPanel } from './git';
import { revertChanges } from './revert';
import { SinceChoice } from './since-choice';
import { useChangeList, useUnlisted } from './use-changes';
import { chooseSince, showView, useSince } from './use-since';

interface ChangesPanelProps {
  threadId: ThreadId | null;
  /** `path` is relative to the folder. */
  onOpenFile(path: string): void;
}

/** What the agent changed in the thread, and the git repository of its folder if it has one. */
export const ChangesPanel = (props: ChangesPanelProps) => {
  const t = useT();
  const { threadId } = props;
  const view = useSince((state) => state.view);
  // Git in a terminal changes no file that is watched, and neither are the files of closed folders.
  const git = useLiveAnswer('git.status', threadId === null ? null : { threadId }, undefined, view === 'git');
  // What is typed for a commit or a branch stays while the repository cannot be read.
  const repository = lastIn(git.answer)?.value.repository ?? null;
  const thread = <ThreadChanges {...props} />;
  if (threadId === null || repository === null) return thread;
  return (
    <Tabs
      label={t('git.views')}
      value={view}
      onChange={showView}
      tabs={[
        { id: 'thread', label: t('git.thread'), content: thread },
        {
          id: 'git',
          label: t('git.tab'),
          content: (
            <div className="flex h-full min-h-0 flex-col">
              {git.answer.phase === 'failed' && (
                <div className="p-3">
                  <LoadFailed error={git.answer.error} onRetry={git.reload} />
                </div>
              )}
              <div className="min-h-0 grow">
                <GitPanel key={threadId} threadId={threadId} repository={repository} reload={git.reload} />
              </div>
            </div>
          ),
        },
      ]}
    />
  );
};

/** What the agent changed in the thread, with buttons to revert each file or all of them. */
const ThreadChanges = ({ threadId, onOpenFile }: ChangesPanelProps) => {
  const [open, setOpen] = useState<{ threadId: ThreadId; path: string } | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const chosen = useSince((state) => state.chosen);
  const since = chosen !== null && chosen.threadId === threadId ? chosen.since : undefined;
  useEffect(() => () => useSince.setState({ chosen: null }), []);
  // A request to show other changes leaves the open file.
  useEffect(() => {
    if (chosen !== null) setOpen(null);
  }, [chosen]);
  if (threadId !== null && open?.threadId === threadId) {
    return (
      <ChangedFileView
        key={open.path}
        threadId={threadId}
        path={open.path}
        since={since}
        onBack={() => setOpen(null)}
        onOpenFile={() => onOpenFile(open.path)}
      />
    );
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      {threadId !== null && (
        <SinceChoice threadId={threadId} since={since} onChange={(next) => chooseSince(threadId, next)} />
      )}
      <div className="min-h-0 grow">
        <List
          threadId={threadId}
          since={since}
          cameFrom={last}
          onOpen={(path) => {
            if (threadId === null) return;
            setOpen({ threadId, path });
            setLast(path);
          }}
          onOpenFile={onOpenFile}
        />
      </div>
    </div>
  );
};

interface ListProps {
  threadId: ThreadId | null;
  since: MessageId | undefined;
  cameFrom: string | null;
  onOpen(path: string): void;
  onOpenFile(path: string): void;
}

const List = ({ threadId, since, cameFrom, onOpen, onOpenFile }: ListProps) => {
  const t = useT();
  const { answer, reload } = useChangeList(threadId, since);
  const isUnlisted = useUnlisted(threadId, since);
  const [busy, during] = useBusy();
  const keepsFocus = useFocusBack(answer);
  const icon = <FileDiff size={32} />;
  if (threadId === null) return <EmptyState icon={icon}>{t('changes.noThread')}</EmptyState>;
  if (answer.phase === 'loading') return <Skeleton lines={5} />;
  if (answer.phase === 'failed') {
    return (
      <div className="p-3">
        <LoadFailed error={answer.error} onRetry={reload} />
      </div>
    );
  }
  const { files, more, uncounted = 0, ready } = answer.value;
  const settingUp = !ready && (
    <p role="status" className="shrink-0 border-b border-line px-3 py-2 text-small text-fg-2">
      {t('changes.settingUp')}
    </p>
  );
  if (files.length === 0) {
    return (
      <>
        {settingUp}
        <EmptyState
          icon={icon}
          action={
            <Button size="sm" variant="ghost" onClick={() => openActivity({ threadId })}>
              {t('activity.title')}
            </Button>
          }
        >
          {t(since === undefined ? 'changes.empty' : 'changes.emptySince')}
          {isUnlisted && ` ${t('changes.unlisted')}`}
        </EmptyState>
      </>
    );
  }
  const revertAll = async () => {
    await during(
      revertChanges(
        threadId,
        since === undefined ? { kind: 'thread' } : { kind: 'message', messageId: since },
        t,
      ),
    );
    reload();
  };
  return (
    <div className="flex h-full min-h-0 flex-col" {...keepsFocus}>
      <div className="flex shrink-0 items-center gap-2 border-b border-line py-1.5 pr-2 pl-3">
        <span className="min-w-0 grow truncate text-small text-fg-2 tabular-nums">
          {t('changes.count', { count: files.length + more })}
        </span>
        <IconButton
          size="sm"
          label={t('activity.title')}
          icon={<ScrollText size={14} />}
          onClick={() => openActivity({ threadId })}
        />
        <Button size="sm" busy={busy} icon={<Undo2 size={14} />} onClick={() => void revertAll()}>
          {t('changes.revertAll')}
        </Button>
      </div>
      {settingUp}
      <PathList
        items={files}
        label={t('changes.title')}
        notes={[
          more > 0 && t('changes.more', { count: more }),
          uncounted > 0 && t('changes.uncounted', { count: uncounted }),
          isUnlisted && t('changes.unlisted'),
        ]}
        cameFrom={cameFrom}
      >
        {(file) => (
          <Row
            file={file}
            onOpen={() => onOpen(file.path)}
            onOpenFile={() => onOpenFile(file.path)}
            onRevert={() =>
              void revertChanges(threadId, { kind: 'file', path: file.path, since }, t).then(reload)
            }
          />
        )}
      </PathList>
    </div>
  );
};

interface RowProps {
  file: ChangedFile;
  onOpen(): void;
  onOpenFile(): void;
  onRevert(): void;
}

const Row = (props: RowProps) => {
  const { file, onOpen, onRevert } = props;
  const t = useT();
  const menu = useContextMenu();
  const copy = useCopy();
  return (
    <li
      onContextMenu={menu.onContextMenu}
      className="group/row relative flex h-full list-none items-center hover:bg-hover"
    >
      <button
        type="button"
        data-row
        title={file.path}
        className="flex h-full min-w-0 grow items-center gap-2 pr-2 pl-3 text-left -outline-offset-2"
        onClick={onOpen}
      >
        <PathName path={file.path} />
        {file.others && <Badge tone="ask">{t('changes.others')}</Badge>}
        {file.moved !== null && <Badge tone="neutral">{movedWords(file, t)}</Badge>}
        {file.lost && <Badge tone="deny">{t('changes.lost')}</Badge>}
        {file.added !== null && file.removed !== null && (
          <LineCounts added={file.added} removed={file.removed} />
        )}
        <span className="w-14 shrink-0 truncate text-right text-small text-fg-3">
          {t(`changes.${file.change}`)}
        </span>
      </button>
      <span className="shrink-0 pr-2">
        <IconButton
          size="sm"
          disabled={file.lost || file.moved !== null}
          label={t('changes.revertFileName', { path: file.path })}
          icon={<Undo2 size={14} />}
          onClick={onRevert}
        />
      </span>
      <ContextMenu
        state={menu}
        label={t('changes.rowActions', { path: file.path })}
        items={() => menuItems(props, t, copy)}
      />
    </li>
  );
};

const movedWords = ({ change, moved }: ChangedFile, t: Translate): string =>
  t(change === 'removed' ? 'changes.movedTo' : 'changes.movedFrom', { path: moved ?? '' });

function whyNoUndo({ lost, moved }: ChangedFile, t: Translate): string | undefined {
  if (moved !== null) return t('changes.movedShort');
  return lost ? t('changes.lostShort') : undefined;
}

const icon = { size: 14 };

const menuItems = (
  { file, onOpen, onOpenFile, onRevert }: RowProps,
  t: Translate,
  copy: CopyText,
): MenuItem[] => [
  { label: t('changes.openChanges'), icon: <FileDiff {...icon} />, onSelect: onOpen },
  {
    label: t('changes.openFile'),
    icon: <FileSearch2 {...icon} />,
    disabled: file.change === 'removed' ? t('changes.fileGone') : undefined,
    onSelect: onOpenFile,
  },
  {
    label: t(file.path.startsWith('/') ? 'files.copyPath' : 'files.copyRelative'),
    icon: <Copy {...icon} />,
    onSelect: () => copy(file.path, t('files.pathCopied')),
  },
  'separator',
  {
    label: t('changes.revertFile'),
    icon: <Undo2 {...icon} />,
    disabled: whyNoUndo(file, t),
    onSelect: onRevert,
  },
];
