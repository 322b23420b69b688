import { describe, expect, it } from 'vitest';
import { parseSchedule } from './schedule';
import { wordsToCron } from './words-to-cron';

/** The next times after a moment, as UTC. */
function next(schedule: string, timeZone: string, from: string, count: number): string[] {
  const parsed = parseSchedule(schedule, timeZone);
  if (!parsed.ok) throw new Error(parsed.error.code);
  return parsed.value.after(Date.parse(from), count).map((at) => new Date(at).toISOString().slice(0, 16));
}

describe('words for a schedule', () => {
  it.each([
    ['every weekday at 9', '0 9 * * 1-5'],
    ['Every weekday at 9:30.', '30 9 * * 1-5'],
    ['every 2 hours', '0 */2 * * *'],
    ['every 15 minutes', '*/15 * * * *'],
    ['hourly', '0 * * * *'],
    ['on the 1st at 08:30', '30 8 1 * *'],
    ['on the 1st and 15th at 9am', '0 9 1,15 * *'],
    ['every month on the 3rd at noon', '0 12 3 * *'],
    ['on the last day of the month at 18:00', '0 18 L * *'],
    ['every day at 9 and 17', '0 9,17 * * *'],
    ['daily at 12 am', '0 0 * * *'],
    ['at 7pm', '0 19 * * *'],
    ['every monday and friday at 8', '0 8 * * 1,5'],
    ['mondays, wednesdays at 8', '0 8 * * 1,3'],
    ['weekly on tue at 10', '0 10 * * 2'],
    ['weekends at 10', '0 10 * * 0,6'],
    ['each weekday at 9', '0 9 * * 1-5'],
    ['each weekend at 10', '0 10 * * 0,6'],
    ['every day 9:00', '0 9 * * *'],
    ['weekdays 9:30 pm', '30 21 * * 1-5'],
    ['every monday 9am', '0 9 * * 1'],
    ['每天9点', '0 9 * * *'],
    ['每个工作日 9:00', '0 9 * * 1-5'],
    ['每2小时', '0 */2 * * *'],
    ['每30分钟', '*/30 * * * *'],
    ['每周一、周三 18点半', '30 18 * * 1,3'],
    ['每月1日 8:30', '30 8 1 * *'],
    ['每天下午3点20分', '20 15 * * *'],
    ['每天中午12点', '0 12 * * *'],
    ['每天中午1点', '0 13 * * *'],
    ['每天凌晨12点半', '30 0 * * *'],
    ['每月最后一天 18:00', '0 18 L * *'],
  ])('reads "%s" as %s', (words, cron) => {
    expect(wordsToCron(words)).toBe(cron);
  });

  it.each([
    '',
    'soon',
    'every weekday',
    'every weekday 9',
    'on the 1st 9',
    'every weekday at 25',
    'every weekday at 9:75',
    'every 7 hours',
    'every 0 minutes',
    'at 13pm',
    'on the 32nd at 9',
    'every day at 9 and 17:30',
    'every someday at 9',
    '每天25点',
    '每周一晚上12点',
  ])('does not guess what "%s" means', (words) => {
    expect(wordsToCron(words)).toBeNull();
  });
});

