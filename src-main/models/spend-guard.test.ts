import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorIn, inEnglish } from '../../src-renderer/i18n/errors';
import { inWords } from '../contract/testing/in-words';
import type { ModelPrice, SpendingCeilings } from '../contract/usage';
import { toAppError } from './errors';
import { estimateTokens } from './estimate-tokens';
import { type RunBudget, SpendGuard, SpendingLimitError } from './spend-guard';
import { memorySpendStore } from './testing/memory-spend-store';
import { NO_USAGE } from './usage';

/** A dollar per million tokens: a token costs a micro-dollar. */
const PRICE: ModelPrice = {
  input: 1_000_000,
  output: 1_000_000,
  cacheRead: 100_000,
  cacheWrite: 1_000_000,
  asOf: '2026-01-01',
};

function guarded(ceilings: Partial<SpendingCeilings>, price: ModelPrice | null = PRICE) {
  const store = memorySpendStore();
  let now = new Date(2026, 2, 1, 23, 59);
  const limits: SpendingCeilings = { thread: null, day: null, ...ceilings };
  const guard = new SpendGuard({ store, ceilings: () => limits, now: () => now });
  const reserve = (threadId: string, estimate: number) =>
    guard.reserve({ threadId, model: 'openai:x', price, estimate });
  return {
    store,
    limits,
    reserve,
    /** Sends a request that costs exactly its estimate. */
    spend: (threadId: string, tokens: number) => {
      const reserved = reserve(threadId, tokens);
      if (reserved.ok) reserved.value.settle({ ...NO_USAGE, input: tokens });
      return reserved.ok;
    },
    nextDay: () => {
      now = new Date(2026, 2, 2, 0, 1);
    },
  };
}

describe('the budget of a routine', () => {
  const budgeted = (budget: RunBudget, price: ModelPrice | null = PRICE) => {
    const store = memorySpendStore();
    const guard = new SpendGuard({
      store,
      ceilings: () => ({ thread: null, day: null }),
      budgetOf: (threadId) => (threadId === 'run' ? budget : null),
    });
    return (threadId: string, tokens: number) => {
      const reserved = guard.reserve({ threadId, model: 'openai:x', price, estimate: tokens });
      if (reserved.ok) reserved.value.settle({ ...NO_USAGE, input: tokens });
      return reserved.ok ? 'sent' : reserved.error.code;
    };
  };

  it('stops a run before the request that would exceed its cost, and no other thread', () => {
    const spend = budgeted({ microDollars: 100, tokens: null });
    expect([spend('run', 60), spend('run', 60), spend('run', 40)]).toEqual([
      'sent',
      'routine_cost_reached',
      'sent',
    ]);
    expect(spend('other', 1_000)).toBe('sent');
  });

  it('stops a run before the request that would exceed its tokens, even without a price', () => {
    const spend = budgeted({ microDollars: null, tokens: 100 }, null);
    expect([spend('run', 60), spend('run', 60)]).toEqual(['sent', 'routine_tokens_reached']);
    expect(budgeted({ microDollars: 100, tokens: null }, null)('run', 1)).toBe('price_unknown');
  });
});

