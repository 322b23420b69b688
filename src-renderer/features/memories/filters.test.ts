import { afterEach, expect, it, vi } from 'vitest';
import { filterOf } from './filters';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

it.each([
  ['Asia/Shanghai', '2026-03-10T07:30:00+08:00', '2026-03-10T00:00:00+08:00'],
  ['America/Los_Angeles', '2026-03-10T20:30:00-07:00', '2026-03-10T00:00:00-07:00'],
])('starts today at midnight in %s', (zone, now, midnight) => {
  vi.stubEnv('TZ', zone);
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(new Date(now));
  expect(filterOf({ since: 'day' }, '')).toEqual({ since: Date.parse(midnight) });
});

it('counts days back across a clock change', () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(new Date('2026-03-10T20:30:00-07:00'));
  expect(filterOf({ since: 'week', by: 'person' }, 'tea')).toEqual({
    by: 'person',
    query: 'tea',
    since: Date.parse('2026-03-04T00:00:00-08:00'),
  });
});
