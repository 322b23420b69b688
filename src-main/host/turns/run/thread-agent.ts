import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage } from '@langchain/core/messages';
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent } from 'langchain';
import type { Gate } from '../../../approvals/gate';
import { optional } from '../../../contract/shared/optional';
import type { Profile } from '../../../contract/shared/profile';
import { because, type Reason } from '../../../contract/shared/reasons';
import type {
  AgentRef,
  AnyBackendProtocol as AnyBackend,
  AsyncSubAgentMiddlewareOptions,
  BackendFactory,
  BackendProtocol,
  Compaction,
  FilesystemPermission,
  ListedSkills,
  MemorySource,
  MiddlewareSlots,
  SummarizationOptions,
} from '../../../harness';
import { createDeepAgent } from '../../../harness/agent/create-deep-agent';
import type { DrawFrame } from '../../../harness/agent/media/video';
import { createAskUserMiddleware } from '../../../harness/agent/middleware/ask-user';
import { createAsyncSubAgentMiddleware } from '../../../harness/agent/middleware/async-sub-agents';
import { createFilesystemMiddleware, FILE_TOOLS } from '../../../harness/agent/middleware/filesystem';
import { createHooksMiddleware } from '../../../harness/agent/middleware/hooks';
import { createMemoryMiddleware } from '../../../harness/agent/middleware/memory';
import { createPatchToolCallsMiddleware } from '../../../harness/agent/middleware/patch-tool-calls';
import { createSkillsMiddleware } from '../../../harness/agent/middleware/skills';
import {
  GENERAL_PURPOSE,
  GENERAL_PURPOSE_DESCRIPTION,
  GENERAL_PURPOSE_PROMPT,
} from '../../../harness/agent/middleware/subagents';
import { createSummarizationMiddleware } from '../../../harness/agent/middleware/summarization';
import { createTodoListMiddleware } from '../../../harness/agent/middleware/todo-list';
import { createWebMiddleware } from '../../../harness/agent/middleware/web';
import { createHarnessProfile } from '../../../harness/agent/profiles/profile';
import { RECURSION_LIMIT } from '../../../harness/agent/recursion-limit';
import { STOPPED_BY_PERSON } from '../../../harness/agent/stopped';
import { resolveBackend } from '../../../harness/backends/backend-factory';
import { createFileVersions, isTakenUp } from '../../../harness/backends/file-versions';
import { displayOf, TOOLS } from '../../../harness/tools/catalogue';
import type { PageNetwork } from '../../../harness/tools/web/page-network';
import { permissionGate } from '../../approvals/permission-gate';
import { redactedReads, type SecretGuard } from '../../project/access/secret-guard';
import type { CallJournal } from '../../threads/journal';
import type { AgentObserver } from '../agent-observer';
import type { ServerTools } from '../calls/server-tools';
import { createServerCallsMiddleware, createServerToolsMiddleware } from '../calls/server-tools-middleware';
import { OutsideContext } from '../messages/outside-context';
import type { OutsideFiles } from '../messages/outside-files';
import { createApprovalMiddleware } from '../middleware/approvals';
import { createHiddenTextMiddleware } from '../middleware/hidden-text';
import { createDeltaMiddleware, createModelObserverMiddleware } from '../middleware/observe-model';
import type { CallRehearsals } from '../middleware/rehearsed-call';
import type { FindInProject } from '../middleware/root-paths';
import { createSecretsMiddleware } from '../middleware/secrets';
import { createSteeringMiddleware, type TakeQueued } from '../middleware/steering';
import type { ModelGate } from './model-gate';
import type { RunHooks } from './run-hooks';
import { runsCommands, type SubAgent } from './sub-agent';

