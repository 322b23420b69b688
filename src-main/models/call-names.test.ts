import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { historyFor } from './chat/history';
import { modelAt, startProvider, WIRES } from './testing/provider-servers';

const ls = tool(() => 'ok', { name: 'ls', description: 'Lists.', schema: z.object({ path: z.string() }) });

/** What models and services call a tool and a call. */
const CALLS: [what: string, name: string, id: string][] = [
  ['a name with spaces', 'run it!', 'a1'],
  ['a name with dots', 'functions.ls', 'a1'],
  ['a name in another script', '读取', 'a1'],
  ['no name', '', 'a1'],
  ['a long name', 'l'.repeat(200), 'a1'],
  ['an id of Kimi', 'ls', 'functions.ls:0'],
  ['an id of vLLM', 'ls', `chatcmpl-tool-${'0'.repeat(32)}`],
  ['a long id', 'ls', 'x'.repeat(100)],
];

const conversation = (name: string, id: string) => [
  new HumanMessage('a'),
  new AIMessage({ content: '', tool_calls: [{ name, id, args: { path: '/' } }] }),
  new ToolMessage({ content: 'There is no such tool.', tool_call_id: id, name }),
  new HumanMessage('b'),
];

describe.each(WIRES)('$provider:$name', (ref) => {
  it.each(CALLS)('goes on after a call with %s', async (_what, name, id) => {
    const server = await startProvider(ref.provider, () => ({ text: 'Done.' }));
    try {
      const model = await modelAt(ref, server);
      const answer = await (model.bindTools?.([ls]) ?? model).invoke(conversation(name, id));
      expect(answer.text).toBe('Done.');
    } finally {
      await server.close();
    }
  });
});

it('leaves names and ids that a service accepts as they are', () => {
  const kimi = historyFor('openai-chat', conversation('ls', 'functions.ls:0'));
  expect(kimi[2]).toMatchObject({ tool_call_id: 'functions.ls:0' });
  const anthropic = historyFor('anthropic', conversation('ls', 'functions.ls:0'));
  const [, call, result] = anthropic;
  const ids = [
    AIMessage.isInstance(call) && call.tool_calls?.[0]?.id,
    ToolMessage.isInstance(result) && result.tool_call_id,
  ];
  expect(ids).toEqual([expect.stringMatching(/^call_[0-9a-f]{24}$/u), ids[0]]);
});
