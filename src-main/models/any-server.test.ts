import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serve } from '../base/network/testing/servers';
import { partsOf } from '../harness/agent/message-parts';
import { toAppError } from './errors';
import { isCutAtLimit, isRefusal } from './incomplete';
import type { ModelRef } from './registry';
import { modelAt } from './testing/provider-servers';

const ls = tool(() => 'ok', {
  name: 'ls',
  description: 'Lists a folder.',
  schema: z.object({ path: z.string() }),
});

interface Asked {
  stream_options?: unknown;
  messages: {
    role: string;
    content?: unknown;
    name?: string;
    reasoning_content?: string;
    tool_calls?: { id: string }[];
    tool_call_id?: string;
  }[];
}

/** What a server does with its requests, in order; it repeats the last one. */
type Answer = string | { status: number; json: unknown } | { json: unknown };

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

let servers = 0;

/** A model at a server that answers like this, and what arrives there. */
async function modelOf(...answers: ((asked: Asked) => Answer)[]) {
  const asked: Asked[] = [];
  const url = await serve((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const body = JSON.parse(text) as Asked;
      const answer = answers[Math.min(asked.length, answers.length - 1)]?.(body) ?? '';
      asked.push(body);
      const isStream = typeof answer === 'string';
      response.writeHead(isStream || !('status' in answer) ? 200 : answer.status, {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
      });
      response.end(isStream ? answer : JSON.stringify(answer.json));
    });
  });
  servers += 1;
  const made = await modelAt(
    { provider: 'openai-compatible', name: `vision-${servers}` },
    { url: `${url}/v1` },
  );
  return { asked, model: made.bindTools?.([ls]) ?? made };
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const delta = (value: object | null, finish_reason: string | null = null) =>
  event({ id: 'a', choices: [{ index: 0, delta: value, finish_reason }] });
const stream = (...events: string[]) => [...events, 'data: [DONE]\n\n'].join('');
const part = (call: object) => delta({ tool_calls: [call] });
const END = delta({}, 'stop');
const named = { name: 'ls', arguments: '{"path":"/a"}' };
const other = { name: 'ls', arguments: '{"path":"/b"}' };

/** What the person and the agent get. */
function read(answer: BaseMessage) {
  if (!AIMessage.isInstance(answer)) throw new Error('no answer of a model');
  const { text, reasoning } = partsOf(answer);
  const calls = (answer.tool_calls ?? []).map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
  expect(answer.invalid_tool_calls ?? []).toEqual([]);
  const ids = (answer.tool_calls ?? []).map(({ id }) => id);
  expect(ids.every((id) => id !== undefined && id !== '')).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  return { ...(text && { text }), ...(reasoning && { reasoning }), ...(calls.length > 0 && { calls }) };
}

const ONE = { calls: ['ls {"path":"/a"}'] };
const TWO = { calls: ['ls {"path":"/a"}', 'ls {"path":"/b"}'] };

