import { isRecord } from '../../../base/is-record';

/** What the package puts around the service's message. */
const AROUND = /^(?:\[GoogleGenerativeAI Error\]: )?Error fetching from \S+: \[\d+[^\]]*\] ?/u;

/**
 * Gives an error of Google's package the service's own message, the wait that the service asks for, and the code
 * `rate_limit_per_minute` if the limit is one that passes. The service says "you exceeded your current quota, please check
 * your plan and billing" for every limit. Source: google.rpc.QuotaFailure and RetryInfo of the error's details.
 */
export function serviceError(error: unknown): unknown {
  if (!(error instanceof Error) || !AROUND.test(error.message)) return error;
  const details = 'errorDetails' in error && Array.isArray(error.errorDetails) ? error.errorDetails : [];
  const known = details.filter(isRecord);
  const words = error.message.replace(AROUND, '');
  const json = known.length === 0 ? '' : ` ${JSON.stringify(details)}`;
  const message = json !== '' && words.endsWith(json) ? words.slice(0, -json.length) : words;
  error.message = message.trim();
  const wait = waitOf(known);
  const isLimit = 'status' in error && error.status === 429;
  return Object.assign(error, {
    ...(isLimit && passes(known, message, wait) ? { code: 'rate_limit_per_minute' } : {}),
    ...(wait === null ? {} : { retryAfterMs: wait }),
  });
}

/** Milliseconds; null if the service names no wait. */
function waitOf(details: readonly Record<string, unknown>[]): number | null {
  for (const { retryDelay } of details) {
    const [, seconds] = typeof retryDelay === 'string' ? (/^(\d+(?:\.\d+)?)s$/u.exec(retryDelay) ?? []) : [];
    if (seconds !== undefined) return Number(seconds) * 1_000;
  }
  return null;
}

/** Whether a limit is one per minute. A daily one, or one of nothing at all, also comes with a wait. */
function passes(details: readonly Record<string, unknown>[], message: string, wait: number | null): boolean {
  const ids = details
    .flatMap(({ violations }) => (Array.isArray(violations) ? violations : []))
    .map((violation: unknown) => (isRecord(violation) ? String(violation.quotaId ?? '') : ''));
  if (/limit: 0\b/u.test(message) || ids.some((id) => /PerDay/iu.test(id))) return false;
  return wait !== null || ids.some((id) => /PerMinute/iu.test(id));
}
