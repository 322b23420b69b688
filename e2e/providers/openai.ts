import type { Conversation, Dialect, PlainReply, RecordedRequest, Refusal } from './dialect';
import type { Damage } from './fragments';
import { freshId } from './ids';
import { isObject, type Json, type JsonObject, objectOf } from './json';
import { renderCompletion } from './openai-completions';
import { normalizeResponses, renderResponse, responsesComplaints } from './openai-responses';
import { type Complaint, completionsComplaints, normalizeCompletions } from './openai-rules';
import { type CachePart, PrefixCache } from './prefix-cache';
import type { NormalizedRequest, Script, Step } from './script';
import { type ProviderOptions, type ProviderServer, startProvider } from './server';

/**
 * Starts a server for OpenAI's `POST /v1/chat/completions` and, for the models that ChatOpenAI calls that way (`codex`,
 * `gpt-5.x-pro`), `POST /v1/responses`, both streamed or not; also `GET /v1/models`. It rejects the requests that the real
 * service would reject, with the same status and error body. Pass `url` (it ends in `/v1`) as `configuration.baseURL` to
 * ChatOpenAI; the key is `options.apiKey`, by default `test-key`.
 */
export function startOpenAI(script: Script, options: ProviderOptions = {}): Promise<ProviderServer> {
  return startProvider(openaiDialect(options), script, options);
}

const CONTEXT_WINDOW = 128_000;

function failed(status: number, error: JsonObject, headers: Record<string, string> = {}): PlainReply {
  return {
    status,
    headers: { 'x-request-id': freshId('req_'), ...headers },
    body: { error: { param: null, code: null, ...error } },
  };
}

const invalid = (message: string) => failed(400, { message, type: 'invalid_request_error' });

const SERVER_ERROR = {
  message: 'The server had an error while processing your request. Sorry about that!',
  type: 'server_error',
};

function refuse(refusal: Refusal): PlainReply {
  if (typeof refusal === 'object') {
    const { retryAfter } = refusal.rateLimited;
    // Only the header gives the time, so that a client that parses the message instead fails.
    const message =
      'Rate limit reached for requests. Visit https://platform.openai.com/account/rate-limits to learn more.';
    return failed(
      429,
      { message, type: 'requests', code: 'rate_limit_exceeded' },
      {
        'x-ratelimit-limit-requests': '60',
        'x-ratelimit-remaining-requests': '0',
        ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      },
    );
  }
  switch (refusal) {
    case 'unauthorized':
      return failed(401, {
        message:
          'Incorrect API key provided: test****key. You can find your API key at https://platform.openai.com/account/api-keys.',
        type: 'invalid_request_error',
        code: 'invalid_api_key',
      });
    case 'overloaded':
      // OpenAI has no 529: this is its "Slow down / overloaded" answer.
      return failed(503, {
        message: 'The engine is currently overloaded. Try again later.',
        type: 'service_unavailable_error',
      });
    case 'server_error':
      return failed(500, SERVER_ERROR);
    case 'context_overflow':
      return failed(400, {
        message: `This model's maximum context length is ${CONTEXT_WINDOW} tokens. However, your messages resulted in 213042 tokens. Please reduce the length of the messages.`,
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      });
    case 'unverified':
      return failed(400, {
        message:
          'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization. If you just verified, it can take up to 15 minutes for access to propagate.',
        type: 'invalid_request_error',
        param: 'reasoning.summary',
        code: 'unsupported_value',
      });
  }
}

interface Api {
  complaints(body: JsonObject): Iterable<Complaint>;
  normalize(body: JsonObject): NormalizedRequest;
  render: typeof renderCompletion;
}

const APIS: Readonly<Record<string, Api>> = {
  '/v1/chat/completions': {
    complaints: completionsComplaints,
    normalize: normalizeCompletions,
    render: renderCompletion,
  },
  '/v1/responses': { complaints: responsesComplaints, normalize: normalizeResponses, render: renderResponse },
};

/** The step, in tokens, in which OpenAI counts cached input. */
const CACHE_STEP = 128;

/** The input of the prompt cache: tools first, then the conversation. */
function cacheParts(body: JsonObject): CachePart[] {
  const { tools, instructions, messages, input } = body;
  return [tools, instructions, messages, input]
    .filter((part) => part !== undefined)
    .map((part) => ({ text: JSON.stringify(part).replace(/\]$/u, '') }));
}

function openaiDialect(options: ProviderOptions): Dialect {
  const apiKey = options.apiKey ?? 'test-key';
  const cache = new PrefixCache();

  const open = (request: RecordedRequest): PlainReply | Conversation => {
    const { authorization } = request.headers;
    if (authorization === undefined || authorization === 'Bearer ') {
      return failed(401, {
        message:
          "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
        type: 'invalid_request_error',
      });
    }
    if (authorization !== `Bearer ${apiKey}`) return refuse('unauthorized');
    const { pathname } = new URL(request.path, 'http://loopback');
    if (request.method === 'GET' && pathname === '/v1/models') return modelList(options.models ?? []);
    const isThere = request.method === 'POST' && pathname !== options.without;
    const api = isThere ? APIS[pathname] : undefined;
    if (api === undefined) {
      return failed(404, {
        message: `Invalid URL (${request.method} ${pathname})`,
        type: 'invalid_request_error',
      });
    }
    const { body } = request;
    if (!isObject(body)) return invalid('We could not parse the JSON body of your request.');
    for (const { message, param, code } of api.complaints(body)) {
      return failed(400, { message, type: 'invalid_request_error', param, code });
    }
    const normalized = api.normalize(body);
    const { model } = normalized;
    if (options.models !== undefined && !options.models.includes(model)) {
      return failed(404, {
        message: `The model \`${model}\` does not exist or you do not have access to it.`,
        type: 'invalid_request_error',
        code: 'model_not_found',
      });
    }
    const { read, fresh } = cache.shared(cacheParts(body), CACHE_STEP);
    const context = {
      model,
      inputTokens: read + fresh,
      cachedTokens: read,
      wantsEncrypted: Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content'),
      wantsUsage: objectOf(body.stream_options).include_usage === true,
      serverError: { param: null, code: null, ...SERVER_ERROR },
    };
    return {
      request: normalized,
      stream: body.stream === true,
      render: (step: Step, damage?: Damage) => api.render(step, context, damage),
    };
  };

  return { base: '/v1', open, refuse, invalid };
}

function modelList(models: readonly string[]): PlainReply {
  const data: Json = models.map((id) => ({
    id,
    object: 'model',
    created: 1_767_225_600,
    owned_by: 'openai',
  }));
  return { status: 200, body: { object: 'list', data } };
}
