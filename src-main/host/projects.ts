import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { basename, parse } from 'node:path';
import type { Project } from '../contract/app';
import { ProjectId } from '../contract/ids';
import { fail, ok, type Result } from '../contract/result';
import type { Storage } from '../storage';
import { type FolderWatcher, watchFolder } from '../workspace/watcher';
import type { Hub } from './hub';
import { mountOf } from './mounts';

/** The folders that were opened, and what changes in those that are shown. */
export class ProjectRegistry {
  private readonly watchers = new Map<ProjectId, FolderWatcher>();

  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
    private readonly platform: NodeJS.Platform,
    private readonly warn: (message: string) => void,
  ) {}

  get(id: ProjectId): Result<Project> {
    const project = this.storage.projects.get(id);
    return project ? ok(project) : fail('not_found', 'This project is not in the list any more.');
  }

  /**
   * Opens a folder that a person chose. The folder is pinned to its real path, so a link that is changed later leads
   * nowhere else. Errors: `not_found`, `invalid` where it is no folder.
   */
  async open(folder: string, isSample = false): Promise<Result<Project>> {
    const real = await realpath(folder).catch(() => null);
    if (real === null) return fail('not_found', `The folder ${folder} does not exist.`);
    if (!(await stat(real)).isDirectory()) return fail('invalid', `${folder} is not a folder.`);
    if (parse(real).root === real) {
      return fail('invalid', 'A whole disk cannot be opened as a project. Choose a folder in it.');
    }
    const known = this.storage.projects.byFolder(real);
    const project: Project = {
      id: known?.id ?? ProjectId.parse(randomUUID()),
      name: known?.name ?? (basename(real) || real),
      folder: real,
      mount: mountOf(real, this.platform),
      isSample,
      openedAt: Date.now(),
      missing: false,
      ...(known?.mode === undefined ? {} : { mode: known.mode }),
      ...(known?.secretsShown === true ? { secretsShown: true } : {}),
      ...(known?.sandbox === undefined ? {} : { sandbox: known.sandbox }),
    };
    this.storage.projects.save(project);
    this.hub.app({ type: 'project.changed', project });
    return ok(project);
  }

  /** The project with its folder there, or `folder_gone`; says so in the list either way. */
  async present(id: ProjectId): Promise<Result<Project>> {
    const found = this.get(id);
    if (!found.ok) return found;
    const isThere = await stat(found.value.folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    const project = this.mark(found.value, !isThere);
    return isThere
      ? ok(project)
      : fail(
          'folder_gone',
          `The folder ${project.folder} is not there any more. Bring it back, or open the folder at its new place.`,
        );
  }

  /** Keeps what was changed, and tells. */
  change(project: Project): void {
    this.storage.projects.save(project);
    this.hub.app({ type: 'project.changed', project });
  }

  remove(id: ProjectId): void {
    void this.watchers.get(id)?.close();
    this.watchers.delete(id);
    this.storage.projects.remove(id, Date.now());
    this.hub.app({ type: 'project.removed', projectId: id });
  }

  /** Tells of changes in a directory that the window shows; cheap to call again. */
  async watch(project: Project, directory: string): Promise<void> {
    let watcher = this.watchers.get(project.id);
    if (!watcher) {
      watcher = watchFolder(project.folder, {
        onChange: (change) => {
          const shown = (path: string) => toMount(project, path);
          this.hub.app({
            type: 'files.changed',
            projectId: project.id,
            directories: change.directories.map(shown),
            files: change.files.map(shown),
            all: change.all,
          });
        },
        onGone: () => {
          this.watchers.delete(project.id);
          const found = this.get(project.id);
          if (found.ok) this.mark(found.value, true);
        },
        onDegraded: this.warn,
      });
      this.watchers.set(project.id, watcher);
    }
    await watcher.watch(directory);
  }

  async close(): Promise<void> {
    await Promise.all([...this.watchers.values()].map((watcher) => watcher.close()));
    this.watchers.clear();
  }

  private mark(project: Project, missing: boolean): Project {
    if (project.missing === missing) return project;
    const changed = { ...project, missing };
    this.storage.projects.save(changed);
    this.hub.app({ type: 'project.changed', project: changed });
    return changed;
  }
}

/** A path of the system, in the folder, as the tools and the window name it. */
export function toMount(project: Project, path: string): string {
  if (project.mount === project.folder) return path;
  return `${project.mount}${path.slice(project.folder.length).replaceAll('\\', '/')}`;
}

/** The system's path for one below the mount; null for a path elsewhere. */
export function fromMount(project: Project, path: string): string | null {
  const inside =
    path === project.mount
      ? ''
      : path.startsWith(`${project.mount}/`)
        ? path.slice(project.mount.length)
        : null;
  return inside === null ? null : `${project.folder}${inside}`;
}
