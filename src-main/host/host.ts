import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { proxiedFetch } from '../base/network/env-proxy';
import { guardGlobalFetch, sendRequestsBy } from '../base/network/guarded-fetch';
import type { ProjectId, ThreadId } from '../contract/ids';
import { ok, type Result } from '../contract/result';
import type { Port } from '../contract/rpc';
import type { McpServers } from '../mcp/servers';
import { openStorageSoon, type Storage } from '../storage';
import { startBackground } from './background';
import { type CommandHandlers, createHandlers } from './commands/index';
import { checkDataFolders } from './data-folders';
import { holdLease } from './host-lease';
import type { HostOptions } from './host-options';
import { PlaceFiles } from './places/place-files';
import { Reverts } from './project/changes/reverts';
import { FileActions } from './project/files/file-actions';
import { FileContent, type OpenContent } from './project/files/file-content';
import { FolderScout } from './project/folder-scout';
import type { ProjectRegistry } from './project/projects';
import type { Rehearsals } from './project/rehearsals/rehearsals';
import { openSample } from './project/sample-project';
import { systemClock } from './routines/clock';
import { Routines } from './routines/routines';
import { createServices, type Services } from './services';
import { openUpdates } from './settings/app-updates';
import type { ModelService } from './settings/model-service';
import { refuseTracing } from './settings/tracing';
import type { Fork } from './threads/fork';
import { journalOf } from './turns/calls/call-journal';
import type { Editors } from './turns/editors';
import { contentOf } from './turns/messages/message-content';
import { ReadyRuns } from './turns/run/ready-runs';
import { stampOf } from './turns/run/run-facts';
import type { RunSetting } from './turns/run/run-services';
import { Turns } from './turns/turns';
import { Confirmations } from './window/confirmations';
import { connectPort } from './window/connection';
import type { AtWork } from './window/desktop-services';
import { FolderOffers } from './window/folder-offers';
import type { Hub } from './window/hub';

export interface Host {
  hub: Hub;
  handlers: CommandHandlers;
  turns: Turns;
  projects: ProjectRegistry;
  storage: Storage;
  models: ModelService;
  mcp: McpServers;
  /** What editors offer to the threads that they host. */
  editors: Editors;
  /** What commands in throwaway layers changed. */
  rehearsals: Pick<Rehearsals, 'changedPaths' | 'diff'>;
  fork: Fork;
  /** Prepared runs for messages that are still being written. */
  ready: ReadyRuns;
  /** Serves a window or the headless command until its port closes. */
  connect(port: Port): void;
  /** Folders that something outside asks to open. */
  offers: FolderOffers;
  /** Opens a folder that the person named outside a window and shows it in every window. */
  openFolder(folder: string): Promise<void>;
  /** The file behind an address from `files.address`; null if there is none. Close it. */
  contentOf(token: string): Promise<OpenContent | null>;
  routines: Routines;
  /** Installs a new version of the app that is ready: the last step of quitting. */
  applyUpdate(): void;
  /** What closing would stop. */
  atWork(): AtWork;
  /** Stops every run and terminal and closes the database. */
  close(): Promise<void>;
}

