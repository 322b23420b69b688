import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from './json';
import { startOpenAI } from './openai';
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
  const server = await startOpenAI(script, options);
  servers.push(server);
  return server;
}

/** ChatOpenAI selects the API by the model's name. */
const APIS = [
  {
    api: 'Chat Completions',
    model: 'gpt-4.1',
    path: '/v1/chat/completions',
    ends: { whole: 'stop', calls: 'tool_calls' },
  },
  {
    api: 'Responses',
    model: 'gpt-5-codex',
    path: '/v1/responses',
    ends: { whole: 'completed', calls: 'completed' },
  },
] as const;

function withTools(server: ProviderServer, model: string, maxRetries = 0): Model {
  const chat = new ChatOpenAI({
    model,
    apiKey: 'test-key',
    configuration: { baseURL: server.url },
    maxRetries,
  });
  return chat.bindTools([writeFile]);
}

const STEP: Step = {
  text: 'Grüße, 世界 👋🏽: now two files.',
  calls: [
    { id: 'call_one', name: 'write_file', args: { file_path: '/tmp/ä.txt', content: 'a\tb\\n "q"\n👋🏽 é' } },
    {
      id: 'call_two',
      name: 'write_file',
      args: { file_path: '/tmp/b.txt', content: '文件系统 \u2028 end\n' },
    },
  ],
};

