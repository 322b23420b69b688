import type { Project } from '../../contract/app';
import { CallId } from '../../contract/ids';
import type { AgentRef } from '../../harness/agent/agent-ref';
import { StateBackend } from '../../harness/backends';
import type { TurnTool } from '../../mcp/servers';
import type { ModelCallListener, ModelCalls } from '../../models/model-call';
import { createCommandRunner } from '../../terminal/command-runner';
import { findCall } from '../memories/memories';
import { readingBackend } from '../project/mounts';
import type { Confinements } from '../project/sandboxes';
import { promptOf } from '../settings/profiles';
import type { RunModels } from '../settings/run-models';
import type { LiveThread } from '../threads/live-thread';
import { awaited } from './awaited-runner';
import type { CallLayers } from './call-layers';
import type { ModelGate } from './model-gate';
import type { RunServices, RunSetting } from './run-services';
import { TurnObserver } from './turn-observer';

/** Tells the thread what its run does. */
export function observerOf(services: RunServices, setting: RunSetting, live: LiveThread): TurnObserver {
  const { storage, hub, memories, memoryUses, media, secrets } = services;
  const changeOf = async (callId: CallId, text: string) => {
    await memoryUses.called(live.state, callId, text);
    const change = await memories.changeOf(findCall(live.state.messages, callId));
    if (change) hub.app({ type: 'memories.changed', paths: [change.path] });
    return change;
  };
  return new TurnObserver(
    live,
    storage,
    changeOf,
    media,
    (what) => setting.report('decision', what),
    (callId) => secrets.of(live.id).numbersOf(callId),
  );
}

/** What runs the thread's commands in terminals, and when the last of them has stopped. */
export function runnerOf(
  services: RunServices,
  setting: RunSetting,
  live: LiveThread,
  observer: TurnObserver,
) {
  const { terminals, secrets } = services;
  return awaited(
    createCommandRunner(terminals, {
      projectId: live.state.thread.projectId,
      threadId: live.id,
      hasPerson: setting.hasPerson,
      redaction: () => secrets.streamOf(live.id),
      onOpened: (terminalId, callId) => {
        if (callId !== undefined) observer.terminalOpened(callId, terminalId);
      },
    }),
  );
}

/** The sandbox for the thread's commands, which shows at each call what it refused; null where there is none. */
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
    // A job may end long after its turn, and when its thread is gone.
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

/** How the backend confines a call: as the gate decided about it, or in a layer where it is marked for one. */
export function confinedBy(
  sandbox: ReturnType<typeof sandboxOf>,
  confinements: Confinements,
  layers: CallLayers,
) {
  if (sandbox === null) return {};
  return {
    sandboxOf: (callId: string | undefined) => {
      const layer = callId === undefined ? null : layers.sandboxOf(callId);
      return layer ?? (confinements.get(callId ?? '') === 'outside' ? null : sandbox);
    },
    accessOf: (callId: string | undefined) =>
      confinements.get(callId ?? '') === 'read-only' ? ('read-only' as const) : ('read-write' as const),
  };
}

/** What the person's profile of a model changes, with the prompt that it leads to. */
export const profilesOf =
  ({ profiles }: RunServices, run: RunModels, facts: string, mcpTools: readonly TurnTool[]) =>
  (chat: object) => {
    const names = mcpTools.map(({ tool }) => tool.name);
    const profile = profiles.of(run.nameOf(chat), names);
    return { ...profile, systemPrompt: promptOf(profile, facts) };
  };

/** One way to stop each call. */
export function stopsOfCalls(): (callId: string) => AbortController {
  const stops = new Map<string, AbortController>();
  return (callId) => {
    const known = stops.get(callId) ?? new AbortController();
    stops.set(callId, known);
    return known;
  };
}

/** What stands between each agent of the run and its model: limits and retries, the inspector, and what a request costs. */
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
        // The request goes first: nothing is changed before it is answered.
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
  /** Before there is a message, with all that is read from files. */
  isAhead: boolean;
}

type CompactRequest = Parameters<
  typeof import('../../harness/agent/context/compact-thread').compactThread
>[0];

/** What the run's agents are told and can use: instructions, skills, sub-agents, and the tools of servers. */
export async function knowledgeOf(
  services: RunServices,
  live: LiveThread,
  { project, modelOf, signal, isAhead }: KnowledgeRequest,
) {
  const { mcp, secrets, sandboxes, warnings } = services;
  const { instructionsOf, readAhead, skillsAhead, skillsOf, subAgentsOf } = await import('./knowledge');
  await secrets.refresh();
  const reading = readingBackend(project, services.skillFolders);
  const skills = {
    sources: skillsOf(project),
    // Only the first request waits for it.
    ahead: skillsAhead(project, reading, secrets.guardOf(live.id, reading)),
  };
  // Each waits for the disk or for another process and none for the others: the person's words wait for all of them.
  const [mcpTools, instructions, subagents] = await Promise.all([
    mcp.toolsFor(project, signal),
    instructionsOf(project).then((found) => (isAhead ? readAhead(found) : found)),
    subAgentsOf({
      project: project,
      backend: reading,
      personal: services.personalAgents,
      modelOf,
      warn: warnings.add,
    }),
    sandboxes.ready,
    isAhead ? skills.ahead : null,
  ]);
  return { skills, mcpTools, instructions, subagents };
}

/** Compacts the thread now, because the person asks. */
export const compactionOf =
  (live: LiveThread, graph: CompactRequest['graph'], context: CompactRequest['context']) =>
  async (signal: AbortSignal) => {
    const { compactThread } = await import('../../harness/agent/context/compact-thread');
    return compactThread({
      graph,
      threadId: live.id,
      backendOver: (own) => new StateBackend({ files: own }),
      context,
      lastRequest: live.state.usage.contextTokens,
      signal,
    });
  };
