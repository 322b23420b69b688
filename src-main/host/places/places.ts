import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Project } from '../../contract/app';
import { PlaceId, type ProjectId } from '../../contract/ids';
import {
  accountOf,
  DEFAULT_PLACE_POLICY,
  type Place,
  type PlaceDraft,
  type PlaceInfo,
  type PlacePolicy,
  type PlaceState,
  type RemoteOptions,
} from '../../contract/places';
import { type AppError, fail, ok, type Result } from '../../contract/result';
import type { BackendProtocol, CommandSandbox } from '../../harness';
import type { RemoteShell } from '../../harness/backends/remote/remote-terminal';
import type { RemoteTree } from '../../harness/backends/remote/remote-tree';
import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';
import type { KeptSecrets } from '../window/kept-secrets';
import { connectPlace } from './kinds';
import { PlaceBackend } from './place-backend';
import { PlaceConnection, REACH_LIMIT } from './place-connection';
import type { ConnectedPlace, PlaceMemories } from './place-kind';
import { PlaceNames } from './place-names';
import {
  asksToWrite,
  machineOfPlace,
  mountOfPlace,
  permissionsOf,
  runsCommands,
  wrongGlob,
} from './place-policy';
import { type PlaceShellOptions, placeShell } from './place-shell';
import { validatePlace } from './place-validation';

/** Milliseconds that a removed place can be restored. */
const KEPT = 24 * 3_600_000;
interface PlacesOptions {
  storage: Storage;
  hub: Hub;
  secrets: KeptSecrets;
  /** Folder of the database. */
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** What confines the commands of the project in a folder; null if nothing does. */
  confine(folder: string): Promise<CommandSandbox | null>;
}

interface Opened {
  connection: PlaceConnection;
  backend: BackendProtocol;
}

/** What the person mounts in addition to their projects, and the connections to it. */
export class Places {
  /** Finds files of places by name. */
  readonly names = new PlaceNames(this);
  private readonly opened = new Map<PlaceId, Opened>();
  private readonly calls = new Map<PlaceId, number[]>();

  constructor(private readonly options: PlacesOptions) {
    const { storage, secrets } = options;
    for (const id of storage.places.forget(Date.now() - KEPT)) secrets.remove(id);
  }

  get hasKeychain(): boolean {
    return this.options.secrets.kind === 'keychain';
  }

  /** Null: of every project. */
  list(projectId: ProjectId | null): PlaceInfo[] {
    const { storage, secrets } = this.options;
    return storage.places
      .list()
      .filter((place) => projectId === null || isIn(place, projectId))
      .map((place) => ({
        isProject: this.isProject(place),
        ...place,
        state: this.stateOf(place),
        hasSecret: secrets.get(place.id) !== null,
        runsCommands: runsCommands(place),
      }));
  }

  get(id: PlaceId): Result<Place> {
    const place = this.options.storage.places.list().find((one) => one.id === id);
    return place === undefined ? fail('not_found', 'place_gone') : ok(place);
  }

  /** Connects as described. A stored secret goes only to the account it belongs to. */
  async test(draft: PlaceDraft, secret: string | null, id: PlaceId | null): Promise<Result<PlaceState>> {
    const known = id === null ? null : this.get(id);
    const isSame = known?.ok === true && accountOf(known.value.options) === accountOf(draft.options);
    const stored = isSame && id !== null ? this.options.secrets.get(id) : null;
    const connection = new PlaceConnection({
      connect: (signal) => connectPlace(draft.options, { ...this.context, secret: secret ?? stored, signal }),
      onState: () => undefined,
    });
    await connection.ready();
    const { state } = connection;
    await connection.close();
    return ok(state);
  }

  /** The folder of a project that would be there, as its own path. Errors: those of connecting. */
  async folderAt(options: RemoteOptions, secret: string | null): Promise<Result<string>> {
    const connection = new PlaceConnection({
      connect: (signal) => connectPlace(options, { ...this.context, secret, signal }),
      onState: () => undefined,
    });
    const ready = await connection.ready();
    await connection.close();
    if (!ready.ok) return ready;
    const { commands } = ready.value;
    return commands === undefined ? fail('unsupported', 'place_failed') : ok(commands.folder);
  }

  /** Keeps the folder of a remote project, which is saved already. */
  addFolder({ id: projectId, remote, mount }: Project, options: RemoteOptions, secret: string | null): void {
    if (remote === undefined) throw new Error('The folder of the project is on this computer.');
    const [id, path] = [remote.placeId, `${mount}/`];
    this.save({ id, path, options, projectId, policy: DEFAULT_PLACE_POLICY, createdAt: Date.now() }, secret);
  }

