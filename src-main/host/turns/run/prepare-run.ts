import { proxyFor } from '../../../base/network/env-proxy';
import type { Project } from '../../../contract/app';
import { CallId } from '../../../contract/ids';
import { ok, type Result } from '../../../contract/result';
import { optional } from '../../../contract/shared/optional';
import type { AsyncTask, BackendProtocol, CommandRunner } from '../../../harness';
import { scrubEnv } from '../../../harness/backends';
import { TOOLS } from '../../../harness/tools/catalogue';
import { PUBLIC_NETWORK } from '../../../harness/tools/web/page-network';
import type { TurnTool } from '../../../mcp/tools/turn-tool';
import { isRefusal } from '../../../models/incomplete';
import { gateOfCalls } from '../../approvals/call-gate';
import { findCall } from '../../memories/memories';
import { withChoices } from '../../memories/memory-uses';
import { mountOfPlace } from '../../places/place-policy';
import { type Confinements, rememberConfinement } from '../../project/access/sandboxes';
import { promptOf } from '../../settings/profiles';
import type { LiveThread } from '../../threads/live-thread';
import { journalOf } from '../calls/call-journal';
import { contextOf } from '../messages/compactions';
import { outsideFilesOf } from '../messages/outside-files';
import type { TurnObserver } from '../turn-observer';
import { type CallLayers, callLayers } from './call-layers';
import { placeRoutes } from './place-routes';
import { projectPaths } from './project-root';
import type { Run } from './run';
import { factsOf } from './run-facts';
import {
  compactionOf,
  confinedBy,
  hooksOf,
  knowledgeOf,
  modelGates,
  observerOf,
  profilesOf,
  runnerOf,
  sandboxOf,
  stopsOfCalls,
} from './run-parts';
import type { RunServices, RunSetting } from './run-services';
import { withHeldRules } from './sub-agent';
import { threadBackend } from './thread-backend';

/** Creates one run of a thread: its model, tools, backend and gate from the current settings and folder. */
export async function prepareRun(
  services: RunServices,
  setting: RunSetting,
  live: LiveThread,
  signal: AbortSignal,
): Promise<Result<Run>> {
  const made = await makeRun(services, setting, live, signal, false);
  return made.ok ? ok(made.value.run) : made;
}

/** The same with its server tools. `isAhead`: before there is a message, including all file reads. */
export async function makeRun(
  services: RunServices,
  setting: RunSetting,
  live: LiveThread,
  signal: AbortSignal,
  isAhead: boolean,
): Promise<Result<{ run: Run; mcpTools: TurnTool[] }>> {
  const { storage, places, models, secrets, memoryUses, sandboxes } = services;
  const { thread } = live.state;
  const found = await services.projects.ready(thread.projectId);
  if (!found.ok) return found;
  const project = found.value;
  // Tried ahead, so that the first command does not wait for it.
  void services.rehearsals.availability(project);
  // LangChain's packages load with the first turn, not with the window.
  const { createThreadAgent } = await import('./thread-agent');
  const run = await models.forRun(live.id, thread.model, {
    onRetry: (attempt, waitMs, reason) => observer.retrying(attempt, waitMs, reason),
    onFallback: (change) => observer.fellBack(change),
  });
  if (!run.ok) return run;
  const { first, calls } = run.value;
  const request = { project, modelOf: run.value.open, signal, isAhead };
  const known = await knowledgeOf(services, setting, live, request);
  const { skills, serverTools, instructions, subagents, warn } = known;
  const mcpTools = serverTools.now;
  const observer = observerOf(services, setting, live);
  const { runner, settled } = runnerOf(services, setting, live, { observer, layers: () => layers });
  const confinements: Confinements = new Map();
  const callOf = (callId: string) => findCall(live.state.messages, CallId.parse(callId));
  const commandOf = (callId: string) => String(callOf(callId)?.args.command ?? '');
  const layers = callLayers(
    services.rehearsals,
    { project, threadId: live.id, signal },
    {
      factsOf: (callId) => ({ command: commandOf(callId), agent: observer.agentOf(callId) }),
      redact: (callId, text) => guard.redact(text, { tool: TOOLS.execute.name, callId }),
    },
  );
  const sandbox = sandboxOf(services, setting, live, { project, observer, confinements });
  const chosen = memoryUses.chosen(live.id);
  const backend = await backendOfRun(services, setting, live, {
    project,
    runner,
    observer,
    layers,
    sandboxing: confinedBy(sandbox, () => sandboxes.denying(project), confinements, layers),
    muted: chosen.muted,
    hasForeignDescriptions: known.hasForeignDescriptions,
  });
  const stopFor = stopsOfCalls();
  const context = contextOf(live);
  const facts = factsOf(project, places.of(project));
  const gateFor = modelGates(services, live, { project, observer, calls });
  const guard = secrets.guardOf(live.id, backend);
  const hooks = hooksOf(services, setting, live, { project, observer, guard });
  const agent = createThreadAgent({
    model: first.chat,
    systemPrompt: promptOf({}, facts),
    profileOf: profilesOf(services, run.value, facts, mcpTools),
    modelGate: gateFor,
    backend,
    gate: gateOfRun(services, setting, live, { project, backend, guard, mcpTools, confinements }),
    secrets: guard,
    hooks,
    rehearsals: layers,
    serverTools,
    journal: journalOf(live.id, storage),
    observer,
    isIncomplete: first.isIncomplete,
    isRefusal,
    isKnownCall: (callId) => callOf(callId) !== undefined,
    ...projectPaths(project, () => places.of(project).map(mountOfPlace), backend),
    ...placeOfRun(storage, live, project),
    takeQueued: () => setting.turns().takeQueued(live),
    requireRead: true,
    context,
    memory: withChoices(instructions, chosen),
    onMemoryLoaded: (contents) => memoryUses.loaded(live.state, contents),
    skills: skills.sources,
    skillsAhead: skills.ahead,
    subagents: withHeldRules(subagents, backend, warn),
    warn,
    remote: remoteOf(services, live, project),
    stopOf: (callId) => stopFor(callId).signal,
    pages: setting.pages ?? { ...PUBLIC_NETWORK, proxyFor: proxyFor(setting.env) },
    ...optional({ drawFrame: setting.desktop.drawFrame }),
    checkpointer: storage.checkpointer,
  });
  const compact = compactionOf(live, agent.graph, {
    ...context,
    model: first.chat,
    invoke: gateFor(null).invoke,
    onCompacted: (compaction) => observer.compacted(null, compaction),
  });
  const stopCall = (callId: string) => stopFor(callId).abort();
  const made = { agent, observer, explain: first.explain, settled, stopCall, compact, atEnd: hooks.end };
  return ok({ run: made, mcpTools });
}

