import type { Conversation, Dialect, PlainReply, RecordedRequest, Refusal, Rendered } from './dialect';
import { argumentsJson, type Damage, spoil, textFragments } from './fragments';
import { freshId, tokens } from './ids';
import { isObject, type Json, type JsonObject, objectOf, objectsOf, stringOf } from './json';
import { ollamaImages } from './media-rules';
import { type NormalizedMessage, type NormalizedRequest, normalized, type Script, type Step } from './script';
import { type ProviderOptions, type ProviderServer, startProvider } from './server';

/**
 * Starts a server for Ollama's `POST /api/chat` (lines of JSON, or one object without streaming) and `GET /api/tags`. Like a
 * local one, it accepts any key unless `options.apiKey` is given. Pass `url` as `baseUrl` to ChatOllama.
 */
export function startOllama(script: Script, options: ProviderOptions = {}): Promise<ProviderServer> {
  return startProvider(ollamaDialect(options), script, options);
}

const failed = (status: number, error: string, headers: Record<string, string> = {}): PlainReply => ({
  status,
  headers,
  body: { error },
});

const invalid = (message: string) => failed(400, message);

function refuse(refusal: Refusal): PlainReply {
  if (typeof refusal === 'object') {
    const { retryAfter } = refusal.rateLimited;
    return failed(
      429,
      'too many concurrent requests',
      retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    );
  }
  switch (refusal) {
    case 'unauthorized':
      return failed(401, 'unauthorized');
    case 'overloaded':
      return failed(503, 'server busy, please try again.  maximum pending requests exceeded');
    case 'server_error':
      return failed(500, 'llama runner process has terminated: exit status 2');
    case 'unverified':
      return invalid('Not known here.');
    case 'context_overflow':
      return failed(400, 'the input length exceeds the context length');
  }
}

function ollamaDialect(options: ProviderOptions): Dialect {
  const open = (request: RecordedRequest): PlainReply | Conversation => {
    const { apiKey, models } = options;
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      return refuse('unauthorized');
    }
    const { pathname } = new URL(request.path, 'http://loopback');
    if (request.method === 'GET' && pathname === '/api/tags') {
      return { status: 200, body: { models: (models ?? []).map((name) => ({ name, model: name })) } };
    }
    if (request.method !== 'POST' || pathname !== '/api/chat') return failed(404, '404 page not found');
    const { body } = request;
    if (!isObject(body)) return invalid('unexpected EOF');
    for (const complaint of complaints(body)) return invalid(complaint);
    const normalizedRequest = normalizeOllama(body);
    const { model } = normalizedRequest;
    if (models !== undefined && !models.includes(model)) return failed(404, `model '${model}' not found`);
    const inputTokens = tokens(JSON.stringify([body.messages, body.tools]));
    return {
      request: normalizedRequest,
      stream: body.stream !== false,
      render: (step, damage) => render(step, { model, inputTokens, thinks: body.think !== false }, damage),
    };
  };
  return { base: '', open, refuse, invalid };
}

const ROLES = ['system', 'user', 'assistant', 'tool'];

function* complaints(body: JsonObject): Generator<string> {
  if (stringOf(body.model) === '') yield 'model is required';
  for (const message of objectsOf(body.messages)) {
    const { role, content } = message;
    if (!ROLES.includes(stringOf(role))) {
      yield `invalid role: ${stringOf(role)}, role must be one of [${ROLES.join(' ')}]`;
    }
    if (typeof content !== 'string' && content !== undefined) {
      yield 'json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string';
    }
    yield* ollamaImages(message);
    for (const call of objectsOf(message.tool_calls)) {
      if (!isObject(objectOf(call.function).arguments)) {
        yield 'json: cannot unmarshal string into Go struct field ToolCallFunction.messages.tool_calls.function.arguments';
      }
    }
  }
  for (const tool of objectsOf(body.tools)) {
    if (tool.type !== 'function' || stringOf(objectOf(tool.function).name) === '') {
      yield 'invalid tool: a tool is a function with a name';
    }
  }
}

