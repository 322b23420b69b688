import { Cron } from 'croner';
import { fail, ok, type Result } from '../../contract/result';
import type { ScheduleInfo } from '../../contract/routines';
import { wordsToCron } from './words-to-cron';

/** When a routine is due. Times are in milliseconds since 1970. */
export interface Schedule {
  cron: string;
  /** The next `count` times after `at`; fewer if there are no more. */
  after(at: number, count: number): number[];
  /** The last time up to and including `at`; null if there is none. */
  lastUpTo(at: number): number | null;
}

/**
 * Reads a cron expression with five fields, a nickname of one such as `@daily`, or words. A time that a clock change skips
 * is due right after it; one that occurs twice is due the first time. Errors: `invalid`.
 */
export function parseSchedule(text: string, timeZone: string): Result<Schedule> {
  if (!isTimeZone(timeZone)) return fail('invalid', 'routine_time_zone', { name: timeZone });
  const isCron = /^(?:@\w+|[\d*]\S*(?:\s+\S+){4})$/.test(text.trim());
  const cron = isCron ? text.trim() : wordsToCron(text);
  if (cron === null) return fail('invalid', 'routine_schedule_unclear', { text });
  const read = cronOf(cron, timeZone);
  if (read === null) return fail('invalid', 'routine_schedule_unclear', { text });
  const timesAfter = (at: number, count: number) =>
    read.nextRuns(count, new Date(at)).map((date) => date.getTime());
  if (timesAfter(Date.UTC(2024, 0, 1), 1).length === 0)
    return fail('invalid', 'routine_schedule_never', { text });
  return ok({
    // A nickname as what it stands for.
    cron: read.getPattern() ?? cron,
    after: timesAfter,
    lastUpTo: (at) => {
      // Without the milliseconds, a time due within this second would be the next one.
      const [last] = read.previousRuns(1, new Date(at + 1_000 - (at % 1_000)));
      return last === undefined || last.getTime() > at ? null : last.getTime();
    },
  });
}

/** The next three times after `now`. Errors: as `parseSchedule`. */
export function previewSchedule(text: string, timeZone: string, now: number): Result<ScheduleInfo> {
  const parsed = parseSchedule(text, timeZone);
  return parsed.ok ? ok({ cron: parsed.value.cron, next: parsed.value.after(now, 3) }) : parsed;
}

function cronOf(cron: string, timezone: string): Cron | null {
  try {
    return new Cron(cron, { timezone, paused: true, mode: '5-part' });
  } catch {
    return null;
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
