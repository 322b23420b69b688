import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { ScriptedModel, type ScriptedStep } from './scripted-model';

export const search = tool(async ({ query }: { query: string }) => `results for ${query}`, {
  name: 'internet_search',
  description: 'Run a web search',
  schema: z.object({ query: z.string() }),
});

/** A model with a script for each agent, selected by the agent's first human message and run in order. */
export const scripted = (steps: Record<string, ScriptedStep[]>) =>
  new ScriptedModel((messages) => {
    const work = messages.findLast((m) => HumanMessage.isInstance(m))?.text ?? '';
    const at = messages.findLastIndex((m) => HumanMessage.isInstance(m));
    return (
      steps[work]?.[messages.slice(at).filter((m) => AIMessage.isInstance(m)).length] ?? {
        text: `${work} done`,
      }
    );
  });

export const go = (text = 'go') => ({ messages: [{ role: 'user' as const, content: text }] });
export const promptOf = (messages: BaseMessage[]) => messages.find((m) => SystemMessage.isInstance(m))?.text;
export const results = (messages: BaseMessage[]) =>
  messages.filter((m) => ToolMessage.isInstance(m)).map((m) => `${m.name}: ${m.text}`);
export const thread = { configurable: { thread_id: 't' } };
export const task = (description: string, type: string) => ({
  id: `task-${description}`,
  name: 'task',
  args: { description, subagent_type: type },
});

/** Returns its structured answer right away, with some text. */
export class Answering extends ScriptedModel {
  private answerTool = '';

  constructor(answer: Record<string, unknown>) {
    super(() => ({ text: 'words', calls: [{ name: this.answerTool, args: answer }] }));
  }

  override bindTools(tools: { name?: string; function?: { name?: string } }[] = []): this {
    const last = tools.at(-1);
    this.answerTool = last?.name ?? last?.function?.name ?? '';
    return this;
  }
}
