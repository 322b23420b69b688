import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withOwnCallIds } from '../call-ids';
import { summarize } from '../context/summarize';
import { createDeepAgent } from '../create-deep-agent';
import { offloadLarge, offloadName } from '../offload';
import { memoryBackend } from '../testing/memory-backend';
import { ScriptedModel } from '../testing/scripted-model';
import { wholeMessages } from '../whole-messages';
import { patchToolCalls } from './patch-tool-calls';

const call = (id: string) => ({ id, name: 'ls', args: {}, type: 'tool_call' as const });
const none = () => undefined;

describe('the history before a turn', () => {
  it('stays unchanged if every call has its result', () => {
    const messages = [
      new HumanMessage('x'),
      new AIMessage({ content: '', tool_calls: [call('1')] }),
      new ToolMessage({ content: 'r', tool_call_id: '1' }),
    ];
    expect(patchToolCalls(messages, none)).toBeNull();
  });

  it('stays unchanged if results come after a later answer', () => {
    const answer = (id: string) => new AIMessage({ content: '', tool_calls: [call(id)] });
    const result = (id: string) => new ToolMessage({ content: 'ok', tool_call_id: id });
    const messages = [new HumanMessage('go'), answer('a'), answer('b'), result('b'), result('a')];
    expect(patchToolCalls(messages, none)).toBeNull();
    expect(patchToolCalls(messages.slice(0, -1), none)).toHaveLength(5);
    expect(patchToolCalls([...messages, result('c')], none)).toEqual(messages);
  });

  it('gets results for dangling calls, and loses orphaned results and empty answers [H53]', () => {
    const patched = patchToolCalls(
      [
        new ToolMessage({ content: 'orphan', tool_call_id: 'gone' }),
        new AIMessage({ content: '', tool_calls: [call('1'), call('2')] }),
        new ToolMessage({ content: 'r', tool_call_id: '2' }),
        new AIMessage(''),
      ],
      none,
    );
    expect(patched?.map((message) => [message.type, (message as ToolMessage).tool_call_id])).toEqual([
      ['ai', undefined],
      ['tool', '1'],
      ['tool', '2'],
    ]);
  });
});

describe('the calls of an answer', () => {
  it('have ids of their own, so that a stopped one is repaired, whatever ids a server gives', async () => {
    const stop = new AbortController();
    const work = tool(
      async ({ text }: { text: string }) => {
        if (text !== 'two') return text;
        stop.abort(new Error('stopped'));
        return new Promise<string>(() => undefined);
      },
      { name: 'work', description: 'work', schema: z.object({ text: z.string() }) },
    );
    const texts = ['one', 'two'];
    const model = new ScriptedModel((_messages, request) => {
      const text = texts[request];
      return text === undefined
        ? { text: 'Done.' }
        : { calls: [{ id: 'call_0', name: 'work', args: { text } }] };
    });
    const agent = createDeepAgent({ model, tools: [work], checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: 't' } };
    const go = { messages: [new HumanMessage('go')] };
    await expect(agent.invoke(go, { ...thread, signal: stop.signal })).rejects.toThrow();
    await agent.invoke(go, thread);
    const sent = model.requests.at(-1) ?? [];
    const calls = sent.flatMap((message) =>
      AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [],
    );
    const results = sent.filter((message) => ToolMessage.isInstance(message));
    expect(results.map((result) => result.tool_call_id)).toEqual(calls.map(({ id }) => id));
    expect(results.map(({ text }) => text)).toEqual([
      'one',
      expect.stringMatching(/^Tool call work with id \S+ was cancelled/),
    ]);
  });

  it('keep their ids, or get the new ones wherever a provider repeats them', () => {
    const raw = (id: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'ls', arguments: '{}' },
    });
    const answer = new AIMessage({
      content: [
        { type: 'text', text: 'Two.' },
        { type: 'tool_use', id: 'a', name: 'ls', input: {} },
        { type: 'tool_use', id: 'a', name: 'ls', input: {} },
      ],
      tool_calls: [call('a'), call('a')],
      additional_kwargs: { tool_calls: [raw('a'), raw('a')] },
      response_metadata: {
        output: ['a', 'a'].map((id) => ({ type: 'function_call', call_id: id, name: 'ls', arguments: '{}' })),
      },
    });
    const own = withOwnCallIds(answer, []);
    const ids = own.tool_calls?.map(({ id }) => id) ?? [];
    expect(ids).toEqual(['a', expect.stringMatching(/^call_[0-9a-f]{24}$/)]);
    expect((own.content as { id?: string }[]).map(({ id }) => id)).toEqual([undefined, ...ids]);
    expect(own.additional_kwargs.tool_calls?.map(({ id }) => id)).toEqual(ids);
    expect((own.response_metadata.output as { call_id: string }[]).map((item) => item.call_id)).toEqual(ids);
    expect(withOwnCallIds(own, [new HumanMessage('x')])).toBe(own);
    expect(withOwnCallIds(own, [own]).tool_calls?.map(({ id }) => id)).not.toContain('a');
  });
});

