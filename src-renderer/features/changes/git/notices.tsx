import type { GitHooks, GitRepository } from '@contract/git';
import type { ThreadId } from '@contract/ids';
import type { ReactNode } from 'react';
import { useT } from '../../../i18n';
import { Button } from '../../../ui';
import type { GitRun } from './use-git-run';

interface NoticesProps {
  threadId: ThreadId;
  repository: GitRepository;
  git: GitRun;
}

/** What is unusual about a repository: an unfinished merge, hooks and whether they run, settings that do not apply. */
export const Notices = ({ threadId, repository, git }: NoticesProps) => {
  const t = useT();
  const { operation, hooks, ignored } = repository;
  return (
    <>
      {operation !== null && <Notice>{t(`gitOperations.${operation}`)}</Notice>}
      {hooks !== null && <Hooks threadId={threadId} hooks={hooks} git={git} />}
      {ignored.length > 0 && <Notice>{t('git.ignored', { names: ignored.join(', ') })}</Notice>}
    </>
  );
};

/** Hooks run only if the person allowed exactly these. */
const Hooks = ({ threadId, hooks, git }: Omit<NoticesProps, 'repository'> & { hooks: GitHooks }) => {
  const t = useT();
  const { allowed, digest } = hooks;
  const names = hooks.names.join(', ');
  return (
    <Notice
      title={names}
      action={
        <Button
          size="sm"
          onClick={() => void git.run(allowed ? 'git.disallowHooks' : 'git.allowHooks', { threadId, digest })}
        >
          {t(allowed ? 'git.stopHooks' : 'git.runHooks')}
        </Button>
      }
    >
      {t(allowed ? 'git.hooksRun' : 'git.hooks', { names })}
    </Notice>
  );
};

const Notice = ({ children, title, action }: { children: ReactNode; title?: string; action?: ReactNode }) => (
  <div className="flex items-start gap-2 border-b border-line px-3 py-1.5 text-small text-fg-2">
    <p title={title} className="min-w-0 grow break-words">
      {children}
    </p>
    {action}
  </div>
);
