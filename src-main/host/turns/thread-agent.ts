import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, createMiddleware } from 'langchain';
import type { Gate } from '../../approvals/gate';
import { optional } from '../../contract/shared/optional';
import type { Profile } from '../../contract/shared/profile';
import type { AgentRef } from '../../harness/agent/agent-ref';
import type { SummarizationOptions } from '../../harness/agent/context/keeper';
import { createDeepAgent } from '../../harness/agent/create-deep-agent';
import type { ListedSkills } from '../../harness/agent/knowledge/list-skills';
import type { MemorySource } from '../../harness/agent/knowledge/memory-files';
import type { DrawFrame } from '../../harness/agent/media/video';
import { createFilesystemMiddleware } from '../../harness/agent/middleware/filesystem';
import { createMemoryMiddleware } from '../../harness/agent/middleware/memory';
import { createPatchToolCallsMiddleware } from '../../harness/agent/middleware/patch-tool-calls';
import type { MiddlewareSlots } from '../../harness/agent/middleware/places';
import { createSkillsMiddleware } from '../../harness/agent/middleware/skills';
import {
  GENERAL_PURPOSE,
  GENERAL_PURPOSE_DESCRIPTION,
  GENERAL_PURPOSE_PROMPT,
} from '../../harness/agent/middleware/subagents';
import { createSummarizationMiddleware } from '../../harness/agent/middleware/summarization';
import { createTodoListMiddleware } from '../../harness/agent/middleware/todo-list';
import { createHarnessProfile } from '../../harness/agent/profiles/profile';
import { RECURSION_LIMIT } from '../../harness/agent/recursion-limit';
import { STOPPED_BY_PERSON } from '../../harness/agent/stopped';
import { type AnyBackend, type BackendFactory, resolveBackend } from '../../harness/backends/adapt';
import { createFileVersions, isTakenUp } from '../../harness/backends/file-versions';
import type { FilesystemPermission } from '../../harness/backends/permissions';
import type { BackendProtocol } from '../../harness/backends/protocol';
import { displayOf } from '../../harness/tools/catalogue';
import { permissionGate } from '../approvals/permission-gate';
import { redactedReads, type SecretGuard } from '../project/secret-guard';
import type { CallJournal } from '../threads/journal';
import type { AgentObserver } from './agent-observer';
import { createApprovalMiddleware } from './middleware/approvals';
import { createDeltaMiddleware, createModelObserverMiddleware } from './middleware/observe-model';
import type { CallRehearsals } from './middleware/rehearsed-call';
import { createSecretsMiddleware } from './middleware/secrets';
import { createSteeringMiddleware, type TakeQueued } from './middleware/steering';
import type { ModelGate } from './model-gate';

export interface SubAgent {
  name: string;
  /** When to use it, for the model that hands out tasks. */
  description: string;
  systemPrompt: string;
  model?: BaseChatModel;
  /** The only tools it has, by name. Default: all that the agent above has, but for `task`. */
  toolNames?: readonly string[];
  /** In place of those of the agent above, wholly: an empty list is none. */
  permissions?: readonly FilesystemPermission[];
}

export interface ThreadAgentOptions {
  model: BaseChatModel;
  systemPrompt: string;
  backend: AnyBackend | BackendFactory;
  gate: Gate;
  journal: CallJournal;
  observer: AgentObserver;
  isIncomplete: (message: AIMessage) => boolean;
  /** True where the model declined to answer; the turn then fails with a `RefusedError`. */
  isRefusal?: (message: AIMessage) => boolean;
  /** A call of that id was made in the thread before, by whichever agent; ids that come again are changed. */
  isKnownCall?: (callId: string) => boolean;
  /** The thread, named as the author of what its calls write. */
  threadId: string;
  subagents?: readonly SubAgent[];
  /** Tools from elsewhere (MCP servers), beside the harness's own; sub-agents have them too. */
  extraTools?: readonly StructuredToolInterface[];
  /** Rules about paths, before the gate and on the backend. Sub-agents have them too, unless they bring their own. */
  permissions?: readonly FilesystemPermission[];
  /**
   * A file must have been read, or written, by the agent before it may edit it. Default false, as in the published
   * package. That a file changed since it was read is looked at in any case.
   */
  requireRead?: boolean;
  /** How the conversation is kept within the model's window; sub-agents' too, as far as it is not about the person. */
  context?: ThreadContext;
  /** Files of instructions (AGENTS.md), the most general first; sub-agents have them too. */
  memory?: readonly MemorySource[];
  /** Told at the beginning of each turn of the thread's own agent what is loaded of them, by path. */
  onMemoryLoaded?: (contents: Readonly<Record<string, string>>) => void | Promise<void>;
  /** Folders of skills, later ones first in importance; the general-purpose sub-agent has them too. */
  skills?: readonly string[];
  /** The skills for the first turn of the thread's own agent, where they are listed already or being listed. */
  skillsAhead?: Promise<ListedSkills>;
  /** Called with a sentence for each file of instructions or skill that cannot be used. */
  warn?: (message: string) => void;
  /** For stopping one sub-agent: its signal, by the `task` call. */
  stopOf?: (callId: string) => AbortSignal;
  /** What the person said for the agent at work; asked before each request to the model, not by sub-agents. */
  takeQueued?: TakeQueued;
  /** Stands around each agent's requests, summaries included. */
  modelGate?: (agent: AgentRef) => ModelGate;
  /** What is different with a model: in place of `systemPrompt`, and about its tools. */
  profileOf?: (model: BaseChatModel) => AgentProfile;
  /** A picture of a video for models that take no videos, where ffmpeg is not there to draw it. */
  drawFrame?: DrawFrame;
  /** Redacts secrets from the model and from what is kept; sub-agents go by the same. */
  secrets?: SecretGuard;
  /** Throwaway layers in which commands run first. */
  rehearsals?: CallRehearsals;
  checkpointer?: BaseCheckpointSaver;
}

