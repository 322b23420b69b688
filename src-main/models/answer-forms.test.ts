import { describe, expect, it } from 'vitest';
import { partsOf } from '../harness/agent/message-parts';
import { toAppError } from './errors';
import { isIncomplete } from './incomplete';
import type { ModelRef } from './registry';
import {
  answerOf,
  at,
  CHAT,
  CLAUDE,
  call,
  completed,
  errorOf,
  GEMINI,
  GPT,
  lines,
  named,
  OLLAMA_MODEL,
  PATH,
  type Reply,
  response,
  text,
  unnamed,
} from './testing/answers';
import { ANTHROPIC, GOOGLE, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES } from './testing/recorded';
import { usageOf } from './usage';

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