export interface ThreadAgentOptions {
  model: BaseChatModel;
  systemPrompt: string;
  backend: AnyBackend | BackendFactory;
  gate: Gate;
  journal: CallJournal;
  observer: AgentObserver;
  isIncomplete: (message: AIMessage) => boolean;
  /** True if the model declined to answer; the turn then fails with a `RefusedError`. */
  isRefusal?: (message: AIMessage) => boolean;
  /** Whether any agent made a call with that id in the thread before; repeated ids are changed. */
  isKnownCall?: (callId: string) => boolean;
  /** The project's path for one that takes the project folder for the root. */
  findInProject?: FindInProject;
  /** Whether a file at this path is the thread's own, in no folder. */
  isInScratch?: (path: string) => boolean;
  /** The thread, recorded as the author of its calls' writes. */
  threadId: string;
  subagents?: readonly SubAgent[];
  /** The agents on servers that the thread's own agent can give tasks to. */
  remote?: AsyncSubAgentMiddlewareOptions;
  /** External tools (MCP servers) in addition to the harness's own; sub-agents have them too. */
  serverTools?: ServerTools;
  /** Path rules, applied before the gate and on the backend. Sub-agents have them too unless they have their own. */
  permissions?: readonly FilesystemPermission[];
  /**
   * The agent must have read or written a file before it may edit it. Default false, as in the published package. Whether a
   * file changed since it was read is always checked.
   */
  requireRead?: boolean;
  /** How the conversation is kept within the context window; also for sub-agents, except for the person's choices. */
  context?: ThreadContext;
  /** Instruction files (AGENTS.md), the most general first; sub-agents have them too. */
  memory?: readonly MemorySource[];
  /** Called at the start of each turn of the thread's own agent with the loaded contents, by path. */
  onMemoryLoaded?: (contents: Readonly<Record<string, string>>) => void | Promise<void>;
  /** Skill folders, later ones override; the general-purpose sub-agent has them too. */
  skills?: readonly string[];
  /** The skills for the first turn of the thread's own agent, if they are listed already or being listed. */
  skillsAhead?: Promise<ListedSkills>;
  /** Called with a sentence for each unusable instruction file or skill. */
  warn?: (why: Reason) => void;
  /** The signal that stops one sub-agent, by its `task` call. */
  stopOf?: (callId: string) => AbortSignal;
  /** The person's messages for the working agent; read before each model request, except by sub-agents. */
  takeQueued?: TakeQueued;
  /** Wraps each agent's requests, including summaries. */
  modelGate?: (agent: AgentRef) => ModelGate;
  /** The differences for a model: a replacement for `systemPrompt`, and changes to its tools. */
  profileOf?: (model: BaseChatModel) => AgentProfile;
  /** What runs around each call, and why it denies one. */
  hooks?: RunHooks;
  /** Draws a frame of a video, for models that take no videos, if ffmpeg is missing. */
  drawFrame?: DrawFrame;
  /** The project folder, as tools name it. What the agent reads elsewhere may be a saved result. */
  folder?: string;
  /** The files of the folder that may contain text from outside. */
  outsideFiles?: OutsideFiles;
  /** How web pages are reached. Default: without a proxy. */
  pages?: PageNetwork;
  /** Redacts secrets from the model and from stored data; sub-agents use the same guard. */
  secrets?: SecretGuard;
  /** Throwaway layers in which commands run first. */
  rehearsals?: CallRehearsals;
  checkpointer?: BaseCheckpointSaver;
}

export type AgentProfile = Pick<Profile, 'systemPrompt' | 'toolDescriptions' | 'excludedTools'>;

/** The host's options for a thread's context; the harness handles the rest. */
export type ThreadContext = Pick<
  SummarizationOptions,
  'trigger' | 'keep' | 'maxInputTokens' | 'isContextOverflow' | 'pinned' | 'isUndone' | 'recorded'
> & {
  /** Like `recorded`, for any agent. */
  recordedOf?: (agent: AgentRef) => readonly Compaction[];
};

/** For the types of its state. */
const plain = (model: BaseChatModel, middleware: AgentMiddleware[]) => createAgent({ model, middleware });
type Graph = ReturnType<typeof plain>['graph'];

