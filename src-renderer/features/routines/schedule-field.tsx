import type { ScheduleInfo } from '@contract/routines';
import { useEffect, useState } from 'react';
import { useT } from '../../i18n';
import { call } from '../../link';
import { cx, Field, Input } from '../../ui';
import { useTimes } from './times';

/** `of`: what was asked. */
type Preview = { of: string } & (
  | { phase: 'understood'; info: ScheduleInfo }
  | { phase: 'unclear'; message: string }
);

/** When a schedule is due next, or why it is not understood. Undefined until that is known. */
function usePreview(schedule: string, timeZone: string): Preview | undefined {
  const [preview, setPreview] = useState<Preview>();
  useEffect(() => {
    if (schedule.trim() === '') return;
    const wanted = new AbortController();
    void call('routines.preview', { schedule, timeZone }, wanted.signal).then((result) => {
      if (wanted.signal.aborted) return;
      setPreview(
        result.ok
          ? { of: schedule, phase: 'understood', info: result.value }
          : { of: schedule, phase: 'unclear', message: result.error.message },
      );
    });
    return () => wanted.abort();
  }, [schedule, timeZone]);
  // The next times of the text before stay until those of the new one are known. An error would be wrong.
  const isOld = preview?.of !== schedule && preview?.phase === 'unclear';
  return schedule.trim() === '' || isOld ? undefined : preview;
}

interface ScheduleFieldProps {
  schedule: string;
  timeZone: string;
  /** Why it could not be saved. */
  error: string | undefined;
  onChange(schedule: string): void;
}

/** A schedule in words. Shows its next times while it is typed, and what is wrong once the person leaves the field. */
export const ScheduleField = ({ schedule, timeZone, error, onChange }: ScheduleFieldProps) => {
  const t = useT();
  const times = useTimes();
  const preview = usePreview(schedule, timeZone);
  /** What the field contained when the focus left it. */
  const [left, setLeft] = useState<string>();
  const unclear = preview?.phase === 'unclear' && left === schedule ? preview.message : undefined;
  const wrong = error ?? unclear;
  return (
    <>
      <Field label={t('routines.schedule')} hint={t('routines.scheduleHint')} error={wrong}>
        {(ids) => (
          <Input
            {...ids}
            required
            spellCheck={false}
            maxLength={200}
            value={schedule}
            onChange={(event) => onChange(event.target.value)}
            onBlur={() => setLeft(schedule)}
          />
        )}
      </Field>
      {/* Its place is kept while the schedule is typed, so that the fields below do not jump. */}
      <div role="status" className={cx('text-small', schedule !== '' && wrong === undefined && 'min-h-10')}>
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
    </>
  );
};
