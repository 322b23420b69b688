import type { ScheduleInfo } from '@contract/routines';
import { useEffect, useState } from 'react';
import { useT } from '../../i18n';
import { call } from '../../link';
import { useTimes } from './times';

type Preview = { phase: 'understood'; info: ScheduleInfo } | { phase: 'unclear'; message: string } | null;

interface SchedulePreviewProps {
  schedule: string;
  timeZone: string;
  /** An error that the form shows; it is not said twice. */
  saidBelow: string | undefined;
}

/** When a schedule is due next, as soon as it is understood. */
export const SchedulePreview = ({ schedule, timeZone, saidBelow }: SchedulePreviewProps) => {
  const t = useT();
  const times = useTimes();
  const [preview, setPreview] = useState<Preview>(null);
  useEffect(() => {
    if (schedule.trim() === '') return setPreview(null);
    const wanted = new AbortController();
    void call('routines.preview', { schedule, timeZone }, wanted.signal).then((result) => {
      if (wanted.signal.aborted) return;
      setPreview(
        result.ok
          ? { phase: 'understood', info: result.value }
          : { phase: 'unclear', message: result.error.message },
      );
    });
    return () => wanted.abort();
  }, [schedule, timeZone]);
  return (
    <div role="status" className="min-h-10 text-small">
      {preview?.phase === 'unclear' && preview.message !== saidBelow && (
        <p className="text-deny">{preview.message}</p>
      )}
      {preview?.phase === 'understood' && (
        <>
          <p className="text-fg-2">
            {t('routines.next', {
              times: preview.info.next.map((at) => times(at, { timeZone })).join(' · '),
            })}
          </p>
          <p className="font-mono text-code text-fg-3">{t('routines.cron', { cron: preview.info.cron })}</p>
        </>
      )}
    </div>
  );
};