describe.each(APIS)('$api', ({ model, path, ends }) => {
  it.each(MODES)('returns text and parallel calls unchanged (%s)', async (mode) => {
    const server = await start(() => STEP);
    const message = await ask(withTools(server, model), mode, 'hello');
    expect({
      path: server.requests[0]?.path,
      text: message.text,
      calls: message.tool_calls,
      invalid: message.invalid_tool_calls,
      hasUsage: outputTokens(message) > 10,
    }).toEqual({
      path,
      text: STEP.text,
      calls: STEP.calls?.map((call) => ({ ...call, type: 'tool_call' })),
      invalid: [],
      hasUsage: true,
    });
  });

  it('gives scripts a uniform request format', async () => {
    let seen: NormalizedRequest | undefined;
    const server = await start((request) => {
      seen = request;
      return { text: 'ok' };
    });
    await ask(withTools(server, model), 'stream', [
      new SystemMessage('Be brief.'),
      new HumanMessage('write'),
      new AIMessage({
        content: 'Writing.',
        tool_calls: (STEP.calls ?? []).map((call) => ({ ...call, id: call.id ?? '' })),
      }),
      new ToolMessage({ tool_call_id: 'call_one', content: 'done one' }),
      new ToolMessage({ tool_call_id: 'call_two', content: 'done two' }),
    ]);
    const results = [
      { id: 'call_one', name: 'write_file', content: 'done one', isError: false },
      { id: 'call_two', name: 'write_file', content: 'done two', isError: false },
    ];
    expect({ ...seen, tools: seen?.tools.map(({ name }) => name) }).toEqual({
      model,
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

  it.each(MODES)('accepts its own answer with the results (%s)', async (mode) => {
    const server = await start(({ lastToolResults }) =>
      lastToolResults.length > 0
        ? { text: `got ${lastToolResults.length}` }
        : { ...STEP, reasoning: 'Planning.' },
    );
    const chat = withTools(server, model);
    const first = await ask(chat, mode, 'hello');
    const results = (first.tool_calls ?? []).map(
      ({ id }) => new ToolMessage({ tool_call_id: id ?? '', content: 'done' }),
    );
    expect((await ask(chat, mode, [new HumanMessage('hello'), first, ...results])).text).toBe('got 2');
  });

  describe('failures as LangChain passes them on', () => {
    const text = 'Here it comes.';
    const step: Step = {
      text,
      calls: [{ name: 'write_file', args: { file_path: '/a.txt', content: 'some content' } }],
    };
    const serverError: Thrown = { class: 'InternalServerError', status: 500, type: 'server_error' };
    const rateLimit: Thrown = {
      class: 'RateLimitError',
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'requests',
      lcCode: 'MODEL_RATE_LIMIT',
    };
    const cut: Thrown = {
      class: 'TypeError',
      cause: { class: 'SocketError', code: 'UND_ERR_SOCKET', message: 'other side closed' },
    };
    // A lenient parser's reading of half a call: arguments that look valid and mean something else.
    const half = path === '/v1/responses' ? {} : { file_path: '/' };
    const refusals: [Failure, Thrown][] = [
      [
        'unauthorized',
        {
          class: 'AuthenticationError',
          status: 401,
          code: 'invalid_api_key',
          type: 'invalid_request_error',
          lcCode: 'MODEL_AUTHENTICATION',
        },
      ],
      [{ rateLimited: { retryAfter: 7 } }, { ...rateLimit, retryAfterMs: 7000 }],
      [
        { rateLimited: { retryAfter: 90 } },
        { ...rateLimit, name: 'RateLimitCapacityError', retryAfterMs: 90_000 },
      ],
      [{ rateLimited: {} }, { ...rateLimit, name: 'RateLimitCapacityError' }],
      ['overloaded', { class: 'InternalServerError', status: 503, type: 'service_unavailable_error' }],
      ['server_error', serverError],
      [
        'context_overflow',
        {
          class: 'ContextOverflowError',
          cause: {
            class: 'BadRequestError',
            status: 400,
            code: 'context_length_exceeded',
            type: 'invalid_request_error',
          },
        },
      ],
    ];
    const empty: Taken = { text: '', calls: [], invalidCalls: 0, stop: ends.whole };
    const unreadable: Taken = { text, calls: [], invalidCalls: 1, stop: ends.calls };
    const streamed: [Failure, Thrown | Taken][] = [
      ...refusals,
      ['cut', cut],
      ['cut_clean', { text, calls: [half], invalidCalls: 0 }],
      [
        'error_event',
        path === '/v1/responses'
          ? // ChatOpenAI drops the Responses API's `error` and `response.failed` events.
            { text, calls: [half], invalidCalls: 0 }
          : {
              class: 'APIError',
              type: 'server_error',
              message: 'The server had an error while processing your request. Sorry about that!',
            },
      ],
      ['bad_tool_json', unreadable],
      [
        'cut_tool_json',
        { text, calls: [{ file_path: '/a.txt', content: 'some conten' }], invalidCalls: 0, stop: ends.calls },
      ],
      ['empty', empty],
    ];
    const invoked: [Failure, Thrown | Taken][] = [
      ...refusals,
      ['cut', cut],
      ['error_event', serverError],
      ['bad_tool_json', unreadable],
      ['cut_tool_json', unreadable],
      ['empty', empty],
    ];

    it.each(streamed.map(([failure, expected]) => ({ failure, expected, name: title(failure) })))(
      'streamed: $name',
      async ({ failure, expected }) => {
        const server = await start(() => ({ ...step, fault: failure }));
        expect(await outcome(withTools(server, model), 'stream')).toEqual(expected);
      },
    );

    it.each(invoked.map(([failure, expected]) => ({ failure, expected, name: title(failure) })))(
      'in one piece: $name',
      async ({ failure, expected }) => {
        const server = await start(() => ({ ...step, fault: failure }));
        expect(await outcome(withTools(server, model), 'invoke')).toEqual(expected);
      },
    );

    it('throws a SyntaxError for a body in one piece that ends early', async () => {
      const server = await start(() => ({ ...step, fault: 'cut_clean' }));
      expect(await outcome(withTools(server, model), 'invoke')).toMatchObject({ class: 'SyntaxError' });
    });

    it('hangs until the client disconnects, and detects that', async () => {
      const server = await start(() => ({ text, fault: 'hang' }));
      const stop = new AbortController();
      let received = '';
      const reading = (async () => {
        for await (const chunk of await withTools(server, model).stream('hello', { signal: stop.signal })) {
          received += chunk.text;
          if (received === text) stop.abort(new Error('stopped by the test'));
        }
      })();
      await expect(reading).rejects.toThrow('stopped by the test');
      await server.requests[0]?.ended;
      expect(server.requests[0]?.state).toBe('aborted');
    });

    it('reports that the token limit ended the answer', async () => {
      const server = await start(() => ({ text: 'half an ans', stop: 'length' }));
      const stop = path === '/v1/responses' ? 'incomplete' : 'length';
      expect(await outcome(withTools(server, model), 'stream')).toMatchObject({ stop });
    });
  });
});

it('is retried after the time in Retry-After', async () => {
  const server = await start(() => ({
    text: 'at last',
    fault: { once: { rateLimited: { retryAfter: 3 } } },
  }));
  const began = performance.now();
  expect(await outcome(withTools(server, 'gpt-4.1', 1), 'stream')).toMatchObject({ text: 'at last' });
  expect(server.requests.map(({ status }) => status)).toEqual([429, 200]);
  // The class's first pause takes 1 to 2 seconds.
  expect(performance.now() - began).toBeGreaterThan(2900);
});

const call = (id: string): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'ls', arguments: '{}' },
});
const calling = (...ids: string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(call),
});
const answer = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const HELLO: JsonObject = { role: 'user', content: 'hello' };