/**
 * The harness with the app's additions. Created for each turn, so that nothing is shared between threads. Outermost first:
 * offloading sees what approvals let through, and approvals decide what the tools get.
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
    // The app's model marks its requests itself.
    promptCaching: false,
    profileOf: (chat) => {
      const { toolDescriptions, excludedTools } =
        typeof chat === 'string' ? {} : (options.profileOf?.(chat) ?? {});
      return createHarnessProfile({ toolDescriptionOverrides: toolDescriptions, excludedTools });
    },
    isStopped: (callId) => journal.resultOf(callId)?.content === STOPPED_BY_PERSON,
    ...optional({ stopOf }),
    // No store: LangGraph would poll it every millisecond of a run. Backends have their own.
    ...optional({ checkpointer }),
  });
  const graph = agent.graph as Graph;
  type Run = Parameters<Graph['invoke']>;
  /** Runs a turn until it ends or asks. The answer is in the state: nobody needs all channels after each step. */
  const run = async (input: Run[0], config: Run[1]): Promise<void> => {
    // The agent's own `invoke` rereads the whole thread and passes all of it to the run as input, to be saved.
    await graph.invoke(input, { recursionLimit: RECURSION_LIMIT, ...config, outputKeys: [] } as Run[1]);
  };
  return { graph, run };
}

/** For the model, in notes among the messages. */
const APP_NAME = 'Deepdesk';

const GENERAL: SubAgent = {
  name: GENERAL_PURPOSE,
  description: GENERAL_PURPOSE_DESCRIPTION,
  systemPrompt: GENERAL_PURPOSE_PROMPT,
};

export type ThreadAgent = ReturnType<typeof createThreadAgent>;

/** The app's additions for each agent, and its settings for the harness's own middleware. */
function slotsOf(options: ThreadAgentOptions): (agent: AgentRef) => MiddlewareSlots {
  const { observer, isIncomplete, isRefusal, isKnownCall, takeQueued, journal, modelGate } = options;
  const resolved = resolveBackend(options.backend);
  const approvedVersions = new Map<string, string | null>();
  const outside = new OutsideContext(
    optional({
      folder: options.folder,
      isUndone: options.context?.isUndone,
      pinned: options.context?.pinned,
      recordedOf: options.context?.recordedOf,
      remoteAgentOf: remoteAgentOf(options.remote),
      files: options.outsideFiles,
      instructions: options.memory?.map((source) => (typeof source === 'string' ? source : source.path)),
      serverOf: serverOf(options.serverTools),
    }),
  );
  return (agent) => {
    const observing = createModelObserverMiddleware({
      agent,
      observer,
      isIncomplete,
      ...optional({ isRefusal, isKnownCall, findInProject: options.findInProject }),
    });
    const steers = agent === null && takeQueued !== undefined;
    const permissions =
      options.subagents?.find((one) => one.name === agent?.name)?.permissions ?? options.permissions ?? [];
    return {
      outer: [observing, ...(steers ? [createSteeringMiddleware({ takeQueued })] : [])],
      inner: [
        createTodoListMiddleware({ onChanged: (todos) => observer.todosChanged(agent, todos) }),
        createAskUserMiddleware(),
        createWebMiddleware({ userAgent: 'Deepdesk', ...optional({ network: options.pages }) }),
        ...remoteTasks(options, agent),
        ...knowledge(options, resolved, agent),
        summaries(options, agent),
        // Before the approvals, which judge a call by its tool.
        ...(options.serverTools === undefined ? [] : [createServerCallsMiddleware(options.serverTools)]),
        ...filesAndApprovals(options, resolved, { agent, permissions, approvedVersions, outside }),
        createPatchToolCallsMiddleware({ resultOf: (callId) => journal.resultOf(callId) }),
        ...(options.serverTools === undefined ? [] : [createServerToolsMiddleware(options.serverTools)]),
        // Inside the approvals and outside the redaction: hooks see no secrets, and their text is stored like the result.
        ...(options.hooks === undefined
          ? []
          : [createHooksMiddleware({ agent: agent?.name ?? null, hooks: options.hooks })]),
        // Inside everything that stores a result.
        ...(options.secrets === undefined ? [] : [createSecretsMiddleware(options.secrets)]),
        createHiddenTextMiddleware(),
        // Almost last, so that it sees each request as it is sent.
        ...(modelGate === undefined ? [] : [modelGate(agent).middleware]),
        createDeltaMiddleware({ agent, observer }),
      ],
    };
  };
}

function remoteTasks({ remote }: ThreadAgentOptions, agent: AgentRef): AgentMiddleware[] {
  return agent !== null || remote === undefined || remote.asyncSubAgents.length === 0
    ? []
    : [createAsyncSubAgentMiddleware(remote) as AgentMiddleware];
}

