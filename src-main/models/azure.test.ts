import { afterEach, expect, it } from 'vitest';
import { sendRequestsBy } from '../base/network/guarded-fetch';
import { discoverModels } from './discover';
import { modelAt } from './testing/provider-servers';

afterEach(() => sendRequestsBy((direct) => direct));

const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJteSJ9.c2lnbmF0dXJl';

/** The headers with which a model at this address, and the request for its list, carry the key. */
async function keysAt(provider: 'openai' | 'openai-compatible', baseUrl: string, key: string) {
  const seen: (string | null)[][] = [];
  sendRequestsBy(() => async (_, init) => {
    const headers = new Headers(init?.headers);
    seen.push([headers.get('api-key'), headers.get('authorization')]);
    return Response.json({ error: { message: 'no' } }, { status: 403 });
  });
  const chat = await modelAt({ provider, name: 'gpt-5' }, { url: baseUrl }, { key });
  await chat.invoke('Hi').catch(() => undefined);
  await discoverModels({ ollamaUrl: 'none', own: { baseUrl, key } });
  return seen.filter(([own, bearer]) => own !== null || bearer !== null);
}

it.each([
  'https://mine.openai.azure.com/openai/deployments/gpt-5/chat/completions?api-version=2024-10-21',
  'https://mine.openai.azure.com/openai/v1',
  'https://mine.cognitiveservices.azure.com/openai/deployments/gpt-5?api-version=2024-10-21',
  'https://mine.services.ai.azure.com/models?api-version=2024-05-01-preview',
  'https://mine.openai.azure.us/openai/v1/',
])('%s gets the key in the header that Azure reads', async (baseUrl) => {
  for (const provider of ['openai', 'openai-compatible'] as const)
    expect(await keysAt(provider, baseUrl, 'of-azure')).toEqual([
      ['of-azure', null],
      ['of-azure', null],
    ]);
});

it.each([
  ['https://mine.openai.azure.com/openai/v1', TOKEN],
  ['https://openai.azure.com.example/v1', 'mine'],
  ['https://example.com/mine.openai.azure.com/v1', 'mine'],
])('%s gets a bearer token', async (baseUrl, key) => {
  expect(await keysAt('openai-compatible', baseUrl, key)).toEqual([
    [null, `Bearer ${key}`],
    [null, `Bearer ${key}`],
  ]);
});
