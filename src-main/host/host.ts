import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, stat } from 'node:fs/promises';
import { release, type } from 'node:os';
import { join } from 'node:path';
import type { StoredResult } from '../agent/journal';
import { DEFAULT_EXECUTE_TIMEOUT } from '../agent/limits';
import type { ModelGate } from '../agent/model-gate';
import type { AgentRef } from '../agent/observer';
import { permissionGate } from '../agent/permission-gate';
import { createGate } from '../approvals/gate';
import { StateBackend, scrubEnv } from '../backends';
import type { CommandRunner } from '../backends/protocol';
import { openEngine } from '../changes';
import type { AppSnapshot, Project } from '../contract/app';
import { CallId, TerminalId, ThreadId } from '../contract/ids';
import { ok, type Result } from '../contract/result';
import type { Port } from '../contract/rpc';
import { isRefusal } from '../models/incomplete';
import type { ModelCallListener } from '../models/model-call';
import type { SandboxFound } from '../sandbox';
import { openStorage, type Storage } from '../storage';
import { createCommandRunner } from '../terminal/command-runner';
import { TerminalSessions } from '../terminal/sessions';
import { AttachmentStore } from './attachments';
import { ChangeLog } from './change-log';
import { CommandOutputs } from './command-outputs';
import { contextOf } from './compactions';
import { connectPort } from './connection';
import { controlOf } from './control';
import { budgetsOf } from './data-handlers';
import { FileActions } from './file-actions';
import { FileContent, type OpenContent } from './file-content';
import { Files } from './files';
import { tellFinished } from './finished';
import { guardFolders } from './folder-guard';
import { FolderScout } from './folder-scout';
import type { Fork } from './fork';
import { type CommandHandlers, createHandlers } from './handlers';
import { Hub } from './hub';
import { watchDecisions } from './inbox';
import { Inspector } from './inspector';
import type { LiveThread } from './live-thread';
import { createMcp, gateOfMcp, rulesAmong } from './mcp';
import { findCall, Memories } from './memories';
import { MemoryUses, withChoices } from './memory-uses';
import { contentOf } from './message-content';
import { indexInIdle } from './message-indexer';
import { ModelService, type RequestRules } from './model-service';
import { placesOf, threadBackend } from './mounts';
import { ProfileService, promptOf } from './profiles';
import { ProjectRegistry } from './projects';
import { protectedPaths } from './protected-paths';
import { Reverts } from './reverts';
import type { Run } from './run';
import { rememberOutside, Sandboxes } from './sandboxes';
import { gateOfSecrets, SecretService } from './secrets';
import { FolderOffers } from './shell-handlers';
import type { ShellServices } from './shell-services';
import { ThreadMedia } from './thread-media';
import { nameThreads } from './thread-titles';
import { TurnObserver } from './turn-observer';
import { Turns } from './turns';

export interface HostOptions {
  /** Folder of the database and of the sample project. */
  dataDir: string;
  shell: ShellServices;
  version: string;
  env: NodeJS.ProcessEnv;
  /** What the person should know about this run from the start. */
  warnings: AppSnapshot['warnings'];
  /** The sample project as shipped; copied into the data folder at the first start. Null: none is offered. */
  sampleFolder: string | null;
  /** The skills as shipped. Absent: none. */
  skillsFolder?: string;
  /** An address for every provider, instead of the stored ones. */
  baseUrl?: string;
  /** New threads are named by their model after its first answer. */
  titles?: boolean;
  /** For tests: other patience with providers than is usual. */
  requests?: RequestRules;
  /** For tests: a sandbox for commands, or none, instead of what this machine has. */
  sandbox?: SandboxFound;
  /** Where bugs that were caught at a border go. */
  report: (where: string, error: unknown) => void;
}

export interface Host {
  hub: Hub;
  handlers: CommandHandlers;
  turns: Turns;
  projects: ProjectRegistry;
  storage: Storage;
  models: ModelService;
  fork: Fork;
  /** Serves a window, or the headless command, until its port closes. */
  connect(port: Port): void;
  /** Folders that something outside asks to be opened. */
  offers: FolderOffers;
  /** Opens a folder that the person named outside a window, and shows it in every window. */
  openFolder(folder: string): Promise<void>;
  /** The file that an address of `files.address` names; null where there is none. Close it. */
  contentOf(token: string): Promise<OpenContent | null>;
  /** What closing would stop: conversations whose agent works, and jobs that it left running. */
  atWork(): { threads: number; jobs: number };
  /** Stops every run and terminal and closes the database. */
  close(): Promise<void>;
}

