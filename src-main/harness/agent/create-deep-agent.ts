import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { SystemMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { BaseCheckpointSaver, BaseStore } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent } from 'langchain';
import { optional } from '../../contract/shared/optional';
import { type AnyBackend, type BackendFactory, resolveBackend } from '../backends/adapt';
import type { FilesystemPermission } from '../backends/permissions';
import { StateBackend } from '../backends/state';
import { ConfigurationError } from './configuration-error';
import { createFilesystemMiddleware } from './middleware/filesystem';
import { type AskedBeside, type InterruptOn, interruptLayer } from './middleware/interrupt-on';
import { createMemoryMiddleware } from './middleware/memory';
import { createPatchToolCallsMiddleware } from './middleware/patch-tool-calls';
import { createSkillsMiddleware } from './middleware/skills';
import {
  type CompiledSubAgent,
  delegateOf,
  type ResponseFormat,
  type SubAgent,
  withOwn,
} from './middleware/sub-agent-specs';
import {
  createTaskMiddleware,
  GENERAL_PURPOSE,
  GENERAL_PURPOSE_DESCRIPTION,
  GENERAL_PURPOSE_PROMPT,
} from './middleware/subagents';
import { createSummarizationMiddleware } from './middleware/summarization';
import { askedByRules } from './path-rules';
import { toolNames } from './profile';
import { describedTools, middlewareWith, promptWith } from './profiles/apply';
import { middlewareOf } from './profiles/profile';
import { profileOfModel } from './profiles/registry';
import { RECURSION_LIMIT } from './recursion-limit';
import type { SystemPromptConfig } from './system-prompt';

const DEFAULT_MODEL = 'anthropic:claude-sonnet-4-6';

type AgentOptions = Parameters<typeof createAgent>[0];

/** The published package's options. */
export interface CreateDeepAgentParams {
  /** A chat model, or `provider:name`. */
  model?: BaseChatModel | string;
  /** Beside the built-in ones, whose names they must not have. */
  tools?: readonly StructuredToolInterface[];
  systemPrompt?: string | SystemMessage | SystemPromptConfig;
  stateSchema?: AgentOptions['stateSchema'];
  /** After ours; one with the name of ours takes its place. */
  middleware?: readonly AgentMiddleware[];
  subagents?: readonly (SubAgent | CompiledSubAgent)[];
  responseFormat?: ResponseFormat;
  contextSchema?: AgentOptions['contextSchema'];
  checkpointer?: BaseCheckpointSaver | boolean;
  store?: BaseStore;
  /** Default: files in the thread's state. */
  backend?: AnyBackend | BackendFactory;
  /** Calls that a person decides about; needs a checkpointer. */
  interruptOn?: InterruptOn;
  name?: string;
  /** Files of instructions in the backend. */
  memory?: readonly string[];
  /** Folders of skills in the backend. */
  skills?: readonly string[];
  permissions?: readonly FilesystemPermission[];
  streamTransformers?: AgentOptions['streamTransformers'];
}

/**
 * The harness for developers, with the options of the published package: files, sub-agents, summaries, repair, and,
 * where they are asked for, instructions, skills and questions before calls. Throws ConfigurationError with code
 * `TOOL_NAME_COLLISION` where a tool has the name of a built-in one.
 */
export function createDeepAgent(params: CreateDeepAgentParams = {}) {
  const { model = DEFAULT_MODEL, backend = new StateBackend(), middleware: own = [] } = params;
  const profile = profileOfModel(model);
  const tools = describedTools(profile.toolDescriptionOverrides, params.tools ?? []);
  const systemPrompt = promptWith(profile, params.systemPrompt);
  const chat = typeof model === 'string' ? {} : { model };

  const base = (options: {
    permissions: readonly FilesystemPermission[] | undefined;
    skills: readonly string[] | undefined;
    task: AgentMiddleware | null;
  }): AgentMiddleware[] => [
    ...(options.skills === undefined ? [] : [createSkillsMiddleware({ backend, sources: options.skills })]),
    createFilesystemMiddleware({
      backend,
      ...chat,
      ...optional({ permissions: options.permissions }),
      asksFirst: true,
    }),
    ...(options.task === null ? [] : [options.task]),
    createSummarizationMiddleware({ ...chat, backend }),
    createPatchToolCallsMiddleware(),
  ];

  /** Rules that ask go the way of `interruptOn`, and need a checkpointer as that does. */
  const askedBy = (permissions: readonly FilesystemPermission[] = []): { askedBeside?: AskedBeside } =>
    permissions.some((rule) => rule.mode === 'interrupt')
      ? { askedBeside: askedByRules(permissions, resolveBackend(backend)) }
      : {};

  const given = params.subagents ?? [];
  const { generalPurposeSubagent: changed } = profile;
  const general: SubAgent = {
    name: GENERAL_PURPOSE,
    description: changed?.description ?? GENERAL_PURPOSE_DESCRIPTION,
    systemPrompt: changed?.systemPrompt ?? profile.baseSystemPrompt ?? GENERAL_PURPOSE_PROMPT,
    ...optional({ skills: params.skills }),
  };
  const isGiven = given.some((one) => one.name === GENERAL_PURPOSE) || changed?.enabled === false;
  const all = isGiven ? given : [general, ...given];
  const task = createTaskMiddleware({
    delegates: all.map((spec) =>
      delegateOf(spec, {
        profileOf: profileOfModel,
        ...('runnable' in spec ? {} : askedBy(spec.permissions ?? params.permissions)),
        defaultModel: model,
        defaultTools: tools,
        defaultInterruptOn: params.interruptOn ?? null,
        parentSystemPrompt: typeof systemPrompt === 'object' ? systemPrompt : (systemPrompt ?? null),
        middleware:
          'runnable' in spec
            ? []
            : base({
                permissions: spec.permissions ?? params.permissions,
                skills: spec.skills,
                task: null,
              }),
      }),
    ),
  });

  const ours = [
    ...base({ permissions: params.permissions, skills: params.skills, task }),
    ...(params.memory === undefined ? [] : [createMemoryMiddleware({ backend, sources: params.memory })]),
    ...interruptLayer(params.interruptOn, askedBy(params.permissions).askedBeside),
  ];
  const assembled = withOwn(ours, [...own, ...middlewareOf(profile.extraMiddleware)]);
  const middleware = middlewareWith(profile, assembled, tools);
  const builtIn = new Set(toolNames(assembled.filter((one) => ours.includes(one))));
  const collisions = tools.map((tool) => tool.name).filter((name) => builtIn.has(name));
  if (collisions.length > 0)
    throw new ConfigurationError(
      `Tools must not have the names of built-in tools: ${collisions.join(', ')}. Give them other names, or put a FilesystemMiddleware without the built-in ones in its place.`,
      'TOOL_NAME_COLLISION',
    );
  const { stateSchema, responseFormat, contextSchema, checkpointer, store, name, streamTransformers } =
    params;
  const agent = createAgent({
    model,
    tools: [...tools],
    middleware,
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
  } as AgentOptions);
  return agent.withConfig({ recursionLimit: RECURSION_LIMIT });
}
