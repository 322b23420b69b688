import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import type { InspectedRequest } from '../../contract/inspect';
import type { ModelFacts } from '../../contract/usage';
import { isIdle, setUp } from '../testing/window';
import { ModelLists } from './model-lists';

// Whole threads on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const MODEL = 'openai-compatible:qwen/qwen3';
const LIST = { data: [{ id: 'qwen/qwen3', max_model_len: 20_000 }] };
const ANSWER = { choices: [{ message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }] };

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

it("the first turn on a person's server knows the context window from its list", async () => {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url === '/v1/models' ? LIST : ANSWER));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const t = await setUp();
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  await t.window.must('models.setBaseUrl', { provider: 'openai-compatible', baseUrl });
  await t.window.must('thread.setModel', { threadId: t.threadId, model: MODEL });
  for (const text of ['go', 'on']) {
    await t.say(text);
    await t.window.until(isIdle);
  }
  const { requests }: { requests: InspectedRequest[] } = await t.window.must('thread.inspect', {
    threadId: t.threadId,
  });
  expect(new Set(requests.map(({ contextWindow }) => contextWindow))).toEqual(new Set([20_000]));
  const { builtIn }: { builtIn: ModelFacts } = await t.window.must('models.facts', { model: MODEL });
  expect(builtIn.contextWindow).toBe(20_000);
  expect(asked.filter((one) => one === 'GET /v1/models')).toHaveLength(1);
});

it('a server that does not answer for its list does not hold up the turn, and the list serves later ones', async () => {
  const lists: ServerResponse[] = [];
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    if (url === '/v1/models') lists.push(response);
    else response.end(JSON.stringify(ANSWER));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const t = await setUp();
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  await t.window.must('models.setBaseUrl', { provider: 'openai-compatible', baseUrl });
  await t.window.must('thread.setModel', { threadId: t.threadId, model: MODEL });
  await t.say('go');
  await t.window.until(isIdle);
  expect([t.window.lastAnswer, lists.length]).toEqual(['Done.', 1]);
  lists[0]?.end(JSON.stringify(LIST));
  await vi.waitFor(async () => {
    const { builtIn }: { builtIn: ModelFacts } = await t.window.must('models.facts', { model: MODEL });
    expect(builtIn.contextWindow).toBe(20_000);
  });
});

it('a server that `--base-url` names is asked for its list, too', async () => {
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url === '/v1/models' ? LIST : ANSWER));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const t = await setUp({ baseUrl: `http://127.0.0.1:${port}/v1` });
  await t.window.must('thread.setModel', { threadId: t.threadId, model: MODEL });
  await t.say('go');
  await t.window.until(isIdle);
  const { builtIn }: { builtIn: ModelFacts } = await t.window.must('models.facts', { model: MODEL });
  expect(builtIn.contextWindow).toBe(20_000);
});

it("the first turn on a person's server is billed at the price of its list, within the spending limit", async () => {
  const list = {
    data: [{ id: 'qwen/qwen3', pricing: { prompt: '0.000002', completion: '0.00001', request: '0' } }],
  };
  const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url === '/v1/models' ? list : { ...ANSWER, usage }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const t = await setUp();
  await t.window.must('settings.change', { spending: { thread: 10_000_000, day: null } });
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  await t.window.must('models.setBaseUrl', { provider: 'openai-compatible', baseUrl });
  await t.window.must('thread.setModel', { threadId: t.threadId, model: MODEL });
  await t.say('go');
  await t.window.until(isIdle);
  const { builtIn }: { builtIn: ModelFacts } = await t.window.must('models.facts', { model: MODEL });
  expect(builtIn.price).toMatchObject({ input: 2_000_000, output: 10_000_000 });
  expect(t.host.storage.spending.ofThread(t.threadId)).toBe(3_000);
});

it('the first turn with Ollama asks for the context of the Modelfile', async () => {
  const asked: unknown[] = [];
  const answers: Record<string, object> = {
    '/api/tags': { models: [{ name: 'small' }] },
    '/api/show': { parameters: 'num_ctx 12288', model_info: { 'llama.context_length': 32_768 } },
    '/api/chat': { message: { role: 'assistant', content: 'Done.' }, done: true, done_reason: 'stop' },
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    if (request.url === '/api/chat') asked.push(JSON.parse(body).options.num_ctx);
    response.end(`${JSON.stringify(answers[request.url ?? ''] ?? {})}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const t = await setUp();
  await t.window.must('models.setBaseUrl', { provider: 'ollama', baseUrl: `http://127.0.0.1:${port}` });
  await t.window.must('thread.setModel', { threadId: t.threadId, model: 'ollama:small' });
  await t.say('go');
  await t.window.until(isIdle);
  expect([t.window.lastAnswer, new Set(asked)]).toEqual(['Done.', new Set([12_288])]);
});

it('a list that did not come is asked for again after a minute, not at each turn', async () => {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    if (url === '/v1/models') asked.push(url);
    response.writeHead(asked.length > 1 ? 200 : 503).end(JSON.stringify(LIST));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const lists = new ModelLists({
    settings: { get: () => null, set: () => undefined },
    servers: async () => ({ ollamaUrl: 'none', own: { baseUrl, key: null } }),
    changed: async () => undefined,
  });
  const window = async () => {
    await lists.know('openai-compatible', baseUrl);
    const ref = { provider: 'openai-compatible', name: 'qwen/qwen3' } as const;
    return [lists.find(ref, baseUrl)?.contextWindow, asked.length];
  };
  expect([await window(), await window()]).toEqual([
    [undefined, 1],
    [undefined, 1],
  ]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  closing.push(() => vi.useRealTimers());
  expect([await window(), await window()]).toEqual([
    [20_000, 2],
    [20_000, 2],
  ]);
});
