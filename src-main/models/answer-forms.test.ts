import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { serve } from '../base/network/testing/servers';
import { partsOf } from '../harness/agent/message-parts';
import { factsOf } from './error-facts';
import { toAppError } from './errors';
import { isIncomplete, isRefusal } from './incomplete';
import type { ModelRef } from './registry';
import { modelAt } from './testing/provider-servers';
import { ANTHROPIC, GOOGLE, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES } from './testing/recorded';
import { usageOf } from './usage';

const ls = tool(() => 'ok', {
  name: 'ls',
  description: 'Lists a folder.',
  schema: z.object({ path: z.string().optional() }),
});

const CLAUDE: ModelRef = { provider: 'anthropic', name: 'claude-sonnet-4-5' };
const CHAT: ModelRef = { provider: 'openai-compatible', name: 'some-model' };
const GPT: ModelRef = { provider: 'openai', name: 'gpt-5' };
const GEMINI: ModelRef = { provider: 'google-genai', name: 'gemini-2.5-flash' };
const OLLAMA_MODEL: ModelRef = { provider: 'ollama', name: 'qwen3' };

interface Reply {
  type?: string;
  status?: number;
  headers?: Record<string, string>;
}

/** The answer of a model whose server sends this body. */
async function answerOf(ref: ModelRef, body: string | Buffer, reply: Reply = {}): Promise<AIMessage> {
  const { type = 'text/event-stream', status = 200, headers } = reply;
  const url = await serve((request, response) => {
    request
      .resume()
      .on('end', () => response.writeHead(status, { 'content-type': type, ...headers }).end(body));
  });
  const model = await modelAt(ref, { url });
  const answer: BaseMessage = await (model.bindTools?.([ls]) ?? model).invoke('Hi');
  if (!AIMessage.isInstance(answer)) throw new Error('no answer of a model');
  return answer;
}

const errorOf = (...given: Parameters<typeof answerOf>): Promise<unknown> =>
  answerOf(...given).then(
    () => null,
    (thrown: unknown) => thrown,
  );