/** Creates the host. Errors: the database cannot be opened, or a folder in the data folder cannot be used. */
export async function createHost(options: HostOptions): Promise<Result<Host>> {
  const { dataDir, desktop, report } = options;
  guardRequests(process.env);
  const file = join(dataDir, 'deepdesk.db');
  const folders = await checkDataFolders(dataDir);
  const opened = folders.ok ? await openStorageSoon(file, options.onSlowData) : folders;
  if (!opened.ok) return opened;
  const storage = opened.value;
  const held = await holdLease(storage, file, report);
  if (!held.ok) {
    storage.close();
    return held;
  }
  const lease = held.value;
  const services = await createServices(options, storage, lease.isFirst);
  const { hub, projects, files, models, changeLog, engine } = services;

  /** Connected windows and headless commands, each with what stops serving it; null: none can connect any more. */
  let connected: Map<string, () => void> | null = new Map();
  const setting = { ...options, hasPerson: () => (connected?.size ?? 0) > 0, turns: () => turns };
  const ready = createReadyRuns(services, setting);
  const turns: Turns = createTurns(setting, services, ready);
  const fork = createFork(services, turns);
  const offers = new FolderOffers(hub);
  const content = new FileContent(files, desktop.drawVectors);
  const fileActions = new FileActions(files, changeLog, desktop, process.platform);
  const scout = new FolderScout(hub, (id) => folderOf(projects, id));
  const confirmations = new Confirmations(desktop, storage);
  const routines = createRoutines(options, services, turns, confirmations);
  const updates = openUpdates({ ...options, storage, hub, options: options.updates });
  const handlers = createHandlers({
    ...services,
    updates,
    atWork: () => atWork(services),
    routines,
    offers,
    reverts: new Reverts(storage, engine, changeLog),
    fork,
    turns,
    ready,
    fileActions,
    placeFiles: new PlaceFiles(services.places, services.hub),
    content,
    scout,
    desktop,
    confirmations,
    dataFolder: dataDir,
    onBudgets: limitKept(services, report),
    ...factsAbout(options),
    ...warningsOf(services),
    env: options.env,
  });
  await recover(services, turns, lease.isFirst, report);
  services.remoteTasks.start();
  const background = startBackground(options, services, turns, lease.isFirst);
  if (options.schedules === true) {
    routines.schedule();
    void updates.schedule();
  }
  const shutDown = async () => {
    background.stop();
    await Promise.all([services.dataJobs.close(), closeWork({ routines, updates, ready, turns })]);
    await background.settled();
    // A page that is still loading would otherwise ask a closed database.
    for (const stop of connected?.values() ?? []) stop();
    connected = null;
    await closeServices(services, scout, fileActions);
    lease.release();
    storage.close();
  };
  let closed: Promise<void> | undefined;
  await openSample(options.sampleFolder, dataDir, storage, projects);

  return ok({
    hub,
    handlers,
    turns,
    projects,
    storage,
    models,
    mcp: services.mcp,
    editors: services.editors,
    rehearsals: services.rehearsals,
    fork,
    ready,
    routines,
    applyUpdate: () => updates.applyNow(),
    connect: (port) => {
      if (connected !== null) connect(port, { connected, services, handlers, report });
    },
    offers,
    openFolder: (folder) => openAndShow(folder, { projects, offers, report }),
    contentOf: (token) => content.of(token),
    atWork: () => atWork(services),
    close: () => {
      closed ??= shutDown();
      return closed;
    },
  });
}

const warningsOf = ({ warnings }: Services) => ({ warnings: () => warnings.all, warn: warnings.add });

/** Applies new budgets to what is kept of earlier versions. */
const limitKept =
  ({ engine, storage }: Services, report: HostOptions['report']) =>
  ({ versions, memories }: Services['budgets']): void => {
    engine.setBudget(versions).catch((error: unknown) => report('budget', error));
    storage.store.prune(memories);
  };

/** Opens a folder as a project and shows it in every window. */
async function openAndShow(
  folder: string,
  { projects, offers, report }: Pick<Host, 'projects' | 'offers'> & Pick<HostOptions, 'report'>,
): Promise<void> {
  const project = await projects.open(folder);
  if (project.ok) offers.show({ type: 'show.project', projectId: project.value.id });
  else {
    report('folder', inEnglish(project.error));
    offers.show({ type: 'show.failure', error: project.error });
  }
}

/** Messages of a thread whose run is prepared as soon as it is shown: loading them takes a few milliseconds. */
const MAX_PREPARED_MESSAGES = 200;

const folderOf = (projects: ProjectRegistry, id: ProjectId): string | null => {
  const project = projects.get(id);
  return project.ok ? project.value.folder : null;
};

const createRoutines = (
  options: HostOptions,
  services: Services,
  turns: Turns,
  confirmations: Confirmations,
): Routines =>
  new Routines({
    ...services,
    turns,
    confirmations,
    clock: options.clock ?? systemClock,
    dataFolder: options.dataDir,
    env: options.env,
    report: (error) => options.report('routines', error),
  });

/** What the window can show about the app itself. */
function factsAbout({ version, fallbackRuntime, licenses, logLines }: HostOptions) {
  const { platform } = process;
  return {
    version,
    fallbackRuntime: fallbackRuntime ?? null,
    licenses: licenses ?? null,
    logLines: logLines ?? (() => []),
    platform: platform === 'darwin' || platform === 'win32' ? platform : ('linux' as const),
  };
}

/** Serves a window or the headless command until its port closes. */
function connect(
  port: Port,
  {
    connected,
    services: { hub, outbox, terminals, storage },
    handlers,
    report,
  }: { connected: Map<string, () => void>; services: Services } & Pick<Host, 'handlers'> &
    Pick<HostOptions, 'report'>,
): void {
  const id = randomUUID();
  const onClosed = () => {
    connected.delete(id);
    terminals.detachAll(id);
  };
  connected.set(
    id,
    connectPort({
      id,
      port: outbox.of(port),
      hub,
      handlers,
      lock: storage.lock,
      onDisk: storage.onDisk,
      report,
      onClosed,
    }),
  );
}

type Work = Pick<Host, 'routines' | 'ready' | 'turns'> & { updates: ReturnType<typeof openUpdates> };