  /** Changes how the folder of a remote project is reached, and what the agent may do there. */
  editFolder(
    id: PlaceId,
    { options, policy, secret }: { options: RemoteOptions; policy: PlacePolicy; secret: string | null },
  ): Result<Place> {
    const known = this.get(id);
    if (!known.ok) return known;
    const glob = wrongGlob(policy);
    if (glob !== null) return fail('invalid', 'place_rule_wrong', { glob });
    const place = { ...known.value, options, policy };
    this.replace(known.value, place, secret);
    return ok(place);
  }

  /** The place that is the project's folder; null if its folder is on this computer, or the place is gone. */
  homeOf({ id }: Pick<Project, 'id'>): Place | null {
    return this.of({ id }).find((place) => this.isProject(place)) ?? null;
  }

  /** Why the place cannot be used, after an attempt to connect; null if it can. */
  async reach(id: PlaceId): Promise<AppError | null> {
    const reached = await this.reached(id);
    return reached.ok ? null : reached.error;
  }

  stateAt(id: PlaceId): PlaceState | null {
    const place = this.get(id);
    return place.ok ? this.stateOf(place.value) : null;
  }

  async check(id: PlaceId, signal: AbortSignal): Promise<Result<PlaceState>> {
    const place = this.get(id);
    return place.ok ? ok(await this.open(place.value).connection.check(signal)) : place;
  }

  /** Errors: `conflict` if the path is taken, `invalid` if the draft cannot be used. */
  validate(draft: PlaceDraft, id: PlaceId | null): Promise<Result<object>> {
    return validatePlace(this.options.storage, draft, id);
  }

  async add(draft: PlaceDraft, secret: string | null): Promise<Result<{ id: PlaceId }>> {
    const valid = await this.validate(draft, null);
    if (!valid.ok) return valid;
    const id = PlaceId.parse(randomUUID());
    const place = { ...draft, id, createdAt: Date.now() };
    this.save(place, secret);
    // Its state immediately shows whether it can be used.
    void this.open(place).connection.ready();
    return ok({ id });
  }

  async edit(id: PlaceId, draft: PlaceDraft, secret: string | null): Promise<Result<object>> {
    const known = this.get(id);
    if (!known.ok) return known;
    if (this.isProject(known.value)) return fail('conflict', 'place_is_project');
    const valid = await this.validate(draft, id);
    if (!valid.ok) return valid;
    this.replace(known.value, { ...known.value, ...draft }, secret);
    return ok({});
  }

  remove(id: PlaceId): Result<object> {
    const known = this.get(id);
    return known.ok && this.isProject(known.value)
      ? fail('conflict', 'place_is_project')
      : this.removeFolder(id);
  }

  /** Removes the folder of a remote project. */
  removeFolder(id: PlaceId): Result<object> {
    if (!this.options.storage.places.remove(id, Date.now())) return fail('not_found', 'place_gone');
    this.disconnect(id);
    this.changed();
    return ok({});
  }

  async restore(id: PlaceId): Promise<Result<object>> {
    const place = this.options.storage.places.removed(id);
    if (place === null) return fail('not_found', 'place_gone');
    const { path, options, projectId, policy } = place;
    const valid = this.isProject(place)
      ? ok({})
      : await this.validate({ path, options, projectId, policy }, id);
    if (!valid.ok) return valid;
    this.options.storage.places.restore(id);
    this.changed();
    return ok({});
  }

  /** The places of a project, with what the gate knows of them. */
  of({ id }: Pick<Project, 'id'>): Place[] {
    return this.options.storage.places.list().filter((place) => isIn(place, id));
  }

  /** For the gate: changes in places, and rules that deny, or ask about reading. */
  policyOf(project: Pick<Project, 'id'>) {
    const places = this.of(project);
    return {
      mounts: places.map((place) => ({
        path: mountOfPlace(place),
        asks: asksToWrite(place),
        isAway: place.options.kind !== 'folder',
      })),
      permissions: places.flatMap(permissionsOf),
      machines: places.flatMap(machineOfPlace),
    };
  }

  /** A place's files without its policy: what the person may do. */
  backendOf(place: Place): BackendProtocol {
    return this.open(place).backend;
  }

  /** The memories of a team's place, without its policy. Rejects with the signal's reason. */
  async memoriesAt(id: PlaceId, signal: AbortSignal): Promise<Result<PlaceMemories>> {
    const place = this.get(id);
    if (!place.ok) return place;
    const { connection } = this.open(place.value);
    const ready = await connection.ready(signal);
    if (!ready.ok) return ready;
    const { memories } = ready.value;
    if (memories === undefined) return fail('unsupported', 'place_failed');
    const whyLost = () => connection.verify(ready.value, AbortSignal.timeout(REACH_LIMIT)).catch(() => null);
    return ok({ ...memories, whyLost });
  }

  /** The person's shell on a place that runs commands, in a folder there. Errors: those of connecting. */
  async shellAt(id: PlaceId, folder?: string): Promise<Result<RemoteShell>> {
    const reached = await this.reached(id);
    if (!reached.ok) return reached;
    const { commands } = reached.value;
    return commands === undefined ? fail('unsupported', 'place_failed') : ok(await commands.shell(folder));
  }

