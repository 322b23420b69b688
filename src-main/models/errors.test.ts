import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { AIMessage } from '@langchain/core/messages';
import { afterEach, describe, expect, it } from 'vitest';
import { startAnthropic } from '../../e2e/providers/anthropic';
import { startOpenAI } from '../../e2e/providers/openai';
import type { Failure } from '../../e2e/providers/script';
import type { ProviderServer } from '../../e2e/providers/server';
import { errorIn, inEnglish } from '../../src-renderer/i18n/errors';
import type { ProviderId } from '../contract/app';
import type { AppError } from '../contract/result';
import { isContextOverflow, toAppError } from './errors';
import { noteFailure } from './failures';
import { isIncomplete, isRefusal } from './incomplete';
import { redact } from './redact';
import { createModel, type ModelRef } from './registry';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** The error of a request without a key. */
const keyless = (error: Error): Error => {
  noteFailure(error, { provider: 'openai-compatible', model: 'm', streamed: false, keyless: true });
  return error;
};

/** Streams to a handler, as the harness does. */
class Streaming extends BaseCallbackHandler {
  readonly name = 'streaming';
  readonly lc_prefer_streaming = true;
}

const REFS: ModelRef[] = [
  { provider: 'anthropic', name: 'claude-sonnet-4-5' },
  { provider: 'openai', name: 'gpt-4.1' },
  { provider: 'openai', name: 'gpt-5-codex' },
  { provider: 'openai-compatible', name: 'gpt-4.1' },
];

async function askFailing(ref: ModelRef, fault: Failure, key = 'test-key'): Promise<AIMessage> {
  const step = { text: 'Here it comes.', calls: [{ name: 'ls', args: { path: '/some/where' } }], fault };
  const server = await (ref.provider === 'anthropic' ? startAnthropic : startOpenAI)(() => step);
  servers.push(server);
  const model = await createModel(ref, { key, baseUrl: server.url, retries: 0 });
  if (!model.ok) throw new Error(inEnglish(model.error));
  return model.value.invoke('hello', { callbacks: [new Streaming()] });
}

/** What the person sees for a fault: the kind of error, or whether the answer counted as complete or cut. */
async function told(ref: ModelRef, fault: Failure, key?: string): Promise<AppError | 'whole' | 'incomplete'> {
  try {
    return isIncomplete(await askFailing(ref, fault, key), ref.provider) ? 'incomplete' : 'whole';
  } catch (error) {
    return toAppError(error, ref.provider, key === undefined ? [] : [key]);
  }
}
const kind = (answer: AppError | string) => (typeof answer === 'string' ? answer : answer.kind);

describe.each(REFS)('$provider:$name', (ref) => {
  it.each<[Failure, string]>([
    ['unauthorized', 'bad_key'],
    [{ rateLimited: { retryAfter: 90 } }, 'rate_limited'],
    [{ rateLimited: {} }, 'rate_limited'],
    ['overloaded', 'overloaded'],
    ['server_error', 'overloaded'],
    ['context_overflow', 'context_overflow'],
    ['cut', 'stream_cut'],
    ['cut_clean', 'incomplete'],
    ['error_event', 'overloaded'],
    ['empty', 'whole'],
  ])('%j is reported as %s', async (fault, expected) => {
    expect(kind(await told(ref, fault))).toBe(expected);
  });

  it('reports how long to wait', async () => {
    expect(await told(ref, { rateLimited: { retryAfter: 90 } })).toMatchObject({ retryAfterSeconds: 90 });
  });

  it('is unreachable if nothing listens', async () => {
    const model = await createModel(ref, { key: 'test-key', baseUrl: 'http://127.0.0.1:9/v1', retries: 0 });
    const error = model.ok ? await model.value.invoke('hello').catch((thrown: unknown) => thrown) : null;
    expect(toAppError(error, ref.provider).kind).toBe('network');
  });

  it('never repeats the key', async () => {
    const key = 'canary-4711-of-the-person';
    const answer = await told(ref, 'unauthorized', key);
    expect(kind(answer)).toBe('bad_key');
    expect(JSON.stringify(answer)).not.toContain('4711');
  });

  it("stops with the call's signal", async () => {
    const server = await (ref.provider === 'anthropic' ? startAnthropic : startOpenAI)(() => ({
      fault: 'hang',
    }));
    servers.push(server);
    const model = await createModel(ref, { key: 'test-key', baseUrl: server.url });
    const stop = new AbortController();
    const asking = model.ok ? model.value.invoke('hello', { signal: stop.signal }) : Promise.resolve();
    const failed = asking.catch((error: unknown) => toAppError(error, ref.provider).kind);
    while (server.requests.length === 0) await new Promise(setImmediate);
    stop.abort();
    expect(await failed).toBe('cancelled');
  });
});

