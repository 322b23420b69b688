import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serve } from '../base/network/testing/servers';
import { toAppError } from './errors';
import { isRefusal } from './incomplete';
import { modelAt } from './testing/provider-servers';

const ls = tool(() => 'ok', {
  name: 'ls',
  description: 'Lists a folder.',
  schema: z.object({ path: z.string() }),
});

type Part = Record<string, unknown>;
interface Asked {
  contents: { role: string; parts: Part[] }[];
}
/** What the service sends to each request in turn: its events, or an error. */
type Answer = object[] | { status: number; error: object };

const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
const says = (parts: Part[], more: object = { finishReason: 'STOP' }) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  usageMetadata,
});
const ends = (finishReason: string) => [{ candidates: [{ finishReason, index: 0 }], usageMetadata }];
const calls = (args: object | null, more: object = {}) => ({ functionCall: { name: 'ls', args, ...more } });

async function modelOf(...answers: Answer[]) {
  const asked: Asked[] = [];
  const url = await serve((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(JSON.parse(text) as Asked);
      if (Array.isArray(answer)) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(answer.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''));
        return;
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: answer.status, ...answer.error } }));
    });
  });
  const made = await modelAt({ provider: 'google-genai', name: 'gemini-3-pro-preview' }, { url });
  const model = made.bindTools?.([ls]) ?? made;
  return { asked, model };
}

/** Asks, answers the calls, and asks again. Returns what was sent with the results. */
async function afterCalls(...parts: Part[]) {
  const { asked, model } = await modelOf([says(parts)], [says([{ text: 'Done.' }])]);
  const messages: BaseMessage[] = [new HumanMessage('look')];
  const answer = await model.invoke(messages);
  if (!AIMessage.isInstance(answer)) throw new Error('no answer of a model');
  messages.push(answer);
  for (const { id = '', name } of answer.tool_calls ?? [])
    messages.push(new ToolMessage({ content: `result ${messages.length}`, tool_call_id: id, name }));
  if ((answer.tool_calls ?? []).length === 0) messages.push(new HumanMessage('and now?'));
  await model.invoke(messages);
  return { answer, contents: asked[1]?.contents.slice(1) ?? [] };
}

/** Nobody answers here: only the error counts. */
async function failureOf(answer: Answer) {
  const { model } = await modelOf(answer);
  return toAppError(await model.invoke('look').catch((error: unknown) => error), 'google-genai');
}

