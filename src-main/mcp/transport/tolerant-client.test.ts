import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { promptsOf } from '../prompts';
import { questionOf } from '../questions';
import { callResourceTool } from '../resources';
import { contentOf } from '../tools/results';
import { readTools } from '../tools/tool-list';
import { TolerantClient } from './tolerant-client';

const options = { signal: new AbortController().signal, timeout: 60_000 };

/** A client of a server that gives these answers. */
async function clientOf(answers: Record<string, object>): Promise<TolerantClient> {
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => {
      if (!('method' in message) || !('id' in message)) return;
      const { id, method, params } = message;
      const hello = {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {}, prompts: {}, resources: {} },
        serverInfo: { name: 'careless', version: '1' },
      };
      const answer = method === 'initialize' ? { result: hello } : answers[method];
      transport.onmessage?.({ jsonrpc: '2.0', id, ...answer } as JSONRPCMessage);
    },
  };
  const client = new TolerantClient({ name: 'test', version: '1' });
  await client.connect(transport);
  return client;
}

const called = async (result: object) => {
  const client = await clientOf({ 'tools/call': { result } });
  return contentOf(await client.callTool({ name: 'a', arguments: {} }, options));
};
const leftOut = (type: string) =>
  `[A part of the type "${type}" was left out, because it is not as the protocol says.]`;
const text = { type: 'text', text: 'done' };

it.each<[string, object, string]>([
  ['a type that does not exist', { type: 'video', data: '' }, `${leftOut('video')}\ndone`],
  ['an image without a type', { type: 'image', data: 'iVBO' }, `${leftOut('image')}\ndone`],
  [
    'bytes that are not base64',
    { type: 'audio', mimeType: 'audio/wav', data: '!' },
    `${leftOut('audio')}\ndone`,
  ],
  ['a number in place of a text', { type: 'text', text: 5 }, `${leftOut('text')}\ndone`],
  ['wrong notes', { ...text, annotations: { priority: 5 }, _meta: null }, 'done\ndone'],
  ['a link without a name', { type: 'resource_link', uri: 'a://b' }, '[A file: a://b]\ndone'],
])('keeps a result with %s', async (_name, part, expected) => {
  expect(await called({ content: [part, text] })).toBe(expected);
});

it.each<[string, object, string]>([
  [
    'null for what it does not use',
    { content: null, structuredContent: null },
    'The tool answered without any content.',
  ],
  ['a list of data', { content: [], structuredContent: [1] }, '{\n  "result": [\n    1\n  ]\n}'],
])('keeps a result with %s', async (_name, result, expected) => {
  expect(await called(result)).toBe(expected);
});

it('takes a failure in another form for one', async () => {
  await expect(called({ content: [{ type: 'text', text: 'no' }], isError: 'true' })).rejects.toThrow('no');
});

it('lists the other prompts and resources', async () => {
  const prompts = [{ title: 'nameless' }, { name: 'ask', description: null, arguments: null }];
  const resources = [
    { name: 'nowhere' },
    { uri: 'a://one', mimeType: null },
    { uri: 'a://two', name: 'Two' },
  ];
  const client = await clientOf({
    'prompts/list': { result: { prompts } },
    'resources/list': { result: { resources } },
    'resources/templates/list': { error: { code: -32603, message: 'Unknown' } },
    'resources/read': { result: { contents: [{ text: 'one' }, { uri: 'a://two' }] } },
  });
  expect(await promptsOf(client, options)).toEqual([{ name: 'ask', description: '', arguments: [] }]);
  expect(await callResourceTool(client, 'list_resources', {}, options)).toBe('- a://one\n- a://two (Two)');
  expect(await callResourceTool(client, 'read_resource', { uri: 'a://one' }, options)).toBe('one');
});

it('leaves out tools and prompts with endless names', async () => {
  const [name, inputSchema] = [`a${'_'.repeat(1_000_000)}b`, { type: 'object' }];
  const [fine, endless, args] = [{ name: 'fine' }, { name }, { name: 'args', arguments: [{ name }] }];
  const client = await clientOf({
    'tools/list': {
      result: {
        tools: [
          { ...fine, inputSchema },
          { ...endless, inputSchema },
        ],
      },
    },
    'prompts/list': { result: { prompts: [endless, args, fine] } },
  });
  const { tools, leftOut: others } = await readTools(client, options);
  expect(tools.map(({ title }) => title)).toEqual(['fine']);
  expect(others.map((one) => one.name.length)).toEqual([256]);
  expect((await promptsOf(client, options)).map((one) => one.name)).toEqual(['fine']);
});

it('reads no further in a list of tools that cannot be used', async () => {
  const client = await clientOf({
    'tools/list': { result: { tools: Array.from({ length: 20_000 }, () => ({})), nextCursor: 'more' } },
  });
  expect((await readTools(client, options)).leftOut).toHaveLength(500);
});

it('asks with forms whose fields server libraries make from types', async () => {
  const nullable = { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Name' };
  const properties = {
    name: nullable,
    count: { type: ['integer', 'null'], minimum: 1 },
    id: { type: 'string', format: 'uuid' },
    color: { $ref: '#/$defs/Color', description: 'Of the door' },
    maybe: { anyOf: [{ $ref: '#/$defs/Color' }, { type: 'null' }] },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }] },
  };
  const Color = { type: 'string', enum: ['red', 'green'], title: 'Color' };
  const requestedSchema = { type: 'object', properties, required: ['name'], $defs: { Color } };
  const params = { message: 'Which?', requestedSchema };
  const asked: unknown[] = [];
  const answered: unknown[] = [];
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => {
      const hello = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        serverInfo: { name: 'a', version: '1' },
      };
      if ('method' in message && 'id' in message)
        transport.onmessage?.({ jsonrpc: '2.0', id: message.id, result: hello });

      if ('result' in message || 'error' in message) answered.push(message);
    },
  };
  const client = new TolerantClient(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', async (request) => {
    asked.push(questionOf('a', request.params)?.fields);
    return { action: 'cancel' };
  });
  await client.connect(transport);
  transport.onmessage?.({ jsonrpc: '2.0', id: 7, method: 'elicitation/create', params } as JSONRPCMessage);
  await expect.poll(() => answered).toMatchObject([{ id: 7, result: { action: 'cancel' } }]);
  expect(asked).toMatchObject([
    [
      { name: 'name', kind: 'text', label: 'Name', required: true },
      { name: 'count', kind: 'integer', min: 1 },
      { name: 'id', kind: 'text' },
      { name: 'color', kind: 'choice', description: 'Of the door', options: [{ value: 'red' }, {}] },
      { name: 'maybe', kind: 'choice' },
      { name: 'size', kind: 'choice', options: [{ label: 'Small' }] },
    ],
  ]);
});
