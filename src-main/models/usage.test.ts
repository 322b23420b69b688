import { AIMessage } from '@langchain/core/messages';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelPrice, TokenUsage } from '../contract/usage';
import { factsOfModel } from './catalogue';
import type { ModelRef } from './registry';
import { serveRecorded } from './testing/plain-server';
import { modelAt } from './testing/provider-servers';
import { ANTHROPIC, GOOGLE, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES } from './testing/recorded';
import { costOf, inDollars, NO_USAGE, requestTokens, stepCost, usageOf } from './usage';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('token counts as each provider reports them', () => {
  it.each<[ModelRef, string, TokenUsage, number]>([
    [
      { provider: 'anthropic', name: 'claude-sonnet-4-5' },
      ANTHROPIC,
      { input: 21, output: 393, cacheRead: 18_086, cacheWrite: 188, reasoning: 0 },
      // 21 × 3 + 393 × 15 + 18,086 × 0.3 + 188 × 3.75 = 63 + 5,895 + 5,425.8 + 705
      12_089,
    ],
    [
      { provider: 'openai', name: 'gpt-4.1' },
      OPENAI_CHAT,
      { input: 86, output: 300, cacheRead: 1_920, cacheWrite: 0, reasoning: 192 },
      // 86 × 2 + 300 × 8 + 1,920 × 0.5
      3_532,
    ],
    [
      { provider: 'openai', name: 'gpt-5' },
      OPENAI_RESPONSES,
      { input: 190, output: 900, cacheRead: 2_560, cacheWrite: 0, reasoning: 832 },
      // 190 × 1.25 + 900 × 10 + 2,560 × 0.125 = 237.5 + 9,000 + 320
      9_558,
    ],
    [
      { provider: 'google-genai', name: 'gemini-2.5-pro' },
      GOOGLE,
      { input: 182, output: 95, cacheRead: 4_027, cacheWrite: 0, reasoning: 88 },
      // 182 × 1.25 + 95 × 10 + 4,027 × 0.125 = 227.5 + 950 + 503.375
      1_681,
    ],
    [
      { provider: 'ollama', name: 'qwen3' },
      OLLAMA,
      { input: 26, output: 282, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      0,
    ],
  ])('$provider:$name', async (ref, body, usage, cost) => {
    const server = await serveRecorded(body);
    closers.push(server.close);
    const answer = await (await modelAt(ref, server)).invoke('hello');
    expect([answer.text, usageOf(answer)]).toEqual(['Hello', usage]);
    const { price } = factsOfModel(ref, { baseUrl: server.url });
    expect(price && costOf(usage, price)).toBe(cost);
  });

  it('are null if none were reported', () => {
    expect(usageOf(new AIMessage('hello'))).toBeNull();
  });
});

describe('the cost', () => {
  const price: ModelPrice = {
    input: 1_250_000,
    output: 10_000_000,
    cacheRead: 125_000,
    cacheWrite: 1_250_000,
    long: { above: 200_000, input: 2_500_000, output: 15_000_000, cacheRead: 250_000, cacheWrite: 2_500_000 },
    asOf: '2025-12-15',
  };
  const { long: _, ...withoutLong } = price;
  const usage = (more: Partial<TokenUsage>): TokenUsage => ({ ...NO_USAGE, ...more });

  it('is a whole number, never below the bill', () => {
    expect([
      costOf(NO_USAGE, price),
      costOf(usage({ cacheRead: 1 }), price),
      costOf(usage({ input: 4 }), price),
      costOf(usage({ input: 1_000_000, output: 1_000_000 }), withoutLong),
    ]).toEqual([0, 1, 5, 11_250_000]);
  });

  it('rises for a whole long request, including cached tokens in its length', () => {
    expect([
      costOf(usage({ input: 200_000, output: 10 }), price),
      costOf(usage({ input: 200_001, output: 10 }), price),
      costOf(usage({ input: 1_000, cacheRead: 200_000 }), price),
    ]).toEqual([250_100, 500_153, 52_500]);
  });

  it('is missing if the price is unknown, and cached tokens also fill the context', () => {
    const asked = usage({ input: 7, cacheRead: 2, cacheWrite: 3, output: 100 });
    expect(stepCost(asked, null)).toEqual({ usage: asked, cost: null });
    expect(requestTokens(asked)).toBe(12);
  });

  it.each([
    [0, '$0.00'],
    [1, '$0.000001'],
    [4_200, '$0.0042'],
    [12_089, '$0.012'],
    [990_000, '$0.99'],
    [1_500_000, '$1.50'],
    [123_456_789, '$123.46'],
  ])('%i micro-dollars are %s', (micro, words) => {
    expect(inDollars(micro)).toBe(words);
  });
});

it.each([1e300, 2 ** 60, 100_000_001])('takes %d tokens for no report: no sum could be stored', (tokens) => {
  const usage = (counts: object) =>
    usageOf(
      Object.assign(new AIMessage(''), { usage_metadata: { input_tokens: 5, output_tokens: 1, ...counts } }),
    );
  expect([
    usage({ input_tokens: tokens }),
    usage({ output_tokens: tokens }),
    usage({ input_token_details: { cache_read: tokens } }),
    usage({ input_token_details: { cache_creation: tokens } }),
  ]).toEqual([null, null, null, null]);
});

it('counts nothing but zeros as no report, so that an answer is never free', () => {
  const usage = (input_tokens: number) =>
    usageOf(
      Object.assign(new AIMessage(''), {
        usage_metadata: { input_tokens, output_tokens: 0, total_tokens: 0 },
      }),
    );
  expect([usage(0), usage(1)]).toEqual([null, { ...NO_USAGE, input: 1 }]);
});
