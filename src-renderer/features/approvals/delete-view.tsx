import type { Preview } from '@contract/approvals';
import { TriangleAlert, Undo2 } from 'lucide-react';
import { useFormats, useT } from '../../i18n';
import { cx, ExactText } from '../../ui';
import { shownPath } from './heading';

type Deletion = Extract<Preview, { kind: 'delete' }>;

/** Files below a folder are counted up to this number; see the contract. */
const COUNT_LIMIT = 10_000;

/** What would be deleted: its size, its git status, whether it can be undone, and the text of a file. */
export const DeleteView = ({ preview, mount }: { preview: Deletion; mount: string }) => {
  const t = useT();
  const formats = useFormats();
  const { path, files, isDirectory, text, cut, touched, undo } = preview;
  const lost = touched?.notInGit;
  const bytes = touched?.bytes;
  return (
    <div>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 bg-sunken px-3 py-2">
        <code className="min-w-0 font-mono text-code wrap-anywhere">
          <ExactText text={path} oneLine />
        </code>
        <span className="flex flex-wrap gap-x-3 text-small text-fg-2 tabular-nums">
          {files !== undefined && (
            <span>
              {files >= COUNT_LIMIT
                ? t('approvals.manyFiles', { count: COUNT_LIMIT })
                : t('approvals.filesInside', { count: files })}
            </span>
          )}
          {bytes !== undefined && <span>{formats.bytes(bytes)}</span>}
          {lost !== undefined && (
            <span className={cx(lost > 0 && 'text-ask-text')}>
              {lost === 0
                ? t('approvals.inGit')
                : isDirectory
                  ? t('approvals.notInGitCount', { count: lost })
                  : t('approvals.notInGit')}
            </span>
          )}
        </span>
      </div>
      {undo !== undefined && (
        <p
          className={cx(
            'flex items-center gap-2 border-t border-line px-3 py-1.5 text-small',
            undo ? 'text-fg-2' : 'text-deny',
          )}
        >
          {undo ? <Undo2 aria-hidden size={14} /> : <TriangleAlert aria-hidden size={14} />}
          {t(undo ? 'approvals.undoable' : 'approvals.notUndoable')}
        </p>
      )}
      {text !== undefined && text !== '' && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <section role="group" aria-label={t('approvals.deletedText', { path: shownPath(path, mount) })}>
          <pre className="border-t border-line bg-sunken px-3 py-2 font-mono text-code wrap-anywhere whitespace-pre-wrap">
            <ExactText text={text} />
          </pre>
        </section>
      )}
      {text === '' && (
        <p className="border-t border-line px-3 py-1 text-small text-fg-3">{t('approvals.emptyFile')}</p>
      )}
      {cut === true && (
        <p className="border-t border-line px-3 py-1 text-small text-ask-text">{t('approvals.cutText')}</p>
      )}
    </div>
  );
};
