import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { type StructuredToolInterface, type ToolRuntime, tool } from '@langchain/core/tools';
import { Command, isGraphInterrupt } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { z } from 'zod';
import type { FileData, FilesUpdate } from '../../backends/protocol';
import { followWrites, stepWrites } from '../../backends/step-writes';
import { TOOLS } from '../../tools/catalogue';
import type { AgentRef } from '../agent-ref';
import type { ContextKeeper } from '../context/keeper';
import { agentNote, withAskedFor } from '../knowledge/asked-for';
import { partsOf } from '../message-parts';
import generalPurposePrompt from '../prompts/general-purpose.md?raw';
import taskDescription from '../prompts/task.md?raw';
import { STOPPED_BY_PERSON } from '../stopped';
import { withSection } from '../system-section';
import { KNOWS_CONVERSATION, KNOWS_MESSAGES, messagesOfFork, STATE_OF_FORK } from './fork';

/** Name of the default sub-agent, which exists unless another one replaces it. */
export const GENERAL_PURPOSE = 'general-purpose';
/** When to use the general-purpose sub-agent, for the model that delegates tasks. */
export const GENERAL_PURPOSE_DESCRIPTION = 'Any task, with the same tools that you have.';
/** The prompt of the general-purpose sub-agent. */
export const GENERAL_PURPOSE_PROMPT = generalPurposePrompt;

/** Anything that can do a task: an agent, or any runnable that takes and returns messages. */
export interface Worker {
  invoke(
    input: { messages: BaseMessage[]; files: Record<string, FileData> },
    config: RunnableConfig,
  ): Promise<unknown>;
  /** Its last saved state, if available. */
  stateOf?(config: RunnableConfig): Promise<unknown>;
}

/** A type of sub-agent that can be given tasks. */
export interface Delegate {
  name: string;
  /** When to use it, for the model that delegates tasks. */
  description: string;
  /** `fork`: continues the conversation so far. Default: sees only the task. */
  mode?: 'isolated' | 'fork';
  /** Ready-made, so that of its parent's it has the messages alone. */
  isReady?: true;
  /** Called for each run, so that siblings share nothing. `responseFormat` replaces its own. */
  make: (agent: NonNullable<AgentRef>, responseFormat?: unknown) => Worker;
}

/** In `configurable`: the response format of sub-agents, instead of their own. */
export const SUBAGENT_RESPONSE_FORMAT_CONFIG_KEY = '__deepagents_subagent_response_format';

export interface TaskOptions {
  delegates: readonly Delegate[];
  /** Replaces our description; `{available_agents}` stands for the list. */
  description?: string;
  /** Added to the system prompt of the delegating agent. */
  systemPrompt?: string;
  /** Shows the delegating agent its messages. Forks start from what it shows. */
  keeper?: () => ContextKeeper | undefined;
  /** Signals the stop of one sub-agent, by its `task` call. */
  stopOf?: (callId: string) => AbortSignal;
  /** Whether the sub-agent of a `task` call was stopped, even in an earlier run. */
  isStopped?: (callId: string) => boolean;
}

const Input = z.object({
  description: z.string().describe('The complete task, with everything needed to do it and what to report'),
  subagent_type: z.string().describe('One of the types above'),
});

/** The `task` tool for a model: its list says when to use which sub-agent. `description` replaces ours. */
export function taskFor(
  listed: readonly Pick<Delegate, 'name' | 'description' | 'mode' | 'isReady'>[],
  description = `${taskDescription}\n{available_agents}`,
) {
  const known = ({ mode, isReady }: Pick<Delegate, 'mode' | 'isReady'>) =>
    mode !== 'fork' ? '' : isReady === true ? KNOWS_MESSAGES : KNOWS_CONVERSATION;
  const list = listed.map((one) => `- ${one.name}: ${one.description}${known(one)}`).join('\n');
  return {
    name: TOOLS.task.name,
    description: description.replaceAll('{available_agents}', () => list),
    schema: Input,
  };
}

/** State of one agent that is not shared in either direction, like every key that starts with an underscore. */
const OWN_STATE = new Set([
  ...STATE_OF_FORK,
  'messages',
  'structuredResponse',
  'files',
  // Who waits for this agent, not for its sub-agents.
  'callbackThreadId',
  // What LangChain's limits have counted: a sub-agent has limits of its own.
  'threadModelCallCount',
  'runModelCallCount',
  'threadToolCallCount',
  'runToolCallCount',
]);

function refuseSameNames(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new Error(
      `Duplicate subagent name '${twice}': the model could not tell which one is meant. Rename one.`,
    );
}

