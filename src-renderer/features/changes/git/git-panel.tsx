import type { GitFile, GitRepository } from '@contract/git';
import type { ThreadId } from '@contract/ids';
import { GitCommitHorizontal, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../../i18n';
import { toast, toastUndo } from '../../../link';
import { Badge, Button, EmptyState, ErrorNote, IconButton, PathList, PathName } from '../../../ui';
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
          <StageBar threadId={threadId} files={files} git={git} />
          <PathList
            items={files}
            label={t('git.changes')}
            more={more > 0 ? t('changes.more', { count: more }) : undefined}
          >
            {(one) => <Row threadId={threadId} file={one} git={git} onOpen={() => setOpen(one.path)} />}
          </PathList>
        </>
      )}
      <CommitBox threadId={threadId} repository={repository} git={git} />
    </div>
  );
};

const StageBar = ({
  threadId,
  files,
  git,
}: {
  threadId: ThreadId;
  files: readonly GitFile[];
  git: GitRun;
}) => {
  const t = useT();
  const open = files.filter(({ unstaged }) => unstaged !== null && unstaged !== 'conflict');
  const hasAgent = open.some(({ by }) => by === 'agent' || by === 'both');
  const staged = files.filter((file) => file.staged !== null).length;
  const stageAgent = async () => {
    const done = await git.run('git.stageAgent', { threadId });
    if (done !== null) toast(t('git.stagedAgent', { count: done.files }));
  };
  const stageAll = () =>
    git.run('git.stage', { threadId, paths: open.map(({ path }) => path), staged: true });
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line py-1.5 pr-2 pl-3">
      <span className="min-w-0 grow truncate text-small text-fg-2 tabular-nums">
        {t('git.count', { count: files.length, staged })}
      </span>
      {hasAgent && (
        <Button size="sm" disabled={git.busy} onClick={() => void stageAgent()}>
          {t('git.stageAgent')}
        </Button>
      )}
      <Button size="sm" disabled={git.busy || open.length === 0} onClick={() => void stageAll()}>
        {t('git.stageAll')}
      </Button>
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
  const { path, from, staged, unstaged, by } = file;
  const isPartly = staged !== null && unstaged !== null;
  const paths = from === undefined ? [path] : [path, from];
  const discard = async () => {
    const done = await git.run('git.discard', { threadId, path });
    if (done === null) return;
    const { undo } = done;
    toastUndo(t('git.discarded', { path }), () => void git.run('git.undoDiscard', { threadId, path, undo }));
  };
  return (
    <li className="group/row relative flex h-full list-none items-center hover:bg-hover">
      <span className="flex shrink-0 pl-3">
        <input
          type="checkbox"
          aria-label={t('git.staged', { path })}
          disabled={git.busy}
          checked={staged !== null && !isPartly}
          ref={(box) => {
            if (box !== null) box.indeterminate = isPartly;
          }}
          onChange={() => void git.run('git.stage', { threadId, paths, staged: unstaged !== null })}
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
          disabled={git.busy || unstaged === null || unstaged === 'conflict' || file.submodule}
          label={t('git.discard', { path })}
          icon={<Undo2 size={14} />}
          onClick={() => void discard()}
        />
      </span>
    </li>
  );
};