/** Stands for the host itself among the leases of threads. */
const HOST_LEASE = ThreadId.parse('host');
/** Milliseconds for finding local model servers. */
const LOCAL_SERVERS_WITHIN = 2_000;
const DAY = 24 * 60 * 60 * 1_000;
/** Milliseconds between its signs of life. */
const HEARTBEAT = 10_000;

/** Puts the rooms together. Errors: the database cannot be opened. */
export async function createHost(options: HostOptions): Promise<Result<Host>> {
  const opened = openStorage(join(options.dataDir, 'deepdesk.db'));
  if (!opened.ok) return opened;
  const storage = opened.value;
  // The first host on a data folder looks after the terminals of earlier runs; another one, such as the headless
  // command beside the app, must not take those of a running app for left-overs.
  const isFirst = storage.leases.acquire(HOST_LEASE).ok;
  const heartbeat = setInterval(() => isFirst && storage.leases.heartbeat(HOST_LEASE), HEARTBEAT);
  heartbeat.unref();
  const hub = new Hub();
  const warnings = [...options.warnings];
  const warn = (message: string) => warnings.push({ id: randomUUID(), message });
  // What cannot be read in it is told.
  storage.settings.read();
  const budgets = budgetsOf(storage);
  for (const message of storage.warnings) warn(message);

  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
  const projects = new ProjectRegistry(storage, hub, process.platform, warn);
  const outputs = new CommandOutputs(options.dataDir);
  const media = new ThreadMedia(options.dataDir);
  const attachments = new AttachmentStore(options.dataDir);
  const skillFolders = {
    app: options.skillsFolder ?? null,
    personal: join(options.dataDir, 'skills'),
  };
  const files = new Files(storage, projects, outputs, attachments, skillFolders);
  const memories = new Memories(storage, hub);
  const memoryUses = new MemoryUses(storage);
  const models = new ModelService({
    storage,
    hub,
    env: options.env,
    keychain: options.shell.keychain,
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    ...(options.requests === undefined ? {} : { requests: options.requests }),
  });
  const secrets = new SecretService({
    storage,
    dataDir: options.dataDir,
    env: options.env,
    ownKeys: async () => [...(await models.ownKeys()), ...(await mcp.typedSecrets())],
  });
  const profiles = new ProfileService(storage);
  const inspector = new Inspector((model) => models.contextWindow(model));
  const terminals = new TerminalSessions({
    now: Date.now,
    newId: () => TerminalId.parse(randomUUID()),
    onChanged: (terminal) => hub.app({ type: 'terminal.changed', terminal }),
    onRemoved: (terminalId) => hub.app({ type: 'terminal.removed', terminalId }),
    onData: (terminalId, offset, data) => hub.app({ type: 'terminal.data', terminalId, offset, data }),
    store: {
      save: (info) => {
        if (info.status === 'running') secrets.terminalOf(info);
        else storage.terminals.append(info.id, secrets.keptRest(info.id));
        storage.terminals.save(secrets.keptInfo(info));
      },
      append: (id, data) => void storage.terminals.append(id, secrets.kept(id, data)),
      list: () => (isFirst ? storage.terminals.list() : []),
      output: (id) => storage.terminals.output(id),
      remove: (id) => storage.terminals.remove(id),
    },
    onStoreError: (error) => options.report('terminal', error),
  });

  const mcp = createMcp({ ...options, storage, hub, warn: (message) => warnOnce(message) });

  const personalAgents = join(options.dataDir, 'agents');
  await Promise.all(
    [skillFolders.personal, personalAgents].map((path) => mkdir(path, { recursive: true, mode: 0o700 })),
  );
  /** Told once in a run: what is read at each turn is wrong at each turn. */
  const warnOnce = (message: string) => {
    if (warnings.some((known) => known.message === message)) return;
    const warning = { id: randomUUID(), message };
    warnings.push(warning);
    hub.app({ type: 'warning.added', warning });
  };

  const engine = openEngine({
    store: join(options.dataDir, 'changes'),
    budget: budgets.versions,
    persist: isFirst,
  });
  const changeLog = new ChangeLog({ storage, engine, hub, sweeps: isFirst, report: options.report });

  const sandboxes = new Sandboxes({
    storage,
    hub,
    dataDir: options.dataDir,
    env: options.env,
    ...(options.sandbox === undefined ? {} : { found: options.sandbox }),
  });

  /** Who could answer a command that asks something. */
  const windows = new Set<string>();
  const prepare = async (live: LiveThread, signal: AbortSignal): Promise<Result<Run>> => {
    const { thread } = live.state;
    const project = await projects.present(thread.projectId);
    if (!project.ok) return project;
    // LangChain's packages are loaded when the first turn needs them, not when the window comes up.
    const { createDeepAgent } = await import('../agent/create-deep-agent');
    const run = await models.forRun(live.id, thread.model, {
      onRetry: (attempt, waitMs, reason) => observer.retrying(attempt, waitMs, reason),
      onFallback: (change) => observer.fellBack(change),
    });
    if (!run.ok) return run;
    const { first, calls } = run.value;
    const mcpTools = await mcp.toolsFor(project.value, signal);
    await secrets.refresh();
    const observer: TurnObserver = new TurnObserver(
      live,
      storage,
      async (callId, text) => {
        await memoryUses.called(live.state, callId, text);
        const change = await memories.changeOf(findCall(live.state.messages, callId));
        if (change) hub.app({ type: 'memory.changed', path: change.path });
        return change;
      },
      media,
      (what) => options.report('decision', what),
      (callId) => secrets.of(live.id).numbersOf(callId),
    );
    const { runner, settled } = tracked(
      createCommandRunner(terminals, {
        projectId: thread.projectId,
        threadId: live.id,
        hasPerson: () => windows.size > 0,
        withheld: () => secrets.streamOf(live.id),
        onOpened: (terminalId, callId) => {
          if (callId !== undefined) observer.terminalOpened(callId, terminalId);
        },
      }),
    );
    const { instructionsOf, skillsOf, subAgentsOf } = await import('./knowledge');
    await sandboxes.ready;
    const outside = new Set<string>();
    const sandbox = sandboxes.of(project.value, live.id, (callId, told) => {
      // A job may end long after its turn, and when its thread is gone.
      const now = turns.thread(live.id);
      if (!now.ok) return;
      observer.finish();
      now.value.emit({ type: 'tool.sandboxed', callId: CallId.parse(callId), sandbox: told });
    });
    const chosen = memoryUses.chosen(live.id);
    const backend = threadBackend({
      memories: { muted: chosen.muted, metOutside: () => memoryUses.metOutside(live.state) },
      project: project.value,
      storage,
      runner,
      env: scrubEnv(options.env),
      outputs: outputs.of(live.id),
      attachments: attachments.of(live.id),
      skills: skillFolders,
      recording: {
        log: changeLog,
        project: project.value,
        threadId: live.id,
        agentOf: (callId) => observer.agentOf(callId),
      },
      ...(sandbox === null
        ? {}
        : {
            sandboxOf: (callId) => (callId !== undefined && outside.has(callId) ? null : sandbox),
          }),
    });
    changeLog.prepare(project.value);
    const stops = new Map<string, AbortController>();
    const stopFor = (callId: string): AbortController => {
      const known = stops.get(callId) ?? new AbortController();
      stops.set(callId, known);
      return known;
    };
    const context = contextOf(live);
    const facts = factsOf(project.value);
    const gateFor = (agent: AgentRef): ModelGate => {
      const listener: ModelCallListener = {
        onSent: (request) => inspector.sent(live.id, agent, request),
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
    const control = controlOf(project.value, live.id, {
      storage,
      env: options.env,
      dataFolder: options.dataDir,
      sandboxes,
    });
    const guard = secrets.guardOf(live.id, backend);
    const agent = createDeepAgent({
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
      gate: gateOfSecrets(
        rememberOutside(
          gateOfMcp(
            permissionGate(
              createGate({
                places: placesOf(project.value),
                backend,
                timeoutSeconds: DEFAULT_EXECUTE_TIMEOUT,
                environment: Object.keys(scrubEnv(options.env)),
                ...control,
                rules: () => rulesAmong(control.rules(), mcpTools),
              }),
              protectedPaths(project.value.mount),
              backend,
              { withheld: true },
            ),
            mcpTools,
          ),
          outside,
        ),
        guard,
      ),
      secrets: guard,
      extraTools: mcpTools.map(({ tool }) => tool),
      journal: journalOf(live.id, storage),
      observer,
      isIncomplete: first.isIncomplete,
      isRefusal,
      isKnownCall: (callId) => findCall(live.state.messages, CallId.parse(callId)) !== undefined,
      threadId: live.id,
      takeQueued: () => turns.takeQueued(live),
      requireRead: true,
      context,
      memory: withChoices(await instructionsOf(project.value), chosen),
      onMemoryLoaded: (contents) => memoryUses.loaded(live.state, contents),
      skills: skillsOf(project.value),
      subagents: await subAgentsOf({
        project: project.value,
        backend,
        personal: personalAgents,
        modelOf: run.value.open,
        warn: warnOnce,
      }),
      warn: warnOnce,
      stopOf: (callId) => stopFor(callId).signal,
      ...(options.shell.drawFrame === undefined ? {} : { drawFrame: options.shell.drawFrame }),
      checkpointer: storage.checkpointer,
      store: storage.store,
    });
    const compact = async (within: AbortSignal) => {
      const { compactThread } = await import('../agent/context/compact-thread');
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
    return ok({ agent, observer, explain: first.explain, settled, stopCall, compact });
  };

  const messageParts = {
    attachments,
    projects,
    files,
    withhold: (threadId: ThreadId, text: string) => secrets.of(threadId).withhold(text),
  };
  const turns = new Turns({
    storage,
    hub,
    prepare,
    contentOf: (live, said) => {
      const { id, projectId } = live.state.thread;
      return contentOf(said, { threadId: id, projectId }, messageParts);
    },
    onScratchChanged: (threadId) => hub.app({ type: 'scratch.changed', threadId }),
    report: options.report,
  });
  const fork: Fork = async (threadId, messageId, text) => {
    const live = turns.thread(threadId);
    if (!live.ok) return live;
    const { resultOf } = journalOf(threadId, storage);
    // With it come the agent's packages, which a start does without.
    const { forkThread } = await import('./fork');
    const forked = await forkThread(
      {
        storage,
        resultOf,
        outputsOf: (id) => outputs.of(id),
        copyAttachments: (from, to) => attachments.copy(from, to),
      },
      live.value,
      messageId,
      text,
    );
    // Its history says the same numbers.
    if (forked.ok) storage.withheld.copy(threadId, forked.value.id);
    return forked;
  };
  const offers = new FolderOffers(hub);
  const content = new FileContent(files);
  const scout = new FolderScout(hub, (id) => {
    const project = projects.get(id);
    return project.ok ? project.value.folder : null;
  });
  const handlers = createHandlers({
    offers,
    reverts: new Reverts(storage, engine, changeLog),
    fork,
    attachments,
    storage,
    hub,
    turns,
    projects,
    files,
    fileActions: new FileActions(files, changeLog, options.shell, process.platform),
    content,
    scout,
    media,
    memories,
    models,
    profiles,
    inspector,
    secrets,
    terminals,
    mcp,
    sandboxes,
    shell: options.shell,
    dataFolder: options.dataDir,
    onBudgets: ({ versions, memories }) => {
      engine.setBudget(versions).catch((error: unknown) => options.report('budget', error));
      storage.store.prune(memories);
    },
    personalAgents,
    version: options.version,
    platform,
    warnings: () => warnings,
    env: options.env,
  });
  const unguard = guardFolders({ hub, projects, turns, report: options.report });
  turns.recover();
  const watched = { storage, hub, shell: options.shell, report: options.report };
  const unwatchDecisions = watchDecisions(watched);
  const unwatchFinished = tellFinished(watched);
  if (isFirst)
    changeLog
      .start(storage.projects.list())
      .catch((error: unknown) => options.report('unfinished reverts', error));
  const isKept = (id: string) =>
    ThreadId.safeParse(id).success && storage.threads.summary(ThreadId.parse(id)) !== null;
  const swept = isFirst
    ? storage
        .purge(Date.now() - budgets.deletedDays * DAY)
        .then(() => Promise.all([outputs, media, attachments, sandboxes].map((kept) => kept.sweep(isKept))))
        .catch((error: unknown) => options.report('left-overs', error))
    : Promise.resolve();
  const stopNaming =
    options.titles === true
      ? nameThreads({
          hub,
          storage,
          thread: (threadId) => turns.loaded(threadId),
          wanted: () => storage.settings.read().titles !== false,
          models: (threadId, model) =>
            models.forRun(threadId, model, { onRetry: () => undefined, onFallback: () => undefined }),
        })
      : () => undefined;
  const stopIndexing = indexInIdle(storage, hub, (error) => options.report('index of words', error));
  // A new person is offered the models that run on this machine; asking takes half a second at most and fails silently.
  const closing = new AbortController();
  const looking = storage.settings.read().onboarded
    ? Promise.resolve()
    : models
        .refresh(AbortSignal.any([closing.signal, AbortSignal.timeout(LOCAL_SERVERS_WITHIN)]))
        .catch((error: unknown) => options.report('models', error));
  await openSample(options, storage, projects);

  return ok({
    hub,
    handlers,
    turns,
    projects,
    storage,
    models,
    fork,
    connect: (port) => {
      const id = randomUUID();
      windows.add(id);
      connectPort({
        id,
        port,
        hub,
        handlers,
        report: options.report,
        onClosed: (connection) => {
          windows.delete(connection.id);
          terminals.detachAll(connection.id);
        },
      });
    },
    offers,
    openFolder: async (folder) => {
      const project = await projects.open(folder);
      if (project.ok) offers.show({ type: 'show.project', projectId: project.value.id });
      else options.report('folder', project.error.message);
    },
    contentOf: (token) => content.of(token),
    atWork: () => ({
      threads: storage.threads.summaries().filter(({ status }) => status === 'running').length,
      jobs: terminals.list().filter(({ status, background }) => status === 'running' && background).length,
    }),
    close: async () => {
      closing.abort();
      unguard();
      unwatchDecisions();
      unwatchFinished();
      stopIndexing();
      stopNaming();
      await turns.close();
      await looking;
      await sandboxes.ready;
      await swept;
      await mcp.close();
      await terminals.disposeAll();
      await scout.close();
      await changeLog.close();
      await projects.close();
      clearInterval(heartbeat);
      if (isFirst) storage.leases.release(HOST_LEASE);
      storage.close();
    },
  });
}

/** The runner, and a way to wait for what it runs; a job is waited for until it has started. */
function tracked(runner: CommandRunner): { runner: CommandRunner; settled: () => Promise<void> } {
  const atWork = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    atWork.add(work);
    const forget = () => atWork.delete(work);
    work.then(forget, forget);
    return work;
  };
  const { start, jobs } = runner;
  return {
    runner: {
      run: (command, options) => track(runner.run(command, options)),
      ...(start === undefined ? {} : { start: (command, options) => track(start(command, options)) }),
      ...(jobs === undefined ? {} : { jobs }),
    },
    settled: async () => {
      await Promise.allSettled([...atWork]);
    },
  };
}

/** A copy that is the person's own, made once; a person who removed it does not get it back. */
async function openSample(options: HostOptions, storage: Storage, projects: ProjectRegistry): Promise<void> {
  if (options.sampleFolder === null || storage.projects.list().length > 0) return;
  const folder = join(options.dataDir, 'sample-project');
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  if (isThere || !existsSync(options.sampleFolder)) return;
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  await cp(options.sampleFolder, folder, { recursive: true });
  await projects.open(folder, true);
}

/** The offline assistant reads the line `Project folder:`; other models are glad of it too. */
function factsOf(project: Project): string {
  return [
    `Project folder: ${project.mount}`,
    `System: ${type()} ${release()}`,
    `Date: ${new Date().toISOString().slice(0, 10)}`,
  ].join('\n');
}

function journalOf(threadId: ThreadId, storage: Storage) {
  const { journal } = storage;
  const lookup = (callId: string) => journal.lookup(threadId, CallId.parse(callId));
  return {
    begin: (callId: string, digest: string) => void journal.begin(threadId, CallId.parse(callId), digest),
    isUnfinished: (callId: string) => lookup(callId)?.state === 'begun',
    finish: (callId: string, result: StoredResult) =>
      journal.finish(threadId, CallId.parse(callId), JSON.stringify(result)),
    resultOf: (callId: string): StoredResult | undefined => {
      const entry = lookup(callId);
      return entry?.state === 'finished' ? (JSON.parse(entry.result) as StoredResult) : undefined;
    },
  };
}
