import { ChatAnthropic } from '@langchain/anthropic';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startAnthropic } from './anthropic';
import type { JsonObject } from './json';
import { ask, MODES, type Model, outcome, outputTokens, type Taken, type Thrown, title } from './outcome';
import type { Failure, NormalizedRequest, Script, Step } from './script';
import type { ProviderOptions, ProviderServer } from './server';

const writeFile = tool(() => 'ok', {
  name: 'write_file',
  description: 'Writes a file.',
  schema: z.object({ file_path: z.string(), content: z.string() }),
});

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(script: Script, options?: ProviderOptions): Promise<ProviderServer> {
  const server = await startAnthropic(script, options);
  servers.push(server);
  return server;
}

type Fields = ConstructorParameters<typeof ChatAnthropic>[0] & object;

function chat(server: ProviderServer, fields: Fields = {}) {
  return new ChatAnthropic({
    model: 'claude-sonnet-4-5',
    apiKey: 'test-key',
    anthropicApiUrl: server.url,
    maxRetries: 0,
    ...fields,
  });
}

const withTools = (server: ProviderServer, fields?: Fields): Model =>
  chat(server, fields).bindTools([writeFile]);

const STEP: Step = {
  text: 'Grüße, 世界 👋🏽: now two files.',
  calls: [
    {
      id: 'toolu_one',
      name: 'write_file',
      args: { file_path: '/tmp/ä.txt', content: 'a\tb\\n "q"\n👋🏽 é' },
    },
    {
      id: 'toolu_two',
      name: 'write_file',
      args: { file_path: '/tmp/b.txt', content: '文件系统 \u2028 end\n' },
    },
  ],
};

describe('answers', () => {
  it.each(MODES)('returns text and parallel calls unchanged (%s)', async (mode) => {
    const server = await start(() => STEP);
    const message = await ask(withTools(server), mode, 'hello');
    expect({
      text: message.text,
      calls: message.tool_calls,
      invalid: message.invalid_tool_calls,
      stop: message.additional_kwargs.stop_reason,
      hasUsage: outputTokens(message) > 10,
    }).toEqual({
      text: STEP.text,
      calls: STEP.calls?.map((call) => ({ ...call, type: 'tool_call' })),
      invalid: [],
      stop: 'tool_use',
      hasUsage: true,
    });
    expect(server.requests[0]?.state).toBe('answered');
  });

  it('streams many deltas, with network chunks that end inside characters', async () => {
    const server = await start(() => ({ text: '世界👋'.repeat(20) }));
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ ...SOUND, stream: true }),
    });
    let cutCharacters = 0;
    let received = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const alone = new TextDecoder().decode(chunk);
      if (alone.includes('\ufffd')) cutCharacters += 1;
      received += decoder.decode(chunk, { stream: true });
    }
    const events = [...received.matchAll(/^event: (.*)$/gm)].map(([, event]) => event);
    expect(cutCharacters).toBeGreaterThan(5);
    expect(events.filter((event) => event === 'content_block_delta')).toHaveLength(10);
    expect(events.filter((event) => event !== 'content_block_delta')).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it.each(MODES)(
    'thinks on request, and accepts only its unchanged thinking in return (%s)',
    async (mode) => {
      const seen: NormalizedRequest[] = [];
      const server = await start((request) => {
        seen.push(request);
        return { ...STEP, reasoning: 'First I plan — then I write.' };
      });
      const model = withTools(server, {
        thinking: { type: 'enabled', budget_tokens: 1024 },
        maxTokens: 4096,
      });
      const message = await ask(model, mode, 'hello');
      const thinking = message.contentBlocks.find((block) => block.type === 'reasoning');
      expect(thinking?.reasoning).toBe('First I plan — then I write.');

      const results = (message.tool_calls ?? []).map(
        ({ id }) => new ToolMessage({ tool_call_id: id ?? '', content: `did ${id}` }),
      );
      await ask(model, mode, [new HumanMessage('hello'), message, ...results]);
      expect(seen[1]?.lastToolResults.map(({ content }) => content)).toEqual([
        'did toolu_one',
        'did toolu_two',
      ]);
    },
  );

  it('does not think without a request', async () => {
    const server = await start(() => ({ reasoning: 'secret plan', text: 'done' }));
    expect(
      (await ask(withTools(server), 'stream', 'hello')).contentBlocks.map((block) => block.type),
    ).toEqual(['text']);
  });

  it('reports that the token limit ended the answer', async () => {
    const server = await start(() => ({ text: 'half an ans', stop: 'length' }));
    expect(await outcome(withTools(server), 'stream')).toMatchObject({ stop: 'max_tokens' });
  });

  it('gives scripts a uniform request format', async () => {
    let seen: NormalizedRequest | undefined;
    const server = await start((request) => {
      seen = request;
      return { text: 'ok' };
    });
    await ask(withTools(server), 'stream', [
      new SystemMessage('Be brief.'),
      new HumanMessage('write'),
      new AIMessage({
        content: 'Writing.',
        tool_calls: (STEP.calls ?? []).map((call) => ({ ...call, id: call.id ?? '' })),
      }),
      new ToolMessage({ tool_call_id: 'toolu_one', content: 'done one' }),
      new ToolMessage({ tool_call_id: 'toolu_two', content: [{ type: 'text', text: 'done two' }] }),
    ]);
    const results = [
      { id: 'toolu_one', name: 'write_file', content: 'done one', isError: false },
      { id: 'toolu_two', name: 'write_file', content: 'done two', isError: false },
    ];
    expect({ ...seen, tools: seen?.tools.map(({ name }) => name) }).toEqual({
      model: 'claude-sonnet-4-5',
      system: 'Be brief.',
      messages: [
        { role: 'user', text: 'write' },
        { role: 'assistant', text: 'Writing.', calls: STEP.calls },
        { role: 'tool', results },
      ],
      tools: ['write_file'],
      lastToolResults: results,
      lastUserText: 'write',
    });
  });
});