/** The server of a tool that it offers now, or has offered in this run. */
const serverOf = (tools: ServerTools | undefined) => (name: string) => {
  const found = tools?.find(name);
  return found === undefined ? undefined : { name: found.server, id: found.serverIdentity };
};

/** The agent that works on a task, by the task's id. */
const remoteAgentOf = (remote: AsyncSubAgentMiddlewareOptions | undefined) => (id: unknown) =>
  remote?.currentTasks?.().find(({ taskId }) => taskId === id)?.agentName ?? null;

function modelOf({ model, subagents }: ThreadAgentOptions, agent: AgentRef): BaseChatModel {
  return subagents?.find((one) => one.name === agent?.name)?.model ?? model;
}

function summaries(options: ThreadAgentOptions, agent: AgentRef): AgentMiddleware {
  const { backend, observer, modelGate } = options;
  const { recordedOf: _recordedOf, ...context } = options.context ?? {};
  // Pins and undone compactions belong to the thread's own messages.
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
  // Only the thread's own agent warns: the others would repeat it.
  const told = agent === null && warn !== undefined ? { warn } : {};
  const listed = agent === null && ahead !== undefined ? { ahead } : {};
  const onLoaded = agent === null && onMemoryLoaded !== undefined ? { onLoaded: onMemoryLoaded } : {};
  return [
    ...(skills === undefined || !hasSkills
      ? []
      : [createSkillsMiddleware({ backend, sources: skills, noteFrom: APP_NAME, ...told, ...listed })]),
    // Last in the prompt: frequent changes here invalidate the least of the provider's cache.
    ...(memory === undefined
      ? []
      : [createMemoryMiddleware({ backend, sources: memory, noteFrom: APP_NAME, ...told, ...onLoaded })]),
  ];
}

/** They share the files that the agent has seen, and the approved versions. */
function filesAndApprovals(
  options: ThreadAgentOptions,
  resolved: BackendProtocol,
  {
    agent,
    permissions,
    approvedVersions,
    outside,
  }: {
    agent: AgentRef;
    permissions: readonly FilesystemPermission[];
    approvedVersions: Map<string, string | null>;
    outside: OutsideContext;
  },
): AgentMiddleware[] {
  const { backend, gate, journal, observer, threadId, drawFrame } = options;
  const itself = options.subagents?.find((one) => one.name === agent?.name) ?? {};
  const versions = createFileVersions({ backend: resolved, requireRead: options.requireRead ?? false });
  return [
    createFilesystemMiddleware({
      backend,
      model: modelOf(options, agent),
      ...optional({ drawFrame }),
      onOffloaded: (callId, path) => observer.offloaded?.(agent, callId, path),
      permissions,
      // Without commands, its rules hold on any backend.
      ...(runsCommands(itself) ? {} : { tools: FILE_TOOLS.filter((name) => name !== TOOLS.execute.name) }),
      asksFirst: true,
      versions,
      writeOptions: (callId) => {
        const version = approvedVersions.get(callId);
        const author = { threadId, callId };
        if (version === null) return { author, createOnly: true };
        return { author, ...optional({ expectedVersion: version }) };
      },
    }),
    createApprovalMiddleware({
      agent,
      gate: permissionGate(gate, permissions, resolved),
      journal,
      observer,
      approvedVersions,
      outside,
      ...optional({
        rehearsals: options.rehearsals,
        denied: options.hooks?.denied,
        isInScratch: options.isInScratch,
      }),
      refusal: async ({ tool, args }, signal) => {
        // From now on the version shown to the person counts: if it changes, they are asked again.
        const how = displayOf(tool);
        if ((how !== 'write' && how !== 'edit') || isTakenUp()) return null;
        const refused = await versions.refusal(how, args.file_path, signal);
        // Of a file that the agent never read, the person sees what a write replaces, and decides.
        if (refused === null || (how === 'write' && refused.unread === true)) return null;
        const why = because(refused.unread === true ? 'not_read_yet' : 'changed_since_read');
        return { why, toModel: refused.error };
      },
    }),
  ];
}
