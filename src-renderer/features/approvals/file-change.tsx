import type { Preview } from '@contract/approvals';
import { useState } from 'react';
import { useT } from '../../i18n';
import { Button, Diff } from '../../ui';

type Change = Extract<Preview, { kind: 'diff' }>;

/** How changes are shown, for as long as the window is open. */
let chosen: 'inline' | 'split' = 'inline';

/** The new content of a file, line by line, in color, inline or side by side. */
export const FileChange = ({ preview, label }: { preview: Change; label: string }) => {
  const t = useT();
  const [view, setView] = useState(chosen);
  const other = view === 'inline' ? 'split' : 'inline';
  const both = !preview.isNew && preview.removed > 0;
  return (
    <div>
      {both && (
        <div className="flex justify-end bg-sunken px-1.5 pt-1">
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              chosen = other;
              setView(other);
            }}
          >
            {t(other === 'split' ? 'approvals.sideBySide' : 'approvals.inline')}
          </Button>
        </div>
      )}
      <Diff hunks={preview.hunks} label={label} file={preview.path} split={both && view === 'split'} />
      {preview.cut && (
        <p className="border-t border-line px-3 py-1 text-small text-ask-text">{t('approvals.cut')}</p>
      )}
    </div>
  );
};
