import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { SystemMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { AgentMiddleware, CreateAgentParams } from 'langchain';
import type { z } from 'zod';
import { anyText, type Checks, checkOptions, flag, listOf, withoutNulls } from '../../../base/check-options';
import { ConfigurationError } from '../../../base/configuration-error';
import { optional } from '../../../contract/shared/optional';
import type { FilesystemPermission } from '../../backends/policy/permissions';
import type { AgentRef } from '../agent-ref';
import {
  interruptOnCheck,
  middlewareCheck,
  modelCheck,
  promptCheck,
  subAgentCheck,
  toolsCheck,
} from '../option-checks';
import { toolNames } from '../profile';
import { describedTools, limitTools, middlewareWith, promptWith, withTools } from '../profiles/apply';
import { EMPTY_HARNESS_PROFILE, type HarnessProfile, middlewareOf } from '../profiles/profile';
import { type AgentOptions, createAgentWith } from '../react-agent';
import { systemPromptOf } from '../system-prompt';
import { askedAbout, checkToolNames, knownTools } from '../tool-names';
import { asOne } from './as-one';
import { isAsyncSubAgent } from './async-sub-agents';
import type { AsyncSubAgent } from './async-tasks';
import { refusingTasks } from './fork';
import { type InterruptOn, interruptLayer } from './interrupt-on';
import { withOwn } from './places';
import {
  createTaskMiddleware,
  type Delegate,
  GENERAL_PURPOSE,
  GENERAL_PURPOSE_DESCRIPTION,
  GENERAL_PURPOSE_PROMPT,
  taskFor,
  type Worker,
} from './subagents';

/** A chat model, or `provider:name`. */
export type Model = BaseChatModel | string;
/** A schema of the answer (zod or JSON), or a LangChain strategy. */
export type ResponseFormat = z.ZodType | NonNullable<CreateAgentParams['responseFormat']>;

/** A sub-agent defined by its parts. */
export interface SubAgent {
  /** Unique in its agent: the `subagent_type` of a task. */
  name: string;
  /** When to use it, for the model that delegates tasks. */
  description: string;
  /** A fork adds it to its parent's prompt. */
  systemPrompt?: string | SystemMessage;
  /** `fork`: continues the conversation so far, with the parent agent's middleware, skills and instructions. */
  mode?: 'isolated' | 'fork';
  /** Default: the parent agent's tools. */
  tools?: readonly StructuredToolInterface[];
  /** Default: the parent agent's model. */
  model?: Model;
  /** Runs after the parent agent's. One of the same name replaces it. */
  middleware?: readonly AgentMiddleware[];
  /** Default: the parent agent's. */
  interruptOn?: InterruptOn;
  /** Paths of skill folders in the parent's backend. Default: none. A fork has its parent's, and must not have its own. */
  skills?: readonly string[];
  /** A schema or a strategy of LangChain. Its report is then this answer as JSON. Default: its last text is the report. */
  responseFormat?: ResponseFormat;
  /** Fully replaces the parent agent's permissions: an empty list means none. */
  permissions?: readonly FilesystemPermission[];
  /** Ours: the names of its only tools, including built-in ones and those that middleware adds to a request. Default: all. */
  toolNames?: readonly string[];
}

/** Anything that can be invoked, such as an agent or a graph. */
export interface AnyRunnable {
  /** Returns the resulting state. */
  invoke(input: never, config?: never): Promise<unknown>;
}

/** An already created sub-agent that brings everything itself. */
export interface CompiledSubAgent<TRunnable extends AnyRunnable = AnyRunnable> {
  /** Unique in its agent: the `subagent_type` of a task. */
  name: string;
  /** When to use it, for the model that delegates tasks. */
  description: string;
  /**
   * Gets `{ messages, files }` with what else the state shares, and returns state. Its last answer is the report. It gets the
   * run's `signal` in its configuration. If it rejects with an `Error`, the parent's run fails.
   */
  runnable: TRunnable;
  /** `fork`: it gets the conversation so far, with the task at its end. Default: the task alone. */
  mode?: 'isolated' | 'fork';
}

/** Options of `createSubAgentMiddleware`. */
export interface SubAgentMiddlewareOptions {
  /** For sub-agents without a model. */
  defaultModel: Model;
  /** For sub-agents without tools. Default: none. */
  defaultTools?: readonly StructuredToolInterface[];
  /** For every sub-agent, before its own. */
  defaultMiddleware?: readonly AgentMiddleware[] | null;
  /** Default: `defaultMiddleware`. */
  generalPurposeMiddleware?: readonly AgentMiddleware[] | null;
  /** For sub-agents without settings of their own. */
  defaultInterruptOn?: InterruptOn | null;
  /** Names must be unique. Default: only the general-purpose one. */
  subagents?: readonly (SubAgent | CompiledSubAgent)[];
  /** Default true: adds a general-purpose sub-agent, unless one of that name is given. */
  generalPurposeAgent?: boolean;
  /** Replaces our description; `{available_agents}` stands for the list. */
  taskDescription?: string | null;
  /** Added to the system prompt of the delegating agent. */
  systemPrompt?: string | null;
  /** For agents with `mode: 'fork'`. */
  parentSystemPrompt?: string | SystemMessage | null;
}

const CHECKS: Checks<SubAgentMiddlewareOptions> = {
  defaultModel: modelCheck,
  defaultTools: toolsCheck,
  defaultMiddleware: middlewareCheck,
  generalPurposeMiddleware: middlewareCheck,
  defaultInterruptOn: interruptOnCheck,
  subagents: listOf(subAgentCheck, 'sub-agents'),
  generalPurposeAgent: flag,
  taskDescription: anyText,
  systemPrompt: anyText,
  parentSystemPrompt: promptCheck,
};

/** The general-purpose sub-agent. */
export const GENERAL: SubAgent = {
  name: GENERAL_PURPOSE,
  description: GENERAL_PURPOSE_DESCRIPTION,
  systemPrompt: GENERAL_PURPOSE_PROMPT,
  mode: 'isolated',
};

/** The `task` tool for sub-agents in the format of the published packages. */
export function createSubAgentMiddleware(options: SubAgentMiddlewareOptions) {
  checkOptions('createSubAgentMiddleware', options, CHECKS);
  const {
    defaultMiddleware,
    generalPurposeMiddleware,
    generalPurposeAgent = true,
    taskDescription,
  } = options;
  const given = options.subagents ?? [];
  const isGeneral = (name: string) => name === GENERAL_PURPOSE;
  const all = !generalPurposeAgent || given.some((one) => isGeneral(one.name)) ? given : [GENERAL, ...given];
  const refusing = refusingTasks(taskFor(all.map(listed), taskDescription ?? undefined));
  return createTaskMiddleware({
    delegates: all.map((spec) => {
      const shared = isGeneral(spec.name)
        ? (generalPurposeMiddleware ?? defaultMiddleware)
        : defaultMiddleware;
      return delegateOf(spec, {
        ...options,
        assemble: (own, interruptOn) =>
          withOwn(
            [
              ...(spec.mode === 'fork' ? [refusing] : []),
              ...(shared ?? []),
              ...interruptLayer(interruptOn, undefined),
            ],
            own,
          ),
      });
    }),
    ...(taskDescription === undefined || taskDescription === null ? {} : { description: taskDescription }),
    ...(options.systemPrompt ? { systemPrompt: options.systemPrompt } : {}),
  });
}

/** Creates an agent from a sub-agent's description. Throws if the description does not name its model and tools. */
export function createSubAgent(
  spec: SubAgent,
  options: {
    /** Replaces that of the description. */
    responseFormat?: ResponseFormat;
  } = {},
): ReturnType<typeof createAgentWith> {
  const problem = subAgentCheck(spec, 'spec');
  if (problem !== undefined) throw new ConfigurationError(`createSubAgent: ${problem}`, 'INVALID_OPTION');
  const { name, model, tools, middleware = [], interruptOn, systemPrompt, toolNames } = withoutNulls(spec);
  if (model === undefined) throw new Error(`SubAgent '${name}' must specify 'model'`);
  if (tools === undefined) throw new Error(`SubAgent '${name}' must specify 'tools'`);
  const known = knownTools(tools, middleware);
  checkToolNames(`The sub-agent ${name}: interruptOn`, askedAbout(interruptOn), known);
  checkToolNames(`The sub-agent ${name}: toolNames`, toolNames ?? [], known);
  const responseFormat = options.responseFormat ?? spec.responseFormat;
  return createAgentWith(
    {
      model,
      tools: onlyNamed(tools, toolNames),
      middleware: [...middleware, ...interruptLayer(interruptOn, undefined)],
      name,
      ...optional({ systemPrompt, responseFormat }),
    } as AgentOptions,
    {},
  );
}

/** @deprecated A SubAgent with `mode: 'fork'`. */
export interface ForkedSubAgent extends SubAgent {
  mode: 'fork';
}

/** A sub-agent of this process, or on a LangGraph server. */
export type AnySubAgent = SubAgent | CompiledSubAgent | AsyncSubAgent;

export interface DelegateOptions
  extends Pick<
    SubAgentMiddlewareOptions,
    'defaultModel' | 'defaultTools' | 'defaultInterruptOn' | 'parentSystemPrompt'
  > {
  /** Returns all middleware of the agent, including its own. */
  assemble: (
    own: readonly AgentMiddleware[],
    interruptOn: InterruptOn | undefined,
    agent: AgentRef,
  ) => AgentMiddleware[];
  /** Assembles the middleware for each run. Default: once. */
  assemblesEachRun?: boolean;
  foldHooks?: boolean;
  /** Model-specific settings. */
  profileOf?: (model: Model) => HarnessProfile;
}

/** A sub-agent as the `task` tool lists it. */
export const listed = (spec: SubAgent | CompiledSubAgent) => ({
  name: spec.name,
  description: spec.description,
  ...optional({ mode: spec.mode }),
  ...('runnable' in spec ? { isReady: true as const } : {}),
});

/** The delegate for tasks of that type. */
export function delegateOf(given: SubAgent | CompiledSubAgent, parent: DelegateOptions): Delegate {
  const spec = withoutNulls(given);
  const { name, mode } = spec;
  const common = listed(spec);
  if (isAsyncSubAgent(spec))
    throw new Error(
      `The sub-agent ${name} has a graphId, so it is one for createAsyncSubAgentMiddleware. createDeepAgent takes both kinds.`,
    );
  if (mode !== undefined && mode !== 'isolated' && mode !== 'fork')
    throw new Error(`The sub-agent ${name} has the unknown mode ${String(mode)}: it is isolated or fork.`);
  if (mode === 'fork' && 'skills' in spec && (spec.skills ?? []).length > 0)
    throw new Error(
      `The sub-agent ${name} is a fork, which has its parent's skills. Leave its own out, or make it isolated.`,
    );
  if ('runnable' in spec)
    return {
      ...common,
      make: (_agent, responseFormat) => {
        if (responseFormat !== undefined)
          throw new Error(
            `The sub-agent ${name} is a runnable, so it cannot be given another response format. Describe it by its parts.`,
          );
        return workerOf(spec.runnable);
      },
    };
  const model = spec.model ?? parent.defaultModel;
  const profile = parent.profileOf?.(model) ?? EMPTY_HARNESS_PROFILE;
  // A sub-agent's prompt is its own base. A fork adds the suffix to the parent agent's prompt.
  const prompt =
    mode === 'fork'
      ? systemPromptOf({ base: parent.parentSystemPrompt, suffix: spec.systemPrompt })
      : promptWith({ ...profile, baseSystemPrompt: undefined }, spec.systemPrompt);
  const tools = spec.tools ?? parent.defaultTools ?? [];
  const layers = (agent: AgentRef) => layersOf(spec, parent, profile, agent);
  const shared = parent.assemblesEachRun === true ? undefined : layers(null);
  return {
    ...common,
    make: (ref, responseFormat = spec.responseFormat) => {
      const agent = createAgentWith(
        {
          model,
          tools: onlyNamed(describedTools(profile, tools), spec.toolNames),
          middleware: shared ?? layers(ref),
          name,
          ...optional({ systemPrompt: prompt, responseFormat }),
        } as AgentOptions,
        {},
      );
      return {
        // An agent's own `invoke` reads its whole state again, for the defaults of custom middleware.
        ...workerOf(parent.foldHooks === true ? agent.graph : agent),
        stateOf: (config) => agent.graph.getState(config).then(({ values }) => values, nothingSaved),
      };
    },
  };
}

/** Without a checkpointer, a sub-agent has no saved state. */
function nothingSaved(error: unknown): undefined {
  const { lc_error_code: code } = error as { lc_error_code?: string };
  if (code !== 'MISSING_CHECKPOINTER') throw error;
}

function layersOf(
  spec: SubAgent,
  parent: DelegateOptions,
  profile: HarnessProfile,
  agent: AgentRef,
): AgentMiddleware[] {
  const tools = spec.tools ?? parent.defaultTools ?? [];
  const assembled = parent.assemble(
    [...(spec.middleware ?? []), ...middlewareOf(profile.extraMiddleware)],
    spec.interruptOn ?? parent.defaultInterruptOn ?? undefined,
    agent,
  );
  // A sub-agent has fewer parts than its parent. Excluding one that is already missing is not an error.
  const names = new Set(assembled.map((one) => one.name));
  const known = new Set([...toolNames(assembled), ...tools.map((one) => one.name)]);
  const excludedMiddleware = new Set([...profile.excludedMiddleware].filter((name) => names.has(name)));
  const excludedTools = new Set([...profile.excludedTools].filter((name) => known.has(name)));
  checkToolNames(
    `The sub-agent ${spec.name}: toolNames`,
    spec.toolNames ?? [],
    knownTools(tools, [...(spec.middleware ?? []), ...(parent.assemblesEachRun ? assembled : [])], assembled),
  );
  const layers = middlewareWith({ ...profile, excludedMiddleware, excludedTools }, assembled, tools).map(
    (one) => withTools(one, (given) => onlyNamed(given, spec.toolNames)),
  );
  if (spec.toolNames !== undefined) layers.push(limitTools(new Set(spec.toolNames)));
  return parent.foldHooks === true ? asOne(layers) : layers;
}

/** The tools with those names. Others are not offered, and a call of one gets an error result. */
const onlyNamed = <T extends { name?: unknown }>(
  tools: readonly T[],
  names: readonly string[] | undefined,
): T[] =>
  names === undefined
    ? [...tools]
    : tools.filter(({ name }) => typeof name === 'string' && names.includes(name));

/** Any runnable for messages as one type. Each has input types from its own schemas. */
function workerOf(runnable: AnyRunnable): Worker {
  return { invoke: (input, config) => runnable.invoke(input as never, config as never) };
}