/** Errors as the packages create them, for providers without a loopback server. */
const made = (message: string, fields: object = {}, name = 'Error') => {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: name, enumerable: false });
  return Object.assign(error, fields);
};

describe('errors classified by their facts', () => {
  const google = (status: number, words: string) =>
    made(`[GoogleGenerativeAI Error]: Error fetching from https://x/y: [${status} Bad Request] ${words}`, {
      status,
    });

  it.each<[string, ProviderId, unknown, string]>([
    [
      'Gemini, bad key',
      'google-genai',
      google(400, 'API key not valid. [{"reason":"API_KEY_INVALID"}]'),
      'bad_key',
    ],
    [
      'a key from the environment that no header can carry',
      'openai',
      new TypeError(
        'Cannot convert argument to a ByteString because the character at index 21 has a value of 8230',
      ),
      'bad_key',
    ],
    [
      'Gemini, overflow',
      'google-genai',
      google(400, 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).'),
      'context_overflow',
    ],
    [
      'Gemini, no network',
      'google-genai',
      made('[GoogleGenerativeAI Error]: Error fetching from https://x/y: fetch failed'),
      'network',
    ],
    [
      'Gemini, blocked',
      'google-genai',
      made('The model returned no content. Block reason: SAFETY.', {}, 'EmptyContentError'),
      'refused',
    ],
    ['Gemini, cut', 'google-genai', made('[GoogleGenerativeAI Error]: Failed to parse stream'), 'stream_cut'],
    [
      'Ollama, not running',
      'ollama',
      made('fetch failed', { cause: made('connect ECONNREFUSED', { code: 'ECONNREFUSED' }) }),
      'network',
    ],
    [
      'Ollama, no such model',
      'ollama',
      made("model 'x' not found", { status_code: 404 }, 'ResponseError'),
      'provider',
    ],
    [
      'Ollama, a model that is too large',
      'ollama',
      made(
        'model requires more system memory (8.4 GiB) than is available (3.1 GiB)',
        { status: 500 },
        'ResponseError',
      ),
      'provider',
    ],
    [
      'a proxy that cannot be used',
      'openai',
      made('Connection error.', {
        cause: made('The environment names a proxy of the kind socks5. Deepdesk supports HTTP proxies.'),
      }),
      'provider',
    ],
    ['Ollama, cut', 'ollama', made('Did not receive done or success response in stream.'), 'stream_cut'],
    [
      'LM Studio, overflow',
      'openai-compatible',
      made('400 The number of tokens to keep from the initial prompt is greater than the context length', {
        status: 400,
      }),
      'context_overflow',
    ],
    [
      'llama.cpp, overflow',
      'openai-compatible',
      made('400 the request exceeds the available context size', { status: 400 }),
      'context_overflow',
    ],
    ...[
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      'input length and `max_tokens` exceed context limit: 199211 + 20000 > 200000, decrease input length',
      'Trying to keep the first 9102 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'Input is too long for requested model.',
      'Please reduce the length of the messages or completion.',
      'Prompt contains 65673 tokens, too large for model with 32768 maximum context length',
      'Request payload size exceeds the limit: 20971520 bytes.',
    ].map((words): [string, ProviderId, unknown, string] => [
      words,
      'openai-compatible',
      made(`400 ${words}`, { status: 400 }),
      'context_overflow',
    ]),
    [
      'OpenAI, more than a minute allows',
      'openai',
      made(
        '429 Request too large for gpt-4.1 in organization org-x on tokens per min (TPM): Limit 30000, Requested 45000.',
        { status: 429, code: 'rate_limit_exceeded' },
      ),
      'context_overflow',
    ],
    [
      'OpenAI, no credit',
      'openai',
      made('429 You exceeded your current quota', { status: 429, code: 'insufficient_quota' }),
      'provider',
    ],
    [
      'Anthropic, no credit',
      'anthropic',
      made('400 Your credit balance is too low to access the Anthropic API.', { status: 400 }),
      'provider',
    ],
    ['OpenAI, refused', 'openai', made('400 blocked', { status: 400, code: 'content_filter' }), 'refused'],
    [
      'Anthropic, bad request',
      'anthropic',
      made('400 messages: roles must alternate', { status: 400 }),
      'provider',
    ],
    [
      'refused because no key was sent',
      'openai-compatible',
      keyless(made('401 Unauthorized', { status: 401 })),
      'no_key',
    ],
    ['no key', 'anthropic', made('Anthropic API key not found'), 'no_key'],
    ['stopped', 'openai', made('Request was aborted.', {}, 'AbortError'), 'cancelled'],
    [
      'cut, noticed by the harness',
      'openai',
      made('The answer was cut off', {}, 'StreamCutError'),
      'stream_cut',
    ],
    ['a bug', 'openai', new TypeError('x is not a function'), 'internal'],
    [
      'wrapped twice',
      'openai',
      made('outer', {
        cause: made('middle', { cause: made('prompt is too long: 9 tokens', { status: 400 }) }),
      }),
      'context_overflow',
    ],
    ['no error at all', 'openai', 'fetch failed', 'network'],
  ])('%s', (_, provider, error, expected) => {
    expect(toAppError(error, provider).kind).toBe(expected);
    expect(isContextOverflow(error)).toBe(expected === 'context_overflow');
  });

  it("state the problem, what is safe and what to do, with the provider's text separate", () => {
    const error = made('429 Slow down.\n\nTroubleshooting URL: https://docs.langchain.com/x/\n', {
      status: 429,
      retryAfterMs: 61_000,
    });
    expect(errorIn('en', toAppError(error, 'anthropic'))).toEqual({
      kind: 'rate_limited',
      code: 'rate_limited_minutes',
      message:
        "Anthropic isn't taking more requests right now. Your message is kept. Try again in 2 minutes.",
      detail: '429 Slow down.',
      retryAfterSeconds: 61,
    });
  });

  it('read the wait from headers: seconds, milliseconds or a date', () => {
    const waits = [
      { 'retry-after': '7' },
      { 'retry-after': '7', 'retry-after-ms': '1200' },
      { 'retry-after': new Date(Date.now() + 90_000).toUTCString() },
      { 'retry-after': new Date(Date.now() - 90_000).toUTCString() },
      { 'retry-after': 'soon' },
      { 'retry-after': '-5' },
      { 'retry-after': '0' },
      { 'retry-after': '1e999' },
      { 'retry-after-ms': '-5' },
    ].map((headers) => {
      const error = made('429 slow down', { status: 429, headers: new Headers(headers) });
      return toAppError(error, 'openai').retryAfterSeconds;
    });
    expect(waits.slice(0, 3)).toEqual([7, 2, expect.closeTo(90, -1)]);
    expect(waits.slice(3)).toEqual(Array(6).fill(undefined));
  });

  it('name no wait if the provider asks for none, or for one that is over', () => {
    const error = made('429 slow down', { status: 429, headers: new Headers({ 'retry-after': '-30' }) });
    expect(errorIn('en', toAppError(error, 'openai')).message).not.toMatch(/\d/);
    expect(
      toAppError(Object.assign(error, { retryAfterMs: -1 }), 'openai').retryAfterSeconds,
    ).toBeUndefined();
  });

  it('read the wait from the text if there is no header', () => {
    const error = google(429, 'Quota for requests. Please retry in 36.4s. [{"retryDelay":"36s"}]');
    expect(toAppError(error, 'google-genai')).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 37 });
  });
});

