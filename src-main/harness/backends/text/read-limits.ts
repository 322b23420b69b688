import type { GrepResult } from '../protocol';

/** Rounds offset and limit down to integers of at least 0. NaN and infinite numbers become 0. */
export function normalizeReadPagination(offset: number, limit: number): { offset: number; limit: number } {
  const whole = (value: number) => (Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0);
  return { offset: whole(offset), limit: whole(limit) };
}

/** Cuts a search result to the first `maxCount` matches and marks it as truncated. Null or undefined: no limit. */
export function applyGrepMaxCount({
  result,
  maxCount,
}: {
  result: GrepResult;
  maxCount: number | null | undefined;
}): GrepResult {
  if (maxCount === null || maxCount === undefined || result.matches === undefined) return result;
  return result.matches.length <= maxCount
    ? result
    : { ...result, matches: result.matches.slice(0, maxCount), truncated: true };
}
