import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { expect } from 'vitest';
import { z } from 'zod';
import { serve } from '../../base/network/testing/servers';
import { partsOf } from '../../harness/agent/message-parts';
import type { ModelRef } from '../registry';
import { modelAt } from './provider-servers';

const ls = tool(() => 'ok', {
  name: 'ls',
  description: 'Lists a folder.',
  schema: z.object({ path: z.string() }),
});

export interface Asked {
  stream_options?: unknown;
  messages: {
    role: string;
    content?: unknown;
    name?: string;
    reasoning_content?: string;
    tool_calls?: { id: string }[];
    tool_call_id?: string;
  }[];
}

/** What a server does with its requests, in order; it repeats the last one. */
export type Answer = string | { status: number; json: unknown } | { json: unknown };

export const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

let servers = 0;

/** A model at a server that answers like this, and what arrives there. */
export async function modelOf(...answers: ((asked: Asked) => Answer)[]) {
  const asked: Asked[] = [];
  const url = await serve((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const body = JSON.parse(text) as Asked;
      const answer = answers[Math.min(asked.length, answers.length - 1)]?.(body) ?? '';
      asked.push(body);
      const isStream = typeof answer === 'string';
      response.writeHead(isStream || !('status' in answer) ? 200 : answer.status, {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
      });
      response.end(isStream ? answer : JSON.stringify(answer.json));
    });
  });
  servers += 1;
  const made = await modelAt(
    { provider: 'openai-compatible', name: `vision-${servers}` },
    { url: `${url}/v1` },
  );
  return { asked, model: made.bindTools?.([ls]) ?? made };
}

export const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
export const delta = (value: object | null, finish_reason: string | null = null) =>
  event({ id: 'a', choices: [{ index: 0, delta: value, finish_reason }] });
export const stream = (...events: string[]) => [...events, 'data: [DONE]\n\n'].join('');
export const part = (call: object) => delta({ tool_calls: [call] });
export const END = delta({}, 'stop');
export const named = { name: 'ls', arguments: '{"path":"/a"}' };
export const other = { name: 'ls', arguments: '{"path":"/b"}' };

/** What the person and the agent get. */
export function read(answer: BaseMessage) {
  if (!AIMessage.isInstance(answer)) throw new Error('no answer of a model');
  const { text, reasoning } = partsOf(answer);
  const calls = (answer.tool_calls ?? []).map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
  expect(answer.invalid_tool_calls ?? []).toEqual([]);
  const ids = (answer.tool_calls ?? []).map(({ id }) => id);
  expect(ids.every((id) => id !== undefined && id !== '')).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  return { ...(text && { text }), ...(reasoning && { reasoning }), ...(calls.length > 0 && { calls }) };
}

export const ONE = { calls: ['ls {"path":"/a"}'] };
export const TWO = { calls: ['ls {"path":"/a"}', 'ls {"path":"/b"}'] };

/** An answer of a model of another provider whose server sends this body. */
export async function answerOf(ref: ModelRef, type: string, body: string): Promise<BaseMessage> {
  const url = await serve((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', type).end(body));
  });
  const model = await modelAt(ref, { url });
  return (model.bindTools?.([ls]) ?? model).invoke('Hi');
}
