import { AIMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { toAppError } from './errors';
import { isCutAtLimit, isRefusal } from './incomplete';
import type { ModelRef } from './registry';
import {
  type Answer,
  answerOf,
  delta,
  END,
  event,
  modelOf,
  named,
  ONE,
  other,
  part,
  read,
  stream,
  TWO,
} from './testing/answering-server';

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
});

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
