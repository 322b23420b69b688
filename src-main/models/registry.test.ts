import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startAnthropic } from '../../e2e/providers/anthropic';
import { startOpenAI } from '../../e2e/providers/openai';
import { ProviderId } from '../contract/app';
import { factsOfModel } from './catalogue';
import { discoverModels, discoverOllama } from './discover';
import { toAppError } from './errors';
import { isIncomplete } from './incomplete';
import { type KeyStore, modelsState, resolveBaseUrl, resolveKey, sessionKeyStore } from './keys';
import { createModel, parseModelRef, providers } from './registry';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The package's types have usage only for some message structures. */
const tokensOf = (message: { usage_metadata?: { output_tokens: number } | undefined } | null) =>
  message?.usage_metadata?.output_tokens;

interface Seen {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that responds to each path with a text; without one, it stays silent. */
async function serve(answers: Record<string, string>): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      seen.push({ url: path, headers: request.headers, body });
      const answer = answers[path];
      if (answer !== undefined) response.setHeader('content-type', 'text/event-stream').end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen };
}

describe('naming a model', () => {
  it.each([
    ['offline:guide', { provider: 'offline', name: 'guide' }],
    ['ollama:llama3.1:8b', { provider: 'ollama', name: 'llama3.1:8b' }],
    ['openai-compatible:org/model', { provider: 'openai-compatible', name: 'org/model' }],
  ])('%s', (text, value) => {
    expect(parseModelRef(text)).toEqual({ ok: true, value });
  });

  it.each(['', 'guide', 'offline:', ':guide', 'nobody:x'])('%j is not a model name', (text) => {
    expect(parseModelRef(text)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  it('has a provider for each id, and starts with an offline model', () => {
    expect(providers.map(({ id }) => id)).toEqual(ProviderId.options);
    const offline = parseModelRef('offline:guide');
    expect(offline.ok && factsOfModel(offline.value).contextWindow).toBe(200_000);
  });
});

describe('creating a model', () => {
  it('reports missing parts instead of throwing', async () => {
    const make = (provider: ProviderId, key: string | null, baseUrl: string | null) =>
      createModel({ provider, name: 'x' }, { key, baseUrl });
    expect(await make('anthropic', null, null)).toMatchObject({ ok: false, error: { kind: 'no_key' } });
    expect(await make('openai-compatible', null, null)).toMatchObject({
      ok: false,
      error: { kind: 'invalid' },
    });
    expect(await make('openai', 'k', 'file:///etc')).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(await make('offline', null, null)).toMatchObject({ ok: true });
  });

  it('talks to Anthropic and OpenAI, streams and reports usage', async () => {
    for (const [provider, name, start] of [
      ['anthropic', 'claude-sonnet-4-5', startAnthropic],
      ['openai', 'gpt-4.1', startOpenAI],
      ['openai', 'gpt-5-codex', startOpenAI],
      ['openai-compatible', 'gpt-4.1', startOpenAI],
    ] as const) {
      const server = await start(() => ({ text: 'Grüße, 世界.' }));
      closers.push(() => server.close());
      const model = await createModel({ provider, name }, { key: 'test-key', baseUrl: server.url });
      const answer = model.ok ? await model.value.invoke('hello') : null;
      expect(answer?.text).toBe('Grüße, 世界.');
      expect(tokensOf(answer)).toBeGreaterThan(0);
      expect(answer && isIncomplete(answer, provider)).toBe(false);
    }
  });

  it('lets new models of Anthropic write whole files, within what the person says about them', async () => {
    const server = await startAnthropic(() => ({ text: 'Hi' }));
    closers.push(() => server.close());
    for (const [name, maxOutput] of [
      ['claude-haiku-6', undefined],
      ['claude-other', undefined],
      ['claude-sonnet-4-6', undefined],
      ['claude-haiku-6', 8_000],
      ['claude-3-5-haiku-latest', undefined],
    ] as const) {
      const overrides = maxOutput === undefined ? {} : { [`anthropic:${name}`]: { maxOutput } };
      const made = await createModel(
        { provider: 'anthropic', name },
        { key: 'test-key', baseUrl: server.url, overrides },
      );
      if (made.ok) await made.value.invoke('hello');
    }
    expect(server.requests.map(({ body }) => (body as { max_tokens: number }).max_tokens)).toEqual([
      16_384, 16_384, 16_384, 8_000, 8_192,
    ]);
  });

  it('sends no key that belongs to another service', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'of-openai');
    vi.stubEnv('OPENAI_ORG_ID', 'org');
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'of-another');
    closers.push(() => void vi.unstubAllEnvs());
    const server = await serve({ '/v1/chat/completions': '', '/v1/messages': '' });
    const compatible = await createModel(
      { provider: 'openai-compatible', name: 'x' },
      { key: null, baseUrl: `${server.url}/v1`, retries: 0 },
    );
    const anthropic = await createModel(
      { provider: 'anthropic', name: 'claude-x' },
      { key: 'own', baseUrl: server.url, retries: 0 },
    );
    for (const model of [compatible, anthropic])
      if (model.ok) await model.value.invoke('hi').catch(() => null);
    expect(
      server.seen.map(({ headers }) => [
        headers.authorization,
        headers['x-api-key'],
        headers['openai-organization'],
      ]),
    ).toEqual([
      ['Bearer none', undefined, undefined],
      [undefined, 'own', undefined],
    ]);
  });

  it('talks to Gemini, and tells a complete answer from a missing one', async () => {
    const event = (value: object) => `data: ${JSON.stringify(value)}\r\n\r\n`;
    const text = (words: string, more: object = {}) => ({
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text: words }] }, ...more }],
    });
    const whole =
      event(text('Hel')) +
      event({
        ...text('lo', { finishReason: 'STOP' }),
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
      });
    const server = await serve({ '/v1beta/models/gemini-2.5-pro:streamGenerateContent': whole });
    const model = await createModel(
      { provider: 'google-genai', name: 'gemini-2.5-pro' },
      { key: 'test-key', baseUrl: server.url },
    );
    const answer = model.ok ? await model.value.invoke('hello') : null;
    expect([answer?.text, tokensOf(answer), answer && isIncomplete(answer, 'google-genai')]).toEqual([
      'Hello',
      2,
      false,
    ]);
    expect(server.seen[0]?.headers['x-goog-api-key']).toBe('test-key');
  });

  it('talks to Ollama with enough context for an agent, and can stop it before its first output', async () => {
    const line = (value: object) => `${JSON.stringify({ model: 'x', created_at: '', ...value })}\n`;
    const server = await serve({
      '/api/chat':
        line({ message: { role: 'assistant', content: 'Hello' }, done: false }) +
        line({ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', eval_count: 2 }),
    });
    const model = await createModel({ provider: 'ollama', name: 'x' }, { key: null, baseUrl: server.url });
    const answer = model.ok ? await model.value.invoke('hello') : null;
    expect([answer?.text, answer && isIncomplete(answer, 'ollama')]).toEqual(['Hello', false]);
    expect(JSON.parse(server.seen[0]?.body ?? '{}')).toMatchObject({ options: { num_ctx: 16_384 } });

    const silent = await serve({});
    const stuck = await createModel({ provider: 'ollama', name: 'x' }, { key: null, baseUrl: silent.url });
    const stop = new AbortController();
    const asking = stuck.ok ? stuck.value.invoke('hello', { signal: stop.signal }) : Promise.resolve();
    const failed = asking.catch((error: unknown) => toAppError(error, 'ollama').kind);
    while (silent.seen.length === 0) await new Promise(setImmediate);
    stop.abort();
    expect(await failed).toBe('cancelled');
  });
});