const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'ls', input: {} });
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const user = (...content: JsonObject[]): JsonObject => ({ role: 'user', content });
const assistant = (...content: JsonObject[]): JsonObject => ({ role: 'assistant', content });
const HELLO: JsonObject = { role: 'user', content: 'hello' };
const SOUND: JsonObject = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [HELLO] };

describe('rules', () => {
  const post = async (body: JsonObject, headers: Record<string, string> = {}) => {
    const server = await start(() => ({ text: 'ok' }), { models: ['claude-sonnet-4-5'] });
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01', ...headers },
      body: JSON.stringify(body),
    });
    const answer: { error?: { type: string; message: string } } = await response.json();
    return [response.status, answer.error?.type, answer.error?.message];
  };

  it.each<[string, JsonObject]>([
    ['plain', {}],
    ['two of one role in a row', { messages: [HELLO, HELLO] }],
    [
      'results over two user messages',
      { messages: [HELLO, assistant(use('a'), use('b')), user(result('a')), user(result('b'))] },
    ],
    [
      'text after the results',
      { messages: [HELLO, assistant(use('a')), user(result('a'), { type: 'text', text: 'go on' })] },
    ],
    [
      'fields of tools it does not know',
      { tools: [{ name: 'ls', input_schema: { type: 'object', $schema: 'x', foo: 1 }, extra: true }] },
    ],
  ])('accepts %s', async (_, body) => {
    expect(await post({ ...SOUND, ...body })).toEqual([200, undefined, undefined]);
  });

  it.each<[string, JsonObject]>([
    ['max_tokens: Field required', { max_tokens: undefined }],
    ['messages: at least one message is required', { messages: [] }],
    ['foo: Extra inputs are not permitted', { foo: 1 }],
    [
      'messages.0.content.0.text.index: Extra inputs are not permitted',
      { messages: [user({ type: 'text', text: 'x', index: 0 })] },
    ],
    [
      'messages: first message must use the "user" role',
      { messages: [assistant({ type: 'text', text: 'x' }), HELLO] },
    ],
    [
      'messages.1: all messages must have non-empty content except for the optional final assistant message',
      { messages: [HELLO, assistant(), HELLO] },
    ],
    ['messages: text content blocks must be non-empty', { messages: [user({ type: 'text', text: '' })] }],
    [
      'messages: text content blocks must contain non-whitespace text',
      { messages: [user({ type: 'text', text: ' \n' })] },
    ],
    [
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      { messages: [HELLO, assistant(use('a'), use('b')), user(result('a'))] },
    ],
    [
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      { messages: [HELLO, assistant(use('a')), user({ type: 'text', text: 'first' }, result('a'))] },
    ],
    [
      'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: z. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      { messages: [user(result('z'))] },
    ],
    [
      'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a',
      { messages: [HELLO, assistant(use('a')), user(result('a'), result('a'))] },
    ],
    [
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
      { messages: [HELLO, assistant(use('a.b')), user(result('a.b'))] },
    ],
    [
      'tools: Tool names must be unique.',
      {
        tools: [
          { name: 'ls', input_schema: { type: 'object' } },
          { name: 'ls', input_schema: { type: 'object' } },
        ],
      },
    ],
  ])('rejects: %s', async (message, body) => {
    expect(await post({ ...SOUND, ...body })).toEqual([400, 'invalid_request_error', message]);
  });

  it('knows its key and its models', async () => {
    expect(await post(SOUND, { 'x-api-key': 'wrong' })).toEqual([
      401,
      'authentication_error',
      'invalid x-api-key',
    ]);
    expect(await post({ ...SOUND, model: 'claude-0' })).toEqual([404, 'not_found_error', 'model: claude-0']);
  });
});

