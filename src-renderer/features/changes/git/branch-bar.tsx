import type { GitRepository, GitTransfer } from '@contract/git';
import type { ThreadId } from '@contract/ids';
import { ArrowDown, ArrowUp, GitBranch, RefreshCw, Square } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../../i18n';
import { toast } from '../../../link';
import { Button, Dialog, IconButton } from '../../../ui';
import { BranchDialog } from './branch-dialog';
import type { GitRun } from './use-git-run';

type Direction = 'push' | 'pull';

const ROOMS = { push: 'gitPush', pull: 'gitPull' } as const;

interface BranchBarProps {
  threadId: ThreadId;
  repository: GitRepository;
  git: GitRun;
  reload(): void;
}

/** The branch, how far it is from the remote one, and push and pull. */
export const BranchBar = ({ threadId, repository, git, reload }: BranchBarProps) => {
  const t = useT();
  const [isChoosing, setChoosing] = useState(false);
  const [asked, setAsked] = useState<{ direction: Direction; transfer: GitTransfer } | null>(null);
  const { branch, upstream, hasRemote, head } = repository;
  const ask = async (direction: Direction) => {
    const found = await git.run('git.compare', { threadId, direction });
    if (found === null) return;
    if (found.transfer === null) toast(t(`${ROOMS[direction]}.nothing`));
    else setAsked({ direction, transfer: found.transfer });
  };
  const go = async () => {
    if (asked === null) return;
    const done = await git.run('git.transfer', { threadId, ...asked });
    setAsked(null);
    if (done !== null) toast(t(`${ROOMS[asked.direction]}.done`));
  };
  // What is not wanted anymore is not carried out either.
  const close = () => {
    git.stop();
    setAsked(null);
  };
  const distance =
    upstream === null ? t(hasRemote ? 'git.notPushed' : 'git.noRemote') : t('git.upstream', upstream);
  const cannot = !hasRemote || head === null || branch === null;
  return (
    <div className="flex shrink-0 items-center gap-1 border-b border-line py-1 pr-2 pl-2">
      <Button
        size="sm"
        variant="ghost"
        // A long name gives way to how far the branch is from the remote one.
        className="min-w-16 shrink-[20]! justify-start"
        icon={<GitBranch size={14} className="shrink-0" />}
        title={branch ?? undefined}
        aria-label={t('git.branchName', { branch: branch ?? t('git.detached') })}
        aria-disabled={git.busy}
        onClick={() => setChoosing(true)}
      >
        <span className="truncate">{branch ?? t('git.detached')}</span>
      </Button>
      <span
        role="status"
        className="min-w-0 grow truncate text-small text-fg-3 tabular-nums"
        title={upstream?.name ?? distance}
      >
        {git.isSlow ? t('git.busy') : distance}
      </span>
      {git.isSlow && (
        <IconButton size="sm" label={t('git.stop')} icon={<Square size={12} />} onClick={git.stop} />
      )}
      <IconButton size="sm" label={t('git.refresh')} icon={<RefreshCw size={14} />} onClick={reload} />
      <IconButton
        size="sm"
        label={t('git.pull')}
        disabled={cannot}
        aria-disabled={git.busy}
        icon={<ArrowDown size={14} />}
        onClick={() => void ask('pull')}
      />
      <IconButton
        size="sm"
        label={t('git.push')}
        disabled={cannot}
        aria-disabled={git.busy}
        icon={<ArrowUp size={14} />}
        onClick={() => void ask('push')}
      />
      {isChoosing && (
        <BranchDialog threadId={threadId} current={branch} git={git} onClose={() => setChoosing(false)} />
      )}
      <Dialog
        open={asked !== null}
        onOpenChange={(open) => !open && close()}
        title={asked === null ? '' : t(`${ROOMS[asked.direction]}.ask`)}
        description={asked === null ? '' : questionOf(asked, t)}
        footer={
          <>
            <Button onClick={close}>{t('changes.cancel')}</Button>
            <Button variant="primary" busy={git.busy} onClick={() => void go()}>
              {t(asked?.direction === 'pull' ? 'git.pull' : 'git.push')}
            </Button>
          </>
        }
      />
    </div>
  );
};

function questionOf(
  { direction, transfer }: { direction: Direction; transfer: GitTransfer },
  t: ReturnType<typeof useT>,
): string {
  const { remote, branch, commits, isNew } = transfer;
  const first = t(`${ROOMS[direction]}.what`, { count: commits, remote, branch });
  return isNew ? t('app.sentences', { first, second: t('git.newBranch') }) : first;
}
