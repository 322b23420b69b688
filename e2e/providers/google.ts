import type { Conversation, Dialect, PlainReply, RecordedRequest, Refusal, Rendered } from './dialect';
import { type Damage, textFragments } from './fragments';
import { complaints, normalizeGoogle, signatureOf } from './google-rules';
import { freshId, tokens } from './ids';
import { isObject, type Json, type JsonObject, objectOf } from './json';
import { type CacheCount, PrefixCache } from './prefix-cache';
import type { Script, Step } from './script';
import { type ProviderOptions, type ProviderServer, startProvider } from './server';

/**
 * Starts a server for Google's Generative Language API: `POST /v1beta/models/NAME:streamGenerateContent` (as server-sent
 * events) and `:generateContent`; also `GET /v1beta/models`. It rejects the requests that the real service would reject,
 * with the same status and error body. Pass `url` as `baseUrl` to ChatGoogleGenerativeAI; the key is `options.apiKey`, by
 * default `test-key`.
 */
export function startGoogle(script: Script, options: ProviderOptions = {}): Promise<ProviderServer> {
  return startProvider(googleDialect(options), script, options);
}

const CONTEXT_WINDOW = 1_048_576;

function failed(
  code: number,
  status: string,
  message: string,
  details: Json[] = [],
  headers: Record<string, string> = {},
): PlainReply {
  return {
    status: code,
    headers,
    body: { error: { code, message, status, ...(details.length === 0 ? {} : { details }) } },
  };
}

const invalid = (message: string) => failed(400, 'INVALID_ARGUMENT', message);

const OVERLOADED = 'The model is overloaded. Please try again later.';

function refuse(refusal: Refusal): PlainReply {
  if (typeof refusal === 'object') {
    const { retryAfter } = refusal.rateLimited;
    const quota = {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel' }],
    };
    // The service sends the wait time in the body, not in a header.
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` };
    return failed(
      429,
      'RESOURCE_EXHAUSTED',
      'Resource has been exhausted (e.g. check quota).',
      typeof retryAfter === 'number' ? [quota, retry] : [quota],
    );
  }
  switch (refusal) {
    case 'unauthorized':
      return failed(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'API_KEY_INVALID',
          domain: 'googleapis.com',
          metadata: { service: 'generativelanguage.googleapis.com' },
        },
      ]);
    case 'overloaded':
      return failed(503, 'UNAVAILABLE', OVERLOADED);
    case 'server_error':
      return failed(
        500,
        'INTERNAL',
        'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      );
    case 'unverified':
      return invalid('Not known here.');
    case 'context_overflow':
      return invalid(
        `The input token count (1213042) exceeds the maximum number of tokens allowed (${CONTEXT_WINDOW}).`,
      );
  }
}

function googleDialect(options: ProviderOptions): Dialect {
  const apiKey = options.apiKey ?? 'test-key';
  const cache = new PrefixCache();

  const open = (request: RecordedRequest): PlainReply | Conversation => {
    const url = new URL(request.path, 'http://loopback');
    const key = request.headers['x-goog-api-key'] ?? url.searchParams.get('key');
    if (key === null || key === '') {
      return failed(
        403,
        'PERMISSION_DENIED',
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      );
    }
    if (key !== apiKey) return refuse('unauthorized');
    const { pathname } = url;
    if (request.method === 'GET' && pathname === '/v1beta/models') return modelList(options.models ?? []);
    const [, model = '', method] =
      /^\/v1beta\/models\/([^/:]+):(streamGenerateContent|generateContent)$/.exec(pathname) ?? [];
    if (request.method !== 'POST' || method === undefined) return failed(404, 'NOT_FOUND', '');
    if (options.models !== undefined && !options.models.includes(model)) {
      return failed(
        404,
        'NOT_FOUND',
        `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
      );
    }
    const { body } = request;
    if (!isObject(body)) return invalid('Invalid JSON payload received. Unexpected end of string.');
    for (const complaint of complaints(model, body)) return invalid(complaint);
    const parts = [body.tools, body.systemInstruction, body.contents].filter((part) => part !== undefined);
    const config = objectOf(body.generationConfig);
    const context = {
      model,
      cached: cache.shared(
        parts.map((part) => ({ text: JSON.stringify(part).replace(/\]$/u, '') })),
        1,
      ),
      showsThoughts: objectOf(config.thinkingConfig).includeThoughts === true,
    };
    return {
      request: normalizeGoogle(model, body),
      stream: method === 'streamGenerateContent',
      render: (step, damage) => render(step, context, damage),
    };
  };

  return { base: '', open, refuse, invalid };
}

function modelList(models: readonly string[]): PlainReply {
  return {
    status: 200,
    body: {
      models: models.map((name) => ({
        name: `models/${name}`,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
      })),
    },
  };
}

const frame = (data: JsonObject) => `data: ${JSON.stringify(data)}\r\n\r\n`;

function render(
  step: Step,
  context: { model: string; cached: CacheCount; showsThoughts: boolean },
  damage: Damage | undefined,
): Rendered {
  const { text = '', reasoning = '', calls = [] } = step;
  const input = context.cached.read + context.cached.fresh;
  const shared = { modelVersion: context.model, responseId: freshId('', 22) };
  const thoughts = tokens(reasoning);
  let answer = 0;
  const usage = () => ({
    promptTokenCount: input,
    ...(answer === 0 ? {} : { candidatesTokenCount: answer }),
    totalTokenCount: input + answer + thoughts,
    ...(context.cached.read === 0 ? {} : { cachedContentTokenCount: context.cached.read }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
  });
  const response = (candidate: JsonObject) => ({
    candidates: [{ ...candidate, index: 0 }],
    usageMetadata: usage(),
    ...shared,
  });

  const thought: JsonObject[] = context.showsThoughts
    ? textFragments(reasoning).map((piece) => ({ text: piece, thought: true }))
    : [];
  const words: JsonObject[] = textFragments(text).map((piece) => ({ text: piece }));
  const isMalformed = damage !== undefined;
  const callParts: JsonObject[] = (isMalformed ? [] : calls).map(({ name, args }, index) => ({
    functionCall: { name, args },
    // Of parallel calls only the first is signed.
    ...(index === 0 ? { thoughtSignature: signatureOf(name, args) } : {}),
  }));

  const frames: string[] = [];
  const parts = [...thought, ...words, ...callParts];
  for (const part of parts) {
    if (part.thought !== true) answer += tokens(JSON.stringify(part));
    frames.push(frame(response({ content: { parts: [part], role: 'model' } })));
  }
  const afterText = words.length === 0 ? 0 : thought.length + words.length;
  const breakAt = Math.max(1, frames.length >> 1);
  const finishReason = isMalformed
    ? 'MALFORMED_FUNCTION_CALL'
    : step.refusal !== undefined
      ? 'SAFETY'
      : step.stop === 'length'
        ? 'MAX_TOKENS'
        : 'STOP';
  // The final event often has no content.
  const end = response({ finishReason });
  frames.push(frame(end));
  const content = { parts, role: 'model' };
  return {
    frames,
    breakAt,
    afterText,
    errorFrames: [frame({ error: { code: 503, message: OVERLOADED, status: 'UNAVAILABLE' } })],
    body: response({ ...(parts.length === 0 ? {} : { content }), finishReason }),
    headers: { 'content-type': 'text/event-stream' },
  };
}
