import { inEnglish } from '../../src-renderer/i18n/errors';
import { type AppError, fail, ok, type Result } from '../contract/result';
import type { ModelPrice, SpendingCeilings, TokenUsage } from '../contract/usage';
import { costOf, inDollars, NO_USAGE } from './usage';

/** The stored record of one request. */
export interface SpendEntry {
  threadId: string;
  /** The calendar day in the person's time zone, YYYY-MM-DD. */
  day: string;
  /** `provider:name` */
  model: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Null if the provider reported none; `cost` is then the estimate. */
  usage: TokenUsage | null;
  /** Micro-dollars; null if the price is unknown. */
  cost: number | null;
}

/** Storage of spending. Sub-agents spend in the thread that they work for. */
export interface SpendStore {
  /** Micro-dollars. */
  ofThread(threadId: string): number;
  ofDay(day: string): number;
  /** Input and output of all requests with known usage. */
  tokensOfThread(threadId: string): number;
  add(entry: SpendEntry): void;
}

/** What one run of a routine may use. Null: no limit. */
export interface RunBudget {
  microDollars: number | null;
  tokens: number | null;
}

/** A request that may be sent. Exactly one of the two methods is called when it has finished. */
export interface Reservation {
  /** It was answered, or cut off during the answer. Null if the tokens were not reported; then the estimate counts. */
  settle(usage: TokenUsage | null): { cost: number | null };
  /** It was refused before an answer started, and costs nothing. */
  release(): void;
}

export interface PlannedRequest {
  threadId: string;
  /** `provider:name` */
  model: string;
  price: ModelPrice | null;
  /** Tokens of the request according to `estimateTokens`. */
  estimate: number;
}

/** Thrown if a request may not be sent; `toAppError` extracts the contained error. */
export class SpendingLimitError extends Error {
  override readonly name = 'SpendingLimitError';
  constructor(readonly appError: AppError) {
    super(inEnglish(appError));
  }
}

/**
 * Keeps spending below the person's ceilings. A request counts with its estimate from before it is sent until its cost is
 * known, so that parallel agents do not exceed the ceiling together. The estimate assumes that nothing is cached, so it may
 * stop a little early. Nobody knows how long the answer gets, so the last request may end above the ceiling.
 */
export class SpendGuard {
  private readonly open = new Set<Pending>();

  constructor(
    private readonly options: {
      store: SpendStore;
      /** Called before each request, so that a change applies immediately. */
      ceilings: () => SpendingCeilings;
      /** The budget of a thread that is a run of a routine; null for any other thread. */
      budgetOf?: (threadId: string) => RunBudget | null;
      now?: () => Date;
    },
  ) {}

  /** Errors: `spending_limit`, with the spending and how to continue; `no_price`. In both cases, nothing was sent. */
  reserve({ threadId, model, price, estimate }: PlannedRequest): Result<Reservation> {
    const { store } = this.options;
    const now = this.options.now?.() ?? new Date();
    const day = dayOf(now);
    const { thread, day: daily } = this.options.ceilings();
    const expected = price === null ? null : costOf({ ...NO_USAGE, input: estimate }, price);

    if (thread !== null || daily !== null) {
      if (expected === null) return unpriced(model);
      const besides = (of: (one: { threadId: string; day: string }) => boolean) =>
        [...this.open].filter(of).reduce((sum, { cost }) => sum + cost, 0);
      const ofThread = store.ofThread(threadId) + besides((one) => one.threadId === threadId);
      // Nothing more may be spent at the ceiling itself; free requests may always continue.
      if (thread !== null && expected > 0 && ofThread + expected > thread) {
        return reached('thread_limit_reached', ofThread, thread, expected);
      }
      const ofDay = store.ofDay(day) + besides((one) => one.day === day);
      if (daily !== null && expected > 0 && ofDay + expected > daily) {
        return reached('day_limit_reached', ofDay, daily, expected);
      }
    }

    const over = this.overBudget({ threadId, model, estimate, expected });
    if (over !== null) return over;

    const pending = { threadId, day, cost: expected ?? 0, tokens: estimate };
    this.open.add(pending);
    return ok({
      settle: (usage) => {
        this.open.delete(pending);
        const cost = price === null ? null : usage === null ? expected : costOf(usage, price);
        store.add({ threadId, day, model, at: now.getTime(), usage, cost });
        return { cost };
      },
      release: () => {
        this.open.delete(pending);
      },
    });
  }

  private overBudget(request: {
    threadId: string;
    model: string;
    estimate: number;
    expected: number | null;
  }): Result<never> | null {
    const { threadId, model, estimate, expected } = request;
    const budget = this.options.budgetOf?.(threadId) ?? null;
    if (budget === null) return null;
    const { store } = this.options;
    const { microDollars, tokens } = budget;
    const besides = [...this.open].filter((one) => one.threadId === threadId);
    if (microDollars !== null) {
      if (expected === null) return unpriced(model);
      const spent = besides.reduce((sum, { cost }) => sum + cost, store.ofThread(threadId));
      if (expected > 0 && spent + expected > microDollars)
        return fail('spending_limit', 'routine_cost_reached', {
          spent: inDollars(spent),
          budget: inDollars(microDollars),
        });
    }
    const used = besides.reduce((sum, one) => sum + one.tokens, store.tokensOfThread(threadId));
    return tokens !== null && used + estimate > tokens
      ? fail('spending_limit', 'routine_tokens_reached', { used, budget: tokens })
      : null;
  }
}

interface Pending {
  threadId: string;
  day: string;
  cost: number;
  tokens: number;
}

function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const reached = (
  code: 'thread_limit_reached' | 'day_limit_reached',
  spent: number,
  ceiling: number,
  expected: number,
) =>
  fail('spending_limit', code, {
    spent: inDollars(spent),
    ceiling: inDollars(ceiling),
    expected: inDollars(expected),
  });

const unpriced = (model: string) => fail('no_price', 'price_unknown', { model });
