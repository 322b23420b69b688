import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openEngine } from '../changes';
import type { ThreadId } from '../contract/ids';
import { optional } from '../contract/shared/optional';
import { because } from '../contract/shared/reasons';
import * as rehearsalEngine from '../harness/sandbox/rehearsal';
import type { Storage } from '../storage';
import { RemoteAgents } from './agents/remote-agents';
import { RemoteTasks } from './agents/remote-tasks';
import { notifyEndedTask } from './agents/task-notification';
import type { HostOptions } from './host-options';
import { Memories } from './memories/memories';
import { MemoryUses } from './memories/memory-uses';
import { engineWithPlaces } from './places/engine-with-places';
import { Places } from './places/places';
import { Sandboxes } from './project/access/sandboxes';
import { SecretService } from './project/access/secrets';
import { ChangeLog } from './project/changes/change-log';
import { PrivateCopies } from './project/copies/private-copies';
import { Files } from './project/files/files';
import { Hooks } from './project/hooks';
import { ProjectRegistry } from './project/projects';
import { Rehearsals } from './project/rehearsals/rehearsals';
import { RemoteProjects } from './project/remote-projects';
import { createTerminals } from './project/terminals/terminals';
import { budgetsOf } from './settings/data-folder';
import { createMcp } from './settings/mcp';
import { ModelService } from './settings/model-service';
import { ProfileService } from './settings/profiles';
import { RunningDataJobs } from './settings/running-data-jobs';
import { AttachmentStore } from './threads/attachments';
import { CommandOutputs } from './threads/command-outputs';
import { Inspector } from './threads/inspector';
import { ThreadMedia } from './threads/thread-media';
import { Editors } from './turns/editors';
import { Hub } from './window/hub';
import { keptSecrets } from './window/kept-secrets';
import { Outbox } from './window/outbox';
import { Warnings } from './window/warnings';

/** The services that runs and commands use. Each builds on the storage and sees no internals of the others. */
export type Services = Awaited<ReturnType<typeof createServices>>;

/** Creates the services and the folders that the person fills. Nothing runs yet. `isFirst`: see `HostLease`. */
export async function createServices(options: HostOptions, storage: Storage, isFirst: boolean) {
  const { dataDir, env, desktop, report } = options;
  const hub = new Hub();
  const outbox = new Outbox();
  const warnings = new Warnings(hub, options.warnings);
  // Reports settings that cannot be read.
  storage.settings.read();
  const budgets = budgetsOf(storage);
  for (const why of storage.warnings) warnings.add(why);
  storage.lock.onHeld(() => warnings.add(because('database_held')));

  const places = new Places({
    storage,
    hub,
    secrets: keptSecrets(storage, desktop.keychain, (id) => `place:${id}`),
    dataDir,
    env,
    confine: (folder) => sandboxes.ofFolder(folder),
  });
  const projects = new ProjectRegistry(storage, hub, process.platform, warnings.add, places);
  const remoteProjects = new RemoteProjects({ storage, hub, projects, places, dataDir, report });
  const outputs = new CommandOutputs(dataDir);
  const media = new ThreadMedia(dataDir);
  const attachments = new AttachmentStore(dataDir);
  const personalAgents = join(dataDir, 'agents');
  const skillFolders = { app: options.skillsFolder ?? null, personal: join(dataDir, 'skills') };
  const models = new ModelService({
    storage,
    hub,
    env,
    keychain: desktop.keychain,
    report,
    ...optional({ baseUrl: options.baseUrl, requests: options.requests }),
  });
  const mcp = createMcp({ ...options, storage, hub, warn: warnings.add });
  const secrets = new SecretService({
    storage,
    dataDir,
    env,
    ownKeys: async () => [...(await models.ownKeys()), ...(await mcp.typedSecrets())],
  });
  const terminals = createTerminals({ storage, dataDir, hub, secrets, isFirst, report });
  await createFolders([skillFolders.personal, personalAgents]);
  const engine = engineWithPlaces(
    openEngine({
      store: join(dataDir, 'changes'),
      budget: budgets.versions,
      persist: isFirst,
      ...optional({ namedFiles: options.namedFiles }),
    }),
    (folder, path) => placeAt(storage, places, folder, path),
  );
  const changeLog = new ChangeLog({ storage, engine, hub, projects, sweeps: isFirst, report });
  const sandboxes = new Sandboxes({ storage, hub, dataDir, env, ...optional({ found: options.sandbox }) });
  return {
    storage,
    hub,
    outbox,
    warnings,
    budgets,
    projects,
    remoteProjects,
    places,
    dataJobs: new RunningDataJobs(),
    ...createRemoteAgents(options, storage, hub),
    outputs,
    media,
    attachments,
    personalAgents,
    skillFolders,
    files: new Files(storage, projects, outputs, attachments, places, skillFolders),
    memories: new Memories(storage, hub),
    memoryUses: new MemoryUses(storage),
    models,
    mcp,
    hooks: createHooks(options, storage, hub, warnings),
    editors: new Editors(),
    secrets,
    profiles: new ProfileService(storage),
    inspector: new Inspector((model) => models.contextWindow(model)),
    terminals,
    engine,
    changeLog,
    sandboxes,
    copies: new PrivateCopies({ storage, hub, projects, changeLog, dataDir }),
    rehearsals: new Rehearsals({
      engine: options.layers === undefined ? rehearsalEngine : options.layers,
      storage,
      changeLog,
      sandboxes,
      dataDir,
      endCommand: (threadId, callId) => endCommandOf(terminals, threadId, callId),
    }),
  };
}

const createFolders = (paths: readonly string[]) =>
  Promise.all(paths.map((path) => mkdir(path, { recursive: true, mode: 0o700 })));

const createHooks = (
  { dataDir, safeMode }: HostOptions,
  storage: Storage,
  hub: Hub,
  { add: warn }: Warnings,
) => new Hooks({ settings: storage.settings, hub, dataDir, isOff: safeMode === true, warn });

/** The agents on servers, and their tasks. */
function createRemoteAgents({ env, desktop, report }: HostOptions, storage: Storage, hub: Hub) {
  const secrets = keptSecrets(storage, desktop.keychain, (id) => `agent:${id}`);
  const remoteAgents = new RemoteAgents({ storage, hub, secrets, env });
  const onError = (error: unknown) => report('remote tasks', error);
  return {
    remoteAgents,
    remoteTasks: new RemoteTasks({
      storage,
      hub,
      agents: remoteAgents,
      report: onError,
      onEnded: (task) => notifyEndedTask(task, { storage, hub, desktop }),
    }),
  };
}

/** The place that a path of a project lies in; null if it lies in none. */
function placeAt(storage: Storage, places: Places, folder: string, path: string) {
  const project = storage.projects.list().find((one) => one.folder === folder);
  const at = project === undefined ? null : places.at(project, path);
  return at === null ? null : { backend: places.backendOf(at.place), inner: at.inner };
}

/** Ends the terminals of a call. */
function endCommandOf(
  terminals: ReturnType<typeof createTerminals>,
  threadId: ThreadId,
  callId: string,
): void {
  for (const one of terminals.list())
    if (one.threadId === threadId && one.callId === callId) void terminals.kill(one.id);
}
