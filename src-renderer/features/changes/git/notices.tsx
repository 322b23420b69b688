import type { GitRepository } from '@contract/git';
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

/** What is unusual about a repository: an unfinished merge, hooks that do not run, settings that do not apply. */
export const Notices = ({ threadId, repository, git }: NoticesProps) => {
  const t = useT();
  const { operation, hooks, ignored } = repository;
  return (
    <>
      {operation !== null && <Notice>{t(`gitOperations.${operation}`)}</Notice>}
      {hooks !== null && !hooks.allowed && (
        <Notice
          title={hooks.names.join(', ')}
          action={
            <Button
              size="sm"
              disabled={git.busy}
              onClick={() => void git.run('git.allowHooks', { threadId, digest: hooks.digest })}
            >
              {t('git.runHooks')}
            </Button>
          }
        >
          {t('git.hooks', { names: hooks.names.join(', ') })}
        </Notice>
      )}
      {ignored.length > 0 && <Notice>{t('git.ignored', { names: ignored.join(', ') })}</Notice>}
    </>
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
