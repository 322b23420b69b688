import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { priceIn } from './listed-prices';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-05-04T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const asOf = '2026-05-04';

it('is that of OpenRouter, with its cache', () => {
  const pricing = {
    prompt: '0.000003',
    completion: '0.000015',
    request: '0',
    image: '0.0048',
    web_search: '0.01',
    internal_reasoning: '0',
    input_cache_read: '0.0000003',
    input_cache_write: '0.00000375',
  };
  expect(priceIn({ id: 'anthropic/claude', pricing })).toEqual({
    input: 3_000_000,
    output: 15_000_000,
    cacheRead: 300_000,
    cacheWrite: 3_750_000,
    asOf,
  });
});

it('is that of the AI Gateway of Vercel, with its tiers', () => {
  const pricing = {
    input: '0.00000125',
    output: '1e-5',
    input_cache_read: '0.000000125',
    input_tiers: [
      { cost: '0.00000125', min: 0, max: 200_001 },
      { cost: '0.0000025', min: 200_001 },
    ],
    output_tiers: [
      { cost: '0.00001', max: 200_001 },
      { cost: '0.000015', min: 200_001 },
    ],
  };
  expect(priceIn({ pricing })).toEqual({
    input: 1_250_000,
    output: 10_000_000,
    cacheRead: 125_000,
    cacheWrite: 1_250_000,
    long: { above: 200_000, input: 2_500_000, output: 15_000_000, cacheRead: 125_000, cacheWrite: 2_500_000 },
    asOf,
  });
});

it('is never below the bill: reasoning, long requests and hours may cost more', () => {
  const pricing = {
    prompt: '0.000001',
    completion: '0.000002',
    internal_reasoning: '0.000003',
    overrides: [
      { min_prompt_tokens: 500_000, prompt: '0.000004' },
      { min_prompt_tokens: 200_000, prompt: '0.000002', completion: '0.000005' },
      { utc_start: '01:00', utc_end: '04:00', prompt: '0.0000015' },
      { utc_start: '16:00', utc_end: '18:00', prompt: '0.0000005' },
    ],
  };
  expect(priceIn({ pricing })).toMatchObject({
    input: 1_500_000,
    output: 3_000_000,
    cacheRead: 1_500_000,
    long: { above: 199_999, input: 4_000_000, output: 5_000_000 },
  });
});

it('may be nothing', () => {
  expect(priceIn({ pricing: { prompt: '0', completion: '0' } })).toEqual({
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    asOf,
  });
});

it.each<[string, unknown]>([
  ['is missing', undefined],
  ['is null', null],
  ['has no output', { prompt: '0.000001' }],
  ['is not fixed', { prompt: '-1', completion: '-1' }],
  ['is not a number', { prompt: 'NaN', completion: '0.000001' }],
  ['is empty', { prompt: '', completion: '' }],
  ['is in dollars per million tokens', { prompt: '3', completion: '15' }],
  ['is huge', { prompt: '1e300', completion: '1e999' }],
  ['is a number, as of Together, whose unit its documentation does not tell', { input: 0.18, output: 0.18 }],
  ['has an unusable cache', { prompt: '0', completion: '0', input_cache_read: '-1' }],
  ['has an unusable tier', { input: '0', output: '0', input_tiers: [{ cost: null, min: 5 }] }],
  ['depends on the region', { input: '0', output: '0', regional: { eu: { input: '0.1' } } }],
  ['depends on the hour in a form that is not read', { input: '0', output: '0', peak_pricing: [{}] }],
  ['is also per request', { prompt: '0.000001', completion: '0.000001', request: '0.005' }],
])('is unknown if it %s', (_, pricing) => expect(priceIn({ pricing })).toBeUndefined());
