import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { SystemMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { type AgentMiddleware, type CreateAgentParams, createAgent } from 'langchain';
import type { z } from 'zod';
import { optional } from '../../../contract/shared/optional';
import type { FilesystemPermission } from '../../backends/permissions';
import { toolNames } from '../profile';
import { describedTools, middlewareWith, promptWith } from '../profiles/apply';
import { EMPTY_HARNESS_PROFILE, type HarnessProfile, middlewareOf } from '../profiles/profile';
import { systemPromptOf } from '../system-prompt';
import { type AskedBeside, type InterruptOn, interruptLayer } from './interrupt-on';
import {
  createTaskMiddleware,
  type Delegate,
  GENERAL_PURPOSE,
  GENERAL_PURPOSE_DESCRIPTION,
  GENERAL_PURPOSE_PROMPT,
  type Worker,
} from './subagents';

type Model = BaseChatModel | string;
/** A schema of the answer (zod or JSON), or a strategy of LangChain's. */
export type ResponseFormat = z.ZodType | NonNullable<CreateAgentParams['responseFormat']>;

/** A sub-agent by its parts. */
export interface SubAgent {
  name: string;
  /** When to use it, for the model that hands out tasks. */
  description: string;
  systemPrompt?: string | SystemMessage;
  /** `fork`: it goes on from the conversation so far. */
  mode?: 'isolated' | 'fork';
  /** Default: those of the agent above. */
  tools?: readonly StructuredToolInterface[];
  model?: Model;
  /** After that of the agent above; one of the same name takes its place. */
  middleware?: readonly AgentMiddleware[];
  interruptOn?: InterruptOn;
  skills?: readonly string[];
  /** Its report is then this answer, as JSON. */
  responseFormat?: ResponseFormat;
  /** In place of those of the agent above, wholly: an empty list is none. */
  permissions?: readonly FilesystemPermission[];
}

/** A sub-agent that is made already and brings everything itself. */
export interface CompiledSubAgent {
  name: string;
  description: string;
  runnable: { invoke(input: never, config?: never): Promise<unknown> };
  mode?: 'isolated' | 'fork';
}

export interface SubAgentMiddlewareOptions {
  defaultModel: Model;
  defaultTools?: readonly StructuredToolInterface[];
  defaultMiddleware?: readonly AgentMiddleware[] | null;
  /** Default: `defaultMiddleware`. */
  generalPurposeMiddleware?: readonly AgentMiddleware[] | null;
  defaultInterruptOn?: InterruptOn | null;
  subagents?: readonly (SubAgent | CompiledSubAgent)[];
  /** Default true: one for any task, unless one of that name is given. */
  generalPurposeAgent?: boolean;
  /** In place of ours; `{available_agents}` stands for the list. */
  taskDescription?: string | null;
  /** For agents with `mode: 'fork'`. */
  parentSystemPrompt?: string | SystemMessage | null;
}

/** The `task` tool over sub-agents as the published packages describe them. */
export function createSubAgentMiddleware(options: SubAgentMiddlewareOptions) {
  const {
    defaultMiddleware,
    generalPurposeMiddleware,
    generalPurposeAgent = true,
    taskDescription,
  } = options;
  const given = options.subagents ?? [];
  const isGeneral = (name: string) => name === GENERAL_PURPOSE;
  const general: SubAgent = {
    name: GENERAL_PURPOSE,
    description: GENERAL_PURPOSE_DESCRIPTION,
    systemPrompt: GENERAL_PURPOSE_PROMPT,
  };
  const all = !generalPurposeAgent || given.some((one) => isGeneral(one.name)) ? given : [general, ...given];
  return createTaskMiddleware({
    delegates: all.map((spec) =>
      delegateOf(spec, {
        ...options,
        middleware:
          (isGeneral(spec.name) ? (generalPurposeMiddleware ?? defaultMiddleware) : defaultMiddleware) ?? [],
      }),
    ),
    ...(taskDescription === undefined || taskDescription === null ? {} : { description: taskDescription }),
  });
}

/** What can do tasks of that type. */
export function delegateOf(
  spec: SubAgent | CompiledSubAgent,
  parent: Pick<
    SubAgentMiddlewareOptions,
    'defaultModel' | 'defaultTools' | 'defaultInterruptOn' | 'parentSystemPrompt'
  > & {
    middleware: readonly AgentMiddleware[];
    /** Calls that rules about paths want asked about. */
    askedBeside?: AskedBeside;
    /** What is different with a model. */
    profileOf?: (model: Model) => HarnessProfile;
  },
): Delegate {
  const { name, description, mode } = spec;
  const common = { name, description, ...optional({ mode }) };
  if ('graphId' in spec)
    throw new Error(
      `The sub-agent ${name} has a graphId: sub-agents on another server are not supported. Give it a systemPrompt, or a runnable that asks that server.`,
    );
  if ('runnable' in spec) return { ...common, make: () => workerOf(spec.runnable) };
  const interruptOn = spec.interruptOn ?? parent.defaultInterruptOn ?? undefined;
  const model = spec.model ?? parent.defaultModel;
  const profile = parent.profileOf?.(model) ?? EMPTY_HARNESS_PROFILE;
  // A sub-agent's prompt is a base of its own. One that goes on has the suffix with the prompt of the agent above.
  const prompt =
    mode === 'fork'
      ? systemPromptOf({ base: parent.parentSystemPrompt, suffix: spec.systemPrompt })
      : promptWith({ ...profile, baseSystemPrompt: undefined }, spec.systemPrompt);
  const tools = describedTools(profile.toolDescriptionOverrides, spec.tools ?? parent.defaultTools ?? []);
  const assembled = withOwn(
    [...parent.middleware, ...interruptLayer(interruptOn, parent.askedBeside)],
    [...(spec.middleware ?? []), ...middlewareOf(profile.extraMiddleware)],
  );
  // A sub-agent has less than the agent above: what it lacks anyway need not be left out.
  const names = new Set(assembled.map((one) => one.name));
  const excludedMiddleware = new Set([...profile.excludedMiddleware].filter((name) => names.has(name)));
  const excludedTools = new Set(
    [...profile.excludedTools].filter((name) =>
      [...toolNames(assembled), ...tools.map((one) => one.name)].includes(name),
    ),
  );
  const middleware = middlewareWith({ ...profile, excludedMiddleware, excludedTools }, assembled, tools);
  return {
    ...common,
    make: () =>
      workerOf(
        createAgent({
          model,
          tools,
          middleware,
          name,
          ...optional({ systemPrompt: prompt, responseFormat: spec.responseFormat }),
        } as Parameters<typeof createAgent>[0]),
      ),
  };
}

/** Middleware of one's own stands at the end; one with the name of ours takes its place. */
export function withOwn(
  ours: readonly AgentMiddleware[],
  own: readonly AgentMiddleware[],
): AgentMiddleware[] {
  const names = new Set(ours.map((one) => one.name));
  return [
    ...ours.map((one) => own.findLast((other) => other.name === one.name) ?? one),
    ...own.filter((one) => !names.has(one.name)),
  ];
}

/** Whatever runs messages, seen as one kind: their inputs are typed by the schemas of each. */
function workerOf(runnable: { invoke(input: never, config?: never): Promise<unknown> }): Worker {
  return { invoke: (input, config) => runnable.invoke(input as never, config as never) };
}