const ANSWERS: [string, string, object][] = [
  ['no role', stream(delta({ content: 'Hi' }), END), { text: 'Hi' }],
  ['another role', stream(delta({ role: 'model', content: 'Hi' }), END), { text: 'Hi' }],
  ['text in parts', stream(delta({ content: [{ type: 'text', text: 'Hi' }] }), END), { text: 'Hi' }],
  ['no delta at the end', stream(delta({ content: 'Hi' }), delta(null, 'stop')), { text: 'Hi' }],
  [
    'events without choices',
    stream(event({}), event({ choices: null }), delta({ content: 'Hi' }), END),
    { text: 'Hi' },
  ],
  [
    'tokens as text',
    stream(
      delta({ content: 'Hi' }),
      END,
      event({ choices: [], usage: { prompt_tokens: '3', completion_tokens: null } }),
    ),
    { text: 'Hi' },
  ],
  [
    'reasoning in tags',
    stream(delta({ content: '<thi' }), delta({ content: 'nk>Hm.</think>\n' }), delta({ content: 'Hi' }), END),
    { text: 'Hi', reasoning: 'Hm.' },
  ],
  [
    'reasoning in parts',
    stream(
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
      delta({ content: 'Hi' }),
      END,
    ),
    { text: 'Hi', reasoning: 'Hm.' },
  ],
  ['the start of a tag as text', stream(delta({ content: '<thi' }), END), { text: '<thi' }],
  ['a call without an id', stream(part({ index: 0, function: named }), END), ONE],
  ['a call with an empty id', stream(part({ index: 0, id: '', function: named }), END), ONE],
  ['a call without an index', stream(part({ id: 'c1', function: named }), END), ONE],
  [
    'arguments as an object',
    stream(part({ index: 0, id: 'c1', function: { name: 'ls', arguments: { path: '/a' } } }), END),
    ONE,
  ],
  [
    'two calls at one index',
    stream(part({ index: 0, id: 'c1', function: named }), part({ index: 0, id: 'c2', function: other }), END),
    TWO,
  ],
  [
    'two calls at one index without ids',
    stream(part({ index: 0, function: named }), part({ index: 0, function: other }), END),
    TWO,
  ],
  [
    'two calls without ids and indexes in one event',
    stream(delta({ tool_calls: [{ function: named }, { function: other }] }), END),
    TWO,
  ],
  [
    'the name with each part',
    stream(
      part({ index: 0, id: 'c1', function: { name: 'ls', arguments: '' } }),
      part({ index: 0, id: 'c1', function: { name: 'ls', arguments: '{"path":' } }),
      part({ index: 0, id: 'c1', function: { name: 'ls', arguments: '"/a"}' } }),
      END,
    ),
    ONE,
  ],
  [
    'a new id with each part',
    stream(
      part({ index: 0, id: 'c1', function: { name: 'ls', arguments: '' } }),
      part({ index: 0, id: 'c2', function: { arguments: '{"path":' } }),
      part({ index: 0, id: 'c3', function: { name: null, arguments: '"/a"}' } }),
      END,
    ),
    ONE,
  ],
  [
    'the name in pieces',
    stream(
      part({ index: 0, id: 'c1', function: { name: 'l' } }),
      part({ index: 0, function: { name: 's' } }),
      part({ index: 0, function: { arguments: '{"path":"/a"}' } }),
      END,
    ),
    ONE,
  ],
  [
    'the field that came before lists of calls',
    stream(
      delta({ content: null, function_call: { name: 'ls', arguments: '' } }),
      delta({ function_call: { arguments: '{"path":' } }),
      delta({ function_call: { arguments: '"/a"}' } }),
      delta({ function_call: null }, 'function_call'),
    ),
    ONE,
  ],
  [
    'a call in both fields',
    stream(
      delta({ tool_calls: [{ index: 0, id: 'c1', function: named }], function_call: named }),
      delta({}, 'tool_calls'),
    ),
    ONE,
  ],
  [
    'interleaved parts',
    stream(
      part({ index: 0, id: 'c1', function: { name: 'ls', arguments: '{"path":' } }),
      part({ index: 1, id: 'c2', function: { name: 'ls', arguments: '{"path":' } }),
      part({ index: 0, function: { arguments: '"/a"}' } }),
      part({ index: 1, function: { arguments: '"/b"}' } }),
      END,
    ),
    TWO,
  ],
];

