import { cacheParts, complaints, normalizeAnthropic, signatureOf } from './anthropic-rules';
import type { Dialect, PlainReply, RecordedRequest, Refusal, Rendered } from './dialect';
import { argumentsJson, type Damage, jsonFragments, spoil, textFragments } from './fragments';
import { freshId, tokens } from './ids';
import { isObject, type Json, type JsonObject, objectOf } from './json';
import { type CacheCount, PrefixCache } from './prefix-cache';
import type { Script, Step } from './script';
import { type ProviderOptions, type ProviderServer, startProvider } from './server';

/**
 * Starts a server for the Anthropic Messages API: `POST /v1/messages` (streamed or not) and `GET /v1/models`. It rejects the
 * requests that the real service would reject, with the same status and error body. Pass `url` as `anthropicApiUrl` to
 * ChatAnthropic; the key is `options.apiKey`, by default `test-key`.
 */
export function startAnthropic(script: Script, options: ProviderOptions = {}): Promise<ProviderServer> {
  return startProvider(anthropicDialect(options), script, options);
}

const CONTEXT_WINDOW = 200_000;

function failed(
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): PlainReply {
  const id = freshId('req_');
  return {
    status,
    headers: { 'request-id': id, ...headers },
    body: { type: 'error', error: { type, message }, request_id: id },
  };
}

const invalid = (message: string) => failed(400, 'invalid_request_error', message);

function refuse(refusal: Refusal): PlainReply {
  if (typeof refusal === 'object') {
    const { retryAfter } = refusal.rateLimited;
    const message =
      "This request would exceed your organization's rate limit of 50 requests per minute. For details, refer to: https://docs.anthropic.com/en/api/rate-limits.";
    return failed(429, 'rate_limit_error', message, {
      'x-should-retry': 'true',
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '0',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    });
  }
  switch (refusal) {
    case 'unauthorized':
      return failed(401, 'authentication_error', 'invalid x-api-key', { 'x-should-retry': 'false' });
    case 'overloaded':
      return failed(529, 'overloaded_error', 'Overloaded', { 'x-should-retry': 'true' });
    case 'server_error':
      return failed(500, 'api_error', 'Internal server error', { 'x-should-retry': 'true' });
    case 'unverified':
      return invalid('Not known here.');
    case 'context_overflow':
      return invalid(`prompt is too long: 213042 tokens > ${CONTEXT_WINDOW} maximum`);
  }
}

function anthropicDialect(options: ProviderOptions): Dialect {
  const apiKey = options.apiKey ?? 'test-key';
  const cache = new PrefixCache();

  const open = (request: RecordedRequest) => {
    const key = request.headers['x-api-key'];
    if (key === undefined) return failed(401, 'authentication_error', 'x-api-key header is required');
    if (key !== apiKey) return refuse('unauthorized');
    if (request.headers['anthropic-version'] === undefined)
      return invalid('anthropic-version: header is required');
    const { pathname } = new URL(request.path, 'http://loopback');
    if (request.method === 'GET' && pathname === '/v1/models') return modelList(options.models ?? []);
    if (request.method !== 'POST' || pathname !== '/v1/messages') {
      return failed(404, 'not_found_error', 'Not found');
    }
    const { body } = request;
    if (!isObject(body)) return invalid('The request body is not valid JSON');
    for (const complaint of complaints(body)) return invalid(complaint);
    const normalized = normalizeAnthropic(body);
    if (options.models !== undefined && !options.models.includes(normalized.model)) {
      return failed(404, 'not_found_error', `model: ${normalized.model}`);
    }
    const thinking = objectOf(body.thinking).type;
    const context = {
      model: normalized.model,
      cached: cache.marked(cacheParts(body)),
      thinks: thinking === 'enabled' || thinking === 'adaptive',
    };
    return {
      request: normalized,
      stream: body.stream === true,
      render: (step: Step, damage?: Damage) => render(step, context, damage),
    };
  };

  return { base: '', open, refuse, invalid };
}

function modelList(models: readonly string[]): PlainReply {
  const data = models.map((id) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: '2026-01-01T00:00:00Z',
  }));
  return {
    status: 200,
    body: { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null },
  };
}

const frame = (type: string, fields: JsonObject) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

interface Block {
  kind: 'thinking' | 'text' | 'call';
  /** As in content_block_start: still empty. */
  start: JsonObject;
  deltas: JsonObject[];
  /** As in an answer that is not streamed. */
  whole: JsonObject;
}

function blocksOf(step: Step, thinks: boolean, damage: Damage | undefined): Block[] {
  const blocks: Block[] = [];
  if (step.reasoning !== undefined && thinks) {
    const signature = signatureOf(step.reasoning);
    blocks.push({
      kind: 'thinking',
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...textFragments(step.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature },
      ],
      whole: { type: 'thinking', thinking: step.reasoning, signature },
    });
  }
  if (step.text !== undefined && step.text !== '') {
    blocks.push({
      kind: 'text',
      start: { type: 'text', text: '' },
      deltas: textFragments(step.text).map((text) => ({ type: 'text_delta', text })),
      whole: { type: 'text', text: step.text },
    });
  }
  const calls = step.calls ?? [];
  for (const [index, { id = freshId('toolu_'), name, args }] of calls.entries()) {
    const spoilt = index === calls.length - 1 ? damage : undefined;
    const json = argumentsJson(args, index);
    blocks.push({
      kind: 'call',
      start: { type: 'tool_use', id, name, input: {} },
      // The service starts with an empty piece, and sends nothing more for a call without arguments.
      deltas: ['', ...(json === '{}' ? [] : jsonFragments(spoilt ? spoil(json, spoilt) : json))].map(
        (partial_json) => ({ type: 'input_json_delta', partial_json }),
      ),
      whole: { type: 'tool_use', id, name, input: spoilt ? {} : args },
    });
  }
  return blocks;
}

function render(
  step: Step,
  context: { model: string; cached: CacheCount; thinks: boolean },
  damage: Damage | undefined,
): Rendered {
  const blocks = blocksOf(step, context.thinks, damage);
  const whole: Json[] = blocks.map((block) => block.whole);
  const stop =
    step.refusal !== undefined
      ? 'refusal'
      : step.stop === 'length'
        ? 'max_tokens'
        : step.calls?.length
          ? 'tool_use'
          : 'end_turn';
  const outputTokens = tokens(JSON.stringify(whole));
  const usage = {
    input_tokens: context.cached.fresh,
    cache_creation_input_tokens: context.cached.written,
    cache_read_input_tokens: context.cached.read,
    output_tokens: outputTokens,
  };
  const message = { id: freshId('msg_'), type: 'message', role: 'assistant', model: context.model };

  const frames = [
    frame('message_start', {
      message: {
        ...message,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 1, service_tier: 'standard' },
      },
    }),
  ];
  let afterText = 0;
  const firstDelta = 4;
  for (const [index, block] of blocks.entries()) {
    frames.push(frame('content_block_start', { index, content_block: block.start }));
    if (index === 0) frames.push(frame('ping', {}));
    for (const delta of block.deltas) frames.push(frame('content_block_delta', { index, delta }));
    if (block.kind === 'text') afterText = frames.length;
    frames.push(frame('content_block_stop', { index }));
  }
  const breakAt = Math.max(firstDelta, frames.length >> 1);
  frames.push(frame('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage }));
  frames.push(frame('message_stop', {}));

  return {
    frames,
    breakAt,
    afterText,
    errorFrames: [frame('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })],
    body: { ...message, content: whole, stop_reason: stop, stop_sequence: null, usage },
    headers: { 'request-id': freshId('req_') },
  };
}