describe('a schedule', () => {
  it.each(['* * * * * *', '60 * * * *', '@reboot', '@sometimes', 'x * * * *', '0 22-2 * * *'])(
    'refuses "%s"',
    (text) => {
      expect(parseSchedule(text, 'UTC')).toMatchObject({ error: { code: 'routine_schedule_unclear' } });
    },
  );

  it('refuses a day that never comes and a time zone that does not exist', () => {
    expect(parseSchedule('0 0 30 2 *', 'UTC')).toMatchObject({ error: { code: 'routine_schedule_never' } });
    expect(parseSchedule('0 9 * * *', 'Mars/Base')).toMatchObject({ error: { code: 'routine_time_zone' } });
  });

  it.each([
    ['@daily', '0 0 * * *', ['2027-01-02T00:00', '2027-01-03T00:00']],
    [' @Weekly ', '0 0 * * SUN', ['2027-01-03T00:00', '2027-01-10T00:00']],
    ['0 9 * JAN-MAR mon', '0 9 * JAN-MAR mon', ['2027-01-04T09:00', '2027-01-11T09:00']],
    // A day of the month or a day of the week, as cron has it.
    ['0 9 2 * 1', '0 9 2 * 1', ['2027-01-02T09:00', '2027-01-04T09:00']],
    ['0 0 29 2 *', '0 0 29 2 *', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['0 9 * * 7', '0 9 * * 7', ['2027-01-03T09:00', '2027-01-10T09:00']],
  ])('reads "%s" as cron does', (text, cron, times) => {
    expect(next(text, 'UTC', '2027-01-01T12:00Z', 2)).toEqual(times);
    expect(parseSchedule(text, 'UTC')).toMatchObject({ value: { cron } });
  });

  it('runs what is due several times an hour also in the hour that occurs twice', () => {
    expect(next('*/30 * * * *', 'Europe/Berlin', '2027-10-30T23:59Z', 5)).toEqual([
      '2027-10-31T00:00',
      '2027-10-31T00:30',
      '2027-10-31T01:00',
      '2027-10-31T01:30',
      '2027-10-31T02:00',
    ]);
  });

  it('keeps the time of the day when the clocks change in New York', () => {
    expect(next('every day at 9', 'America/New_York', '2027-03-13T00:00Z', 3)).toEqual([
      '2027-03-13T14:00',
      '2027-03-14T13:00',
      '2027-03-15T13:00',
    ]);
    expect(next('every day at 9', 'America/New_York', '2027-11-06T00:00Z', 3)).toEqual([
      '2027-11-06T13:00',
      '2027-11-07T14:00',
      '2027-11-08T14:00',
    ]);
  });

  it('runs a skipped time right after the clock change, and a repeated time once, in Berlin', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00Z', 2)).toEqual([
      '2027-03-28T01:00',
      '2027-03-29T00:30',
    ]);
    expect(next('30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00Z', 2)).toEqual([
      '2027-10-31T00:30',
      '2027-11-01T01:30',
    ]);
  });

  it.each([
    ['every day at 2 and 14', ['2027-03-28T01:00', '2027-03-28T12:00', '2027-03-29T00:00']],
    ['15,45 2 * * *', ['2027-03-28T01:00', '2027-03-29T00:15', '2027-03-29T00:45']],
    ['0 2,3 * * *', ['2027-03-28T01:00', '2027-03-29T00:00', '2027-03-29T01:00']],
    ['every 2 hours', ['2027-03-27T23:00', '2027-03-28T01:00', '2027-03-28T02:00']],
  ])('runs skipped times once, right after the clock change, whatever else is due: %s', (schedule, times) => {
    expect(next(schedule, 'Europe/Berlin', '2027-03-27T22:00Z', 3)).toEqual(times);
  });

  it.each([
    ['every day at 2 and 14', ['2027-10-31T00:00', '2027-10-31T13:00', '2027-11-01T01:00']],
    ['0,30 2 * * *', ['2027-10-31T00:00', '2027-10-31T00:30', '2027-11-01T01:00']],
    ['every 2 hours', ['2027-10-31T00:00', '2027-10-31T03:00', '2027-10-31T05:00']],
    ['0 */1 * * *', ['2027-10-31T00:00', '2027-10-31T01:00', '2027-10-31T02:00']],
  ])('runs repeated times once, unless they are of every hour: %s', (schedule, times) => {
    expect(next(schedule, 'Europe/Berlin', '2027-10-30T23:00Z', 3)).toEqual(times);
  });

  it('knows changes of the clock at midnight, of half an hour, and of a whole day', () => {
    expect(next('@daily', 'America/Havana', '2027-03-13T12:00Z', 2)).toEqual([
      '2027-03-14T05:00',
      '2027-03-15T04:00',
    ]);
    expect(next('15 2 * * *', 'Australia/Lord_Howe', '2027-10-02T00:00Z', 2)).toEqual([
      '2027-10-02T15:30',
      '2027-10-03T15:15',
    ]);
    expect(next('0 9 30 12 *', 'Pacific/Apia', '2011-12-01T00:00Z', 1)).toEqual(['2011-12-30T10:00']);
  });

  it.each([
    ['2027-03-28T00:59:59Z', '2027-03-27T13:30'],
    ['2027-03-28T01:00:00Z', '2027-03-28T01:00'],
    // The clock shows 2:10 for the second time.
    ['2027-10-31T01:10:00Z', '2027-10-31T00:30'],
    ['2027-10-31T00:10:00Z', '2027-10-31T00:00'],
  ])('finds the last time up to %s, at a change of the clock', (at, last) => {
    const parsed = parseSchedule('0,30 2,14 * * *', 'Europe/Berlin');
    if (!parsed.ok) throw new Error('It was not read.');
    const found = parsed.value.lastUpTo(Date.parse(at)) ?? 0;
    expect(new Date(found).toISOString().slice(0, 16)).toBe(last);
  });

  it('finds the last time up to a moment', () => {
    const parsed = parseSchedule('every weekday at 9', 'UTC');
    if (!parsed.ok) throw new Error('It was not read.');
    const last = (at: string) => new Date(parsed.value.lastUpTo(Date.parse(at)) ?? 0).toISOString();
    expect(last('2027-01-04T09:00:00.000Z')).toBe('2027-01-04T09:00:00.000Z');
    expect(last('2027-01-04T08:59:59.999Z')).toBe('2027-01-01T09:00:00.000Z');
    expect(last('2027-01-09T12:34:56.789Z')).toBe('2027-01-08T09:00:00.000Z');
  });
});
