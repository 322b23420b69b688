import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { type StructuredToolInterface, type ToolRuntime, tool } from '@langchain/core/tools';
import { Command } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, createMiddleware } from 'langchain';
import { z } from 'zod';
import type { FilesystemPermission } from '../../backends/permissions';
import type { FileData, FilesUpdate } from '../../backends/protocol';
import { stepWrites } from '../../backends/step-writes';
import type { AgentRef } from '../observer';
import generalPurposePrompt from '../prompts/general-purpose.md?raw';
import taskDescription from '../prompts/task.md?raw';
import { RECURSION_LIMIT } from '../recursion-limit';
import { AGENT_METADATA, partsOf } from './observe-model';

export interface SubAgent {
  name: string;
  /** When to use it, for the model that hands out tasks. */
  description: string;
  systemPrompt: string;
  model?: BaseChatModel;
  /** In place of those of the agent above, wholly: an empty list is none. */
  permissions?: readonly FilesystemPermission[];
}

const GENERAL_PURPOSE: SubAgent = {
  name: 'general-purpose',
  description: 'Any task, with all tools that you have yourself.',
  systemPrompt: generalPurposePrompt,
};

export interface SubAgentOptions {
  model: BaseChatModel;
  /** Put before each sub-agent's own prompt: where it is and what the rules are. */
  basePrompt: string;
  subagents?: readonly SubAgent[];
  tools?: readonly StructuredToolInterface[];
  /** Middleware of a sub-agent, made anew for each run so that nothing is shared between siblings. */
  middlewareFor: (agent: NonNullable<AgentRef>) => AgentMiddleware[];
}

const Input = z.object({
  description: z
    .string()
    .describe('The whole task, with everything that is needed to do it and what to report'),
  subagent_type: z.string().describe('One of the types above'),
});

/** The `task` tool: work in a context of its own, answered by one report. Several run side by side. */
export function createSubAgentMiddleware(options: SubAgentOptions) {
  const own = options.subagents ?? [];
  const subagents = own.some((agent) => agent.name === GENERAL_PURPOSE.name)
    ? own
    : [GENERAL_PURPOSE, ...own];
  const list = subagents.map((agent) => `- ${agent.name}: ${agent.description}`).join('\n');

  const task = tool(
    async ({ description, subagent_type }: z.output<typeof Input>, runtime: ToolRuntime) => {
      const callId = runtime.toolCallId;
      const subagent = subagents.find((candidate) => candidate.name === subagent_type);
      if (!subagent) {
        const names = subagents.map((candidate) => candidate.name).join(', ');
        return new ToolMessage({
          content: `Error: there is no sub-agent of type ${subagent_type}; the types are ${names}.`,
          status: 'error',
          name: 'task',
          tool_call_id: callId,
        });
      }
      const ref = { callId, name: subagent.name };
      const agent = createAgent({
        model: subagent.model ?? options.model,
        systemPrompt: `${options.basePrompt}\n\n${subagent.systemPrompt}`,
        tools: [...(options.tools ?? [])],
        middleware: options.middlewareFor(ref),
        name: subagent.name,
      });
      const files = filesOf(runtime.state);
      const input = { messages: [new HumanMessage(description)], files };
      const result = await agent.invoke(input, {
        ...runtime.config,
        recursionLimit: RECURSION_LIMIT,
        metadata: { ...runtime.config.metadata, [AGENT_METADATA]: ref },
      });
      const { kept, notes } = besideOthers(changedFiles(files, filesOf(result)));
      const content = [reportOf(result.messages), ...notes].join('\n\n');
      return new Command({
        update: {
          files: kept,
          messages: [new ToolMessage({ content, name: 'task', tool_call_id: callId })],
        },
      });
    },
    { name: 'task', description: `${taskDescription}\n${list}`, schema: Input },
  ) as StructuredToolInterface;

  return createMiddleware({ name: 'subAgents', tools: [task] });
}

function filesOf(state: unknown): Record<string, FileData> {
  const files =
    state !== null && typeof state === 'object' ? (state as { files?: unknown }).files : undefined;
  return files !== null && typeof files === 'object' ? (files as Record<string, FileData>) : {};
}

/** Only what the sub-agent itself changed, so that siblings do not overwrite each other; null for what it deleted. */
function changedFiles(before: Record<string, FileData>, after: Record<string, FileData>): FilesUpdate {
  const changes: FilesUpdate = {};
  for (const [path, data] of Object.entries(after)) {
    const old = before[path];
    if (old === undefined || old.modified_at !== data.modified_at || !isSame(old.content, data.content))
      changes[path] = data;
  }
  for (const path of Object.keys(before)) if (!Object.hasOwn(after, path)) changes[path] = null;
  return changes;
}

/** Bytes are copied between agents, and a checkpoint may have made an object of them. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/**
 * What of a sub-agent's changes counts where siblings of the same answer changed the same files: the call that comes
 * later in the answer, whichever ended first. Whoever ends last can say so.
 */
function besideOthers(changes: FilesUpdate): { kept: FilesUpdate; notes: string[] } {
  const step = stepWrites();
  const paths = Object.keys(changes);
  const lost = paths.filter((path) => step?.takenBy(path) === 'later');
  const won = paths.filter((path) => step?.takenBy(path) === 'earlier');
  const kept = Object.fromEntries(Object.entries(changes).filter(([path]) => !lost.includes(path)));
  step?.note(kept);
  return {
    kept,
    notes: [
      ...(lost.length === 0
        ? []
        : [`[Not kept, since a later call of the same answer changed them too: ${lost.join(', ')}]`]),
      ...(won.length === 0
        ? []
        : [
            `[An earlier call of the same answer changed these too; the changes of this one count: ${won.join(', ')}]`,
          ]),
    ],
  };
}

/** The last words of the sub-agent; empty closing messages are skipped. */
function reportOf(messages: unknown[]): string {
  for (const message of messages.toReversed()) {
    if (!AIMessage.isInstance(message)) continue;
    const { text } = partsOf(message);
    if (text.trim() !== '') return text;
  }
  return 'Task completed';
}