  /** What the person does with the files there. Errors: those of connecting, `unsupported`. */
  async treeAt(id: PlaceId): Promise<Result<RemoteTree>> {
    const reached = await this.reached(id);
    if (!reached.ok) return reached;
    const { tree } = reached.value;
    return tree === undefined ? fail('unsupported', 'place_no_tree') : ok(tree);
  }

  private async reached(id: PlaceId): Promise<Result<ConnectedPlace>> {
    const place = this.get(id);
    if (!place.ok) return place;
    const { connection } = this.open(place.value);
    const limit = AbortSignal.timeout(REACH_LIMIT);
    const state = await connection.reach(limit).catch(() => null);
    if (state === null) return fail('timeout', 'place_too_slow', { count: REACH_LIMIT / 1_000 });
    return state.error === null ? connection.ready() : { ok: false, error: state.error };
  }

  /** The times of the agent's latest calls there, in whatever thread, for the rate limit. */
  callsOf({ id }: Pick<Place, 'id'>): number[] {
    const known = this.calls.get(id) ?? [];
    this.calls.set(id, known);
    return known;
  }

  /** The agent's commands on the places of a project that run any, by mount. */
  shellsOf(project: Pick<Project, 'id'>, options: PlaceShellOptions) {
    const running = this.of(project).filter(runsCommands);
    return Object.fromEntries(
      running.map((place) => [place.path, placeShell(this.open(place).connection, options)]),
    );
  }

  /** The person's view of all places of a project, by mount. */
  routesOf(project: Pick<Project, 'id'>): Record<string, BackendProtocol> {
    return Object.fromEntries(this.of(project).map((place) => [place.path, this.backendOf(place)]));
  }

  /** The place at a path of the tools, and the path in it. */
  at(project: Pick<Project, 'id'>, path: string): { place: Place; inner: string } | null {
    const place = this.of(project).find((one) => path.startsWith(one.path) || path === mountOfPlace(one));
    return place === undefined ? null : { place, inner: path.slice(mountOfPlace(place).length) || '/' };
  }

  /** What prepared runs depend on. */
  stamp(project: Pick<Project, 'id'>): string {
    return JSON.stringify(this.of(project));
  }

  async close(): Promise<void> {
    this.names.close();
    await Promise.all([...this.opened.values()].map(({ connection }) => connection.close()));
    this.opened.clear();
  }

  private get context() {
    const { dataDir, env, confine } = this.options;
    return { knownHosts: join(dataDir, 'known_hosts'), env, confine };
  }

  private stateOf(place: Place): PlaceState {
    return (
      this.opened.get(place.id)?.connection.state ?? { phase: 'unused', since: place.createdAt, error: null }
    );
  }

  private open(place: Place): Opened {
    const known = this.opened.get(place.id);
    if (known !== undefined) return known;
    const connection = new PlaceConnection({
      connect: (signal) =>
        connectPlace(place.options, {
          ...this.context,
          secret: this.secretOf(place),
          signal,
        }),
      onState: () => this.changed(),
    });
    const opened = { connection, backend: new PlaceBackend(connection) };
    this.opened.set(place.id, opened);
    return opened;
  }

  /** Without a keychain, as in the headless command, the secret of `/docs/` can also be in `DEEPDESK_PLACE_DOCS`. */
  private secretOf({ id, path }: Place): string | null {
    const { secrets, env } = this.options;
    const name = path.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/_$/, '');
    return (
      secrets.get(id) ?? (this.hasKeychain ? null : (env[`DEEPDESK_PLACE${name.toUpperCase()}`] ?? null))
    );
  }

  private isProject({ id, projectId }: Place): boolean {
    return projectId !== null && this.options.storage.projects.get(projectId)?.remote?.placeId === id;
  }

  private replace(before: Place, place: Place, secret: string | null): void {
    const { id, options } = place;
    const isMoved = JSON.stringify(before.options) !== JSON.stringify(options);
    // The stored secret belongs to the old account.
    if (accountOf(before.options) !== accountOf(options) && secret === null) this.options.secrets.remove(id);
    if (isMoved || secret !== null) this.disconnect(id);
    this.save(place, secret);
  }

  private save(place: Place, secret: string | null): void {
    const { storage, secrets } = this.options;
    storage.places.save(place);
    if (secret !== null) secrets.set(place.id, secret);
    this.changed();
  }

  private disconnect(id: PlaceId): void {
    void this.opened.get(id)?.connection.close();
    this.opened.delete(id);
  }

  private changed(): void {
    this.options.hub.app({ type: 'places.changed' });
  }
}

const isIn = (place: Place, projectId: ProjectId): boolean =>
  place.projectId === null || place.projectId === projectId;
