// What programs for the published package share that run on it and on ours.
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { type ToolRuntime, tool } from '@langchain/core/tools';
import * as published from 'deepagents';
import { z } from 'zod';
import * as ours from '../../index';
import { ScriptedModel, type ScriptedStep } from './scripted-model';

type Library = typeof published;
export const both: [string, Library][] = [
  ['the published package', published],
  ['ours', ours as unknown as Library],
];
export const thread = { configurable: { thread_id: 't' } };
/** Types of the two packages differ in their parameters; these programs pass more than they infer. */
export const given = (input: object) => input as never;
export const go = given({ messages: [new HumanMessage('go')] });
export const withFiles = (files: object, text = 'go') => given({ messages: [new HumanMessage(text)], files });
export type State = Record<string, unknown> & { messages: BaseMessage[]; __interrupt__?: { id: string }[] };
export const resultsIn = (state: unknown) =>
  (state as State).messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);

type Call = [name: string, args?: Record<string, unknown>];
export const calling = (...calls: Call[]): ScriptedStep => ({
  calls: calls.map(([name, args = {}]) => ({ name, args })),
});
export const task = (subagent_type: string): Call => ['task', { description: 'work', subagent_type }];
export const isSummarizing = (messages: BaseMessage[]) =>
  messages.some(({ text }) => text.startsWith('Summarize:'));
/** Answers with one step after another, then is done. Asked for a summary, it gives one. */
export function steps(...list: ScriptedStep[]) {
  let next = 0;
  return new ScriptedModel((messages) =>
    isSummarizing(messages) ? { text: 'IN SHORT' } : (list[next++] ?? { text: 'Done.' }),
  );
}
export const named = (name: string, run: (input: never, runtime: ToolRuntime) => Promise<unknown>) =>
  tool(run as () => Promise<string>, {
    name,
    description: name,
    schema: z.object({ to: z.string().optional() }),
  }) as never;
export const helper = (model: ScriptedModel, more: object = {}) => ({
  name: 'helper',
  description: 'd',
  systemPrompt: 'p',
  model,
  ...more,
});
export const file = (content: unknown, mimeType = 'text/plain') => ({
  content,
  mimeType,
  created_at: '2026-01-01T00:00:00.000Z',
  modified_at: '2026-01-01T00:00:00.000Z',
});
