import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from './json';
import { startOllama } from './ollama';
import type { NormalizedRequest, Step } from './script';
import type { ProviderOptions, ProviderServer } from './server';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function post(body: JsonObject, step: Step = { text: 'ok' }, options: ProviderOptions = {}) {
  const seen: NormalizedRequest[] = [];
  const server = await startOllama((request) => {
    seen.push(request);
    return step;
  }, options);
  servers.push(server);
  const response = await fetch(`${server.url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model: 'qwen3', ...body }),
  });
  return { status: response.status, text: await response.text(), seen };
}

const USER = { role: 'user', content: 'what is there' };

it('answers in lines, the last of which says that it is done', async () => {
  const { text } = await post(
    { messages: [USER] },
    { reasoning: 'Hm.', text: '世界👋 is here', calls: [{ id: 'call_1', name: 'ls', args: { path: '/' } }] },
  );
  const lines: { message: { content: string; thinking?: string; tool_calls?: object[] }; done: boolean }[] =
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  expect([
    lines.map(({ message }) => message.thinking ?? '').join(''),
    lines.map(({ message }) => message.content).join(''),
    lines.flatMap(({ message }) => message.tool_calls ?? []),
    lines.filter(({ done }) => done).length,
    lines.at(-1)?.done,
  ]).toEqual([
    'Hm.',
    '世界👋 is here',
    [{ id: 'call_1', function: { index: 0, name: 'ls', arguments: { path: '/' } } }],
    1,
    true,
  ]);
});

it('answers in one piece on request', async () => {
  const { text } = await post({ messages: [USER], stream: false });
  expect(JSON.parse(text)).toMatchObject({ done: true, done_reason: 'stop', message: { content: 'ok' } });
});

describe('requests that the server rejects', () => {
  it.each<[string, JsonObject, number, RegExp]>([
    ['no model', { model: '', messages: [USER] }, 400, /model is required/],
    [
      'a role of other providers',
      { messages: [{ role: 'human', content: 'x' }] },
      400,
      /invalid role: human/,
    ],
    [
      'content in parts',
      { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      400,
      /cannot unmarshal array/,
    ],
    [
      'arguments as text',
      {
        messages: [
          { role: 'assistant', content: '', tool_calls: [{ function: { name: 'ls', arguments: '{}' } }] },
        ],
      },
      400,
      /cannot unmarshal string/,
    ],
    ['a model that it has not', { model: 'other', messages: [USER] }, 404, /model 'other' not found/],
  ])('%s', async (_, body, status, words) => {
    const refused = await post(body, { text: 'ok' }, { models: ['qwen3'] });
    expect(refused.status).toBe(status);
    expect(refused.text).toMatch(words);
  });
});

it('shows a script the conversation, and matches results to calls by order', async () => {
  const call = (name: string) => ({ function: { name, arguments: {} } });
  const { seen } = await post({
    messages: [
      { role: 'system', content: 'Be brief.' },
      USER,
      { role: 'assistant', content: '', tool_calls: [call('ls'), call('grep')] },
      { role: 'tool', content: 'a file' },
      { role: 'tool', content: 'a line' },
    ],
  });
  expect(seen[0]).toMatchObject({
    system: 'Be brief.',
    lastUserText: 'what is there',
    lastToolResults: [
      { name: 'ls', content: 'a file' },
      { name: 'grep', content: 'a line' },
    ],
  });
});
