import { afterEach, describe, expect, it } from 'vitest';
import { startGoogle } from './google';
import { signatureOf } from './google-rules';
import type { JsonObject } from './json';
import type { NormalizedRequest } from './script';
import type { ProviderOptions, ProviderServer } from './server';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const user = (text: string) => ({ role: 'user', parts: [{ text }] });
const call = (name: string, more: JsonObject = {}) => ({
  role: 'model',
  parts: [{ functionCall: { name, args: {} }, ...more }],
});
const result = (name: string) => ({
  role: 'user',
  parts: [{ functionResponse: { name, response: { result: 'ok' } } }],
});

async function post(
  body: JsonObject,
  model = 'gemini-2.5-flash',
  options: ProviderOptions = {},
  key = 'test-key',
) {
  const seen: NormalizedRequest[] = [];
  const server = await startGoogle((request) => {
    seen.push(request);
    return { text: 'ok' };
  }, options);
  servers.push(server);
  const response = await fetch(`${server.url}/v1beta/models/${model}:generateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': key },
    body: JSON.stringify(body),
  });
  const answer: { error?: { status: string; message: string } } = await response.json();
  return { status: response.status, told: answer.error?.message ?? '', kind: answer.error?.status, seen };
}

describe('requests that the service rejects', () => {
  it.each<[string, JsonObject, RegExp]>([
    ['nothing said', { contents: [] }, /contents is not specified/],
    ['an empty turn', { contents: [{ role: 'user', parts: [] }] }, /contents\[0\]\.parts: .* not be empty/],
    [
      'a role of other providers',
      { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] },
      /valid role/,
    ],
    ['a call without a result', { contents: [user('a'), call('ls')] }, /requests end with a user role/],
    [
      'results of parallel calls in contents of their own',
      {
        contents: [
          user('a'),
          { role: 'model', parts: [...call('ls').parts, ...call('glob').parts] },
          result('ls'),
          result('glob'),
        ],
      },
      /number of function response parts is equal/,
    ],
    [
      'more results than calls',
      { contents: [user('a'), call('ls'), result('ls'), result('ls')] },
      /number of function response parts is equal/,
    ],
    [
      'a result without a call',
      { contents: [user('a'), { role: 'model', parts: [{ text: 'b' }] }, result('ls')] },
      /response turn comes immediately after/,
    ],
    [
      'a field of JSON schema that it does not know',
      {
        contents: [user('a')],
        tools: [{ functionDeclarations: [{ name: 'ls', parameters: { type: 'object', $schema: 'x' } }] }],
      },
      /Unknown name "\$schema" at 'tools\[0\]\.function_declarations\[0\]\.parameters'/,
    ],
    [
      'JSON and tools in one',
      {
        contents: [user('a')],
        tools: [{ functionDeclarations: [{ name: 'ls' }] }],
        generationConfig: { responseMimeType: 'application/json' },
      },
      /Function calling with a response mime type/,
    ],
  ])('%s', async (_, body, words) => {
    const { status, told, kind } = await post(body);
    expect([status, kind]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(told).toMatch(words);
  });

  it('a call that lost its signature, if the model needs one', async () => {
    const contents = (more: JsonObject) => [user('a'), call('ls', more), result('ls')];
    const ask = (more: JsonObject) => post({ contents: contents(more) }, 'gemini-3-pro-preview');
    expect((await ask({})).told).toMatch(/missing a thought_signature/);
    expect((await ask({ thoughtSignature: signatureOf('rm', {}) })).told).toMatch(/not valid/);
    expect((await ask({ thoughtSignature: signatureOf('ls', {}) })).status).toBe(200);
  });

  it('an unknown key or model', async () => {
    const body = { contents: [user('a')] };
    expect(await post(body, 'gemini-2.5-flash', {}, 'other')).toMatchObject({
      status: 400,
      told: 'API key not valid. Please pass a valid API key.',
    });
    expect(await post(body, 'gemini-9', { models: ['gemini-2.5-pro'] })).toMatchObject({ status: 404 });
  });
});

it('shows a script the conversation by turns', async () => {
  const { seen } = await post({
    systemInstruction: { role: 'system', parts: [{ text: 'Be brief.' }] },
    contents: [user('what is there'), call('ls'), result('ls')],
    tools: [{ functionDeclarations: [{ name: 'ls', description: 'Lists.' }] }],
  });
  expect(seen[0]).toMatchObject({
    model: 'gemini-2.5-flash',
    system: 'Be brief.',
    lastUserText: 'what is there',
    lastToolResults: [{ id: '1.0', name: 'ls', content: 'ok', isError: false }],
    tools: [{ name: 'ls', description: 'Lists.', schema: {} }],
  });
});
