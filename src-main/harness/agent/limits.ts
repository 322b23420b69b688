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

const RESULT_CUT_NOTE = '... [results truncated, try being more specific with your parameters]';

/** Cuts a listing to the result limit at a line break and adds a note. */
export function fitLines(lines: string[], note?: string): string {
  const limit = RESULT_TOKEN_LIMIT * CHARS_PER_TOKEN;
  let used = 0;
  let kept = 0;
  for (const line of lines) {
    used += line.length + 1;
    if (used > limit) break;
    kept++;
  }
  const shown = lines.slice(0, kept);
  if (kept < lines.length) shown.push(RESULT_CUT_NOTE);
  else if (note !== undefined) shown.push(note);
  return shown.join('\n');
}