export type AgentProfile = Pick<Profile, 'systemPrompt' | 'toolDescriptions' | 'excludedTools'>;

/** What the host says about a thread's context; the rest is the harness's own affair. */
export type ThreadContext = Pick<
  SummarizationOptions,
  'trigger' | 'keep' | 'maxInputTokens' | 'isContextOverflow' | 'pinned' | 'isUndone' | 'recorded'
>;

/** For the types of its state. */
const plain = (model: BaseChatModel, middleware: AgentMiddleware[]) => createAgent({ model, middleware });
type Graph = ReturnType<typeof plain>['graph'];

/**
 * The harness with what is the app's own. Created for each turn, so that nothing is kept between threads. Outermost
 * first: offloading sees what approvals let through, approvals decide what the tools are given.
 */
export function createThreadAgent(options: ThreadAgentOptions) {
  const { model, backend, journal, subagents = [], stopOf, checkpointer } = options;
  const promptFor = (chat: BaseChatModel): string =>
    options.profileOf?.(chat).systemPrompt ?? options.systemPrompt;
  const all: readonly SubAgent[] = subagents.some((one) => one.name === GENERAL_PURPOSE)
    ? subagents
    : [GENERAL, ...subagents];
  const agent = createDeepAgent({
    model,
    systemPrompt: promptFor(model),
    backend,
    subagents: all.map(({ permissions: _, ...spec }) => ({
      ...spec,
      systemPrompt: `${promptFor(spec.model ?? model)}\n\n${spec.systemPrompt}`,
    })),
    middlewareFor: slotsOf(options),
    foldHooks: true,
    profileOf: (chat) => {
      const { toolDescriptions, excludedTools } =
        typeof chat === 'string' ? {} : (options.profileOf?.(chat) ?? {});
      return createHarnessProfile({ toolDescriptionOverrides: toolDescriptions, excludedTools });
    },
    isStopped: (callId) => journal.resultOf(callId)?.content === STOPPED_BY_PERSON,
    ...optional({ stopOf }),
    // And no store: LangGraph asks every millisecond of a run whether something waits for one. Backends bring their own.
    ...optional({ checkpointer }),
  });
  const graph = agent.graph as Graph;
  // The agent's own `invoke` reads the whole thread once more and gives all of it to the run as its input, to be saved.
  const invoke: typeof graph.invoke = (input, config) =>
    graph.invoke(input, { recursionLimit: RECURSION_LIMIT, ...config } as typeof config);
  return { graph, invoke };
}

const GENERAL: SubAgent = {
  name: GENERAL_PURPOSE,
  description: GENERAL_PURPOSE_DESCRIPTION,
  systemPrompt: GENERAL_PURPOSE_PROMPT,
};

export type ThreadAgent = ReturnType<typeof createThreadAgent>;