describe('an OpenAI-compatible server', () => {
  it.each(ANSWERS)('may answer with %s', async (_, body, expected) => {
    const { model } = await modelOf(() => body);
    expect(read(await model.invoke('Hi'))).toEqual(expected);
  });

  it.each([
    ['in its own field, as Moonshot', { cached_tokens: 2 }],
    ['as hits of the cache, as DeepSeek', { prompt_cache_hit_tokens: 2, prompt_cache_miss_tokens: 1 }],
    ['as details', { prompt_tokens_details: { cached_tokens: 2 }, cached_tokens: 9 }],
  ])('may count cached tokens %s, and count nothing afterwards', async (_, cached) => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, ...cached };
    const { model } = await modelOf(() =>
      stream(delta({ content: 'Hi' }), END, event({ choices: [], usage }), event({ choices: [], usage: {} })),
    );
    expect(await model.invoke('Hi')).toMatchObject({
      usage_metadata: { input_tokens: 3, output_tokens: 2, input_token_details: { cache_read: 2 } },
    });
  });

  it('may ignore that an answer is to be streamed', async () => {
    const message = {
      role: 'assistant',
      content: 'Hi',
      tool_calls: [{ id: 'c1', type: 'function', function: named }],
    };
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const { model } = await modelOf(() => ({
      json: { choices: [{ index: 0, message, finish_reason: 'stop' }], usage },
    }));
    const answer = await model.invoke('Hi');
    expect(read(answer)).toEqual({ text: 'Hi', ...ONE });
    expect(answer).toMatchObject({ usage_metadata: { input_tokens: 3 } });
  });

  it.each<[string, Answer, object]>([
    [
      'at the top',
      {
        status: 400,
        json: { object: 'error', message: "This model's maximum context length is 4096 tokens.", code: 400 },
      },
      { kind: 'context_overflow' },
    ],
    [
      'as details',
      { status: 422, json: { detail: [{ msg: 'field required' }] } },
      { detail: '422 [{"msg":"field required"}]' },
    ],
    [
      'within a stream',
      stream(event({ error: { message: 'Slow down', code: 429 } })),
      { kind: 'rate_limited' },
    ],
    [
      'within a stream at the top',
      stream(event({ object: 'error', message: 'It died', code: 500 })),
      { kind: 'overloaded' },
    ],
    ['as a detail within a stream', stream(event({ detail: 'It died' })), { detail: 'It died' }],
    [
      'as text in place of a stream',
      'upstream error: no worker is free\n',
      {
        kind: 'stream_cut',
        detail: 'The response ended without any content. It said: upstream error: no worker is free',
      },
    ],
    ['as an event', `event: error\n${event({ message: 'It died' })}`, { detail: 'It died' }],
  ])('may report an error %s', async (_, answer, expected) => {
    const { model } = await modelOf(() => answer);
    const error = await model.invoke('Hi').catch((thrown: unknown) => thrown);
    expect(toAppError(error, 'openai-compatible')).toMatchObject(expected);
  });

  it.each([
    ['abort', 'vLLM'],
    ['insufficient_system_resource', 'DeepSeek'],
    ['network_error', 'Zhipu'],
  ])('may fail within an answer with %s, as %s', async (reason) => {
    const { model } = await modelOf(() => stream(delta({ content: 'Hi' }), delta({}, reason)));
    const error = await model.invoke('Hi').catch((thrown: unknown) => thrown);
    expect(toAppError(error, 'openai-compatible')).toMatchObject({ kind: 'overloaded' });
  });

  it('may decline or cut an answer for reasons of its own', async () => {
    const ends = async (reason: string) => {
      const { model } = await modelOf(() => stream(delta({ content: 'Hi' }), delta({}, reason)));
      const answer = await model.invoke('Hi');
      if (!AIMessage.isInstance(answer)) throw new Error('no answer of a model');
      return [isRefusal(answer), isCutAtLimit(answer)];
    };
    expect([await ends('sensitive'), await ends('model_length'), await ends('stop')]).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  it('gets lists of texts as one text', async () => {
    const { model, asked } = await modelOf(() => stream(delta({ content: 'Hi' }), END));
    const parts = (...texts: string[]) => texts.map((text) => ({ type: 'text' as const, text }));
    await model.invoke([
      new SystemMessage({ content: parts('Be brief.', '\n\n## Rules', 'None.') }),
      new HumanMessage({ content: parts('Hi') }),
      new HumanMessage({ content: [...parts('What is it?'), { type: 'image_url', image_url: PIXEL }] }),
    ]);
    expect(asked[0]?.messages.map(({ content }) => content)).toEqual([
      'Be brief.\n\n## Rules\nNone.',
      'Hi',
      [{ type: 'text', text: 'What is it?' }, expect.objectContaining({ type: 'image_url' })],
    ]);
  });

  it('gets its reasoning back, and no name that it did not ask for', async () => {
    const { model, asked } = await modelOf(() =>
      stream(delta({ reasoning_content: 'Hm.' }), part({ index: 0, id: 'c1', function: named }), END),
    );
    const answer = await model.invoke('Hi');
    answer.name = 'model';
    await model.invoke([
      new HumanMessage('Hi'),
      answer,
      new ToolMessage({ tool_call_id: 'c1', content: 'x' }),
    ]);
    expect(asked[1]?.messages[1]).toMatchObject({ role: 'assistant', reasoning_content: 'Hm.' });
    expect(asked[1]?.messages[1]).not.toHaveProperty('name');
  });

  it('gets reasoning with every answer if it refuses those without, and is asked once', async () => {
    const refusal = {
      message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
    };
    const { model, asked } = await modelOf(({ messages }) =>
      messages.every(({ role, reasoning_content: text }) => role !== 'assistant' || text !== undefined)
        ? stream(delta({ content: 'Hi' }), END)
        : { status: 400, json: { error: refusal } },
    );
    const history = [new HumanMessage('Hi'), new AIMessage('Hello'), new HumanMessage('Hi')];
    for (const _ of [1, 2]) expect((await model.invoke(history)).text).toBe('Hi');
    expect(asked).toHaveLength(3);
  });

  it('gets short ids of calls if it refuses others, and keeps its own', async () => {
    const message = 'Tool call id was toolu_1 but must be a-z, A-Z, 0-9, with a length of 9.';
    const idsOf = ({ messages }: Asked) =>
      messages.flatMap(({ tool_calls, tool_call_id }) => [
        ...(tool_calls ?? []).map(({ id }) => id),
        tool_call_id ?? '',
      ]);
    const { model, asked } = await modelOf((request) =>
      idsOf(request).every((id) => /^[a-zA-Z0-9]{9}$|^$/.test(id))
        ? stream(delta({ content: 'Hi' }), END)
        : { status: 400, json: { object: 'error', message } },
    );
    const call = (id: string) => [
      new AIMessage({ content: '', tool_calls: [{ id, name: 'ls', args: { path: '/' } }] }),
      new ToolMessage({ tool_call_id: id, content: 'x' }),
    ];
    await model.invoke([new HumanMessage('Hi'), ...call('toolu_1'), ...call('aB3xK9mP2')]);
    const [first, first2, own, own2] = idsOf(asked[1] ?? { messages: [] }).filter((id) => id !== '');
    expect([first === first2, own, own2]).toEqual([true, 'aB3xK9mP2', 'aB3xK9mP2']);
  });

  it('gets messages that alternate', async () => {
    const message =
      'Error: Jinja Exception: conversation roles must alternate user and assistant roles except for tool calls';
    const alternates = ({ messages }: Asked) =>
      messages
        .filter(
          ({ role, tool_calls: calls }) => role === 'user' || (role === 'assistant' && calls === undefined),
        )
        .every(({ role }, at) => (role === 'user') === (at % 2 === 0));
    const { model, asked } = await modelOf((request) =>
      alternates(request)
        ? stream(delta({ content: 'Hi' }), END)
        : { status: 500, json: { error: { code: 500, message, type: 'server_error' } } },
    );
    const calls = [{ id: 'c1', name: 'ls', args: { path: '/' } }];
    await model.invoke([
      new SystemMessage('Be brief.'),
      new HumanMessage('A summary.'),
      new HumanMessage('List it.'),
      new AIMessage({ content: '', tool_calls: calls }),
      new ToolMessage({ tool_call_id: 'c1', content: 'x' }),
      new HumanMessage('Stop.'),
      new AIMessage('I stopped.'),
      new AIMessage('Done.'),
      new HumanMessage('Go on.'),
    ]);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.messages.map(({ role, content }) => `${role} ${String(content)}`)).toEqual([
      'system Be brief.',
      'user A summary.\n\nList it.',
      'assistant ',
      'tool x',
      'assistant …',
      'user Stop.',
      'assistant I stopped.',
      'user …',
      'assistant Done.',
      'user Go on.',
    ]);
  });

  it('gets no field that it refuses, and later requests do not have it', async () => {
    const refusal = { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] };
    const { model, asked } = await modelOf(({ stream_options: options }) =>
      options === undefined
        ? stream(delta({ content: 'Hi' }), END)
        : { status: 422, json: { object: 'error', message: refusal } },
    );
    for (const _ of [1, 2]) expect((await model.invoke('Hi')).text).toBe('Hi');
    expect(asked).toHaveLength(3);
  });

  it('is not asked again for a refusal that names no such field', async () => {
    const { model, asked } = await modelOf(() => ({
      status: 400,
      json: { error: { message: 'model: field required' } },
    }));
    await expect(model.invoke('Hi')).rejects.toThrow('field required');
    expect(asked).toHaveLength(1);
  });
});

