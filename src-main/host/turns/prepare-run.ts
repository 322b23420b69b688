import { CallId } from '../../contract/ids';
import { ok, type Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import type { AgentRef } from '../../harness/agent/agent-ref';
import { StateBackend, scrubEnv } from '../../harness/backends';
import type { TurnTool } from '../../mcp/servers';
import { isRefusal } from '../../models/incomplete';
import type { ModelCallListener } from '../../models/model-call';
import { createCommandRunner } from '../../terminal/command-runner';
import { gateOfCalls } from '../approvals/call-gate';
import { findCall } from '../memories/memories';
import { withChoices } from '../memories/memory-uses';
import { readingBackend } from '../project/mounts';
import { type Confinements, rememberConfinement } from '../project/sandboxes';
import { promptOf } from '../settings/profiles';
import type { LiveThread } from '../threads/live-thread';
import { awaited } from './awaited-runner';
import { journalOf } from './call-journal';
import { contextOf } from './compactions';
import type { ModelGate } from './model-gate';
import type { Run } from './run';
import { factsOf } from './run-facts';
import type { RunServices, RunSetting } from './run-services';
import { threadBackend } from './thread-backend';
import { TurnObserver } from './turn-observer';

/** Makes one run of a thread: its model, tools, backend and gate as the settings and the folder are now. */
export async function prepareRun(
  services: RunServices,
  setting: RunSetting,
  live: LiveThread,
  signal: AbortSignal,
): Promise<Result<Run>> {
  const made = await makeRun(services, setting, live, signal, false);
  return made.ok ? ok(made.value.run) : made;
}

/** The same with the tools of servers that it has. `isAhead`: before there is a message, with all that it reads from files. */
export async function makeRun(
  services: RunServices,
  setting: RunSetting,
  live: LiveThread,
  signal: AbortSignal,
  isAhead: boolean,
): Promise<Result<{ run: Run; mcpTools: TurnTool[] }>> {
  const { storage, hub, projects, models, mcp, secrets, memories, memoryUses, sandboxes, changeLog } =
    services;
  const { inspector, outbox, profiles, warnings } = services;
  const { thread } = live.state;
  const project = await projects.present(thread.projectId);
  if (!project.ok) return project;
  // LangChain's packages are loaded when the first turn needs them, not when the window comes up.
  const { createThreadAgent } = await import('./thread-agent');
  const run = await models.forRun(live.id, thread.model, {
    onRetry: (attempt, waitMs, reason) => observer.retrying(attempt, waitMs, reason),
    onFallback: (change) => observer.fellBack(change),
  });
  if (!run.ok) return run;
  const { first, calls } = run.value;
  const { instructionsOf, readAhead, skillsAhead, skillsOf, subAgentsOf } = await import('./knowledge');
  await secrets.refresh();
  const reading = readingBackend(project.value, services.skillFolders);
  const skills = {
    sources: skillsOf(project.value),
    // Only the first request waits for it.
    ahead: skillsAhead(project.value, reading, secrets.guardOf(live.id, reading)),
  };
  // Each waits for the disk or for another process and none for the others: the person's words wait for all of them.
  const [mcpTools, instructions, subagents] = await Promise.all([
    mcp.toolsFor(project.value, signal),
    instructionsOf(project.value).then((found) => (isAhead ? readAhead(found) : found)),
    subAgentsOf({
      project: project.value,
      backend: reading,
      personal: services.personalAgents,
      modelOf: run.value.open,
      warn: warnings.add,
    }),
    sandboxes.ready,
    isAhead ? skills.ahead : null,
  ]);
  const observer: TurnObserver = new TurnObserver(
    live,
    storage,
    async (callId, text) => {
      await memoryUses.called(live.state, callId, text);
      const change = await memories.changeOf(findCall(live.state.messages, callId));
      if (change) hub.app({ type: 'memories.changed', paths: [change.path] });
      return change;
    },
    services.media,
    (what) => setting.report('decision', what),
    (callId) => secrets.of(live.id).numbersOf(callId),
  );
  const { runner, settled } = awaited(
    createCommandRunner(services.terminals, {
      projectId: thread.projectId,
      threadId: live.id,
      hasPerson: setting.hasPerson,
      withheld: () => secrets.streamOf(live.id),
      onOpened: (terminalId, callId) => {
        if (callId !== undefined) observer.terminalOpened(callId, terminalId);
      },
    }),
  );
  const confinements: Confinements = new Map();
  const sandbox = sandboxes.of(project.value, live.id, (callId, told) => {
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
  const chosen = memoryUses.chosen(live.id);
  const environment = scrubEnv(setting.env);
  const backend = await threadBackend({
    memories: { muted: chosen.muted, metOutside: () => memoryUses.metOutside(live.state) },
    project: project.value,
    storage,
    runner,
    env: environment,
    outputs: services.outputs.of(live.id),
    attachments: services.attachments.of(live.id),
    skills: services.skillFolders,
    recording: {
      log: changeLog,
      project: project.value,
      threadId: live.id,
      agentOf: (callId) => observer.agentOf(callId),
    },
    ...(sandbox === null
      ? {}
      : {
          sandboxOf: (callId) => (confinements.get(callId ?? '') === 'outside' ? null : sandbox),
          accessOf: (callId) => (confinements.get(callId ?? '') === 'read-only' ? 'read-only' : 'read-write'),
        }),
  });
  const stops = new Map<string, AbortController>();
  const stopFor = (callId: string): AbortController => {
    const known = stops.get(callId) ?? new AbortController();
    stops.set(callId, known);
    return known;
  };
  const context = contextOf(live);
  const facts = factsOf(project.value);
  let isAsked = false;
  const gateFor = (agent: AgentRef): ModelGate => {
    const listener: ModelCallListener = {
      onSent: (request) => {
        inspector.sent(live.id, agent, request);
        if (isAsked) return;
        isAsked = true;
        // The request goes first: nothing is changed before it is answered.
        setImmediate(() => {
          outbox.release();
          changeLog.prepare(project.value);
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
  const guard = secrets.guardOf(live.id, backend);
  const { drawFrame } = setting.shell;
  const agent = createThreadAgent({
    model: first.chat,
    systemPrompt: promptOf({}, facts),
    profileOf: (chat) => {
      const profile = profiles.of(
        run.value.nameOf(chat),
        mcpTools.map(({ tool }) => tool.name),
      );
      return { ...profile, systemPrompt: promptOf(profile, facts) };
    },
    modelGate: (agent) => gateFor(agent),
    backend,
    gate: rememberConfinement(
      gateOfCalls(
        { storage, projects, sandboxes, env: setting.env, dataFolder: setting.dataDir },
        { project: project.value, threadId: live.id, backend, guard, mcpTools },
      ),
      confinements,
    ),
    secrets: guard,
    extraTools: mcpTools.map(({ tool }) => tool),
    journal: journalOf(live.id, storage),
    observer,
    isIncomplete: first.isIncomplete,
    isRefusal,
    isKnownCall: (callId) => findCall(live.state.messages, CallId.parse(callId)) !== undefined,
    threadId: live.id,
    takeQueued: () => setting.turns().takeQueued(live),
    requireRead: true,
    context,
    memory: withChoices(instructions, chosen),
    onMemoryLoaded: (contents) => memoryUses.loaded(live.state, contents),
    skills: skills.sources,
    skillsAhead: skills.ahead,
    subagents,
    warn: warnings.add,
    stopOf: (callId) => stopFor(callId).signal,
    ...optional({ drawFrame }),
    checkpointer: storage.checkpointer,
  });
  const compact = async (within: AbortSignal) => {
    const { compactThread } = await import('../../harness/agent/context/compact-thread');
    return compactThread({
      graph: agent.graph,
      threadId: live.id,
      backendOver: (own) => new StateBackend({ files: own }),
      context: {
        ...context,
        model: first.chat,
        invoke: gateFor(null).invoke,
        onCompacted: (made) => observer.compacted(null, made),
      },
      lastRequest: live.state.usage.contextTokens,
      signal: within,
    });
  };
  const stopCall = (callId: string) => stopFor(callId).abort();
  return ok({ run: { agent, observer, explain: first.explain, settled, stopCall, compact }, mcpTools });
}