describe('failures as LangChain passes them on', () => {
  const text = 'Here it comes.';
  const step: Step = {
    text,
    calls: [{ name: 'write_file', args: { file_path: '/a.txt', content: 'some content' } }],
  };
  const rateLimit: Thrown = {
    class: 'RateLimitError',
    status: 429,
    type: 'rate_limit_error',
    lcCode: 'MODEL_RATE_LIMIT',
  };
  const cut: Thrown = {
    class: 'TypeError',
    cause: { class: 'SocketError', code: 'UND_ERR_SOCKET', message: 'other side closed' },
  };
  const serverError: Thrown = { class: 'InternalServerError', status: 500, type: 'api_error' };
  const refusals: [Failure, Thrown][] = [
    [
      'unauthorized',
      {
        class: 'AuthenticationError',
        status: 401,
        type: 'authentication_error',
        lcCode: 'MODEL_AUTHENTICATION',
      },
    ],
    [{ rateLimited: { retryAfter: 7 } }, { ...rateLimit, retryAfterMs: 7000 }],
    [
      { rateLimited: { retryAfter: 90 } },
      { ...rateLimit, name: 'RateLimitCapacityError', retryAfterMs: 90_000 },
    ],
    [{ rateLimited: {} }, { ...rateLimit, name: 'RateLimitCapacityError' }],
    ['overloaded', { class: 'InternalServerError', status: 529, type: 'overloaded_error' }],
    ['server_error', serverError],
    [
      'context_overflow',
      {
        class: 'ContextOverflowError',
        lcCode: 'CONTEXT_OVERFLOW',
        cause: { class: 'BadRequestError', status: 400, type: 'invalid_request_error' },
      },
    ],
  ];
  const streamed: [Failure, Thrown | Taken][] = [
    ...refusals,
    ['cut', cut],
    // No error at all: half a call without arguments, and no stop reason.
    ['cut_clean', { text, calls: [{}], invalidCalls: 0 }],
    [
      'error_event',
      {
        class: 'APIError',
        type: 'overloaded_error',
        message: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      },
    ],
    ['bad_tool_json', { text, calls: [], invalidCalls: 1, stop: 'tool_use' }],
    // Completed by a lenient parser: it looks like a valid call, but its content is truncated.
    [
      'cut_tool_json',
      { text, calls: [{ file_path: '/a.txt', content: 'some conten' }], invalidCalls: 0, stop: 'tool_use' },
    ],
    ['empty', { text: '', calls: [], invalidCalls: 0, stop: 'end_turn' }],
  ];
  const invoked: [Failure, Thrown | Taken][] = [
    ...refusals,
    ['cut', cut],
    ['error_event', serverError],
    ['empty', { text: '', calls: [], invalidCalls: 0, stop: 'end_turn' }],
  ];

  it.each(streamed.map(([failure, expected]) => ({ failure, expected, name: title(failure) })))(
    'streamed: $name',
    async ({ failure, expected }) => {
      const server = await start(() => ({ ...step, fault: failure }));
      expect(await outcome(withTools(server), 'stream')).toEqual(expected);
    },
  );

  it.each(invoked.map(([failure, expected]) => ({ failure, expected, name: title(failure) })))(
    'in one piece: $name',
    async ({ failure, expected }) => {
      const server = await start(() => ({ ...step, fault: failure }));
      expect(await outcome(withTools(server), 'invoke')).toEqual(expected);
    },
  );

  it('throws a SyntaxError for a body in one piece that ends early', async () => {
    const server = await start(() => ({ ...step, fault: 'cut_clean' }));
    expect(await outcome(withTools(server), 'invoke')).toMatchObject({ class: 'SyntaxError' });
  });

  it('hangs until the client disconnects, and detects that', async () => {
    const server = await start(() => ({ text, fault: 'hang' }));
    const stop = new AbortController();
    let received = '';
    const reading = (async () => {
      for await (const chunk of await withTools(server).stream('hello', { signal: stop.signal })) {
        received += chunk.text;
        if (received === text) stop.abort(new Error('stopped by the test'));
      }
    })();
    await expect(reading).rejects.toThrow('stopped by the test');
    await server.requests[0]?.ended;
    expect(server.requests[0]?.state).toBe('aborted');
  });

  it('fails once if told to, and queued failures come first', async () => {
    const server = await start(() => ({ text, fault: { once: 'server_error' } }));
    server.failNext('overloaded');
    const model = withTools(server);
    const statuses = [];
    for (let i = 0; i < 3; i += 1) {
      await outcome(model, 'stream');
      statuses.push(server.requests[i]?.status);
    }
    expect(statuses).toEqual([529, 500, 200]);
  });

  it('is retried after the time in Retry-After, by the class and not by the SDK', async () => {
    const server = await start(() => ({ text, fault: { once: { rateLimited: { retryAfter: 3 } } } }));
    const began = performance.now();
    expect(await outcome(withTools(server, { maxRetries: 1 }), 'stream')).toMatchObject({ text });
    expect(server.requests.map(({ status }) => status)).toEqual([429, 200]);
    // The class's first pause takes 1 to 2 seconds.
    expect(performance.now() - began).toBeGreaterThan(2900);
  });

  it('reports a script that throws, with a status that is not retried', async () => {
    const server = await start(() => {
      throw new Error('no such step');
    });
    const failed = ask(withTools(server, { maxRetries: 6 }), 'stream', 'hello');
    await expect(failed).rejects.toThrow('The script of this server threw: Error: no such step');
  });
});
