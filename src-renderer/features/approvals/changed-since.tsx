import type { ChangedSince } from '@contract/approvals';
import { shownName } from '@contract/shared/shown-name';
import { useT } from '../../i18n';
import { Diff } from '../../ui';
import { shownPath } from './heading';

const sentences = {
  file: 'approvals.changedFileUnshown',
  place: 'approvals.changedPlace',
  program: 'approvals.changedProgram',
  sandbox: 'approvals.changedSandbox',
  other: 'approvals.changedOther',
} as const;

/** Maximum height in pixels. */
const TALLEST = 240;

/** What changed since the person was last asked about the call, with the diffs of files. */
export const ChangedSinceView = ({ changed, mount }: { changed: readonly ChangedSince[]; mount: string }) => {
  const t = useT();
  return (
    <section aria-label={t('approvals.changedSince')} className="border-b border-line">
      <h4 className="px-3 py-1.5 text-small font-semibold text-ask-text">{t('approvals.changedSince')}</h4>
      {changed.map(({ what, name, hunks = [] }) => {
        const path = shownName(shownPath(name, mount));
        return hunks.length === 0 ? (
          <p key={`${what} ${name}`} className="px-3 pb-1.5 text-small break-all text-fg-2">
            {t(sentences[what], { path })}
          </p>
        ) : (
          <div key={`${what} ${name}`}>
            <p className="px-3 pb-1 font-mono text-small break-all text-fg-2">{path}</p>
            <Diff
              hunks={hunks}
              maxHeight={TALLEST}
              label={t('approvals.changedFile', { path })}
              file={name}
            />
          </div>
        );
      })}
    </section>
  );
};