describe('a request', () => {
  const HALF = '\ud83d';

  it('has no halves of characters, which services refuse', async () => {
    const cut = tool(async () => new ToolMessage({ content: `cut ${HALF}`, tool_call_id: 'a' }), {
      name: 'cut',
      description: 'cut',
      schema: z.object({ text: z.string() }),
    });
    const model = new ScriptedModel((_messages, request) =>
      request === 0
        ? { text: `${HALF}!`, calls: [{ id: 'a', name: 'cut', args: { text: `${HALF}` } }] }
        : { text: 'Done.' },
    );
    const agent = createDeepAgent({ model, tools: [cut], systemPrompt: `Be ${HALF}` });
    const content = [{ type: 'text' as const, text: `go ${HALF}` }];
    const { messages } = await agent.invoke({ messages: [new HumanMessage({ content })] });
    const [system, person, answer, result] = model.requests[1] ?? [];
    expect(system?.text).toBe('Be \ufffd');
    expect(person?.text).toBe('go \ufffd');
    expect(answer).toBeInstanceOf(AIMessage);
    expect([answer?.text, (answer as AIMessage).tool_calls?.[0]?.args]).toEqual([
      '\ufffd!',
      { text: '\ufffd' },
    ]);
    expect([result?.text, (result as ToolMessage).tool_call_id]).toEqual(['cut \ufffd', 'a']);
    expect(messages[1]?.text).toBe(`${HALF}!`);
  });

  it('is sent as it is if all characters are whole', () => {
    const messages = [
      new HumanMessage('whole \u{1f600}'),
      new AIMessage({ content: [{ type: 'image', data: new Uint8Array(3) }], tool_calls: [call('1')] }),
    ];
    expect(wholeMessages(messages)).toBe(messages);
  });

  it('for a summary has no halves of characters either', async () => {
    const model = new ScriptedModel(() => ({ text: 'Summary.' }));
    const text = `${'x'.repeat(1_999)}\u{1f600}${'y'.repeat(3_000)}`;
    const messages = [new ToolMessage({ content: text, tool_call_id: 'c' })];
    const options = {
      model,
      messages,
      previous: undefined,
      window: undefined,
      isContextOverflow: () => false,
    };
    expect(await summarize(options)).toBe('Summary.');
    expect(JSON.stringify(model.requests)).not.toMatch(/\\ud83d/);
  });
});

describe('a summary', () => {
  it("is made of the person's whole messages and of the ends of long results", async () => {
    const model = new ScriptedModel(() => ({ text: 'Summary.' }));
    const long = (what: string) => `${'a '.repeat(4_000)}${what}${' z'.repeat(4_000)}`;
    await summarize({
      model,
      messages: [
        new HumanMessage(long('NEVER USE TABS')),
        new ToolMessage({ content: long('a middle line'), tool_call_id: 'c' }),
      ],
      previous: undefined,
      window: undefined,
      isContextOverflow: () => false,
    });
    const asked = model.requests[0]?.at(-1)?.text;
    expect(asked).toContain('NEVER USE TABS');
    expect(asked).not.toContain('a middle line');
    expect(asked).toContain('[12013 characters left out]');
  });
});

describe('an offloaded result', () => {
  it('keeps the first and last five lines, numbered, and says how many are between', async () => {
    const files = new Map<string, string>();
    const backend = memoryBackend(files, async () => ({ output: '', exitCode: 0, truncated: false }));
    const content = Array.from({ length: 1_000 }, (_, index) => `line ${index + 1} ${'x'.repeat(100)}`).join(
      '\n',
    );
    const message = new ToolMessage({ content, tool_call_id: 'c', name: 'execute', status: 'error' });
    const shown = await offloadLarge(message, { backend, limit: 100 });
    expect(files.get(`/large_tool_results/${offloadName('c', content)}`)).toBe(content);
    expect([shown.name, shown.status, shown.tool_call_id]).toEqual(['execute', 'error', 'c']);
    const rows = shown.text.split('\n').slice(-11);
    expect(rows.map((row) => row.slice(0, 16))).toEqual([
      ...[1, 2, 3, 4, 5].map((n) => `     ${n}\tline ${n} xx`),
      '... [990 lines t',
      ...[996, 997, 998, 999].map((n) => `   ${n}\tline ${n} `),
      '  1000\tline 1000',
    ]);
  });
});

describe('the name of an offloaded result', () => {
  it('is always unique and never too long', () => {
    expect(offloadName('a.b', '')).not.toBe(offloadName('a_b', ''));
    expect(offloadName('call_0', 'mine')).not.toBe(offloadName('call_0', 'yours'));
    expect(offloadName('../../etc/passwd', '')).toMatch(/^[A-Za-z0-9_-]+\.txt$/);
    expect(offloadName('x'.repeat(5_000), '').length).toBeLessThan(100);
  });
});