/** Ends what starts runs, then the runs. */
async function closeWork({ routines, updates, ready, turns }: Work): Promise<void> {
  await routines.stop();
  await updates.close();
  const made = ready.close();
  await turns.close();
  await made;
}

/** After every run has ended. */
async function closeServices(
  services: Services,
  scout: FolderScout,
  fileActions: FileActions,
): Promise<void> {
  await fileActions.close();
  await services.copies.close();
  await services.sandboxes.ready;
  await services.remoteTasks.close();
  await Promise.all([services.mcp.close(), services.remoteProjects.close(), services.places.close()]);
  await services.terminals.disposeAll();
  await scout.close();
  await services.files.close();
  await services.changeLog.close();
  await services.projects.close();
}

/** Finishes what a kill interrupted, before anybody can use it. Only the first process of a data folder does so for files. */
async function recover(
  { rehearsals, copies }: Services,
  turns: Turns,
  isFirst: boolean,
  report: HostOptions['report'],
): Promise<void> {
  await turns.recover(isFirst ? rehearsals : null);
  if (!isFirst) return;
  await copies.finishInterrupted().catch((error: unknown) => report('interrupted bring-in', error));
}

const atWork = ({ storage, terminals, dataJobs }: Services): AtWork => ({
  threads: storage.threads.summaries().filter(({ status }) => status === 'running').length,
  jobs: terminals.list().filter(({ status, background }) => status === 'running' && background).length,
  isBackingUp: dataJobs.isBackingUp,
});

function createReadyRuns(services: Services, setting: RunSetting): ReadyRuns {
  const { storage, projects, secrets } = services;
  return new ReadyRuns({
    thread: (threadId) => setting.turns().thread(threadId),
    isRunning: (threadId) => setting.turns().isRunning(threadId),
    stampOf: (live) => stampOf(services, live),
    refresh: async (live) => {
      const [project] = await Promise.all([projects.present(live.state.thread.projectId), secrets.refresh()]);
      return project.ok;
    },
    isShort: (threadId) =>
      storage.messages.countBefore(threadId, Number.MAX_SAFE_INTEGER) <= MAX_PREPARED_MESSAGES,
    load: async (threadId) => {
      const { loadRunModules } = await import('./turns/run/load-run-modules');
      await loadRunModules(services, threadId);
    },
    make: async (live, signal) => {
      // Modules that only runs need are loaded when the first message is written.
      const { prepareNextRun } = await import('./turns/run/prepare-next-run');
      return prepareNextRun(services, setting, live, signal);
    },
    report: (error) => setting.report('ready', error),
  });
}

function createTurns(setting: RunSetting, services: Services, ready: ReadyRuns): Turns {
  const { storage, hub, attachments, projects, files, secrets } = services;
  const messageParts = {
    attachments,
    projects,
    files,
    redact: (threadId: ThreadId, text: string) => secrets.of(threadId).redact(text),
  };
  return new Turns({
    storage,
    hub,
    prepare: async (live, signal) => {
      const made = await ready.take(live, signal);
      if (made !== null) return ok(made);
      // Preparing the run takes longer, so release the held messages.
      services.outbox.release();
      const { prepareRun } = await import('./turns/run/prepare-run');
      return prepareRun(services, setting, live, signal);
    },
    missingFolder: async (projectId) => {
      const found = await services.projects.present(projectId);
      return found.ok || found.error.kind !== 'folder_gone' ? null : found.error;
    },
    contentOf: (live, said) => {
      const { id, projectId } = live.state.thread;
      return contentOf(said, { threadId: id, projectId }, messageParts);
    },
    onScratchChanged: (threadId) => hub.app({ type: 'scratch.changed', threadId }),
    onRest: (threadId) => ready.atRest(threadId),
    report: setting.report,
  });
}

function createFork({ storage, outputs, attachments }: Services, turns: Turns): Fork {
  return async (threadId, messageId, text) => {
    const live = turns.thread(threadId);
    if (!live.ok) return live;
    const { resultOf } = journalOf(threadId, storage);
    // This import brings the agent's packages, which are not needed at startup.
    const { forkThread } = await import('./threads/fork');
    return forkThread(
      {
        storage,
        resultOf,
        foldersOf: (id) => [attachments.of(id), outputs.of(id)],
      },
      live.value,
      messageId,
      text,
    );
  };
}

/** Where the requests of this process may go, and how. */
function guardRequests(env: NodeJS.ProcessEnv): void {
  refuseTracing(env);
  sendRequestsBy((direct) => proxiedFetch(env, direct) ?? direct);
  // Covers packages that make requests themselves.
  guardGlobalFetch();
}
