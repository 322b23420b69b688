import { DEFAULT_PLACE_POLICY, type PlaceDraft, type PlaceOptions } from '../../contract/places';
import { fail, ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import { bucketAt } from '../places/bucket';
import { hubAt } from '../places/hub';
import { type ModuleContent, moduleOf, readModule } from '../places/module';
import type { Places } from '../places/places';
import { sshHosts } from '../places/ssh-hosts';
import { databaseAt } from '../places/team';
import type { ProjectRegistry } from '../project/projects';
import type { RemoteProjects } from '../project/remote-projects';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';

interface Parts {
  storage: Storage;
  places: Places;
  projects: ProjectRegistry;
  remoteProjects: RemoteProjects;
  confirmations: Confirmations;
  desktop: DesktopServices;
}

export function placesHandlers({
  storage,
  places,
  projects,
  remoteProjects,
  confirmations,
  desktop,
}: Parts): HandlersOf<'places', Connection> {
  const agreed = new Set<string>();
  /** The agent would reach what the window alone must not choose. */
  const confirmed = async (draft: PlaceDraft): Promise<Result<object>> => {
    const project = draft.projectId === null ? null : projects.get(draft.projectId);
    if (project !== null && !project.ok) return project;
    const name = project?.value.name ?? null;
    if (draft.options.kind !== 'module') return confirmations.place(draft, name);
    const module = await moduleIn(draft, project?.value.folder);
    return module.ok ? confirmations.place(draft, name, module.value.bytes.toString()) : module;
  };
  /** A module runs in a test too. It asks once per content. */
  const mayRun = async (draft: PlaceDraft): Promise<Result<object>> => {
    const project = draft.projectId === null ? null : projects.get(draft.projectId);
    const module = await moduleIn(draft, project?.ok === true ? project.value.folder : undefined);
    if (!module.ok || agreed.has(module.value.hash)) return module;
    const consent = await confirmations.module(module.value.file, module.value.bytes.toString());
    if (consent.ok) agreed.add(module.value.hash);
    return consent;
  };
  /** A test over the network asks once per host, because the window alone must not choose whom we connect to. */
  const mayConnect = async (options: PlaceOptions): Promise<Result<object>> => {
    if (options.kind === 'folder' || options.kind === 'module') return ok({});
    const host = hostOf(options);
    if (!host.ok) return host;
    if (agreed.has(host.value)) return ok({});
    const consent = await confirmations.connect(host.value);
    if (consent.ok) agreed.add(host.value);
    return consent;
  };
  return {
    'places.list': ({ projectId }) => ok({ places: places.list(projectId), keychain: places.hasKeychain }),
    'places.chooseFolder': async () => ok({ folder: await desktop.chooseFolder() }),
    'places.sshHosts': async () => ok({ hosts: await sshHosts() }),
    'places.module': async ({ projectId }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const file = moduleOf(project.value.folder);
      const module = await readModule(file);
      return module.ok ? ok({ file, hash: module.value.hash, text: module.value.bytes.toString() }) : module;
    },
    'places.test': async ({ draft, secret, id }) => {
      const { options } = draft;
      const consent = await (options.kind === 'module' ? mayRun(draft) : mayConnect(options));
      if (!consent.ok) return consent;
      const tested = await places.test(draft, secret, id);
      return tested.ok ? ok({ state: tested.value }) : tested;
    },
    'places.check': async ({ id }, _connection, signal) => {
      const checked = await places.check(id, signal);
      return checked.ok ? ok({ state: checked.value }) : checked;
    },
    'places.add': async ({ draft, secret }) => {
      const valid = await places.validate(draft, null);
      if (!valid.ok) return valid;
      const consent = await confirmed(draft);
      return consent.ok ? places.add(draft, secret) : consent;
    },
    'places.edit': async ({ id, draft, secret }) => {
      const valid = await places.validate(draft, id);
      if (!valid.ok) return valid;
      const consent = await confirmed(draft);
      if (!consent.ok) return consent;
      const edited = await places.edit(id, draft, secret);
      return edited.ok ? ok({}) : edited;
    },
    'places.openProject': async ({ options, secret }, _connection, signal) => {
      const consent = await mayConnect(options);
      if (!consent.ok) return consent;
      const found = await remoteProjects.find(options, secret);
      // Connecting takes a while. Nobody asks about a folder that is no longer wanted.
      if (signal.aborted) return fail('cancelled', 'cancelled');
      if (!found.ok) return ok({ project: null, error: found.error });
      const agreedTo = await confirmations.remoteProject(found.value.options, DEFAULT_PLACE_POLICY);
      return agreedTo.ok ? ok({ project: await remoteProjects.open(found.value), error: null }) : agreedTo;
    },
    'places.editProject': async ({ id, ...given }) => {
      const consent = await confirmations.remoteProject(given.options, given.policy);
      if (!consent.ok) return consent;
      const edited = remoteProjects.edit(id, given);
      return edited.ok ? ok({}) : edited;
    },
    'places.calls': ({ owner }) => ok({ calls: storage.placeCalls.list(owner) }),
    'places.remove': ({ id }) => {
      const removed = places.remove(id);
      return removed.ok ? ok({}) : removed;
    },
    'places.restore': async ({ id }) => {
      const restored = await places.restore(id);
      return restored.ok ? ok({}) : restored;
    },
  };
}

/** The module of the draft's project, if it is the described one. */
async function moduleIn(
  { options }: PlaceDraft,
  folder: string | undefined,
): Promise<Result<ModuleContent & { file: string }>> {
  if (options.kind !== 'module' || folder === undefined || options.file !== moduleOf(folder))
    return fail('invalid', 'place_module_project');
  const { file, hash } = options;
  const module = await readModule(file);
  if (!module.ok) return module;
  return module.value.hash === hash
    ? ok({ ...module.value, file })
    : fail('conflict', 'place_module_changed', { file });
}

/** Whom a place connects to. Fails if its address cannot be read. */
function hostOf(options: Exclude<PlaceOptions, { kind: 'folder' | 'module' }>): Result<string> {
  switch (options.kind) {
    case 'ssh':
      return ok(options.host);
    case 'container':
      return ok(`${options.engine} ${options.container}`);
    case 'team': {
      const database = databaseAt(options.address);
      return database.ok ? ok(database.value.host) : database;
    }
    case 'bucket': {
      const bucket = bucketAt(options);
      return bucket.ok ? ok(bucket.value.host) : bucket;
    }
    case 'hub': {
      const hub = hubAt(options);
      return hub.ok ? ok(hub.value.host) : hub;
    }
    default:
      return options satisfies never;
  }
}
