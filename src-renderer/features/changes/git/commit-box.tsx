import type { GitRepository } from '@contract/git';
import type { ThreadId } from '@contract/ids';
import { Sparkles } from 'lucide-react';
import { useRef, useState } from 'react';
import { useFormats, useT } from '../../../i18n';
import { toast, toastUndo } from '../../../link';
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
  const { message, isAmend, change } = useCommitDraft(threadId);
  // The person can write on while the model drafts, or a commit runs its hooks.
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(message);
  latest.current = message;
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
    const hasFocus = box.current?.contains(document.activeElement) === true;
    change({ message: latest.current === message ? '' : latest.current, isAmend: false });
    setNaming(false);
    setCost(undefined);
    // The button has no message anymore, so it is disabled and cannot keep the focus.
    if (hasFocus) field.current?.focus();
    const text = t('git.committed', { id: done.id.slice(0, 7) });
    toast(done.skippedHooks ? t('app.sentences', { first: text, second: t('git.hooksSkipped') }) : text);
  };
  const draft = async () => {
    const done = await git.run('git.draft', { threadId });
    if (done === null) return;
    const written = latest.current;
    change({ message: done.message });
    setCost(done.costMicroDollars);
    if (written.trim() !== '' && written !== done.message)
      toastUndo(t('git.draftReplaced'), () => change({ message: written }));
  };
  return (
    <div ref={box} className="flex shrink-0 flex-col gap-2 border-t border-line p-2">
      {!hasIdentity && (
        <CommitAuthor
          author={person}
          isEditing={isNaming}
          onEdit={() => setNaming(true)}
          onChange={setPerson}
        />
      )}
      <Textarea
        ref={field}
        aria-label={t('git.message')}
        placeholder={t('git.message')}
        rows={2}
        maxHeight={140}
        value={message}
        onChange={({ target }) => change({ message: target.value })}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Draft busy={git.busy} disabled={!hasStaged} cost={cost} onDraft={() => void draft()} />
        {canAmend && (
          <Amend
            checked={isAmend}
            onChange={(checked) => {
              const isFirst = checked && message === '';
              change({ isAmend: checked, ...(isFirst ? { message: head.message } : {}) });
            }}
          />
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

interface DraftProps {
  busy: boolean;
  disabled: boolean;
  /** In millionths of a dollar. Null: the price is unknown; undefined: nothing was drafted yet. */
  cost: number | null | undefined;
  onDraft(): void;
}

/** Has the model draft the message, and says what that cost. */
const Draft = ({ busy, disabled, cost, onDraft }: DraftProps) => {
  const t = useT();
  const formats = useFormats();
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        icon={<Sparkles size={14} />}
        aria-disabled={busy}
        disabled={disabled}
        onClick={onDraft}
      >
        {t('git.draft')}
      </Button>
      {cost !== undefined && (
        <span className="text-small text-fg-3 tabular-nums">
          {cost === null ? t('usage.priceUnknown') : formats.money(cost)}
        </span>
      )}
    </>
  );
};

const Amend = ({ checked, onChange }: { checked: boolean; onChange(checked: boolean): void }) => (
  <label className="ml-auto flex items-center gap-1.5 text-small text-fg-2">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    {useT()('git.amend')}
  </label>
);
