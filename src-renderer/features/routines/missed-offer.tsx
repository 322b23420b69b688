import { MAX_COUNTED_MISSES, type RoutineInfo } from '@contract/routines';
import { Clock } from 'lucide-react';
import { useT } from '../../i18n';
import { Button, useBusy } from '../../ui';
import { dismissMissed, runNow } from './actions';
import { useTimes } from './times';

interface MissedOfferProps {
  routine: RoutineInfo;
  missed: NonNullable<RoutineInfo['missed']>;
  /** Says which routine it is. */
  named: boolean;
  /** The run was started, and its thread is shown. */
  onShown?(): void;
}

/** Says once what was due while Deepdesk was closed or asleep, and offers to run it. */
export const MissedOffer = ({ routine, missed, named, onShown }: MissedOfferProps) => {
  const t = useT();
  const times = useTimes();
  const [busy, during] = useBusy();
  const { id, name } = routine;
  const values = { count: missed.times, time: times(missed.dueAt, routine) };
  const run = async () => {
    if (await runNow(id, false)) onShown?.();
  };
  return (
    <div
      role="status"
      className="flex flex-col gap-1.5 rounded-control bg-ask-soft px-2 py-1.5 text-ask-text"
    >
      <p className="flex items-start gap-2 text-small">
        <Clock aria-hidden size={14} className="mt-0.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          {named && (
            <span className="block truncate font-medium" title={name}>
              {name}
            </span>
          )}
          {t(missed.times < MAX_COUNTED_MISSES ? 'routines.missed' : 'routines.missedMany', values)}
        </span>
      </p>
      <div className="flex flex-wrap gap-1.5">
        <Button size="sm" busy={busy} onClick={() => void during(run())}>
          {t('routines.run')}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => void dismissMissed(id)}>
          {t('routines.dismiss')}
        </Button>
      </div>
    </div>
  );
};
