import { Cron } from 'croner';
import { fail, ok, type Result } from '../../contract/result';
import type { ScheduleInfo } from '../../contract/routines';
import { DAY, WallClock } from './wall-clock';
import { wordsToCron } from './words-to-cron';

/** Milliseconds. */
const SECOND = 1_000;

/** When a routine is due. Times are in milliseconds since 1970. */
export interface Schedule {
  cron: string;
  /** The next `count` times after `at`; fewer if there are no more. */
  after(at: number, count: number): number[];
  /** The last time up to and including `at`; null if there is none. */
  lastUpTo(at: number): number | null;
}

type Times = Pick<Schedule, 'after' | 'lastUpTo'>;

/**
 * Reads a cron expression with five fields, a nickname of one such as `@daily`, or words. A time that a clock change skips
 * is due right after it; one that occurs twice is due the first time. What is due in every hour goes by the time that passes.
 * Errors: `invalid`.
 */
export function parseSchedule(text: string, timeZone: string): Result<Schedule> {
  if (!isTimeZone(timeZone)) return fail('invalid', 'routine_time_zone', { name: timeZone });
  const isCron = /^(?:@\w+|[\d*]\S*(?:\s+\S+){4})$/.test(text.trim());
  const cron = isCron ? text.trim() : wordsToCron(text);
  if (cron === null) return fail('invalid', 'routine_schedule_unclear', { text });
  const read = cronOf(cron, timeZone);
  if (read === null) return fail('invalid', 'routine_schedule_unclear', { text });
  // A nickname as what it stands for.
  const pattern = read.getPattern() ?? cron;
  const byWall = isOfEveryHour(pattern) ? null : cronOf(cron, 'UTC');
  const times = byWall === null ? passingTimes(read) : wallTimes(byWall, new WallClock(timeZone));
  if (times.after(Date.UTC(2024, 0, 1), 1).length === 0)
    return fail('invalid', 'routine_schedule_never', { text });
  return ok({ cron: pattern, ...times });
}

const isOfEveryHour = (pattern: string): boolean => /^\S+\s+(?:[*?](?:\/1)?|0-23)\s/.test(pattern);

const passingTimes = (cron: Cron): Times => ({
  after: (at, count) => cron.nextRuns(count, new Date(at)).map((date) => date.getTime()),
  lastUpTo: (at) => {
    const last = previous(cron, at);
    return last === null || last > at ? null : last;
  },
});

/** `cron`: in UTC, as if that were what the clock shows. */
const wallTimes = (cron: Cron, clock: WallClock): Times => ({
  after: (at, count) => {
    const found: number[] = [];
    for (let shown = clock.at(at); found.length < count; ) {
      const next = cron.nextRun(new Date(shown));
      if (next === null) break;
      shown = next.getTime();
      const moment = clock.momentOf(shown);
      // Several times that are skipped are due at once, and a time is not due again when the clock shows it again.
      if (moment > (found.at(-1) ?? at)) found.push(moment);
    }
    return found;
  },
  lastUpTo: (at) => {
    // What was due before the clock was set back, too.
    const latest = Math.max(clock.at(at), clock.at(at - DAY) + DAY);
    for (let shown = previous(cron, latest); shown !== null; shown = previous(cron, shown - SECOND)) {
      const moment = clock.momentOf(shown);
      if (moment <= at) return moment;
    }
    return null;
  },
});

/** Up to and including `at`. Without the milliseconds, a time due within this second would be the next one. */
function previous(cron: Cron, at: number): number | null {
  const [last] = cron.previousRuns(1, new Date(at + SECOND - (at % SECOND)));
  return last?.getTime() ?? null;
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