describe('servers on this machine', () => {
  it('are found with their models, except embedding models', async () => {
    const server = await serve({
      '/api/tags': JSON.stringify({ models: [{ name: 'llama3.1:8b' }] }),
      '/v1/models': JSON.stringify({ data: [{ id: 'qwen3' }, { id: 'text-embedding-nomic' }] }),
    });
    expect(await discoverModels({ ollamaUrl: server.url, compatibleUrls: [`${server.url}/v1`] })).toEqual({
      ollama: {
        baseUrl: server.url,
        models: [{ name: 'llama3.1:8b', label: 'llama3.1:8b', contextWindow: 16_384 }],
      },
      compatible: { baseUrl: `${server.url}/v1`, models: [{ name: 'qwen3', label: 'qwen3' }] },
    });
  });

  it('may list a model twice, list something else, or send only the list', async () => {
    const entries = [
      { id: 'a' },
      { id: null },
      null,
      { id: 'a' },
      { name: 'b' },
      { id: 'c', object: 'model' },
    ];
    const server = await serve({
      '/v1/models': JSON.stringify(entries),
      '/api/tags': JSON.stringify({ models: [{ name: 'd' }, { name: '' }, { name: 'd' }] }),
    });
    const found = await discoverModels({ ollamaUrl: server.url, compatibleUrls: [`${server.url}/v1`] });
    expect([found.compatible, found.ollama].map((one) => one?.models.map(({ name }) => name))).toEqual([
      ['a', 'c'],
      ['d'],
    ]);
  });

  it('are not asked if the person has an own one, which gets its key', async () => {
    const list = JSON.stringify({ data: [{ id: 'big' }] });
    const own = await serve({ '/v1/models': list });
    const local = await serve({ '/v1/models': list });
    const baseUrl = `${own.url}/v1`;
    const found = await discoverModels({
      ollamaUrl: 'http://127.0.0.1:9',
      compatibleUrls: [`${local.url}/v1`],
      own: { baseUrl, key: 'of-the-person' },
    });
    expect(found.compatible).toEqual({ baseUrl, models: [{ name: 'big', label: 'big' }] });
    // The list, and that of LM Studio with the context windows.
    const bearer = 'Bearer of-the-person';
    expect(own.seen.map(({ headers }) => headers.authorization)).toEqual([bearer, bearer]);
    expect(local.seen).toEqual([]);
  });

  it('that are missing, silent or of another kind are not listed', async () => {
    const silent = await serve({});
    const other = await serve({ '/api/tags': '<html>' });
    const limits = vi.spyOn(AbortSignal, 'timeout');
    expect(
      await Promise.all(
        ['http://127.0.0.1:9', silent.url, other.url, 'no address'].map((url) => discoverOllama(url)),
      ),
    ).toEqual([null, null, null, null]);
    // The timeout of each response.
    expect(Math.max(...limits.mock.calls.flat())).toBeLessThan(2_000);
    limits.mockRestore();
  });
});