/** An accepted body as scripts see it. Results name no call in this format: they answer the calls in order. */
function normalizeOllama(body: JsonObject): NormalizedRequest {
  const messages: NormalizedMessage[] = [];
  const system: string[] = [];
  let open: { id: string; name: string }[] = [];
  for (const [index, message] of objectsOf(body.messages).entries()) {
    const text = stringOf(message.content);
    if (message.role === 'system') system.push(text);
    else if (message.role === 'user') messages.push({ role: 'user', text });
    else if (message.role === 'assistant') {
      const calls = objectsOf(message.tool_calls).map((call, place) => {
        const { name, arguments: args } = objectOf(call.function);
        return { id: stringOf(call.id) || `${index}.${place}`, name: stringOf(name), args: objectOf(args) };
      });
      open = calls.map(({ id, name }) => ({ id, name }));
      messages.push({ role: 'assistant', text, calls });
    } else {
      const call = open.shift() ?? { id: '', name: stringOf(message.tool_name) };
      const result = { ...call, content: text, isError: false };
      const last = messages.at(-1);
      if (last?.role === 'tool') last.results.push(result);
      else messages.push({ role: 'tool', results: [result] });
    }
  }
  return normalized({
    model: stringOf(body.model),
    system: system.join('\n\n'),
    messages,
    tools: objectsOf(body.tools)
      .map((tool) => objectOf(tool.function))
      .map((tool) => ({
        name: stringOf(tool.name),
        description: stringOf(tool.description),
        schema: objectOf(tool.parameters),
      })),
  });
}

const line = (data: JsonObject) => `${JSON.stringify(data)}\n`;

function render(
  step: Step,
  context: { model: string; inputTokens: number; thinks: boolean },
  damage: Damage | undefined,
): Rendered {
  const { reasoning = '', calls = [] } = step;
  // A local model declines in plain text.
  const text = step.refusal ?? step.text ?? '';
  const shared = { model: context.model, created_at: new Date().toISOString() };
  const part = (message: JsonObject) =>
    line({ ...shared, message: { role: 'assistant', content: '', ...message }, done: false });

  const thinking = context.thinks ? reasoning : '';
  const frames = textFragments(thinking).map((piece) => part({ thinking: piece }));
  for (const content of textFragments(text)) frames.push(part({ content }));
  const afterText = text === '' ? 0 : frames.length;
  const toolCalls: JsonObject[] = calls.map(({ id = freshId('call_', 8), name, args }, index) => ({
    id,
    function: { index, name, arguments: args },
  }));
  for (const call of toolCalls) frames.push(part({ tool_calls: [call] }));
  const breakAt = Math.max(1, frames.length >> 1);

  const last = calls.at(-1);
  if (damage !== undefined && last !== undefined) {
    // The server parses the call itself, and ends the stream with an error if it cannot.
    const raw = spoil(argumentsJson(last.args, 0), damage);
    const error = `error parsing tool call: raw='${raw}', err=invalid character 'o' after object key:value pair`;
    const broken = [...frames.slice(0, frames.length - 1), line({ error })];
    return { frames: broken, breakAt, afterText, errorFrames: [], body: { error }, headers: NDJSON };
  }

  const message: { [key: string]: Json } = { role: 'assistant', content: text };
  if (thinking !== '') message.thinking = thinking;
  if (toolCalls.length > 0) message.tool_calls = toolCalls;
  const end = {
    ...shared,
    done: true,
    done_reason: step.stop === 'length' ? 'length' : 'stop',
    total_duration: 4_883_583_458,
    load_duration: 1_334_875,
    prompt_eval_count: context.inputTokens,
    prompt_eval_duration: 342_546_000,
    eval_count: tokens(thinking) + tokens(text) + tokens(JSON.stringify(toolCalls)),
    eval_duration: 4_535_599_000,
  };
  frames.push(line({ ...end, message: { role: 'assistant', content: '' } }));
  return {
    frames,
    breakAt,
    afterText,
    errorFrames: [line({ error: 'an error was encountered while running the model: unexpected EOF' })],
    body: { ...end, message },
    headers: NDJSON,
  };
}

const NDJSON = { 'content-type': 'application/x-ndjson' };
