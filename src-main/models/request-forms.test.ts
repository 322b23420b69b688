import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { type Asked, delta, END, modelOf, named, PIXEL, part, stream } from './testing/answering-server';

describe('an OpenAI-compatible server', () => {
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