/** The `task` tool: runs work in a separate context and returns one report. Several can run in parallel. */
export function createTaskMiddleware(options: TaskOptions) {
  const { delegates, stopOf } = options;
  refuseSameNames(delegates.map(({ name }) => name));
  const task = tool(
    async ({ description, subagent_type }: z.output<typeof Input>, runtime: ToolRuntime) => {
      const callId = runtime.toolCallId;
      const answer = (content: string, status: 'success' | 'error') =>
        new ToolMessage({ content, status, name: TOOLS.task.name, tool_call_id: callId });
      const delegate = delegates.find((candidate) => candidate.name === subagent_type);
      if (!delegate) {
        const names = delegates.map((candidate) => candidate.name).join(', ');
        return answer(
          `Error: there is no sub-agent of type ${subagent_type}; the types are ${names}.`,
          'error',
        );
      }
      const ref = { callId, name: delegate.name };
      const stop = stopOf?.(callId);
      const files = filesOf(runtime.state);
      const shared = sharedState(runtime.state);
      const worker = delegate.make(
        ref,
        runtime.config.configurable?.[SUBAGENT_RESPONSE_FORMAT_CONFIG_KEY] ?? undefined,
      );
      const written: FilesUpdate = {};
      /** Its scratch files stay, as if it had reported. The report says that there is none. */
      const stopped = async () => {
        const saved = filesOf(await worker.stateOf?.(runtime.config));
        const changes = Object.keys(saved).length === 0 ? {} : changedFiles(files, saved);
        return new Command({
          update: {
            files: besideOthers({ ...changes, ...written }).kept,
            messages: [answer(STOPPED_BY_PERSON, 'error')],
          },
        });
      };
      if (options.isStopped?.(callId) === true) return stopped();
      const signals = [runtime.signal, stop].filter((signal) => signal !== undefined);
      let result: unknown;
      try {
        const config = {
          ...runtime.config,
          configurable: { ...runtime.config.configurable, ls_agent_type: 'subagent' },
          // The configuration of a call has the name of the agent above.
          metadata: { ...runtime.config.metadata, lc_agent_name: delegate.name },
          ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
        };
        const input = { ...shared, ...startOf(delegate, description, runtime.state, options), files };
        result = await followWrites(written, () => worker.invoke(input, config));
      } catch (error) {
        const isStopped = stop?.aborted === true && runtime.signal?.aborted !== true;
        if (isStopped && !isGraphInterrupt(error)) return stopped();
        throw error;
      }
      const { kept, notes } = besideOthers(changedFiles(files, filesOf(result)));
      const content = [reportOf(result), ...notes].join('\n\n');
      return new Command({
        update: {
          ...changedState(shared, sharedState(result)),
          files: kept,
          messages: [new ToolMessage({ content, name: TOOLS.task.name, tool_call_id: callId })],
        },
      });
    },
    taskFor(delegates, options.description),
  ) as StructuredToolInterface;

  const names = new Set(delegates.map((one) => one.name));
  return createMiddleware({
    name: 'subAgentMiddleware',
    tools: [task],
    wrapModelCall: (request, handler) =>
      handler({
        ...request,
        ...(options.systemPrompt === undefined
          ? {}
          : { systemMessage: withSection(request.systemMessage, options.systemPrompt) }),
        messages: withAskedFor(request.messages, (name) => (names.has(name) ? agentNote(name) : undefined)),
      }),
  });
}

const recordOf = (state: unknown): Record<string, unknown> =>
  state !== null && typeof state === 'object' ? (state as Record<string, unknown>) : {};

/** State that an agent shares with its sub-agents besides files: what custom middleware keeps there. */
const sharedState = (state: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(recordOf(state)).filter(([key]) => !OWN_STATE.has(key) && !key.startsWith('_')),
  );

const changedState = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value));

/** What a sub-agent starts with: its task, and what it has from its parent if it is a fork. */
function startOf(
  { name, mode, isReady }: Delegate,
  description: string,
  state: unknown,
  { keeper }: TaskOptions,
): { messages: BaseMessage[] } {
  if (mode !== 'fork') return { messages: [new HumanMessage(description)] };
  const messages = messagesOfFork(state, { name, description }, keeper?.());
  if (isReady === true) return { messages };
  const more = Object.entries(recordOf(state)).filter(([key]) => STATE_OF_FORK.has(key));
  return { ...Object.fromEntries(more), messages };
}

function filesOf(state: unknown): Record<string, FileData> {
  const files =
    state !== null && typeof state === 'object' ? (state as { files?: unknown }).files : undefined;
  return files !== null && typeof files === 'object' ? (files as Record<string, FileData>) : {};
}

/** Only the sub-agent's own changes, so that siblings do not overwrite each other; null for a deleted file. */
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

/** Agents copy bytes, and a checkpoint may have turned them into an object. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/**
 * The changes to keep if sibling calls of the same answer changed the same files. The later call in the answer wins,
 * whichever finished first. The one that finishes last can report it.
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
        : [`[Discarded, because a later call in the same answer also changed these: ${lost.join(', ')}]`]),
      ...(won.length === 0
        ? []
        : [
            `[An earlier call in the same answer also changed these; the changes of this one were kept: ${won.join(', ')}]`,
          ]),
    ],
  };
}

/** The structured answer if there is one, else the last text. Empty closing messages are skipped. */
function reportOf(result: unknown): string {
  const { structuredResponse, messages } = recordOf(result);
  if (structuredResponse !== undefined && structuredResponse !== null)
    return JSON.stringify(structuredResponse);
  for (const message of Array.isArray(messages) ? messages.toReversed() : []) {
    if (!AIMessage.isInstance(message)) continue;
    const { text } = partsOf(message);
    if (text.trim() !== '') return text;
  }
  return 'Task completed';
}
