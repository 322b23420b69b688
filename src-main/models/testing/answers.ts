import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { serve } from '../../base/network/testing/servers';
import type { ModelRef } from '../registry';
import { modelAt } from './provider-servers';

const ls = tool(() => 'ok', {
  name: 'ls',
  description: 'Lists a folder.',
  schema: z.object({ path: z.string().optional() }),
});

export const CLAUDE: ModelRef = { provider: 'anthropic', name: 'claude-sonnet-4-5' };
export const CHAT: ModelRef = { provider: 'openai-compatible', name: 'some-model' };
export const GPT: ModelRef = { provider: 'openai', name: 'gpt-5' };
export const GEMINI: ModelRef = { provider: 'google-genai', name: 'gemini-2.5-flash' };
export const OLLAMA_MODEL: ModelRef = { provider: 'ollama', name: 'qwen3' };

export interface Reply {
  type?: string;
  status?: number;
  headers?: Record<string, string>;
}

/** The answer of a model whose server sends this body. */
export async function answerOf(ref: ModelRef, body: string | Buffer, reply: Reply = {}): Promise<AIMessage> {
  const { type = 'text/event-stream', status = 200, headers } = reply;
  const url = await serve((request, response) => {
    request
      .resume()
      .on('end', () => response.writeHead(status, { 'content-type': type, ...headers }).end(body));
  });
  const model = await modelAt(ref, { url });
  const answer: BaseMessage = await (model.bindTools?.([ls]) ?? model).invoke('Hi');
  if (!AIMessage.isInstance(answer)) throw new Error('no answer of a model');
  return answer;
}

export const errorOf = (...given: Parameters<typeof answerOf>): Promise<unknown> =>
  answerOf(...given).then(
    () => null,
    (thrown: unknown) => thrown,
  );

export const named = (...events: object[]) =>
  events
    .map((event) => `event: ${'type' in event ? String(event.type) : ''}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
export const unnamed = (...events: unknown[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
export const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
export const text = {
  type: 'message',
  id: 'm',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Hi' }],
};
export const call = (args: unknown) => ({
  type: 'function_call',
  id: 'f',
  call_id: 'c1',
  name: 'ls',
  arguments: args,
});
export const response = (...output: object[]) => ({
  id: 'r',
  object: 'response',
  model: 'gpt-5',
  status: 'completed',
  output,
  usage,
});
export const completed = (...output: object[]) => ({
  type: 'response.completed',
  response: response(...output),
});

export const at = { output_index: 0, item_id: 'f' };
export const PATH = '{"path":"/a"}';