describe('a spending ceiling', () => {
  it('stops before the request that would exceed it, and reports the spending and how to continue', () => {
    const { spend, reserve } = guarded({ thread: 1_000_000 });
    expect([spend('a', 600_000), spend('a', 400_000), spend('b', 900_000)]).toEqual([true, true, true]);
    const refused = reserve('a', 1);
    expect(inWords(refused)).toEqual({
      ok: false,
      error: {
        kind: 'spending_limit',
        code: 'thread_limit_reached',
        message:
          "This thread has spent $1.00 of its limit of $1.00, and the next request may cost about $0.000001. It wasn't sent, and your message is kept. Raise the limit in Settings, or choose a cheaper model, then try again.",
      },
    });
  });

  it('per day applies to all threads until the end of the day', () => {
    const { spend, reserve, nextDay } = guarded({ day: 1_000_000 });
    expect([spend('a', 600_000), spend('b', 400_001), spend('b', 400_000), spend('c', 1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    const refused = reserve('c', 50_000);
    expect(!refused.ok && inEnglish(refused.error)).toMatch(
      /^Deepdesk has spent \$1\.00 of today's limit of \$1\.00/u,
    );
    nextDay();
    expect(spend('c', 1)).toBe(true);
  });

  it('is not exceeded by agents working in parallel', () => {
    const { reserve, store } = guarded({ thread: 100 });
    const first = reserve('a', 60);
    const second = reserve('a', 60);
    expect([first.ok, second.ok]).toEqual([true, false]);
    if (first.ok) first.value.release();
    const third = reserve('a', 60);
    expect([third.ok, store.entries.length]).toEqual([true, 0]);
  });

  it('counts the actual cost of a request, not the estimate', () => {
    const { reserve, store } = guarded({ thread: 1_000 });
    const sent = reserve('a', 900);
    expect(sent.ok && sent.value.settle({ ...NO_USAGE, cacheRead: 900, output: 10 })).toEqual({ cost: 100 });
    expect(store.ofThread('a')).toBe(100);
    const cut = reserve('a', 900);
    expect(cut.ok && cut.value.settle(null)).toEqual({ cost: 900 });
    expect([store.ofThread('a'), store.entries.map(({ day }) => day)]).toEqual([
      1_000,
      ['2026-03-01', '2026-03-01'],
    ]);
  });

  it('of zero lets free models continue, and a change applies immediately', () => {
    const free = guarded({ thread: 0, day: 0 }, { ...PRICE, input: 0, output: 0 });
    expect(free.spend('a', 1_000_000)).toBe(true);
    const { spend, limits } = guarded({ thread: 0 });
    expect(spend('a', 1)).toBe(false);
    limits.thread = 10;
    expect(spend('a', 1)).toBe(true);
  });

  it('cannot be kept with a model whose price is unknown; without a ceiling, it may be used', () => {
    const refused = guarded({ day: 1_000_000 }, null).reserve('a', 10);
    expect(!refused.ok && errorIn('en', refused.error)).toMatchObject({
      kind: 'no_price',
      message: expect.stringMatching(/price of openai:x is unknown.*Enter the price/u),
    });
    const { reserve, store } = guarded({}, null);
    const sent = reserve('a', 10);
    expect(sent.ok && sent.value.settle({ ...NO_USAGE, input: 10 })).toEqual({ cost: null });
    expect([store.ofThread('a'), store.entries.length]).toEqual([0, 1]);
  });

  it("is reported by the turn's error, however it is wrapped", () => {
    const refused = guarded({ thread: 0 }).reserve('a', 1);
    if (refused.ok) throw new Error('not refused');
    const thrown = new Error('middleware failed', { cause: new SpendingLimitError(refused.error) });
    expect(toAppError(thrown, 'openai')).toEqual(refused.error);
  });
});

describe('a token estimate', () => {
  it('counts words, wide characters, calls, images and tools', () => {
    const ls = tool(() => '', {
      name: 'ls',
      description: 'x'.repeat(400),
      schema: z.object({ path: z.string() }),
    });
    const count = (content: string) => estimateTokens({ messages: [new HumanMessage(content)] });
    expect([count(''), count('x'.repeat(400)), count('文件系统')]).toEqual([4, 104, 8]);
    const picture = new HumanMessage({
      content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(1e6) }],
    });
    expect(estimateTokens({ messages: [new SystemMessage('x'.repeat(40)), picture] })).toBe(
      4 + 10 + 4 + 1_600,
    );
    const called = new AIMessage({
      content: [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }],
      tool_calls: [{ id: 'a', name: 'ls', args: {} }],
    });
    expect(estimateTokens({ messages: [called] })).toBeLessThan(30);
    const tools = estimateTokens({ messages: [], tools: [ls] });
    expect(tools > 120 && tools < 220).toBe(true);
  });
});
