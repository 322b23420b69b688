import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { factsOf } from './error-facts';
import { toAppError } from './errors';
import { CHAT, CLAUDE, errorOf, GEMINI, GPT, type Reply, unnamed } from './testing/answers';

describe('an answer that another service failed to give', () => {
  it('is an error, with what the service says', async () => {
    const choice = {
      delta: { content: '' },
      finish_reason: 'error',
      error: { code: 429, message: 'Slow down' },
    };
    const error = await errorOf(CHAT, unnamed({ choices: [choice] }));
    expect(toAppError(error, 'openai-compatible')).toMatchObject({
      kind: 'rate_limited',
      detail: 'Slow down',
    });
  });

  it('is an error without a reason', async () => {
    const error = await errorOf(
      CHAT,
      unnamed({ choices: [{ delta: { content: 'H' }, finish_reason: 'error' }] }),
    );
    expect(toAppError(error, 'openai-compatible').kind).toBe('overloaded');
  });

  it('may be plain JSON after the events', async () => {
    const body = `${unnamed({ candidates: [{ content: { parts: [{ text: 'H' }] } }] })}{\n "error": {\n  "code": 503,\n  "message": "It is overloaded."\n }\n}`;
    const error = await errorOf(GEMINI, body);
    expect(toAppError(error, 'google-genai')).toMatchObject({
      kind: 'overloaded',
      detail: 'It is overloaded.',
    });
  });
});

describe("Gemini's errors", () => {
  it.each<[string, string, Reply]>([
    [
      'a list',
      JSON.stringify([{ error: { code: 429, message: 'Slow down' } }]),
      { type: 'application/json' },
    ],
    ['text', 'Slow down', { type: 'text/plain' }],
  ])('may be %s, with the wait in a header', async (_, body, reply) => {
    const error = await errorOf(GEMINI, body, { ...reply, status: 429, headers: { 'retry-after': '7' } });
    expect(toAppError(error, 'google-genai')).toMatchObject({
      kind: 'rate_limited',
      detail: 'Slow down',
      retryAfterSeconds: 7,
    });
  });

  it("are shown in a proxy's own form", async () => {
    const body = JSON.stringify({ detail: [{ loc: ['body'], msg: 'field required' }] });
    const error = await errorOf(GEMINI, body, { status: 422, type: 'application/json' });
    expect(toAppError(error, 'google-genai').detail).toContain('field required');
  });

  it('have a wait when the service is busy, too', async () => {
    const error = await errorOf(GEMINI, '{}', { status: 503, headers: { 'retry-after': '7' } });
    expect(factsOf(error)).toMatchObject({ status: 503, retryAfterSeconds: 7 });
  });
});

it.each([CLAUDE, GPT, GEMINI])('%j at another address says that a web page answers there', async (ref) => {
  const error = await errorOf(ref, '<!doctype html><h1>Hello</h1>', { type: 'text/html' });
  const told = toAppError(error, ref.provider);
  expect(inEnglish(told)).toContain('nothing answers at this address');
  expect(told.detail).toContain('The address answered with a web page');
});
