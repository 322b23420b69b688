import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { discoverModels } from './discover';

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The models of a server with these answers, as name and context window, and the paths that it was asked for. */
async function listOf(answers: Record<string, unknown>, key: string | null = null) {
  const asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(url);
    const isAllowed = headers.authorization === (key === null ? undefined : `Bearer ${key}`);
    const answer = isAllowed ? answers[url] : undefined;
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const { compatible } = await discoverModels({ ollamaUrl: 'none', own: { baseUrl, key } });
  return { models: compatible?.models.map(({ name, contextWindow }) => [name, contextWindow]), asked };
}

it.each([
  ['vLLM', { max_model_len: 32_768 }, 32_768],
  ['Mistral', { max_context_length: 131_072 }, 131_072],
  ['Together', { context_length: 8_192 }, 8_192],
  ['Groq', { context_window: 131_072, max_completion_tokens: 8_192 }, 131_072],
  ['OpenRouter', { context_length: 1_000_000, top_provider: { context_length: 200_000 } }, 200_000],
  ['LM Studio', { max_context_length: 131_072, loaded_context_length: 4_096 }, 4_096],
  ['llama.cpp without properties', { meta: { n_ctx_train: 40_960 } }, 40_960],
  ['a server without a limit', { context_length: 0, max_model_len: null }, undefined],
  ['a server with text', { context_length: '32768' }, undefined],
])('the list of %s tells the context window', async (_, entry, window) => {
  const { models } = await listOf({ '/v1/models': { data: [{ id: 'a/b', ...entry }, { id: 'other' }] } });
  expect(models).toEqual([
    ['a/b', window],
    ['other', undefined],
  ]);
});

it("is that of llama.cpp's server, not the one that the model was trained with", async () => {
  const { models } = await listOf({
    '/v1/models': { data: [{ id: 'qwen', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }] },
    '/props': { default_generation_settings: { n_ctx: 8_192 } },
  });
  expect(models).toEqual([['qwen', 8_192]]);
});

it.each([null, 'sk-lm-key'])("is in LM Studio's own list, with the key %s", async (key) => {
  const answers = {
    '/v1/models': { data: [{ id: 'a' }, { id: 'b' }] },
    '/api/v0/models': {
      data: [
        { id: 'a', state: 'loaded', max_context_length: 131_072, loaded_context_length: 16_384 },
        { id: 'b', state: 'not-loaded', max_context_length: 32_768 },
      ],
    },
  };
  const { models } = await listOf(answers, key);
  expect(models).toEqual([
    ['a', 16_384],
    ['b', 32_768],
  ]);
});

it('needs one request where the list tells it', async () => {
  const { asked } = await listOf({ '/v1/models': { data: [{ id: 'a', max_model_len: 4_096 }] } });
  expect(asked).toEqual(['/v1/models']);
});

it.each<[string, object, number | undefined]>([
  [
    'trained with less',
    { model_info: { 'general.architecture': 'gemma', 'gemma.context_length': 8_192 } },
    8_192,
  ],
  ['trained with more', { model_info: { 'llama.context_length': 131_072 } }, 16_384],
  ['with a small Modelfile', { parameters: 'stop "<|x|>"\nnum_ctx                        4096\n' }, 4_096],
  ['with a large Modelfile', { parameters: 'num_ctx 32768' }, 32_768],
  [
    'with a Modelfile beyond its training',
    { parameters: 'num_ctx 65536', model_info: { 'llama.context_length': 32_768 } },
    32_768,
  ],
  ['of a YaRN model', { model_info: { 'gptoss.rope.scaling.original_context_length': 4_096 } }, 16_384],
  [
    'with nonsense',
    { parameters: 'num_ctx -1', model_info: { 'a.context_length': 'many', b: null } },
    16_384,
  ],
  ['of a server without details', [], 16_384],
])('Ollama is asked for the context that fits: a model %s', async (_, show, window) => {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    asked.push([request.method, request.url, body]);
    const answer = request.url === '/api/tags' ? { models: [{ name: 'a:1b' }] } : show;
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { ollama } = await discoverModels({ ollamaUrl: `http://127.0.0.1:${port}`, compatibleUrls: [] });
  expect(ollama?.models[0]?.contextWindow).toBe(window);
  expect(asked).toEqual([
    ['GET', '/api/tags', ''],
    ['POST', '/api/show', '{"model":"a:1b"}'],
  ]);
});