/** What the app has each agent do beside the harness, and what it sets in the harness's own middleware. */
function slotsOf(options: ThreadAgentOptions): (agent: AgentRef) => MiddlewareSlots {
  const { observer, isIncomplete, isRefusal, isKnownCall, takeQueued, journal, modelGate } = options;
  const resolved = resolveBackend(options.backend);
  const approvedVersions = new Map<string, string>();
  return (agent) => {
    const observing = createModelObserverMiddleware({
      agent,
      observer,
      isIncomplete,
      ...optional({ isRefusal, isKnownCall }),
    });
    const steers = agent === null && takeQueued !== undefined;
    const permissions =
      options.subagents?.find((one) => one.name === agent?.name)?.permissions ?? options.permissions ?? [];
    return {
      outer: [observing, ...(steers ? [createSteeringMiddleware({ takeQueued })] : [])],
      inner: [
        createTodoListMiddleware({ onChanged: (todos) => observer.todosChanged(agent, todos) }),
        ...knowledge(options, resolved, agent),
        summaries(options, agent),
        ...filesAndApprovals(options, resolved, { agent, permissions, approvedVersions }),
        createPatchToolCallsMiddleware({ resultOf: (callId) => journal.resultOf(callId) }),
        ...(options.extraTools === undefined
          ? []
          : [createMiddleware({ name: 'extraTools', tools: [...options.extraTools] })]),
        // Inside of all that keeps a result.
        ...(options.secrets === undefined ? [] : [createSecretsMiddleware(options.secrets)]),
        // Nearly last, so that it sees each request as it is sent.
        ...(modelGate === undefined ? [] : [modelGate(agent).middleware]),
        createDeltaMiddleware({ agent, observer }),
      ],
    };
  };
}

function modelOf({ model, subagents }: ThreadAgentOptions, agent: AgentRef): BaseChatModel {
  return subagents?.find((one) => one.name === agent?.name)?.model ?? model;
}

function summaries(options: ThreadAgentOptions, agent: AgentRef): AgentMiddleware {
  const { backend, observer, modelGate, context = {} } = options;
  // Pins and what was undone are about the thread's own messages.
  const { pinned: _pinned, isUndone: _isUndone, recorded: _recorded, ...shared } = context;
  return createSummarizationMiddleware({
    ...(agent === null ? context : shared),
    model: modelOf(options, agent),
    ...optional({ invoke: modelGate?.(agent).invoke }),
    backend,
    tool: true,
    onCompacting: () => observer.compacting?.(agent),
    onCompacted: (compaction) => observer.compacted?.(agent, compaction),
  });
}

function knowledge(
  options: ThreadAgentOptions,
  resolved: BackendProtocol,
  agent: AgentRef,
): AgentMiddleware[] {
  const { memory, skills, warn, onMemoryLoaded, skillsAhead: ahead, secrets } = options;
  const backend = secrets === undefined ? resolved : redactedReads(resolved, secrets);
  const hasSkills = agent === null || agent.name === GENERAL_PURPOSE;
  // Only the thread's own agent complains: the others would say the same again.
  const told = agent === null && warn !== undefined ? { warn } : {};
  const listed = agent === null && ahead !== undefined ? { ahead } : {};
  const onLoaded = agent === null && onMemoryLoaded !== undefined ? { onLoaded: onMemoryLoaded } : {};
  return [
    ...(skills === undefined || !hasSkills
      ? []
      : [createSkillsMiddleware({ backend, sources: skills, ...told, ...listed })]),
    // Last in the prompt: what changes most often costs the least of the provider's cache.
    ...(memory === undefined
      ? []
      : [createMemoryMiddleware({ backend, sources: memory, ...told, ...onLoaded })]),
  ];
}

/** They share what the agent has seen of files, and the versions that were approved. */
function filesAndApprovals(
  options: ThreadAgentOptions,
  resolved: BackendProtocol,
  {
    agent,
    permissions,
    approvedVersions,
  }: {
    agent: AgentRef;
    permissions: readonly FilesystemPermission[];
    approvedVersions: Map<string, string>;
  },
): AgentMiddleware[] {
  const { backend, gate, journal, observer, threadId, drawFrame } = options;
  const versions = createFileVersions({ backend: resolved, requireRead: options.requireRead ?? false });
  return [
    createFilesystemMiddleware({
      backend,
      model: modelOf(options, agent),
      ...optional({ drawFrame }),
      onOffloaded: (callId, path) => observer.offloaded?.(agent, callId, path),
      permissions,
      asksFirst: true,
      versions,
      writeOptions: (callId) => {
        const expectedVersion = approvedVersions.get(callId);
        const author = { threadId, callId };
        return expectedVersion === undefined ? { author } : { author, expectedVersion };
      },
    }),
    createApprovalMiddleware({
      agent,
      gate: permissionGate(gate, permissions, resolved),
      journal,
      observer,
      approvedVersions,
      ...optional({ rehearsals: options.rehearsals }),
      refusal: async ({ tool, args }, signal) => {
        // What the person was shown counts from then on: where it changed since, they are asked again.
        const how = displayOf(tool);
        if ((how !== 'write' && how !== 'edit') || isTakenUp()) return null;
        return (await versions.refusal(how, args.file_path, signal))?.error ?? null;
      },
    }),
  ];
}
