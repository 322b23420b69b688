import { useT } from '../../../i18n';
import { Button, Input } from '../../../ui';

interface Author {
  name: string;
  email: string;
}

interface CommitAuthorProps {
  author: Author;
  isEditing: boolean;
  onEdit: () => void;
  onChange: (author: Author) => void;
}

/** Who makes the next commit, where git is not configured to know. */
export const CommitAuthor = ({ author, isEditing, onEdit, onChange }: CommitAuthorProps) => {
  const t = useT();
  if (!isEditing)
    return (
      <div className="flex items-center gap-2 text-small text-fg-2">
        <span className="min-w-0 grow truncate" title={`${author.name} <${author.email}>`}>
          {t('git.commitsAs', author)}
        </span>
        <Button size="sm" variant="ghost" onClick={onEdit}>
          {t('git.changeIdentity')}
        </Button>
      </div>
    );
  return (
    <>
      <p className="text-small text-fg-2">{t('git.identity')}</p>
      <div className="flex gap-2">
        {(['name', 'email'] as const).map((key) => (
          <Input
            key={key}
            aria-label={t(`git.${key}`)}
            placeholder={t(`git.${key}`)}
            value={author[key]}
            maxLength={200}
            onChange={({ target }) => onChange({ ...author, [key]: target.value })}
          />
        ))}
      </div>
    </>
  );
};