/** Where the run works, and what is known of the files there. */
function placeOfRun(storage: RunServices['storage'], { id: threadId }: LiveThread, project: Project) {
  const folder = project.mount;
  return {
    threadId,
    folder,
    outsideFiles: outsideFilesOf(storage, { projectId: project.id, threadId, folder }),
  };
}

/** The agents on servers that the thread can give tasks to. */
function remoteOf({ remoteAgents, remoteTasks }: RunServices, live: LiveThread, project: Project) {
  return {
    asyncSubAgents: remoteAgents.specsOf(project),
    clientOf: async ({ name }: { name: string }) => {
      const agent = remoteAgents.named(project, name);
      if (agent === null) throw new Error(`${name} was removed from the settings.`);
      return remoteAgents.clientOf(agent);
    },
    currentTasks: () => remoteTasks.currentOf(live.id),
    onChanged: (tasks: readonly AsyncTask[]) => remoteTasks.note(live.id, tasks),
  };
}

interface GateParts {
  project: Project;
  backend: BackendProtocol;
  guard: ReturnType<RunServices['secrets']['guardOf']>;
  mcpTools: TurnTool[];
  confinements: Confinements;
}

/** Decides about each call, and remembers how a command will be confined. */
function gateOfRun(services: RunServices, setting: RunSetting, live: LiveThread, parts: GateParts) {
  const { storage, projects, sandboxes, places, rehearsals } = services;
  const { confinements, ...call } = parts;
  const gate = gateOfCalls(
    {
      storage,
      projects,
      sandboxes,
      places,
      env: setting.env,
      dataFolder: setting.dataDir,
      ...optional({ mode: setting.mode }),
    },
    {
      ...call,
      threadId: live.id,
      rehearses: async () => (await rehearsals.availability(call.project)).available,
    },
  );
  return rememberConfinement(gate, confinements);
}

interface BackendParts {
  project: Project;
  runner: CommandRunner;
  observer: TurnObserver;
  layers: CallLayers;
  sandboxing: ReturnType<typeof confinedBy>;
  muted: readonly string[];
  hasForeignDescriptions: () => boolean;
}

/** The tree of the run's tools, which records their changes. */
function backendOfRun(
  services: RunServices,
  setting: RunSetting,
  live: LiveThread,
  { project, runner, observer, layers, sandboxing, muted, hasForeignDescriptions }: BackendParts,
): Promise<BackendProtocol> {
  const { storage, places, memoryUses, changeLog } = services;
  const recording = {
    log: changeLog,
    project,
    threadId: live.id,
    agentOf: (callId: string) => observer.agentOf(callId),
    isAutoApproved: (callId: string) => observer.isAutoApproved(callId),
    isInLayer: (callId: string) => layers.sandboxOf(callId) !== null,
  };
  return threadBackend({
    memories: {
      muted,
      metOutside: () => hasForeignDescriptions() || memoryUses.metOutside(live.state),
    },
    project,
    storage,
    runner,
    env: scrubEnv(setting.env),
    outputs: services.outputs.of(live.id),
    attachments: services.attachments.of(live.id),
    skills: services.skillFolders,
    recording,
    places: {
      routes: placeRoutes(project, {
        ...services,
        recording,
        report: (error) => setting.report('places', error),
      }),
      mounts: () => places.of(project).map(mountOfPlace),
      home: places.homeOf(project),
      shells: (options) => places.shellsOf(project, { ...options, hasPerson: setting.hasPerson }),
    },
    ...optional({ editorFiles: services.editors.of(live.id)?.tools.files }),
    ...sandboxing,
  });
}
