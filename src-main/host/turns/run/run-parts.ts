import { writeFile } from 'node:fs/promises';
import type { Project } from '../../../contract/app';
import { CallId } from '../../../contract/ids';
import type { AgentRef, CommandSandbox } from '../../../harness';
import { terminalRunner } from '../../../harness/acp/terminal-runner';
import { StateBackend, scrubEnv } from '../../../harness/backends';
import type { TurnTool } from '../../../mcp/tools/turn-tool';
import type { ModelCallListener, ModelCalls } from '../../../models/model-call';
import { createCommandRunner } from '../../../terminal/command-runner';
import { plainText } from '../../../terminal/output/plain-text';
import { findCall } from '../../memories/memories';
import { memoryAt, tellChanged } from '../../memories/memory-scopes';
import { noteCall } from '../../places/place-activity';
import { mountOfPlace } from '../../places/place-policy';
import type { Confinements } from '../../project/access/sandboxes';
import type { SecretGuard } from '../../project/access/secret-guard';
import { readingBackend } from '../../project/mounts';
import { promptOf } from '../../settings/profiles';
import type { RunModels } from '../../settings/run-models';
import type { LiveThread } from '../../threads/live-thread';
import { askForTime } from '../calls/ask-for-time';
import { awaited } from '../calls/awaited-runner';
import { serverCalls } from '../calls/server-calls';
import { ServerTools } from '../calls/server-tools';
import { TurnObserver } from '../turn-observer';
import type { CallLayers } from './call-layers';
import { onDisk } from './knowledge-warnings';
import type { ModelGate } from './model-gate';
import { type RunHooks, runHooksOf } from './run-hooks';
import type { RunServices, RunSetting } from './run-services';

/** Reports a run's progress to its thread. */
export function observerOf(services: RunServices, setting: RunSetting, live: LiveThread): TurnObserver {
  const { storage, hub, memories, memoryUses, media, secrets } = services;
  const changeOf = async (callId: CallId, text: string) => {
    await memoryUses.called(live.state, callId, text);
    const { messages, thread } = live.state;
    const change = await memories.changeOf(findCall(messages, callId), thread.projectId);
    const at = change && memoryAt(storage, change.path, thread.projectId);
    if (at?.ok) tellChanged(hub, [at.value]);
    return change;
  };
  return new TurnObserver(
    live,
    storage,
    changeOf,
    media,
    (what) => setting.report('decision', what),
    (callId) => secrets.of(live.id).numbersOf(callId),
    (call) => {
      const project = storage.projects.get(live.state.thread.projectId);
      if (project !== null) noteCall(services, project, live.id, call);
    },
  );
}

/** The runner for the thread's commands in terminals of the app or of the editor that hosts the thread, and a way to wait until the last one has stopped. */
export function runnerOf(
  services: RunServices,
  setting: RunSetting,
  live: LiveThread,
  { observer, layers }: { observer: TurnObserver; layers: () => CallLayers },
) {
  const { terminals, secrets, editors } = services;
  const own = createCommandRunner(terminals, {
    projectId: live.state.thread.projectId,
    threadId: live.id,
    hasPerson: setting.hasPerson,
    redaction: () => secrets.streamOf(live.id),
    moreTime: askForTime(services, setting, live, layers),
    onOpened: (terminalId, callId) => {
      if (callId !== undefined) observer.terminalOpened(callId, terminalId);
    },
    onEnded: (callId, durationMs) => {
      if (callId !== undefined) observer.commandEnded(callId, durationMs);
    },
  });
  const editor = editors.of(live.id);
  if (editor?.tools.openTerminal === undefined) return awaited(own);
  return awaited(
    terminalRunner({
      openTerminal: editor.tools.openTerminal,
      otherwise: own,
      runsInEditor: (callId) => callId !== undefined && layers().sandboxOf(callId) === null,
      onOpened: (terminalId, callId) => {
        if (callId !== undefined) editor.onTerminal(callId, terminalId);
      },
      plainText,
      keep: async (file, text) => {
        const filter = secrets.streamOf(live.id);
        await writeFile(file, filter.push(text) + filter.end(), { mode: 0o600 });
      },
    }),
  );
}

/** The sandbox for the thread's commands, which reports refusals on each call; null if there is none. */
export function sandboxOf(
  { sandboxes }: RunServices,
  setting: RunSetting,
  live: LiveThread,
  {
    project,
    observer,
    confinements,
  }: { project: Project; observer: TurnObserver; confinements: Confinements },
) {
  return sandboxes.of(project, live.id, (callId, told) => {
    // A job may end long after its turn, even after its thread was deleted.
    const now = setting.turns().thread(live.id);
    if (!now.ok) return;
    observer.finish();
    const readOnly = confinements.get(callId) === 'read-only' ? { readOnly: true as const } : {};
    now.value.emit({
      type: 'tool.sandboxed',
      callId: CallId.parse(callId),
      sandbox: { ...told, ...readOnly },
    });
  });
}

/** The hooks around the run's calls. They are confined like commands that run without asking. */
export function hooksOf(
  { hooks, changeLog, sandboxes }: RunServices,
  { env }: RunSetting,
  live: LiveThread,
  { project, observer, guard }: { project: Project; observer: TurnObserver; guard: SecretGuard },
): RunHooks {
  return runHooksOf({
    hooks,
    project,
    threadId: live.id,
    changeLog,
    env: scrubEnv(env),
    sandbox: () => {
      const { available, wanted } = sandboxes.confinementOf(project.id);
      return available && wanted ? sandboxes.of(project, live.id, () => undefined) : null;
    },
    redact: (text, source) => guard.redact(text, source),
    tell: (error) => observer.told(error),
  });
}

