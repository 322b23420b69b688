import type { GrepResult } from './protocol';

/** Whole numbers of lines that are not negative; what is no number is 0. */
export function normalizeReadPagination(offset: number, limit: number): { offset: number; limit: number } {
  const whole = (value: number) => (Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0);
  return { offset: whole(offset), limit: whole(limit) };
}

/** The first matches of a search that found more than were wanted, marked as cut. */
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
