import type { GitFile } from '@contract/git';
import type { ThreadId } from '@contract/ids';
import { ArrowLeft } from 'lucide-react';
import { useT } from '../../../i18n';
import { useLiveAnswer } from '../../../link';
import {
  Badge,
  Button,
  Diff,
  ErrorNote,
  IconButton,
  LoadFailed,
  PathName,
  Skeleton,
  useFocusIfLost,
} from '../../../ui';
import { type GitRun, useGitRun } from './use-git-run';

interface GitFileViewProps {
  threadId: ThreadId;
  file: GitFile;
  reload(): void;
  onBack(): void;
}

/** The changes of one file, those not staged first. */
export const GitFileView = ({ threadId, file, reload, onBack }: GitFileViewProps) => {
  const t = useT();
  const git = useGitRun(reload);
  const back = useFocusIfLost<HTMLButtonElement>();
  const { path, staged, unstaged } = file;
  // Both sides change with what is staged.
  const state = `${staged}-${unstaged}`;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-1 border-b border-line px-1.5 py-1">
        <IconButton ref={back} label={t('git.back')} icon={<ArrowLeft size={16} />} onClick={onBack} />
        <h2 className="flex min-w-0 grow font-medium" title={path}>
          <PathName path={path} />
        </h2>
      </div>
      <div className="min-h-0 grow overflow-y-auto">
        {git.error !== null && (
          <div className="p-2">
            <ErrorNote message={git.error.message} detail={git.error.detail} />
          </div>
        )}
        {unstaged !== null && (
          <Side key={`open-${state}`} threadId={threadId} path={path} isStaged={false} git={git} />
        )}
        {staged !== null && (
          <Side key={`staged-${state}`} threadId={threadId} path={path} isStaged git={git} />
        )}
      </div>
    </div>
  );
};

interface SideProps {
  threadId: ThreadId;
  path: string;
  isStaged: boolean;
  git: GitRun;
}

const Side = ({ threadId, path, isStaged, git }: SideProps) => {
  const t = useT();
  const { answer, reload } = useLiveAnswer('git.file', { threadId, path, staged: isStaged }, undefined, true);
  const title = t(isStaged ? 'git.stagedPart' : 'git.unstagedPart');
  const stage = async (hunk: number, digest: string) => {
    await git.run('git.stageHunk', { threadId, path, hunk, digest, staged: !isStaged });
    reload();
  };
  return (
    <section aria-label={title}>
      <h3 className="border-b border-line bg-sunken px-3 py-1 text-small font-medium text-fg-2">{title}</h3>
      {answer.phase === 'loading' && <Skeleton lines={4} />}
      {answer.phase === 'failed' && (
        <div className="p-3">
          <LoadFailed error={answer.error} onRetry={reload} />
        </div>
      )}
      {answer.phase === 'loaded' && answer.value.kind !== 'text' && (
        <p className="p-3 text-fg-2">{t(`gitKinds.${answer.value.kind}`)}</p>
      )}
      {answer.phase === 'loaded' &&
        answer.value.hunks.map((hunk, index) => (
          <section
            key={`${hunk.oldStart}-${hunk.newStart}`}
            aria-label={t('changes.part', { index: index + 1, total: answer.value.hunks.length })}
          >
            <div className="flex items-center gap-2 border-b border-line px-3 py-1">
              <span className="min-w-0 grow">
                <Badge tone={hunk.by === 'agent' ? 'accent' : 'neutral'}>{t(`gitAuthors.${hunk.by}`)}</Badge>
              </span>
              <Button
                size="sm"
                variant="ghost"
                aria-disabled={git.busy}
                onClick={() => void stage(index, answer.value.digest)}
              >
                {t(isStaged ? 'git.unstageHunk' : 'git.stageHunk')}
              </Button>
            </div>
            <Diff
              hunks={[hunk]}
              above={answer.value.hunks[index - 1]}
              label={t('changes.diff', { path })}
              file={path}
            />
          </section>
        ))}
    </section>
  );
};