/**
 * How the backend confines a call: as the gate decided, or in a layer if it is marked for one. Outside the sandbox, a command
 * is still kept from what the project's rules deny.
 */
export function confinedBy(
  sandbox: ReturnType<typeof sandboxOf>,
  denying: () => CommandSandbox | null,
  confinements: Confinements,
  layers: CallLayers,
) {
  if (sandbox === null) return {};
  return {
    sandboxOf: (callId: string | undefined) => {
      const layer = callId === undefined ? null : layers.sandboxOf(callId);
      return layer ?? (confinements.get(callId ?? '') === 'outside' ? denying() : sandbox);
    },
    accessOf: (callId: string | undefined) =>
      confinements.get(callId ?? '') === 'read-only' ? ('read-only' as const) : ('read-write' as const),
  };
}

/** The person's profile for a model, with the resulting prompt. */
export const profilesOf =
  ({ profiles }: RunServices, run: RunModels, facts: string, mcpTools: readonly TurnTool[]) =>
  (chat: object) => {
    const names = mcpTools.map(({ tool }) => tool.name);
    const profile = profiles.of(run.nameOf(chat), names);
    return { ...profile, systemPrompt: promptOf(profile, facts) };
  };

/** An abort controller for each call. */
export function stopsOfCalls(): (callId: string) => AbortController {
  const stops = new Map<string, AbortController>();
  return (callId) => {
    const known = stops.get(callId) ?? new AbortController();
    stops.set(callId, known);
    return known;
  };
}

/** The gates between the run's agents and their models: limits and retries, the inspector, and costs. */
export function modelGates(
  { inspector, outbox, changeLog }: RunServices,
  live: LiveThread,
  { project, observer, calls }: { project: Project; observer: TurnObserver; calls: ModelCalls },
): (agent: AgentRef) => ModelGate {
  let isAsked = false;
  return (agent) => {
    const listener: ModelCallListener = {
      onSent: (request) => {
        inspector.sent(live.id, agent, request);
        if (isAsked) return;
        isAsked = true;
        // The request goes first: nothing changes before its answer.
        setImmediate(() => {
          outbox.release();
          changeLog.prepare(project);
        });
      },
      onSpent: (spent) => {
        inspector.answered(live.id, agent, spent);
        observer.spent(agent, spent);
      },
    };
    return {
      middleware: calls.middleware(listener),
      invoke: (chat, messages, config) => calls.invoke(chat, messages, config, listener),
    };
  };
}

interface KnowledgeRequest {
  project: Project;
  modelOf: RunModels['open'];
  signal: AbortSignal;
  /** Before there is a message, including all file reads. */
  isAhead: boolean;
}

type CompactRequest = Parameters<
  typeof import('../../../harness/agent/context/compact-thread').compactThread
>[0];

/** What the run's agents know and can use: instructions, skills, sub-agents, and server tools. */
export async function knowledgeOf(
  services: RunServices,
  setting: RunSetting,
  live: LiveThread,
  { project, modelOf, signal, isAhead }: KnowledgeRequest,
) {
  const { mcp, secrets, sandboxes, warnings } = services;
  const { instructionsOf, ownerOf, readAhead, skillsAhead, skillsOf, subAgentsOf } = await import(
    './knowledge'
  );
  await secrets.refresh();
  const warn = onDisk(warnings.add, { skills: services.skillFolders, agents: services.personalAgents });
  const reading = readingBackend(project, services.skillFolders, services.places.routesOf(project));
  const skills = {
    sources: skillsOf(project),
    // Only the first request waits for it.
    ahead: skillsAhead(project, reading, secrets.guardOf(live.id, reading)),
  };
  const calls = serverCalls(services, setting, live);
  // Run in parallel: each waits for the disk or another process, and the person's message waits for all.
  const [serverTools, instructions, subagents] = await Promise.all([
    ServerTools.open(mcp, (within) => mcp.toolsFor(project, within, calls), signal),
    instructionsOf(project).then((found) => (isAhead ? readAhead(found) : found)),
    subAgentsOf({
      project: project,
      backend: reading,
      personal: services.personalAgents,
      places: services.places.of(project).map(mountOfPlace),
      model: live.state.thread.model,
      modelOf,
      warn,
    }),
    sandboxes.ready,
    isAhead ? skills.ahead : null,
  ]);
  const isOfFolder = ({ path }: { path: string }) => ownerOf(path) === 'project';
  let hasFolderSkills = false;
  // Before the first request, which contains the list.
  const listed = skills.ahead.then((found) => {
    hasFolderSkills = found.skills.some(isOfFolder);
    return found;
  });
  listed.catch(() => undefined);
  /** Whether requests contain descriptions by somebody else: of a folder's skills, agents and servers. */
  const hasForeignDescriptions = () =>
    hasFolderSkills || serverTools.hasFolderTools || subagents.some(({ file }) => isOfFolder(file));
  const own = { sources: skills.sources, ahead: listed };
  return { skills: own, serverTools, instructions, subagents, warn, hasForeignDescriptions };
}

/** Compacts the thread at the person's request. */
export const compactionOf =
  (live: LiveThread, graph: CompactRequest['graph'], context: CompactRequest['context']) =>
  async (signal: AbortSignal) => {
    const { compactThread } = await import('../../../harness/agent/context/compact-thread');
    return compactThread({
      graph,
      threadId: live.id,
      backendOver: (own) => new StateBackend({ files: own }),
      context,
      lastRequest: live.state.usage.contextTokens,
      signal,
    });
  };
