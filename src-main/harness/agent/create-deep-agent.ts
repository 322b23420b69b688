import type { BaseLanguageModel } from '@langchain/core/language_models/base';
import type { SystemMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { InteropZodObject } from '@langchain/core/utils/types';
import type { AnyStateSchema, BaseCheckpointSaver, BaseStore } from '@langchain/langgraph';
import type { AgentMiddleware } from 'langchain';
import type { Checks } from '../../base/check-options';
import { optional } from '../../contract/shared/optional';
import { type BackendFactory, resolveBackend } from '../backends/backend-factory';
import type { FilesystemPermission } from '../backends/policy/permissions';
import type { AnyBackend } from '../backends/published-protocol';
import { StateBackend } from '../backends/state';
import { AGENT_CHECKS, checkedOptions } from './agent-options';
import type { AgentRef } from './agent-ref';
import { checkAskedTools, checkCollisions } from './check-tools';
import { keeperAmong } from './context/effective';
import type { ContextKeeper } from './context/keeper';
import { asOne } from './middleware/as-one';
import { createAsyncSubAgentMiddleware, isAsyncSubAgent } from './middleware/async-sub-agents';
import { createFilesystemMiddleware } from './middleware/filesystem';
import { refusingTasks } from './middleware/fork';
import { type AskedBeside, type InterruptOn, interruptLayer } from './middleware/interrupt-on';
import { createMemoryMiddleware } from './middleware/memory';
import { createPatchToolCallsMiddleware } from './middleware/patch-tool-calls';
import { inOrder, type MiddlewareSlots, withOwn } from './middleware/places';
import { promptCaching } from './middleware/prompt-caching';
import { createSkillsMiddleware } from './middleware/skills';
import {
  type AnySubAgent,
  type CompiledSubAgent,
  delegateOf,
  GENERAL,
  listed,
  type Model,
  type ResponseFormat,
  type SubAgent,
} from './middleware/sub-agent-specs';
import { createTaskMiddleware, GENERAL_PURPOSE, type TaskOptions, taskFor } from './middleware/subagents';
import { createSummarizationMiddleware } from './middleware/summarization';
import { askedByRules } from './path-rules';
import { describedTools, middlewareWith, promptWith } from './profiles/apply';
import { type HarnessProfile, middlewareOf } from './profiles/profile';
import { profileOfModel } from './profiles/registry';
import { type AgentOptions, createAgentWith } from './react-agent';
import { RECURSION_LIMIT } from './recursion-limit';
import type { SystemPromptConfig } from './system-prompt';
import type {
  AgentLayers,
  AnyAnnotationRoot,
  DeepAgent,
  DeepAgentTypeConfig,
  InferStructuredResponse,
  StreamTransformers,
  Tools,
} from './types';

const DEFAULT_MODEL = 'anthropic:claude-sonnet-4-6';

const NONE: ReadonlySet<string> = new Set();

/** The published package's options, followed by our own. The type parameters are made of the options. */
export interface CreateDeepAgentParams<
  TResponse extends ResponseFormat = ResponseFormat,
  TContext extends AnyAnnotationRoot | InteropZodObject = AnyAnnotationRoot | InteropZodObject,
  TMiddleware extends readonly AgentMiddleware[] = readonly AgentMiddleware[],
  TSubagents extends readonly AnySubAgent[] = readonly AnySubAgent[],
  TTools extends Tools = Tools,
  TStreamTransformers extends StreamTransformers = StreamTransformers,
  TState extends AnyStateSchema | InteropZodObject | undefined =
    | AnyStateSchema
    | InteropZodObject
    | undefined,
  TSkills extends readonly string[] | undefined = readonly string[] | undefined,
> extends Pick<TaskOptions, 'stopOf' | 'isStopped'> {
  /** A chat model, or `provider:name`, whose package must be installed. Default: `anthropic:claude-sonnet-4-6`. */
  model?: BaseLanguageModel | string;
  /**
   * In addition to the built-in ones, whose names they must not have (`TOOL_NAME_COLLISION`). An `Error` that a tool throws
   * fails the run; anything else that it throws goes to the model as an error result.
   */
  tools?: TTools;
  /** Default: none, except what tools and middleware add. */
  systemPrompt?: string | SystemMessage | SystemPromptConfig;
  /** State of your own, for tools and middleware. */
  stateSchema?: TState;
  /** Runs inside ours, in this order. One with the name of a built-in one replaces it. */
  middleware?: TMiddleware;
  /** Besides `general-purpose`, or in its place if one has that name. */
  subagents?: TSubagents;
  /** A schema (zod or JSON), or a strategy of LangChain. The state then has `structuredResponse` in this format. */
  responseFormat?: TResponse;
  /** What each run is given as `context`. It is not saved. */
  contextSchema?: TContext;
  /** Saves threads after each step. True: the checkpointer of the graph that this agent is part of. Default: nothing is saved. */
  checkpointer?: BaseCheckpointSaver | boolean;
  /** For `StoreBackend`, and for tools of your own. */
  store?: BaseStore;
  /** Default: files in the thread's state. */
  backend?: AnyBackend | BackendFactory;
  /**
   * Calls that a person must decide about, by tool. Needs a checkpointer. Sub-agents ask too, unless they have their own. A name
   * of no tool is an error (`UNKNOWN_TOOL`), or a warning if middleware may still add the tool.
   */
  interruptOn?: InterruptOn;
  /** Names the answers, and the agent in traces and streams. */
  name?: string;
  /** Paths of instruction files in the backend, the most general first. They are read at each turn; missing ones are skipped. */
  memory?: readonly string[];
  /** Paths of skill folders in the backend. A later one's skills replace an earlier one's. They are listed at each turn. */
  skills?: TSkills;
  /** Path rules for the file tools. The first match decides; without one a call is allowed. */
  permissions?: readonly FilesystemPermission[];
  /** For `streamEvents` with `version: 'v3'`. */
  streamTransformers?: TStreamTransformers;
  /**
   * Ours: middleware for the agent itself (null) and for each run of a sub-agent. It is created for every run, so that
   * siblings share nothing. `inner` is like `middleware` and comes before it; `outer` wraps all of ours.
   */
  middlewareFor?: (agent: AgentRef) => MiddlewareSlots;
  /**
   * Ours: runs hooks before the agent and before the model within the model step, so a turn has fewer steps and checkpoints.
   * Refuses hooks that jump. Default false: each hook is a step, as in the published package.
   */
  foldHooks?: boolean;
  /** Ours: marks requests to Anthropic and Bedrock for the provider's cache. Default true. */
  promptCaching?: boolean;
  /** Ours: model-specific settings. Default: those registered with `registerHarnessProfile`. */
  profileOf?: (model: Model) => HarnessProfile;
}

/** Typed here, so that the compiler finds an option without a check. */
const CHECKS: Checks<CreateDeepAgentParams> = AGENT_CHECKS;

/** The parts of one agent in the assembly: the agent itself, or a sub-agent. */
interface Part {
  agent: AgentRef;
  own: readonly AgentMiddleware[];
  permissions: readonly FilesystemPermission[] | undefined;
  skills: readonly string[] | undefined;
  memory?: readonly string[] | undefined;
  interruptOn: InterruptOn | undefined;
  /** The tools that give tasks to others. */
  delegating?: readonly AgentMiddleware[];
}

/**
 * Creates the harness with the options of the published package: files, sub-agents, summaries and repair, plus, on request,
 * instructions, skills and questions before calls. Our own options: `middlewareFor`, `foldHooks`, `profileOf`, `promptCaching`,
 * `stopOf` and `isStopped`, and `toolNames` for a sub-agent. Throws ConfigurationError with code `TOOL_NAME_COLLISION` if a tool has the
 * name of a built-in one.
 */
export function createDeepAgent<
  TResponse extends ResponseFormat = ResponseFormat,
  TContext extends AnyAnnotationRoot | InteropZodObject = InteropZodObject,
  const TMiddleware extends readonly AgentMiddleware[] = readonly [],
  const TSubagents extends readonly AnySubAgent[] = readonly [],
  const TTools extends Tools = readonly [],
  const TStreamTransformers extends StreamTransformers = readonly [],
  TState extends AnyStateSchema | InteropZodObject | undefined = undefined,
  const TSkills extends readonly string[] | undefined = undefined,
>(
  params?: CreateDeepAgentParams<
    TResponse,
    TContext,
    TMiddleware,
    TSubagents,
    TTools,
    TStreamTransformers,
    TState,
    TSkills
  >,
): DeepAgent<
  DeepAgentTypeConfig<
    InferStructuredResponse<TResponse>,
    TState,
    TContext,
    AgentLayers<TSkills, TMiddleware, TSubagents>,
    TTools,
    TSubagents,
    TStreamTransformers
  >
>;
export function createDeepAgent(given: CreateDeepAgentParams = {}): unknown {
  const params = checkedOptions(given, CHECKS);
  const { foldHooks = false } = params;
  const model = (params.model ?? DEFAULT_MODEL) as Model;
  const ownTools = (params.tools ?? []) as readonly StructuredToolInterface[];
  const profile = (params.profileOf ?? profileOfModel)(model);
  const tools = describedTools(profile, ownTools);
  // A tool hidden from the agent itself may be available to a sub-agent with another model.
  const defaultTools = describedTools({ ...profile, excludedTools: NONE }, ownTools);
  const systemPrompt = promptWith(profile, params.systemPrompt);
  const layers = layersFor(params, model);

  const subAgents = subAgentsOf(params, profile);
  const refusing = subAgents.some(isFork) ? [refusingTasks(taskFor(subAgents.map(listed)))] : [];
  let keeper: ContextKeeper | undefined;
  const task = createTaskMiddleware({
    delegates: subAgents.map((spec) =>
      delegateOf(spec, {
        profileOf: params.profileOf ?? profileOfModel,
        defaultModel: model,
        defaultTools,
        defaultInterruptOn: params.interruptOn ?? null,
        parentSystemPrompt: systemPrompt ?? null,
        foldHooks,
        assemblesEachRun: params.middlewareFor !== undefined,
        assemble: (own, interruptOn, agent) =>
          layers.all({
            agent,
            own: isFork(spec) ? withOwn(inheritedOf(params), own) : own,
            interruptOn,
            delegating: isFork(spec) ? refusing : [],
            ...partsOf(spec, params),
          }),
      }),
    ),
    keeper: () => keeper,
    ...optional({ stopOf: params.stopOf, isStopped: params.isStopped }),
  });
  const part: Part = {
    agent: null,
    own: [...(params.middleware ?? []), ...middlewareOf(profile.extraMiddleware)],
    permissions: params.permissions,
    skills: params.skills,
    memory: params.memory,
    interruptOn: params.interruptOn,
    delegating: [task, ...asyncTasksOf(params)],
  };
  const assembled = layers.all(part);
  keeper = keeperAmong(assembled);
  const middleware = middlewareWith(profile, assembled, ownTools);
  checkCollisions(ownTools, assembled, part.own);
  checkAskedTools(params, ownTools, assembled);
  const { stateSchema, responseFormat, contextSchema, checkpointer, store, name, streamTransformers } =
    params;
  return createAgentWith(
    {
      model,
      tools,
      middleware: foldHooks ? asOne(middleware) : middleware,
      ...optional({
        systemPrompt,
        stateSchema,
        responseFormat,
        contextSchema,
        checkpointer,
        store,
        name,
        streamTransformers,
      }),
    } as AgentOptions,
    { recursionLimit: RECURSION_LIMIT },
  );
}

/** Creates the middleware of one agent in the assembly: ours in order, with the agent's own. */
function layersFor(params: CreateDeepAgentParams, model: Model) {
  const { backend = new StateBackend(), middlewareFor, promptCaching: caches = true } = params;
  const chat = typeof model === 'string' ? {} : { model };
  /** Rules that prompt work like `interruptOn`, and need a checkpointer too. */
  const askedBy = (permissions: readonly FilesystemPermission[] = []): AskedBeside | undefined =>
    permissions.some((rule) => rule.mode === 'interrupt')
      ? askedByRules(permissions, resolveBackend(backend))
      : undefined;

  const all = ({
    agent,
    own,
    permissions,
    skills,
    memory,
    interruptOn,
    delegating = [],
  }: Part): AgentMiddleware[] => {
    const { outer = [], inner = [] } = middlewareFor?.(agent) ?? {};
    const mine = [...inner, ...own];
    const taken = new Set(mine.map(({ name }) => name));
    const isTaken = (name: string) => taken.has(name);
    const ours = [
      ...delegating,
      ...(isSome(skills) ? [createSkillsMiddleware({ backend, sources: skills })] : []),
      ...(isSome(memory) ? [createMemoryMiddleware({ backend, sources: memory })] : []),
      // Not created if the agent has its own.
      ...(isTaken('SummarizationMiddleware') ? [] : [createSummarizationMiddleware({ ...chat, backend })]),
      ...(isTaken('FilesystemMiddleware')
        ? []
        : [
            createFilesystemMiddleware({
              backend,
              ...chat,
              ...optional({ permissions }),
              asksFirst: true,
            }),
          ]),
      ...(isTaken('patchToolCallsMiddleware') ? [] : [createPatchToolCallsMiddleware()]),
      ...interruptLayer(interruptOn, askedBy(permissions)),
    ];
    const caching = caches ? promptCaching(model).filter(({ name }) => !isTaken(name)) : [];
    return [...inOrder(ours, { outer, inner: mine }), ...caching];
  };
  return { all };
}

/**
 * Replacements of these also apply to the general-purpose sub-agent: it must not see files that are hidden from the agent
 * itself.
 */
const REPLACED_BELOW: ReadonlySet<string> = new Set([
  'FilesystemMiddleware',
  'SummarizationMiddleware',
  'patchToolCallsMiddleware',
]);

/** These are about the result of the agent itself, not about the part of it that a fork does. */
const NOT_BELOW: ReadonlySet<string> = new Set(['CompletionCallbackMiddleware', 'RubricMiddleware']);

/** The middleware that a fork has from its parent. */
const inheritedOf = ({ middleware = [] }: CreateDeepAgentParams): AgentMiddleware[] =>
  middleware.filter(({ name }) => !NOT_BELOW.has(name));

/** The given sub-agents, after the general-purpose one, unless a profile or one of the same name removes that. */
function subAgentsOf(
  { subagents: all = [], skills, middleware = [] }: CreateDeepAgentParams,
  { generalPurposeSubagent: changed, baseSystemPrompt }: HarnessProfile,
): readonly (SubAgent | CompiledSubAgent)[] {
  const subagents = all.flatMap((one) => (isAsyncSubAgent(one) ? [] : [one]));
  if (subagents.some((one) => one.name === GENERAL_PURPOSE) || changed?.enabled === false) return subagents;
  const general: SubAgent = {
    ...GENERAL,
    description: changed?.description ?? GENERAL.description,
    systemPrompt: changed?.systemPrompt ?? baseSystemPrompt ?? GENERAL.systemPrompt ?? '',
    ...optional({ skills }),
    middleware: middleware.filter(
      ({ name }) => REPLACED_BELOW.has(name) || (name === 'SkillsMiddleware' && isSome(skills)),
    ),
  };
  return [general, ...subagents];
}

/** The tools for sub-agents on other servers, if there are any. */
function asyncTasksOf({ subagents = [] }: CreateDeepAgentParams): AgentMiddleware[] {
  const asyncSubAgents = subagents.filter(isAsyncSubAgent);
  return asyncSubAgents.length === 0
    ? []
    : [createAsyncSubAgentMiddleware({ asyncSubAgents }) as AgentMiddleware];
}

/** Programs without types may pass null. */
const isSome = (sources: readonly string[] | null | undefined): sources is readonly string[] =>
  (sources ?? []).length > 0;

const isFork = (spec: SubAgent | CompiledSubAgent): boolean => spec.mode === 'fork';

/**
 * A sub-agent inherits its parent's rules unless it has its own, but not skills and instructions. A fork, which continues
 * the conversation, inherits all of them.
 */
function partsOf(
  spec: SubAgent | CompiledSubAgent,
  { permissions, skills, memory }: CreateDeepAgentParams,
): Pick<Part, 'permissions' | 'skills' | 'memory'> {
  if ('runnable' in spec) return { permissions, skills: undefined };
  const rules = { permissions: spec.permissions ?? permissions };
  if (!isFork(spec)) return { ...rules, skills: spec.skills };
  return { ...rules, skills, memory };
}
