import { createHash, randomUUID } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { basename } from 'node:path/posix';
import type { Project } from '../../contract/app';
import { PlaceId, ProjectId } from '../../contract/ids';
import type { PlacePolicy, RemoteOptions } from '../../contract/places';
import { fail, ok, type Result } from '../../contract/result';
import type { Storage } from '../../storage';
import { machineName } from '../places/place-policy';
import { RESERVED } from '../places/place-validation';
import type { Places } from '../places/places';
import type { Hub } from '../window/hub';
import type { ProjectRegistry } from './projects';

interface RemoteParts {
  storage: Storage;
  hub: Hub;
  projects: ProjectRegistry;
  places: Places;
  dataDir: string;
  report: (where: string, error: unknown) => void;
}

/** The folder of a new remote project, before the person agrees. */
export interface RemoteFolder {
  options: RemoteOptions;
  secret: string | null;
}

/** Projects whose folder is on another computer: a place that is mounted at its path there. */
export class RemoteProjects {
  private readonly reaching = new Map<ProjectId, Promise<unknown>>();
  private readonly stop: () => void;
  private closed = false;

  constructor(private readonly parts: RemoteParts) {
    this.stop = parts.hub.onApp((event) => {
      if (event.type === 'places.changed') this.follow();
    });
  }

  /** Connects, and finds the folder's own path. Errors: those of connecting, `conflict` if the path cannot be used. */
  async find(options: RemoteOptions, secret: string | null): Promise<Result<RemoteFolder>> {
    const folder = await this.parts.places.folderAt(options, secret);
    if (!folder.ok) return folder;
    const path = folder.value;
    if (path === '/') return fail('invalid', 'whole_disk');
    const [name = ''] = path.slice(1).split('/');
    const top = `/${name}/`;
    const isPlace = this.parts.places.list(null).some((one) => !one.isProject && one.path === top);
    return RESERVED.includes(name.toLowerCase()) || isPlace
      ? fail('conflict', 'project_path_taken', { path: top })
      : ok({ options: { ...options, folder: path }, secret });
  }

  /** Opens a found folder. A project of the same folder that was removed comes back with its threads. */
  async open({ options, secret }: RemoteFolder): Promise<Project> {
    const { storage, projects, places, dataDir } = this.parts;
    const name = createHash('sha256').update(`${options.kind}\0${machineName(options)}\0${options.folder}`);
    const own = join(dataDir, 'remote', name.digest('hex').slice(0, 32));
    await mkdir(own, { recursive: true, mode: 0o700 });
    const folder = await realpath(own);
    const known = storage.projects.byFolder(folder);
    if (known?.remote !== undefined) places.removeFolder(known.remote.placeId);
    const id = known?.id ?? ProjectId.parse(randomUUID());
    const placeId = PlaceId.parse(randomUUID());
    const project: Project = {
      isSample: false,
      name: basename(options.folder),
      ...known,
      id,
      folder,
      mount: options.folder,
      remote: { placeId, machine: machineName(options) },
      openedAt: Date.now(),
      missing: false,
    };
    storage.transaction(() => {
      storage.projects.save(project);
      places.addFolder(project, options, secret);
    });
    projects.change(project);
    return project;
  }

  /** The person's changes of the connection or of what the agent may do. */
  edit(
    id: PlaceId,
    given: { options: RemoteOptions; policy: PlacePolicy; secret: string | null },
  ): Result<object> {
    const { places, projects, storage } = this.parts;
    const project = storage.projects.list().find(({ remote }) => remote?.placeId === id);
    if (project === undefined) return fail('not_found', 'place_gone');
    const edited = places.editFolder(id, {
      ...given,
      options: { ...given.options, folder: project.mount },
    });
    if (!edited.ok) return edited;
    projects.change({ ...project, remote: { placeId: id, machine: machineName(given.options) } });
    this.again(project.id);
    return ok({});
  }

  /** The connection ends with its project, and its secret is kept only as long as that can be undone. */
  removed(id: ProjectId): void {
    const remote = this.parts.storage.projects.get(id)?.remote;
    if (remote !== undefined) this.parts.places.removeFolder(remote.placeId);
  }

  async restored({ remote }: Project): Promise<void> {
    if (remote !== undefined) await this.parts.places.restore(remote.placeId);
  }

  /** Starts nothing more. Resolves when everything has exited, which needs the places closed. */
  async close(): Promise<void> {
    this.closed = true;
    this.stop();
    await Promise.all(this.reaching.values());
  }

  /** A lost connection is made again once. If that fails, the project says so and its runs pause. */
  private follow(): void {
    const { storage, projects, places } = this.parts;
    for (const { id, remote, missing } of storage.projects.list()) {
      const phase = remote === undefined ? undefined : places.stateAt(remote.placeId)?.phase;
      if (phase === 'connected' && missing) projects.reached(id, true);
      if ((phase === 'offline' || phase === 'refused') && !missing) this.again(id);
    }
  }

  private again(id: ProjectId): void {
    if (this.closed || this.reaching.has(id)) return;
    const { projects, report } = this.parts;
    const work = projects
      .reach(id)
      .catch((error: unknown) => report('remote project', error))
      .finally(() => this.reaching.delete(id));
    this.reaching.set(id, work);
  }
}
