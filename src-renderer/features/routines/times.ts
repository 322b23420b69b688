import type { RoutineInfo } from '@contract/routines';
import { useLanguage, useT } from '../../i18n';

const DAY = 24 * 60 * 60 * 1_000;

/** Writes times as a person says them, "tomorrow at 9:00 AM" or "Wed, Nov 25, 9:00 AM", in the routine's time zone. */
export function useTimes() {
  const t = useT();
  const language = useLanguage();
  return (at: number, { timeZone }: Pick<RoutineInfo, 'timeZone'>, now = Date.now()): string => {
    const date = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    const days = Math.round((Date.parse(date.format(at)) - Date.parse(date.format(now))) / DAY);
    const isOwn = timeZone === new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const zone = isOwn ? {} : ({ timeZoneName: 'short' } as const);
    const clock = { hour: 'numeric', minute: '2-digit', timeZone, ...zone } as const;
    if (Math.abs(days) > 1)
      return new Intl.DateTimeFormat(language, {
        weekday: 'short',
        month: 'short',
        day: 'numeric',
        ...(Math.abs(days) > 300 ? { year: 'numeric' } : {}),
        ...clock,
      }).format(at);
    const day = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day');
    return t('routines.dayAt', { day, time: new Intl.DateTimeFormat(language, clock).format(at) });
  };
}
