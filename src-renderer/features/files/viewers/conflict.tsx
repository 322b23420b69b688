import { useEffect, useState } from 'react';
import { useT } from '../../../i18n';
import { Button, Diff, type Hunk, Skeleton, useFocusIfLost } from '../../../ui';

/** Maximum number of lines of the difference that are shown. */
const MAX_LINES = 2_000;

interface ConflictProps {
  mine: string;
  theirs: string;
  onKeepMine(): void;
  onTakeTheirs(): void;
  onBack(): void;
}

/** Compares what the person typed with what is on disk now, and asks which to keep. */
export const Conflict = ({ mine, theirs, onKeepMine, onTakeTheirs, onBack }: ConflictProps) => {
  const t = useT();
  const back = useFocusIfLost<HTMLButtonElement>();
  const [diff, setDiff] = useState<{ hunks: readonly Hunk[]; cut: boolean }>();
  useEffect(() => {
    let isOver = false;
    void import('@contract/bounded-diff').then(({ boundedDiff }) => {
      if (!isOver) setDiff(boundedDiff(theirs, mine, MAX_LINES));
    });
    return () => {
      isOver = true;
    };
  }, [mine, theirs]);
  return (
    <section aria-label={t('files.conflict')} className="flex min-h-0 grow flex-col">
      <div className="shrink-0 border-b border-line px-3 py-2">
        <h3 className="font-medium">{t('files.conflict')}</h3>
        <p className="text-small text-fg-2">{t('files.conflictHint')}</p>
      </div>
      <div className="min-h-0 grow overflow-auto p-2">
        {diff === undefined ? (
          <Skeleton lines={6} />
        ) : (
          <Diff hunks={diff.hunks} label={t('files.conflict')} />
        )}
      </div>
      {diff?.cut === true && (
        <p className="shrink-0 border-t border-line px-3 py-1 text-small text-ask-text">
          {t('files.conflictCut', { count: MAX_LINES })}
        </p>
      )}
      <footer className="flex shrink-0 flex-wrap justify-end gap-2 border-t border-line px-3 py-2">
        <Button ref={back} variant="ghost" onClick={onBack}>
          {t('files.keepEditing')}
        </Button>
        <Button onClick={onTakeTheirs}>{t('files.takeTheirs')}</Button>
        <Button variant="primary" onClick={onKeepMine}>
          {t('files.keepMine')}
        </Button>
      </footer>
    </section>
  );
};
