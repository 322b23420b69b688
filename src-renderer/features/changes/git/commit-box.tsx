import type { GitRepository } from '@contract/git';
import type { ThreadId } from '@contract/ids';
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useFormats, useT } from '../../../i18n';
import { toast } from '../../../link';
import { Button, Textarea } from '../../../ui';
import { CommitAuthor } from './commit-author';
import { useCommitDraft } from './use-commit-draft';
import type { GitRun } from './use-git-run';

interface CommitBoxProps {
  threadId: ThreadId;
  repository: GitRepository;
  git: GitRun;
}

/** The message of the next commit. */
export const CommitBox = ({ threadId, repository, git }: CommitBoxProps) => {
  const t = useT();
  const formats = useFormats();
  const { message, isAmend, change } = useCommitDraft(threadId);
  const { head, files, hasIdentity, identity, operation } = repository;
  const [person, setPerson] = useState(identity ?? { name: '', email: '' });
  const [isNaming, setNaming] = useState(identity === null);
  const [cost, setCost] = useState<number | null | undefined>(undefined);
  const hasStaged = files.some(({ staged }) => staged !== null);
  const canAmend = head !== null && !head.pushed && operation === null;
  const amend = isAmend && canAmend;
  const isNamed = hasIdentity || (person.name.trim() !== '' && person.email.trim() !== '');
  const canCommit = message.trim() !== '' && isNamed && (hasStaged || amend || operation === 'merge');
  const commit = async () => {
    const done = await git.run('git.commit', {
      threadId,
      message,
      amend,
      ...(hasIdentity ? {} : { identity: { name: person.name.trim(), email: person.email.trim() } }),
    });
    if (done === null) return;
    change({ message: '', isAmend: false });
    setNaming(false);
    setCost(undefined);
    const text = t('git.committed', { id: done.id.slice(0, 7) });
    toast(done.skippedHooks ? t('app.sentences', { first: text, second: t('git.hooksSkipped') }) : text);
  };
  const draft = async () => {
    const done = await git.run('git.draft', { threadId });
    if (done === null) return;
    change({ message: done.message });
    setCost(done.costMicroDollars);
  };
  return (
    <div className="flex shrink-0 flex-col gap-2 border-t border-line p-2">
      {!hasIdentity && (
        <CommitAuthor
          author={person}
          isEditing={isNaming}
          onEdit={() => setNaming(true)}
          onChange={setPerson}
        />
      )}
      <Textarea
        aria-label={t('git.message')}
        placeholder={t('git.message')}
        rows={2}
        maxHeight={140}
        value={message}
        onChange={({ target }) => change({ message: target.value })}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          variant="ghost"
          icon={<Sparkles size={14} />}
          disabled={git.busy || !hasStaged}
          onClick={() => void draft()}
        >
          {t('git.draft')}
        </Button>
        {cost !== undefined && (
          <span className="text-small text-fg-3 tabular-nums">
            {cost === null ? t('usage.priceUnknown') : formats.money(cost)}
          </span>
        )}
        {canAmend && (
          <label className="ml-auto flex items-center gap-1.5 text-small text-fg-2">
            <input
              type="checkbox"
              checked={isAmend}
              onChange={({ target }) => {
                const isFirst = target.checked && message === '';
                change({ isAmend: target.checked, ...(isFirst ? { message: head.message } : {}) });
              }}
            />
            {t('git.amend')}
          </label>
        )}
        <Button
          size="sm"
          variant="primary"
          className="ml-auto"
          busy={git.busy}
          disabled={!canCommit}
          onClick={() => void commit()}
        >
          {t('git.commit')}
        </Button>
      </div>
    </div>
  );
};
