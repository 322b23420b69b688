/** The contents of an error and its causes, combined for classification. */
export interface ErrorFacts {
  /** Class names and `name` values, outermost first. */
  names: string[];
  /** Codes and types from the provider or the system: `ECONNREFUSED`, `overloaded_error`. */
  codes: string[];
  status: number | null;
  retryAfterSeconds: number | null;
  /** All messages, outermost first, without repetition; `text` joins them. */
  messages: string[];
  text: string;
}

const MAX_CAUSES = 12;

export function factsOf(error: unknown): ErrorFacts {
  const facts: ErrorFacts = {
    names: [],
    codes: [],
    status: null,
    retryAfterSeconds: null,
    messages: [],
    text: '',
  };
  const messages: string[] = [];
  for (const one of chainOf(error)) {
    if (typeof one === 'string') messages.push(one);
    if (!isRecord(one)) continue;
    if (one instanceof Error) facts.names.push(one.constructor.name);
    for (const name of [one.name]) if (typeof name === 'string') facts.names.push(name);
    for (const code of [one.code, one.type, one.lc_error_code])
      if (typeof code === 'string') facts.codes.push(code);
    for (const status of [one.status, one.statusCode, one.status_code]) {
      if (typeof status === 'number') facts.status ??= status;
    }
    // An error within a stream has no status. OpenRouter and vLLM give the one it would have had as the code.
    if (typeof one.code === 'number' && one.code >= 400 && one.code < 600) facts.status ??= one.code;
    facts.retryAfterSeconds ??= retryAfter(one);
    if (typeof one.message === 'string') messages.push(one.message);
  }
  facts.messages = [...new Set(messages.map(withoutAdvice))].filter((text) => text !== '');
  facts.text = facts.messages.join('\n');
  return facts;
}

/** The error, its causes, the members of an AggregateError, and the provider's inner error object. */
export function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  const queue: unknown[] = [error];
  while (queue.length > 0 && chain.length < MAX_CAUSES) {
    const one = queue.shift();
    if (one === undefined || one === null || chain.includes(one)) continue;
    chain.push(one);
    if (!isRecord(one)) continue;
    queue.push(one.cause, ...(Array.isArray(one.errors) ? one.errors : []), one.error);
  }
  return chain;
}

/** LangChain appends a link to its manual. */
const withoutAdvice = (text: string) => text.replace(/Troubleshooting URL: \S+\s*$/u, '').trim();

/** A wait that is over, or that no clock can measure, says nothing: the next attempt then waits as for other errors. */
function retryAfter(error: Record<string, unknown>): number | null {
  const seconds = askedWait(error);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null;
}

/** Seconds; NaN if there are none. */
function askedWait(error: Record<string, unknown>): number {
  if (typeof error.retryAfterMs === 'number') return error.retryAfterMs / 1_000;
  const headers = error.headers instanceof Headers ? error.headers : new Headers();
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds / 1_000;
  const header = headers.get('retry-after')?.trim() ?? '';
  if (header !== '') {
    const seconds = Number(header);
    if (!Number.isNaN(seconds)) return seconds;
    const date = Date.parse(header);
    if (!Number.isNaN(date)) return (date - Date.now()) / 1_000;
  }
  const said = typeof error.message === 'string' ? error.message : '';
  return durationOf(/(?:retry in|try again in|"retryDelay":\s*")\s*(\d[\d.\shms]*)/iu.exec(said)?.[1] ?? '');
}

/** Seconds of `7m12.5s`, `36 s` or `236ms`; NaN for anything else. */
function durationOf(text: string): number {
  const [all, hours, minutes, seconds, milliseconds] =
    /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?/iu.exec(
      text.replaceAll(/\s/gu, ''),
    ) ?? [];
  if (all === undefined || all === '') return Number.NaN;
  return (
    Number(hours ?? 0) * 3_600 +
    Number(minutes ?? 0) * 60 +
    Number(seconds ?? 0) +
    Number(milliseconds ?? 0) / 1_000
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
