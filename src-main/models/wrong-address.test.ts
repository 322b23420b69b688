import { expect, it } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { serve } from '../base/network/testing/servers';
import { discoverModels } from './discover';
import { toAppError } from './errors';
import { modelAt, WIRES } from './testing/provider-servers';

/** Those whose address the person enters. At a fixed address, a web page comes from a network that wants a sign-in. */
const wires = WIRES.filter(({ provider }) => provider === 'openai-compatible' || provider === 'ollama');

it.each(wires)('%j says that nothing answers at an address with a web page, and asks once', async (ref) => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end('<!doctype html><h1>Hello</h1>');
  });
  const model = await modelAt(ref, { url }, { retries: 2 });
  const streamed = (async () => {
    for await (const _ of await model.stream('Hi'));
  })();
  const error = await streamed.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const told = toAppError(error, ref.provider);
  expect(inEnglish(told)).toContain('nothing answers at this address');
  expect(told.detail).toContain('The address answered with a web page');
  expect(asked).toBe(1);
});

it.each([
  ['anthropic', 'claude-sonnet-4-6', ['', '/', '/v1', '/v1/', '/v1/messages'], '/v1/messages'],
  ['openai', 'gpt-4.1', ['/v1', '/v1/', '/v1//', '/v1/chat/completions'], '/v1/chat/completions'],
  ['openai-compatible', 'x', ['/api/v1', '/api/v1/', '/api/v1/chat/completions'], '/api/v1/chat/completions'],
  [
    'google-genai',
    'g',
    ['', '/', '/v1beta', '/v1beta/models/'],
    '/v1beta/models/g:streamGenerateContent?alt=sse',
  ],
  ['ollama', 'x', ['', '/', '/v1', '/v1/', '/api/chat'], '/api/chat'],
] as const)(
  '%s:%s is asked at one address, in whatever form the person gives it',
  async (provider, name, ends, path) => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(404).end();
    });
    for (const end of ends) {
      const model = await modelAt({ provider, name }, { url: url + end });
      await expect(model.invoke('Hi')).rejects.toThrow();
    }
    expect(asked).toEqual(ends.map(() => path));
  },
);

it('looks for the models at the same address', async () => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url);
    response.writeHead(404).end();
  });
  await discoverModels({
    ollamaUrl: `${url}/v1/`,
    own: { baseUrl: `${url}/v1/chat/completions?api-version=1`, key: null },
  });
  expect(asked.toSorted()).toEqual(['/api/tags', '/v1/models?api-version=1']);
});

it.each([
  ['anthropic', 'claude-sonnet-4-6', '/v1/messages?team=a&beta=b%2Fc'],
  ['openai', 'gpt-5', '/v1/responses?team=a&beta=b%2Fc'],
  ['openai-compatible', 'x', '/v1/chat/completions?team=a&beta=b%2Fc'],
  ['google-genai', 'g', '/v1beta/models/g:streamGenerateContent?alt=sse&team=a&beta=b%2Fc'],
  ['ollama', 'x', '/api/chat?team=a&beta=b%2Fc'],
] as const)('%s:%s gets the query of the address with each request', async (provider, name, path) => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url);
    response.writeHead(403).end();
  });
  const start = provider.startsWith('openai') ? `${url}/v1` : url;
  for (const end of ['?team=a&beta=b%2Fc', '/?team=a&beta=b%2Fc#top']) {
    const model = await modelAt({ provider, name }, { url: start + end });
    await expect(model.invoke('Hi')).rejects.toThrow();
  }
  expect(asked).toEqual([path, path]);
});
