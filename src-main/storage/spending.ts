import type { Db } from '../base/sqlite/db';
import { unsynced } from '../base/sqlite/unsynced';
import type { TokenUsage } from '../contract/usage';

/** One request. */
interface Spent {
  threadId: string;
  /** The person's calendar day, YYYY-MM-DD. */
  day: string;
  /** `provider:name` */
  model: string;
  /** Milliseconds since 1970. */
  at: number;
  usage: TokenUsage | null;
  /** Micro-dollars; null if the price is unknown. */
  cost: number | null;
}

export interface Spending {
  /** Micro-dollars of the requests with a known price. */
  ofThread(threadId: string): number;
  ofDay(day: string): number;
  /** Input and output of all requests with known usage. */
  tokensOfThread(threadId: string): number;
  add(entry: Spent): void;
}

/** The cost of requests. Another process on the same data sees new costs immediately. */
export function openSpending(db: Db): Spending {
  const total = (of: string) =>
    db.prepare<[string], { total: number }>(
      `SELECT coalesce(sum(cost), 0) AS total FROM spending WHERE ${of} = ?`,
    );
  const ofThread = total('thread_id');
  const ofDay = total('day');
  const tokens = db.prepare<[string], { total: number }>(
    `SELECT coalesce(sum(coalesce(input, 0) + coalesce(output, 0) + coalesce(cache_read, 0) + coalesce(cache_write, 0)), 0)
     AS total FROM spending WHERE thread_id = ?`,
  );
  const add = db.prepare(
    `INSERT INTO spending (thread_id, day, at, model, cost, input, output, cache_read, cache_write, reasoning)
     VALUES (@threadId, @day, @at, @model, @cost, @input, @output, @cacheRead, @cacheWrite, @reasoning)`,
  );
  return {
    ofThread: (threadId) => ofThread.get(threadId)?.total ?? 0,
    ofDay: (day) => ofDay.get(day)?.total ?? 0,
    tokensOfThread: (threadId) => tokens.get(threadId)?.total ?? 0,
    add: ({ usage, ...entry }) => {
      unsynced(db, () => add.run({ ...entry, ...(usage ?? UNTOLD) }));
    },
  };
}

const UNTOLD = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null };