/** An answer of a model of another provider whose server sends this body. */
async function answerOf(ref: ModelRef, type: string, body: string): Promise<BaseMessage> {
  const url = await serve((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', type).end(body));
  });
  const model = await modelAt(ref, { url });
  return (model.bindTools?.([ls]) ?? model).invoke('Hi');
}

const claude = (type: string, rest: object = {}) => `event: ${type}\n${event({ type, ...rest })}`;
const START = claude('message_start', { message: { id: 'm', role: 'assistant', content: [], model: 'x' } });
const block = (index: number, content_block: object, ...deltas: object[]) =>
  [
    claude('content_block_start', { index, content_block }),
    ...deltas.map((delta) => claude('content_block_delta', { index, delta })),
    claude('content_block_stop', { index }),
  ].join('');
const said = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' });
const ENDED = [claude('message_delta', { delta: { stop_reason: 'end_turn' } }), claude('message_stop')].join(
  '',
);
const json = { type: 'input_json_delta', partial_json: '{"path":"/a"}' };

describe("a server with Anthropic's interface", () => {
  it.each<[string, string, object]>([
    ['leave out the usage', START + said + ENDED, { text: 'Hi' }],
    [
      'send calls without an id',
      START + block(0, { type: 'tool_use', name: 'ls', input: {} }, json) + ENDED,
      ONE,
    ],
    [
      "send a call's input with its start",
      START +
        block(0, { type: 'tool_use', id: 'c1', name: 'ls', input: { path: '/a' } }) +
        block(1, { type: 'tool_use', id: 'c2', name: 'ls', input: { path: '/b' } }) +
        ENDED,
      TWO,
    ],
    [
      "send a call's input twice",
      START + block(0, { type: 'tool_use', id: 'c1', name: 'ls', input: { path: '/a' } }, json) + ENDED,
      ONE,
    ],
  ])('may %s', async (_, body, expected) => {
    const ref: ModelRef = { provider: 'anthropic', name: 'claude-sonnet-4-5' };
    expect(read(await answerOf(ref, 'text/event-stream', body))).toEqual(expected);
  });
});

const line = (message: object, rest: object = { done: false }) => `${JSON.stringify({ message, ...rest })}\n`;
const DONE = line({ role: 'assistant', content: '' }, { done: true, done_reason: 'stop' });

describe("a server with Ollama's interface", () => {
  it.each<[string, string, object]>([
    [
      'send reasoning in tags',
      line({ content: '<think>Hm.' }) + line({ content: '</think>\nHi' }) + DONE,
      { text: 'Hi', reasoning: 'Hm.' },
    ],
    ['end with the start of a tag', line({ content: 'Hi <thi' }) + DONE, { text: 'Hi <thi' }],
    [
      'send arguments as text',
      line({ content: '', tool_calls: [{ function: { name: 'ls', arguments: '{"path":"/a"}' } }] }) + DONE,
      ONE,
    ],
    [
      'send no arguments',
      line({ content: '', tool_calls: [{ function: { name: 'ls', arguments: null } }] }) + DONE,
      { calls: ['ls {}'] },
    ],
  ])('may %s', async (_, body, expected) => {
    expect(read(await answerOf({ provider: 'ollama', name: 'm' }, 'application/x-ndjson', body))).toEqual(
      expected,
    );
  });
});
