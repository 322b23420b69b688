import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { type StructuredToolInterface, type ToolRuntime, tool } from '@langchain/core/tools';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import type { ZodObject } from 'zod';
import { effectiveMessages } from '../context/effective';
import type { ContextKeeper, ContextState } from '../context/keeper';
import taskOfFork from '../prompts/fork.md?raw';

/** Follows a fork's description in the list of sub-agents. */
export const KNOWS_CONVERSATION = ' (Knows this conversation and your instructions: describe only the task.)';
/** The same for a ready-made agent, whose instructions are its own. */
export const KNOWS_MESSAGES = ' (Knows this conversation: describe only the task.)';

const REFUSED = 'Error: you are a sub-agent and cannot delegate tasks. Do this task yourself.';

/** The state that a fork has from its parent besides what all sub-agents share. Changes of it stay with the fork. */
export const STATE_OF_FORK: ReadonlySet<string> = new Set(['todos', 'skillsMetadata', 'memoryContents']);

/** What a fork starts with: what its parent's model sees of the conversation, and the task. */
export const messagesOfFork = (
  state: unknown,
  task: { name: string; description: string },
  keeper: ContextKeeper | undefined,
): BaseMessage[] => [
  ...settledMessages(state, keeper),
  new HumanMessage(`${taskOfFork.trim().replace('{name}', () => task.name)}\n\n${task.description}`),
];

/** The conversation without the answer whose calls are in progress. Its sibling calls have no results yet. */
function settledMessages(state: unknown, keeper: ContextKeeper | undefined): BaseMessage[] {
  const held = state as ContextState | null;
  if (!Array.isArray(held?.messages)) return [];
  const last = held.messages.findLastIndex((message) => AIMessage.isInstance(message));
  const messages = last === -1 ? held.messages : held.messages.slice(0, last);
  return effectiveMessages({ ...held, messages }, keeper);
}

/**
 * The `task` tool of a fork. It refuses, but is offered like its parent's: with other tools, a provider could not use what it
 * has cached of the conversation.
 */
export function refusingTasks(offered: {
  name: string;
  description: string;
  schema: ZodObject;
}): AgentMiddleware {
  const { name } = offered;
  const refuse = tool(
    async (_input: unknown, runtime: ToolRuntime) =>
      new ToolMessage({ content: REFUSED, status: 'error', name, tool_call_id: runtime.toolCallId }),
    offered,
  );
  return createMiddleware({ name: 'subAgentMiddleware', tools: [refuse as StructuredToolInterface] });
}
