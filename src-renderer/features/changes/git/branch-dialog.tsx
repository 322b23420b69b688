import type { ErrorCode } from '@contract/errors';
import type { ThreadId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { useState } from 'react';
import { useT } from '../../../i18n';
import { lastIn, useLiveAnswer } from '../../../link';
import { Button, Dialog, ErrorNote, Field, fieldsByCode, Input, LoadFailed, Select } from '../../../ui';
import type { GitRun } from './use-git-run';

const fieldOf = fieldsByCode({
  git_branch_exists: 'name',
  git_branch_name: 'name',
} as const satisfies Partial<Record<ErrorCode, 'name'>>);

interface BranchDialogProps {
  threadId: ThreadId;
  /** Null if HEAD is detached. */
  current: string | null;
  git: GitRun;
  onClose(): void;
}

/** Switches to another branch or creates one. */
export const BranchDialog = ({ threadId, current, git, onClose }: BranchDialogProps) => {
  const t = useT();
  const { answer, reload } = useLiveAnswer('git.branches', { threadId });
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('');
  const [error, setError] = useState<ErrorInWords | null>(null);
  const others = lastIn(answer)?.value.branches.filter((one) => one !== current) ?? [];
  const target = chosen || (others[0] ?? '');
  const atName = error && fieldOf(error);
  const go = async (branch: string, create: boolean) => {
    if ((await git.run('git.switch', { threadId, branch, create }, setError)) !== null) onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('git.branches')}
      description={t('git.branchesHint')}
    >
      <div className="flex flex-col gap-4">
        {error !== null && atName === null && <ErrorNote message={error.message} detail={error.detail} />}
        {answer.phase === 'failed' && <LoadFailed error={answer.error} onRetry={reload} />}
        {others.length > 0 && (
          <Field label={t('git.otherBranch')}>
            {(ids) => (
              <div className="flex gap-2">
                <Select
                  {...ids}
                  value={target}
                  onChange={(event) => setChosen(event.target.value)}
                  options={others.map((one) => ({ value: one, label: one }))}
                />
                <Button busy={git.busy} onClick={() => void go(target, false)}>
                  {t('git.switch')}
                </Button>
              </div>
            )}
          </Field>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void go(name.trim(), true);
          }}
        >
          <Field label={t('git.newName')} error={atName === null ? undefined : error?.message}>
            {(ids) => (
              <div className="flex gap-2">
                <Input
                  {...ids}
                  value={name}
                  onChange={(event) => setName(event.target.value)}
                  maxLength={250}
                />
                <Button type="submit" busy={git.busy} disabled={name.trim() === ''}>
                  {t('git.create')}
                </Button>
              </div>
            )}
          </Field>
        </form>
      </div>
    </Dialog>
  );
};
