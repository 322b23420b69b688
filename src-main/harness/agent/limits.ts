/** Assumed characters per token. */
export const CHARS_PER_TOKEN = 4;

/** Results above this many tokens are offloaded to a file. */
export const RESULT_TOKEN_LIMIT = 20_000;

/** A person's message above this many tokens is saved to a file too. */
export const HUMAN_TOKEN_LIMIT = 50_000;

/** Share of a small window that one result may use. */
const WINDOW_SHARE = 0.2;
/** Tokens that a result may always have. */
const LEAST_RESULT = 400;

/** Tokens from which a result is offloaded, for a model with this window; undefined if unknown. */
export const resultLimitFor = (window: number | undefined): number =>
  window === undefined
    ? RESULT_TOKEN_LIMIT
    : Math.max(LEAST_RESULT, Math.min(RESULT_TOKEN_LIMIT, Math.floor(window * WINDOW_SHARE)));

/** Seconds; the longest timeout of a single command. */
export const MAX_EXECUTE_TIMEOUT = 3_600;

/** Seconds; the default timeout of a command. */
export const DEFAULT_EXECUTE_TIMEOUT = 120;

/** Hard limit on grep results, whatever the model asks for. */
export const MAX_GREP_COUNT = 1_000;

/** The first lines of a listing that fit the result limit. At least one, so that each page of a list is followed by another. */
export function fittingLines(lines: readonly string[]): readonly string[] {
  const limit = RESULT_TOKEN_LIMIT * CHARS_PER_TOKEN;
  let used = 0;
  const end = lines.findIndex((line, index) => {
    used += line.length + 1;
    return used > limit && index > 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