describe('rules', () => {
  const post = async (path: string, body: JsonObject, headers: Record<string, string> = {}) => {
    const server = await start(() => ({ text: 'ok' }), { models: ['gpt-4.1', 'gpt-5'] });
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer test-key', ...headers },
      body: JSON.stringify(body),
    });
    const reply: { error?: { message: string; code: string | null } | null } = await response.json();
    return [response.status, reply.error?.code ?? null, reply.error?.message];
  };
  const completions = { model: 'gpt-4.1', messages: [HELLO] };

  it.each<[string, JsonObject]>([
    ['plain', {}],
    ['answered calls', { messages: [HELLO, calling('a', 'b'), answer('b'), answer('a'), HELLO] }],
    [
      'fields of tools it does not know',
      {
        tools: [
          { type: 'function', extra: 1, function: { name: 'ls', parameters: { type: 'object', foo: 1 } } },
        ],
      },
    ],
  ])('accepts %s', async (_, body) => {
    expect(await post('/chat/completions', { ...completions, ...body })).toEqual([200, null, undefined]);
  });

  it.each<[string, string | null, JsonObject]>([
    ['you must provide a model parameter', null, { model: undefined }],
    ["Unknown parameter: 'foo'.", 'unknown_parameter', { foo: 1 }],
    [
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      null,
      { stream_options: { include_usage: true } },
    ],
    [
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'empty_array',
      { messages: [] },
    ],
    [
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: b",
      null,
      { messages: [HELLO, calling('a', 'b'), answer('a'), HELLO] },
    ],
    [
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      null,
      { messages: [HELLO, answer('a')] },
    ],
    [
      "Invalid parameter: 'tool_call_id' of 'z' not found in 'tool_calls' of previous message.",
      null,
      { messages: [HELLO, calling('a'), answer('z')] },
    ],
    [
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
      'string_above_max_length',
      { messages: [HELLO, calling('x'.repeat(41)), answer('x'.repeat(41))] },
    ],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'unsupported_parameter',
      { model: 'gpt-5', max_tokens: 5 },
    ],
  ])('rejects: %s', async (message, code, body) => {
    expect(await post('/chat/completions', { ...completions, ...body })).toEqual([400, code, message]);
  });

  it('rejects calls without output and output without calls in the Responses API', async () => {
    const made = { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'b', output: 'ok' };
    expect(await post('/responses', { model: 'gpt-4.1', input: [made] })).toEqual([
      400,
      null,
      'No tool output found for function call a.',
    ]);
    expect(await post('/responses', { model: 'gpt-4.1', input: [output] })).toEqual([
      400,
      null,
      'No tool call found for function call output with call_id b.',
    ]);
  });

  it('knows its key and its models', async () => {
    expect(await post('/chat/completions', completions, { authorization: 'Bearer wrong' })).toEqual([
      401,
      'invalid_api_key',
      'Incorrect API key provided: test****key. You can find your API key at https://platform.openai.com/account/api-keys.',
    ]);
    expect(await post('/chat/completions', { ...completions, model: 'gpt-0' })).toEqual([
      404,
      'model_not_found',
      'The model `gpt-0` does not exist or you do not have access to it.',
    ]);
  });

  it('sends usage only on request, after the last choice', async () => {
    const server = await start(() => ({ text: 'ok' }));
    const chunks = async (body: JsonObject) => {
      const response = await fetch(`${server.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer test-key' },
        body: JSON.stringify({ ...completions, stream: true, ...body }),
      });
      const lines = (await response.text()).split('\n\n').filter((line) => line !== '');
      return lines.map((line) =>
        line.includes('"total_tokens"') ? 'usage' : line.includes('[DONE]') ? 'done' : 'choice',
      );
    };
    expect(await chunks({})).toEqual(['choice', 'choice', 'choice', 'done']);
    expect(await chunks({ stream_options: { include_usage: true } })).toEqual([
      'choice',
      'choice',
      'choice',
      'usage',
      'done',
    ]);
  });
});