describe('calls of Gemini', () => {
  it('sends the results of parallel calls back together, with their ids', async () => {
    const { contents } = await afterCalls(
      { ...calls({ path: '/a' }, { id: 'f1' }), thoughtSignature: 'c2ln' },
      calls({ path: '/b' }, { id: 'f2' }),
    );
    expect(contents).toMatchObject([
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'f1', args: { path: '/a' } }, thoughtSignature: 'c2ln' },
          { functionCall: { id: 'f2', args: { path: '/b' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'f1', response: { result: 'result 2' } } },
          { functionResponse: { id: 'f2', response: { result: 'result 3' } } },
        ],
      },
    ]);
  });

  it('sends only the signatures of parallel calls that came', async () => {
    const { contents } = await afterCalls(
      { ...calls({ path: '/a' }), thoughtSignature: 'c2ln' },
      calls({ path: '/b' }),
    );
    expect(contents[0]?.parts.map(({ thoughtSignature }) => thoughtSignature)).toEqual(['c2ln', undefined]);
  });

  it.each([
    ['a text', [{ text: 'Hi', thoughtSignature: 'c2ln' }], [{ text: 'Hi', thoughtSignature: 'c2ln' }]],
    [
      'an empty text at the end',
      [{ text: 'Hm.', thought: true }, { text: 'Hi' }, { text: '', thoughtSignature: 'c2ln' }],
      [{ text: 'Hm.', thought: true }, { text: 'Hi' }, { text: '', thoughtSignature: 'c2ln' }],
    ],
    [
      'a text before a call',
      [
        { text: 'Look.', thoughtSignature: 'dGV4' },
        { ...calls({ path: '/a' }), thoughtSignature: 'c2ln' },
      ],
      [
        { text: 'Look.', thoughtSignature: 'dGV4' },
        { functionCall: { name: 'ls', args: { path: '/a' } }, thoughtSignature: 'c2ln' },
      ],
    ],
  ])('sends back the signature of %s', async (_name, given, expected) => {
    const { answer, contents } = await afterCalls(...given);
    expect(answer.text).toBe(given.map((part) => ('thought' in part ? '' : (part.text ?? ''))).join(''));
    expect(contents[0]?.parts).toEqual(expected);
  });

  it('invents no ids for a service that gives none', async () => {
    const { contents } = await afterCalls(calls({ path: '/a' }), calls({ path: '/b' }));
    expect(contents.map(({ parts }) => parts.length)).toEqual([2, 2]);
    expect(JSON.stringify(contents)).not.toContain('"id"');
  });

  it.each([
    ['no arguments', { functionCall: { name: 'ls' } }],
    ['null as arguments', calls(null)],
    ['the name that its code would use', calls({}, { name: 'default_api.ls' })],
    ['that name with a colon', calls({}, { name: 'default_api:ls' })],
  ])('reads a call with %s', async (_name, part) => {
    const { answer } = await afterCalls(part);
    expect(answer.tool_calls).toMatchObject([{ name: 'ls', args: {} }]);
  });

  it('goes on after parts that cannot be sent back', async () => {
    const { answer, contents } = await afterCalls(
      { text: 'Here' },
      { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
      { text: '' },
      { somethingNew: true },
    );
    expect(answer.text).toBe('Here');
    expect(contents[0]).toEqual({ role: 'model', parts: [{ text: 'Here' }] });
  });
});

describe('answers of Gemini that end in another way', () => {
  it.each(['SAFETY', 'RECITATION', 'LANGUAGE', 'PROHIBITED_CONTENT'])(
    'is declined with %s',
    async (reason) => {
      const { model } = await modelOf(ends(reason));
      const answer = await model.invoke('look');
      expect(AIMessage.isInstance(answer) && isRefusal(answer)).toBe(true);
    },
  );

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'MISSING_THOUGHT_SIGNATURE'])(
    'has a call that cannot be read with %s',
    async (reason) => expect(await failureOf(ends(reason))).toMatchObject({ code: 'call_garbled' }),
  );
});

const QUOTA = 'You exceeded your current quota, please check your plan and billing details.';
const limit = (quotaId: string, retryDelay: string) => [
  { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
  { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
];

describe('errors of Gemini', () => {
  it.each([
    [
      'per minute',
      QUOTA,
      limit('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '2.1s'),
      'rate_limited_seconds',
    ],
    ['per day', QUOTA, limit('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '36s'), 'no_credit'],
    [
      'of nothing',
      `${QUOTA} limit: 0, model: gemini-3-pro`,
      limit('RequestsPerMinute-FreeTier', '36s'),
      'no_credit',
    ],
    ['without details', QUOTA, undefined, 'no_credit'],
  ])('tells a limit %s', async (_name, message, details, code) => {
    const error = { status: 'RESOURCE_EXHAUSTED', message, ...(details ? { details } : {}) };
    expect(await failureOf({ status: 429, error })).toMatchObject({ code });
  });

  it("shows the service's own message without the package's words", async () => {
    const message = 'User location is not supported for the API use.';
    const error = { status: 'FAILED_PRECONDITION', message, details: [{ '@type': 'x', reason: 'y' }] };
    expect(await failureOf({ status: 400, error })).toMatchObject({
      code: 'request_rejected_status',
      detail: message,
    });
  });

  it('says why a project may not use the service', async () => {
    const message = 'Generative Language API has not been used in project 1 before or it is disabled.';
    const error = { status: 'PERMISSION_DENIED', message };
    expect(await failureOf({ status: 403, error })).toMatchObject({
      kind: 'bad_key',
      code: 'access_refused',
      detail: message,
    });
  });
});
