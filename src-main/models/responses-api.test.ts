import { describe, expect, it } from 'vitest';
import { partsOf } from '../harness/agent/message-parts';
import { toAppError } from './errors';
import { isRefusal } from './incomplete';
import { answerOf, at, call, completed, errorOf, GPT, named, PATH, response, text } from './testing/answers';

describe('a server with the Responses API', () => {
  const added = { type: 'response.output_item.added', ...at, item: call('') };
  const delta = { type: 'response.function_call_arguments.delta', ...at, delta: PATH, at };

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
        { type: 'response.function_call_arguments.done', ...at, arguments: PATH, at },
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
        { type: 'response.function_call_arguments.delta', item_id: 'f', delta: PATH, at },
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