const named = (...events: object[]) =>
  events
    .map((event) => `event: ${'type' in event ? String(event.type) : ''}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
const unnamed = (...events: unknown[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

const RECORDED: [string, ModelRef, string][] = [
  ['Anthropic', CLAUDE, ANTHROPIC],
  ['Chat Completions', CHAT, OPENAI_CHAT],
  ['Responses', GPT, OPENAI_RESPONSES],
  ['Gemini', GEMINI, GOOGLE.replaceAll('\r\n', '\n')],
  ['Ollama', OLLAMA_MODEL, OLLAMA],
];

const END = /"finish_reason":"stop"|"status":"completed","output":|"finishReason"|"done":true/;

const FRAMES: [string, (body: string) => string, Reply?][] = [
  ['with carriage returns', (body) => body.replaceAll('\n', '\r\n')],
  ['with only carriage returns', (body) => body.replaceAll('\n', '\r')],
  ['with a byte order mark', (body) => `\uFEFF${body}`],
  ['without a space after the colon', (body) => body.replaceAll(/^(data|event): /gm, '$1:')],
  ['with comments between events', (body) => `: start\n\n${body.replaceAll('\n\n', '\n\n: keep-alive\n\n')}`],
  [
    'with empty events between events',
    (body) => body.replaceAll('\n\n', '\n\ndata:\n\nevent: ping\ndata: \n\n'),
  ],
  [
    'with values without fields between events',
    (body) => body.replaceAll('\n\n', '\n\ndata: null\n\ndata: {}\n\n'),
  ],
  ['with ids and times', (body) => body.replaceAll(/^data: /gm, 'id: 7\nretry: 100\ndata: ')],
  [
    'with the same name for each event',
    (body) => body.replaceAll(/^(?:event: .*\n)?data: /gm, 'event: message\ndata: '),
  ],
  ['with the end of Chat Completions', (body) => `${body}data: [DONE]\n\n`],
  ['without names of events', (body) => body.replaceAll(/^event: .*\n/gm, '')],
  ['without an empty line at the end', (body) => body.trimEnd()],
  ['as another type', (body) => body, { type: 'application/octet-stream' }],
];

describe.each(RECORDED)('an answer of %s', (_, ref, body) => {
  it.each(FRAMES)('may come %s', async (_name, frame, reply) => {
    const answer = await answerOf(ref, frame(body), reply);
    expect(partsOf(answer).text).toBe('Hello');
    expect(isIncomplete(answer, ref.provider)).toBe(false);
    expect(answer).toMatchObject({
      usage_metadata: { input_tokens: expect.toSatisfy((count) => count > 0) },
    });
  });

  it('is cut off if the event is that ends it', async () => {
    const end = body.lastIndexOf('"stop_reason":"end_turn"') + 1 || body.search(END);
    const error = await answerOf(ref, body.slice(0, end + 8)).then(
      (answer) => (isIncomplete(answer, ref.provider) ? 'incomplete' : 'complete'),
      (thrown: unknown) => toAppError(thrown, ref.provider).kind,
    );
    expect(error).toMatch(/^(?:incomplete|stream_cut)$/);
  });

  it('is missing if there is no body', async () => {
    const error = await errorOf(ref, '', { status: 204 });
    expect(toAppError(error, ref.provider)).toMatchObject({ kind: 'stream_cut' });
  });

  it('may be an error with a status of success', async () => {
    const error = await errorOf(ref, '{"error":{"message":"Try tomorrow"}}', { type: 'application/json' });
    const { kind, detail } = toAppError(error, ref.provider);
    expect([kind !== 'stream_cut' && kind !== 'internal', detail]).toEqual([
      true,
      expect.stringContaining('Try tomorrow'),
    ]);
  });
});

const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
const text = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] };
const call = (args: unknown) => ({
  type: 'function_call',
  id: 'f',
  call_id: 'c1',
  name: 'ls',
  arguments: args,
});
const response = (...output: object[]) => ({
  id: 'r',
  object: 'response',
  model: 'gpt-5',
  status: 'completed',
  output,
  usage,
});
const completed = (...output: object[]) => ({ type: 'response.completed', response: response(...output) });
const at = { output_index: 0, item_id: 'f' };
const PATH = '{"path":"/a"}';

describe('a whole answer in place of a stream', () => {
  it.each<[string, ModelRef, string]>([
    [
      'Anthropic',
      CLAUDE,
      JSON.stringify({
        type: 'message',
        id: 'm',
        role: 'assistant',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'tool_use', id: 'c1', name: 'ls', input: { path: '/a' } },
        ],
        stop_reason: 'tool_use',
        usage: { input_tokens: 3, output_tokens: 2 },
      }),
    ],
    ['Responses', GPT, JSON.stringify(response(text, call(PATH)))],
    [
      'Gemini',
      GEMINI,
      JSON.stringify(
        [
          { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
          {
            candidates: [
              {
                content: { parts: [{ functionCall: { name: 'ls', args: { path: '/a' } } }] },
                finishReason: 'STOP',
              },
            ],
            usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
          },
        ],
        null,
        2,
      ),
    ],
  ])('is read: %s', async (_, ref, body) => {
    const answer = await answerOf(ref, body, { type: 'application/json' });
    expect(partsOf(answer).text).toBe('Hi');
    expect(answer.tool_calls).toMatchObject([{ name: 'ls', args: { path: '/a' } }]);
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 3, output_tokens: 2 });
    expect(isIncomplete(answer, ref.provider)).toBe(false);
  });
});

describe('a server with the Responses API', () => {
  const added = { type: 'response.output_item.added', ...at, item: call('') };
  const delta = { type: 'response.function_call_arguments.delta', ...at, delta: PATH };

  it.each<[string, object[]]>([
    ['only the last event', [completed(text, call(PATH))]],
    [
      'parts only when they are done',
      [
        { type: 'response.output_item.done', output_index: 0, item: text },
        { type: 'response.output_item.done', output_index: 1, item: call(PATH) },
        completed(text, call(PATH)),
      ],
    ],
    [
      'arguments only when they are done',
      [
        { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Hi' },
        added,
        { type: 'response.function_call_arguments.done', ...at, arguments: PATH },
        { type: 'response.output_item.done', ...at, item: call(PATH) },
        completed(text, call(PATH)),
      ],
    ],
    [
      'arguments at the start as well',
      [
        { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Hi' },
        { ...added, item: call(PATH) },
        delta,
        completed(text, call(PATH)),
      ],
    ],
    [
      'other indexes at the end',
      [
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'reasoning', id: 'x', summary: [] },
        },
        { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Hi' },
        { ...added, output_index: 2 },
        { ...delta, output_index: 2 },
        completed(text, call(PATH)),
      ],
    ],
    [
      'no indexes',
      [
        { type: 'response.output_text.delta', item_id: 'm', delta: 'Hi' },
        { type: 'response.output_item.added', item: call('') },
        { type: 'response.function_call_arguments.delta', item_id: 'f', delta: PATH },
        completed(text, call(PATH)),
      ],
    ],
  ])('may send %s', async (_, events) => {
    const answer = await answerOf(GPT, named(...events));
    expect(partsOf(answer).text).toBe('Hi');
    expect(answer.invalid_tool_calls).toEqual([]);
    expect(answer.tool_calls).toMatchObject([{ id: 'c1', name: 'ls', args: { path: '/a' } }]);
  });

  it('may send a refusal only at the end', async () => {
    const refusal = { ...text, content: [{ type: 'refusal', refusal: 'I cannot.' }] };
    expect(isRefusal(await answerOf(GPT, named(completed(refusal))))).toBe(true);
  });

  it('may leave out the output and the usage at the end', async () => {
    const hi = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi' };
    const end = { type: 'response.completed', response: { ...response(), output: null, usage: null } };
    expect(partsOf(await answerOf(GPT, named(hi, end))).text).toBe('Hi');
  });

  it.each<[string, object, object]>([
    [
      'a failure',
      { type: 'response.failed', response: { error: { code: 'server_error', message: 'It died' } } },
      { kind: 'overloaded', detail: 'It died' },
    ],
    [
      'a limit',
      {
        type: 'response.failed',
        response: { error: { code: 'rate_limit_exceeded', message: 'Please try again in 11s.' } },
      },
      { kind: 'rate_limited', retryAfterSeconds: 11 },
    ],
    ['an error', { type: 'error', code: 'server_error', message: 'It died' }, { kind: 'overloaded' }],
  ])('may report %s', async (_, event, expected) => {
    expect(toAppError(await errorOf(GPT, named(event)), 'openai')).toMatchObject(expected);
  });
});

/** The stream of a call with these arguments as text. */
const CALLS: [string, ModelRef, (args: string) => string][] = [
  [
    'Anthropic',
    CLAUDE,
    (args) =>
      named(
        { type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'c1', name: 'ls', input: {} },
        },
        ...[args.slice(0, 3), args.slice(3)].map((partial_json) => ({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json },
        })),
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} },
        { type: 'message_stop' },
      ),
  ],
  [
    'Chat Completions',
    CHAT,
    (args) =>
      unnamed(
        ...[args.slice(0, 3), args.slice(3)].map((part, index) => ({
          choices: [
            {
              delta: {
                tool_calls: [
                  {
                    index: 0,
                    ...(index === 0 && { id: 'c1' }),
                    function: { ...(index === 0 && { name: 'ls' }), arguments: part },
                  },
                ],
              },
            },
          ],
        })),
        { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
      ),
  ],
  [
    'Responses',
    GPT,
    (args) =>
      named(
        { type: 'response.output_item.added', ...at, item: call('') },
        { type: 'response.function_call_arguments.delta', ...at, delta: args.slice(0, 3) },
        { type: 'response.function_call_arguments.delta', ...at, delta: args.slice(3) },
        completed(call(args)),
      ),
  ],
  [
    'Gemini',
    GEMINI,
    (args) =>
      unnamed({
        candidates: [{ content: { parts: [{ functionCall: { name: 'ls', args } }] }, finishReason: 'STOP' }],
      }),
  ],
  [
    'Ollama',
    OLLAMA_MODEL,
    (args) =>
      lines(
        { message: { content: '', tool_calls: [{ function: { name: 'ls', arguments: args } }] } },
        { done: true, done_reason: 'stop' },
      ),
  ],
];

describe.each(CALLS)('arguments of a call of %s', (_, ref, body) => {
  it.each([
    ['an object', PATH, { path: '/a' }],
    ['an object after white space', ` \n ${PATH}`, { path: '/a' }],
    ['a text with an object', JSON.stringify(PATH), { path: '/a' }],
    ['nothing', '', {}],
    ['null', 'null', {}],
    ['an empty list', '[]', {}],
  ])('may be %s', async (_name, args, expected) => {
    const answer = await answerOf(ref, body(args));
    expect(answer.tool_calls).toMatchObject([{ name: 'ls', args: expected }]);
    expect(answer.invalid_tool_calls ?? []).toEqual([]);
  });

  it.each(['{"path":"/a"}}', '["/a"]', '"/a"', '{"path":'])('are malformed if they are %s', async (args) => {
    const answer = await answerOf(ref, body(args));
    const given = [...(answer.tool_calls ?? []), ...(answer.invalid_tool_calls ?? [])];
    expect(given).toMatchObject([{ name: 'ls' }]);
    // LangChain completes what was cut off; the raw text shows it.
    if (args !== '{"path":') expect(answer.invalid_tool_calls).toHaveLength(1);
  });
});

describe('an answer that another service failed to give', () => {
  it('is an error, with what the service says', async () => {
    const choice = {
      delta: { content: '' },
      finish_reason: 'error',
      error: { code: 429, message: 'Slow down' },
    };
    const error = await errorOf(CHAT, unnamed({ choices: [choice] }));
    expect(toAppError(error, 'openai-compatible')).toMatchObject({
      kind: 'rate_limited',
      detail: 'Slow down',
    });
  });

  it('is an error without a reason', async () => {
    const error = await errorOf(
      CHAT,
      unnamed({ choices: [{ delta: { content: 'H' }, finish_reason: 'error' }] }),
    );
    expect(toAppError(error, 'openai-compatible').kind).toBe('overloaded');
  });

  it('may be plain JSON after the events', async () => {
    const body = `${unnamed({ candidates: [{ content: { parts: [{ text: 'H' }] } }] })}{\n "error": {\n  "code": 503,\n  "message": "It is overloaded."\n }\n}`;
    const error = await errorOf(GEMINI, body);
    expect(toAppError(error, 'google-genai')).toMatchObject({
      kind: 'overloaded',
      detail: 'It is overloaded.',
    });
  });
});

it('counts the input of an answer that names it only at the end', async () => {
  const body = named(
    {
      type: 'message_start',
      message: { id: 'm', content: [], usage: { input_tokens: 0, output_tokens: 0 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 77, cache_read_input_tokens: 5, output_tokens: 9 },
    },
    { type: 'message_stop' },
  );
  const { usage_metadata: counted, id } = await answerOf(CLAUDE, body);
  expect(counted).toMatchObject({ input_tokens: 82, output_tokens: 9, total_tokens: 91 });
  expect(id).toBe('m');
});

it('counts the tokens of an answer that names them in its choice', async () => {
  const choice = { index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' };
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const answer = await answerOf(CHAT, unnamed({ choices: [{ ...choice, usage }] }));
  expect(usageOf(answer)).toMatchObject({ input: 3, output: 2 });
});

it.each([
  [
    'has none at the end',
    [{ promptTokenCount: 100, candidatesTokenCount: 7, totalTokenCount: 107 }, undefined],
  ],
  [
    'has only some in between',
    [
      { promptTokenCount: 100, candidatesTokenCount: 3, totalTokenCount: 103 },
      { totalTokenCount: 103 },
      { promptTokenCount: 100, candidatesTokenCount: 7, totalTokenCount: 107 },
    ],
  ],
])('counts each token of Gemini once if an answer %s', async (_, counts) => {
  const ends = counts.map((usageMetadata, at) => ({
    candidates: [{ content: { parts: [{ text: 'Hi' }] }, ...(at === 0 ? {} : { finishReason: 'STOP' }) }],
    usageMetadata,
  }));
  expect(usageOf(await answerOf(GEMINI, unnamed(...ends)))).toMatchObject({ input: 100, output: 7 });
});

describe("Gemini's errors", () => {
  it.each<[string, string, Reply]>([
    [
      'a list',
      JSON.stringify([{ error: { code: 429, message: 'Slow down' } }]),
      { type: 'application/json' },
    ],
    ['text', 'Slow down', { type: 'text/plain' }],
  ])('may be %s, with the wait in a header', async (_, body, reply) => {
    const error = await errorOf(GEMINI, body, { ...reply, status: 429, headers: { 'retry-after': '7' } });
    expect(toAppError(error, 'google-genai')).toMatchObject({
      kind: 'rate_limited',
      detail: 'Slow down',
      retryAfterSeconds: 7,
    });
  });

  it("are shown in a proxy's own form", async () => {
    const body = JSON.stringify({ detail: [{ loc: ['body'], msg: 'field required' }] });
    const error = await errorOf(GEMINI, body, { status: 422, type: 'application/json' });
    expect(toAppError(error, 'google-genai').detail).toContain('field required');
  });

  it('have a wait when the service is busy, too', async () => {
    const error = await errorOf(GEMINI, '{}', { status: 503, headers: { 'retry-after': '7' } });
    expect(factsOf(error)).toMatchObject({ status: 503, retryAfterSeconds: 7 });
  });
});

it.each([CLAUDE, GPT, GEMINI])('%j at another address says that a web page answers there', async (ref) => {
  const error = await errorOf(ref, '<!doctype html><h1>Hello</h1>', { type: 'text/html' });
  const told = toAppError(error, ref.provider);
  expect(inEnglish(told)).toContain('nothing answers at this address');
  expect(told.detail).toContain('The address answered with a web page');
});