describe('limits that pass', () => {
  it.each<[string, number]>([
    ['Please try again in 7m12.5s. Need more? Upgrade at https://console.example/settings/billing', 433],
    ['Please try again in 20s. Add a payment method at https://platform.example/account/billing.', 20],
    ['Please try again in 236ms.', 1],
    ['Please try again in 20 seconds.', 20],
    ['Please try again in 2 minutes.', 120],
  ])('are told from a lack of credit, with their wait: %s', (words, retryAfterSeconds) => {
    const error = made(`429 Rate limit reached for requests. ${words}`, {
      status: 429,
      code: 'rate_limit_exceeded',
    });
    expect(toAppError(error, 'openai')).toMatchObject({ kind: 'rate_limited', retryAfterSeconds });
  });
});

describe("keys in a provider's text", () => {
  it.each<[string, string]>([
    [
      'Incorrect API key provided: sk-proj-abc***********xyz1. You can',
      'Incorrect API key provided: [redacted]. You can',
    ],
    ['invalid x-api-key: canary-value', 'invalid x-api-key: [redacted]'],
    ['header {"authorization":"Bearer abcdefghijkl"}', 'header {"authorization":"[redacted]"}'],
    ['GET https://host/v1?key=AIzaSyA1234567890&alt=sse', 'GET https://host/v1?key=[redacted]&alt=sse'],
    ['AIzaSyA12345678901234567890 is bad', '[redacted] is bad'],
    ['to https://ada:hunter2@proxy.example:80 failed', 'to https://ada:[redacted]@proxy.example:80 failed'],
    ['GET https://h/b?se=2026&sig=a%2Fb%3D&x=1', 'GET https://h/b?se=2026&sig=[redacted]&x=1'],
    ['{"cookie":"sid=abc; theme=dark"}', '{"cookie":"[redacted]"}'],
    ['set-cookie: sid=abc123; Path=/', 'set-cookie: [redacted]'],
    ['x -----BEGIN PRIVATE KEY-----\nMC4C+/aB\n-----END PRIVATE KEY-----\n at x', 'x [redacted]\n at x'],
    ['AKIAIOSFODNN7EXAMPLE cannot read the bucket', '[redacted] cannot read the bucket'],
    ['ssh://ada@host:22/path and https://host:443/a@b', 'ssh://ada@host:22/path and https://host:443/a@b'],
    ['the secret-of-the-person was sent', 'the [redacted] was sent'],
    ['token 0123456789abcdef0123456789abcdef0 refused', 'token [redacted] refused'],
    ['the keyboard-shortcuts of token: counting', 'the keyboard-shortcuts of token: [redacted]'],
    ['request id req_011CSHoEeqs5C35K2UUqR7Fy', 'request id req_011CSHoEeqs5C35K2UUqR7Fy'],
    ['id 01234567-89ab-cdef-0123-456789abcdef', 'id 01234567-89ab-cdef-0123-456789abcdef'],
    ['a-very-long-name-with-hyphens-and-no-digits', 'a-very-long-name-with-hyphens-and-no-digits'],
    ['claude-sonnet-4-5-20250929 is overloaded', 'claude-sonnet-4-5-20250929 is overloaded'],
    [
      'prompt is too long: 210000 tokens > 200000 maximum',
      'prompt is too long: 210000 tokens > 200000 maximum',
    ],
  ])('%s', (text, clean) => {
    expect(redact(text, ['secret-of-the-person'])).toBe(clean);
  });

  it.each([
    ['hyphens', 'a-'.repeat(200_000)],
    ['blanks', `x${' '.repeat(200_000)}x`],
  ])('take a moment to find in a long text of %s', (_, text) => {
    const started = process.cpuUsage();
    redact(text);
    toAppError(made(text, { status: 500 }), 'openai');
    expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(10);
  });
});

describe('the end of an answer', () => {
  it('is missing if no provider event announced it', () => {
    const cut = new AIMessage({ content: 'half' });
    expect(
      ['offline', 'anthropic', 'openai', 'openai-compatible', 'ollama', 'google-genai'].map((id) =>
        isIncomplete(cut, id as ProviderId),
      ),
    ).toEqual([false, true, true, true, true, true]);
    expect(isIncomplete(new AIMessage({ content: '' }), 'google-genai')).toBe(true);
    expect(isIncomplete(new AIMessage({ content: 'x', response_metadata: { done: true } }), 'ollama')).toBe(
      false,
    );
  });

  it('may be a refusal', () => {
    const ended = (stop_reason: string) => new AIMessage({ content: '', additional_kwargs: { stop_reason } });
    expect([isRefusal(ended('refusal')), isRefusal(ended('end_turn'))]).toEqual([true, false]);
    const cut = (reason: string) =>
      new AIMessage({
        content: 'Half',
        response_metadata: { status: 'incomplete', incomplete_details: { reason } },
      });
    expect([isRefusal(cut('content_filter')), isRefusal(cut('max_output_tokens'))]).toEqual([true, false]);
  });
});
