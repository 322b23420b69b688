import { canStage, type GitFile, type GitRepository, pathsToStage } from '@contract/git';
import type { ThreadId } from '@contract/ids';
import { Copy, FileDiff, GitCommitHorizontal, SquareCheck, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { naming, type Translate, useT } from '../../../i18n';
import { toast, toastUndo } from '../../../link';
import {
  Badge,
  Button,
  ContextMenu,
  EmptyState,
  ErrorNote,
  IconButton,
  type MenuItem,
  PathList,
  PathName,
  useContextMenu,
  useCopy,
} from '../../../ui';
import { BranchBar } from './branch-bar';
import { CommitBox } from './commit-box';
import { GitFileView } from './git-file';
import { Notices } from './notices';
import { type GitRun, useGitRun } from './use-git-run';

interface GitPanelProps {
  threadId: ThreadId;
  repository: GitRepository;
  reload(): void;
}

/** The git repository of a folder: its branch, its changes, and what the next commit holds. */
export const GitPanel = ({ threadId, repository, reload }: GitPanelProps) => {
  const t = useT();
  const git = useGitRun(reload);
  const [open, setOpen] = useState<string | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const file = repository.files.find(({ path }) => path === open);
  if (file !== undefined)
    return <GitFileView threadId={threadId} file={file} reload={reload} onBack={() => setOpen(null)} />;
  const { files, more } = repository;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <BranchBar threadId={threadId} repository={repository} git={git} reload={reload} />
      <div className="max-h-1/2 shrink-0 overflow-y-auto">
        <Notices threadId={threadId} repository={repository} git={git} />
        {git.error !== null && (
          <div className="p-2">
            <ErrorNote message={git.error.message} detail={git.error.detail} />
          </div>
        )}
      </div>
      {files.length === 0 ? (
        <div className="min-h-0 grow">
          <EmptyState icon={<GitCommitHorizontal size={32} />}>{t('git.clean')}</EmptyState>
        </div>
      ) : (
        <>
          <StageBar threadId={threadId} repository={repository} git={git} />
          <PathList
            items={files}
            label={t('git.changes')}
            notes={[more > 0 && t('changes.more', { count: more })]}
            cameFrom={last}
          >
            {(one) => (
              <Row
                threadId={threadId}
                file={one}
                git={git}
                onOpen={() => {
                  setOpen(one.path);
                  setLast(one.path);
                }}
              />
            )}
          </PathList>
        </>
      )}
      <CommitBox threadId={threadId} repository={repository} git={git} />
    </div>
  );
};

interface StageBarProps {
  threadId: ThreadId;
  repository: GitRepository;
  git: GitRun;
}

const StageBar = ({ threadId, repository, git }: StageBarProps) => {
  const t = useT();
  const { files, more, moreStaged, moreOpen } = repository;
  const open = files.filter(canStage);
  const hasAgent = open.some(({ by }) => by === 'agent' || by === 'both');
  const staged = files.filter((file) => file.staged !== null).length + moreStaged;
  const stageAgent = async () => {
    const done = await git.run('git.stageAgent', { threadId });
    if (done !== null) toast(t('git.stagedAgent', { count: done.files }));
  };
  const stageAll = () =>
    more > 0
      ? git.run('git.stageAll', { threadId })
      : git.run('git.stage', { threadId, paths: open.flatMap(pathsToStage), staged: true });
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line py-1.5 pr-2 pl-3">
      <span className="min-w-0 grow truncate text-small text-fg-2 tabular-nums">
        {t('git.count', { count: files.length + more, staged })}
      </span>
      <span className="ml-auto flex flex-wrap justify-end gap-2">
        {hasAgent && (
          <Button size="sm" onClick={() => void stageAgent()}>
            {t('git.stageAgent')}
          </Button>
        )}
        <Button size="sm" disabled={open.length + moreOpen === 0} onClick={() => void stageAll()}>
          {t('git.stageAll')}
        </Button>
      </span>
    </div>
  );
};

interface RowProps {
  threadId: ThreadId;
  file: GitFile;
  git: GitRun;
  onOpen(): void;
}

const Row = ({ threadId, file, git, onOpen }: RowProps) => {
  const t = useT();
  const copy = useCopy();
  const menu = useContextMenu();
  const { path, from, staged, unstaged, by } = file;
  const isPartly = staged !== null && unstaged !== null;
  const discard = async () => {
    const done = await git.run('git.discard', { threadId, path });
    if (done === null) return;
    const { undo } = done;
    toastUndo(
      naming(t, 'git.discarded', { path }),
      () => void git.run('git.undoDiscard', { threadId, path, undo }),
    );
  };
  const whyNotDiscard = whyKept(file, git, t);
  const stage = () => {
    const toStage = unstaged !== null;
    void git.run('git.stage', {
      threadId,
      paths: toStage ? pathsToStage(file) : pathsToUnstage(file),
      staged: toStage,
    });
  };
  const items = (): MenuItem[] => [
    { label: t('changes.openChanges'), icon: <FileDiff size={14} />, onSelect: onOpen },
    {
      label: t('files.copyRelative'),
      icon: <Copy size={14} />,
      onSelect: () => copy(path, t('files.pathCopied')),
    },
    'separator',
    {
      label: t(unstaged === null ? 'git.unstageFile' : 'git.stageFile'),
      icon: <SquareCheck size={14} />,
      onSelect: stage,
    },
    {
      label: t('git.discardFile'),
      icon: <Undo2 size={14} />,
      danger: true,
      disabled: whyNotDiscard,
      onSelect: () => void discard(),
    },
  ];
  return (
    <li
      onContextMenu={menu.onContextMenu}
      className="group/row relative flex h-full list-none items-center hover:bg-hover"
    >
      <span className="flex shrink-0 pl-3">
        <input
          type="checkbox"
          aria-label={t('git.staged', { path })}
          checked={staged !== null && !isPartly}
          ref={(box) => {
            if (box !== null) box.indeterminate = isPartly;
          }}
          onChange={stage}
        />
      </span>
      <button
        type="button"
        data-row
        title={from === undefined ? path : t('git.renamed', { from, path })}
        className="flex h-full min-w-0 grow items-center gap-2 px-2 text-left -outline-offset-2"
        onClick={onOpen}
      >
        <PathName path={path} />
        {by !== 'person' && (
          <Badge tone={by === 'agent' ? 'accent' : 'neutral'}>{t(`gitAuthors.${by}`)}</Badge>
        )}
        <span className="w-16 shrink-0 truncate text-right text-small text-fg-3">
          {t(`gitChanges.${unstaged ?? staged ?? 'modified'}`)}
        </span>
      </button>
      <span className="shrink-0 pr-2">
        <IconButton
          size="sm"
          disabled={whyNotDiscard !== undefined}
          label={t('git.discard', { path })}
          icon={<Undo2 size={14} />}
          onClick={() => void discard()}
        />
      </span>
      <ContextMenu state={menu} label={t('changes.rowActions', { path })} items={items} />
    </li>
  );
};

/** A staged rename is unstaged with both names. */
const pathsToUnstage = ({ path, from }: GitFile): string[] => (from === undefined ? [path] : [path, from]);

/** Why the changes of a file cannot be discarded; undefined if they can. */
function whyKept({ unstaged, submodule }: GitFile, { busy }: GitRun, t: Translate): string | undefined {
  if (submodule) return t('git.isSubmodule');
  if (unstaged === null) return t('git.isStaged');
  if (unstaged === 'conflict') return t('git.hasConflict');
  return busy ? t('git.busy') : undefined;
}