describe('keys and addresses', () => {
  it('from the user take precedence over the environment', async () => {
    const store = sessionKeyStore();
    const env = { GEMINI_API_KEY: 'from-env' };
    const seen = [await resolveKey('google-genai', env, store)];
    await store.set('google-genai', 'own');
    seen.push(await resolveKey('google-genai', env, store));
    await store.clear('google-genai');
    seen.push(await resolveKey('google-genai', {}, store));
    expect(seen).toEqual([{ key: 'from-env', from: 'environment' }, { key: 'own', from: 'session' }, null]);
  });

  it('are read from OLLAMA_HOST', () => {
    const at = (OLLAMA_HOST: string) => resolveBaseUrl('ollama', { env: { OLLAMA_HOST }, baseUrls: {} });
    expect(
      Object.fromEntries(
        [
          '0.0.0.0',
          '127.0.0.1:9999',
          ':9999',
          'box',
          'box/ollama/',
          '::1',
          '[::]',
          '[::]:9999',
          'http://box',
          'http://box:1/',
          'http://0.0.0.0/',
          'https://box',
        ].map((host) => [host, at(host)]),
      ),
    ).toEqual({
      '0.0.0.0': 'http://127.0.0.1:11434',
      '127.0.0.1:9999': 'http://127.0.0.1:9999',
      ':9999': 'http://127.0.0.1:9999',
      box: 'http://box:11434',
      'box/ollama/': 'http://box:11434/ollama',
      '::1': 'http://[::1]:11434',
      '[::]': 'http://[::1]:11434',
      '[::]:9999': 'http://[::1]:9999',
      'http://box': 'http://box',
      'http://box:1/': 'http://box:1',
      'http://0.0.0.0/': 'http://127.0.0.1',
      'https://box': 'https://box',
    });
  });

  it('contain no user name or password', async () => {
    for (const baseUrl of ['http://me:secret@box', 'http://me@box']) {
      const made = await createModel({ provider: 'ollama', name: 'x' }, { key: null, baseUrl });
      expect(made).toMatchObject({ ok: false, error: { code: 'address_with_login' } });
    }
  });

  it('are shown without the key itself', async () => {
    const keys: KeyStore = {
      ...sessionKeyStore(),
      kind: 'keychain',
      get: async (id) => (id === 'openai' ? 'canary' : null),
    };
    const state = await modelsState({
      env: { ANTHROPIC_API_KEY: 'canary', ANTHROPIC_BASE_URL: 'http://proxy' },
      baseUrls: { openai: 'http://own/v1' },
      discovered: {
        ollama: { baseUrl: 'http://127.0.0.1:11434', models: [{ name: 'a', label: 'a' }] },
        compatible: null,
      },
      keys,
      overrides: {},
    });
    expect(JSON.stringify(state)).not.toContain('canary');
    expect(state.keychain).toBe(true);
    expect(state.providers.map(({ id, key, baseUrl, ready }) => [id, key, baseUrl, ready])).toEqual([
      ['offline', 'none', null, true],
      ['anthropic', 'environment', 'http://proxy', true],
      ['openai', 'keychain', 'http://own/v1', true],
      ['google-genai', 'none', null, false],
      ['ollama', 'none', null, true],
      ['openai-compatible', 'none', null, false],
    ]);
  });

  it('are not proven by a list of models, and a tested name is offered', async () => {
    const keys: KeyStore = {
      ...sessionKeyStore(),
      get: async (id) => (id === 'openai-compatible' ? 'garbage' : null),
    };
    const baseUrl = 'https://models.example/v1';
    const state = await modelsState({
      env: {},
      baseUrls: { 'openai-compatible': baseUrl },
      discovered: { ollama: null, compatible: { baseUrl, models: [{ name: 'big', label: 'big' }] } },
      keys,
      overrides: {},
      testedNames: { 'openai-compatible': ['big', 'hidden'] },
    });
    const own = state.providers.at(-1);
    expect([own?.tested, own?.models.map(({ name }) => name)]).toEqual([undefined, ['big', 'hidden']]);
  });

  it('offer a detected LM Studio without setup', async () => {
    const lmStudio = { baseUrl: 'http://127.0.0.1:1234/v1', models: [{ name: 'qwen3', label: 'qwen3' }] };
    const state = await modelsState({
      env: {},
      baseUrls: {},
      discovered: { ollama: null, compatible: lmStudio },
      keys: sessionKeyStore(),
      overrides: {},
    });
    expect(state.providers.at(-1)).toEqual({
      id: 'openai-compatible',
      needsKey: false,
      key: 'none',
      keyVariable: 'OPENAI_COMPATIBLE_API_KEY',
      baseUrl: lmStudio.baseUrl,
      needsBaseUrl: true,
      ready: true,
      tested: true,
      models: lmStudio.models,
    });
  });
});
