import { randomUUID } from 'node:crypto';
import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, parse } from 'node:path';
import { textOfPath } from '../../base/path-names';
import type { Project } from '../../contract/app';
import { errorText } from '../../contract/errors';
import { ProjectId } from '../../contract/ids';
import { type AppError, appError, fail, ok, type Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import { because, type Reason } from '../../contract/shared/reasons';
import type { Storage } from '../../storage';
import { type FolderWatcher, watchFolder } from '../../workspace/watcher';
import type { Places } from '../places/places';
import type { Hub } from '../window/hub';
import { onThisComputer, toMount } from './mount-paths';
import { mountOf } from './mounts';

/** The opened folders, and changes in those that are shown. */
export class ProjectRegistry {
  private readonly watchers = new Map<ProjectId, FolderWatcher>();
  /** The folders as this process first saw them. Device numbers may differ after a restart. */
  private readonly seen = new Map<ProjectId, Identity>();

  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
    private readonly platform: NodeJS.Platform,
    private readonly warn: (why: Reason) => void,
    private readonly places: Pick<Places, 'reach'>,
  ) {}

  /** Also finds a removed one, as long as it can be restored. */
  get(id: ProjectId): Result<Project> {
    const project = this.storage.projects.get(id);
    return project ? ok(project) : fail('not_found', 'project_not_listed');
  }

  /** As `get`, but not a removed one: saving that would show it again. */
  listed(id: ProjectId): Result<Project> {
    const project = this.storage.projects.list().find((one) => one.id === id);
    return project ? ok(project) : fail('not_found', 'project_not_listed');
  }

  /**
   * Opens a folder that a person chose. The project is pinned to the real path, so a link that changes later has no effect.
   * Errors: `not_found`, `invalid` if it is not a folder.
   */
  async open(folder: string, isSample = false): Promise<Result<Project>> {
    const found = await realFolder(folder);
    if (!found.ok) return found;
    const real = found.value;
    const known = this.storage.projects.byFolder(real);
    // The app's own folder of a remote project.
    if (known?.remote !== undefined) return fail('invalid', 'not_a_folder', { path: folder });
    const isBack = known !== null && !this.storage.projects.list().some(({ id }) => id === known.id);
    const copies = isBack ? this.storage.projects.removedWith(known.id) : [];
    const project: Project = {
      ...known,
      id: known?.id ?? ProjectId.parse(randomUUID()),
      name: known?.name ?? nameOf(real),
      folder: real,
      mount: mountOf(real, this.platform),
      isSample,
      openedAt: Date.now(),
      missing: false,
      replaced: false,
      ...(await this.remember(known?.id, real)),
    };
    this.storage.projects.save(project);
    this.hub.app({ type: 'project.changed', project });
    // Threads and private copies come back with a folder that was removed from the list.
    if (isBack) this.showWithin(project.id, copies);
    return ok(project);
  }

  /**
   * Attaches the project to the new place of its folder; threads, rules and settings stay. Errors: as `open`, and `conflict`
   * if the folder is another project's.
   */
  async reattach(id: ProjectId, folder: string): Promise<Result<Project>> {
    const found = await realFolder(folder);
    if (!found.ok) return found;
    const real = found.value;
    const before = this.get(id);
    if (!before.ok) return before;
    const other = this.storage.projects.list().find((one) => one.folder === real && one.id !== id);
    if (other !== undefined) return fail('conflict', 'folder_listed', { name: other.name });
    if (before.value.copy !== undefined) return fail('invalid', 'copy_stays_here');
    const here = onThisComputer(before.value);
    if (!here.ok) return here;
    const { folder: old, name } = before.value;
    await this.unwatch(id);
    const project: Project = {
      ...before.value,
      // Keeps a name that the person gave.
      name: name === nameOf(old) ? nameOf(real) : name,
      folder: real,
      mount: mountOf(real, this.platform),
      // If two projects had the folder, it reopens as the one that was opened last.
      openedAt: Date.now(),
      missing: false,
      replaced: false,
      ...(await this.remember(id, real)),
    };
    this.change(project);
    // On Windows the mount stays the same.
    this.hub.app({ type: 'files.changed', projectId: id, directories: [], files: [], all: true });
    return ok(project);
  }

  /** Moves a project before another one in the list, or to its end (null). */
  move(id: ProjectId, before: ProjectId | null): void {
    const order = inOrder(this.storage.projects.list());
    const at = order.findIndex((one) => one.id === id);
    const [moved] = at === -1 ? [] : order.splice(at, 1);
    if (moved === undefined) return;
    const to = order.findIndex((one) => one.id === before);
    order.splice(to === -1 ? order.length : to, 0, moved);
    const changed = order.flatMap((one, rank) => (one.rank === rank ? [] : [{ ...one, rank }]));
    this.storage.transaction(() => {
      for (const project of changed) this.storage.projects.save(project);
    });
    for (const project of changed) this.hub.app({ type: 'project.changed', project });
  }

  /** Undoes `remove`. Errors: `not_found`. */
  restore(id: ProjectId): Result<Project> {
    const copies = this.storage.projects.removedWith(id);
    const project = this.storage.projects.restore(id) ? this.storage.projects.get(id) : null;
    if (project === null) return fail('not_found', 'project_not_restorable');
    this.hub.app({ type: 'project.changed', project });
    this.showWithin(id, copies);
    return ok(project);
  }

  /** Tells every window, which forgot the threads of a removed project. */
  private showWithin(id: ProjectId, copies: readonly Project[]): void {
    for (const summary of this.storage.threads.summaries(id))
      this.hub.app({ type: 'summary.changed', summary });
    for (const copy of copies) this.restore(copy.id);
  }

  /**
   * Checks that the folder exists and is the one that was opened, not a link, another folder or an empty mount point in its
   * place. Updates the list.
   */
  async checkFolder(id: ProjectId): Promise<Result<Project>> {
    const found = this.get(id);
    if (!found.ok) return found;
    // Its computer is asked only when something needs it, see `reach`.
    if (found.value.remote !== undefined) return found;
    const { folder } = found.value;
    const identity = await identityOf(folder);
    const isSame = identity !== null && identity !== 'other' && this.isSame(found.value, identity);
    const state = { missing: !isSame, replaced: !isSame && identity !== null };
    // It may have been changed, removed or reattached since.
    const now = this.storage.projects.list().find((one) => one.id === id);
    if (now?.folder !== folder) return ok(now ?? { ...found.value, ...state });
    const inode = now.inode ?? (isSame ? identity.inode : undefined);
    return ok(this.mark(now, { ...state, ...optional({ inode }) }));
  }

  /** As `checkFolder`. Also connects to the computer of a remote project, which may take a while. */
  async reach(id: ProjectId): Promise<Result<Project>> {
    const found = this.get(id);
    if (!found.ok || found.value.remote === undefined) return this.checkFolder(id);
    const { folder, remote } = found.value;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const error = await this.places.reach(remote.placeId);
    return ok(this.reached(id, error === null) ?? found.value);
  }

  /** Notes whether the computer of a remote project can be reached. */
  reached(id: ProjectId, isThere: boolean): Project | null {
    const now = this.storage.projects.list().find((one) => one.id === id);
    return now === undefined ? null : this.mark(now, { missing: !isThere, replaced: false });
  }

  /** A folder known only by its path gets the identity that is seen first. */
  private isSame({ id, inode }: Project, identity: Identity): boolean {
    const seen = this.seen.get(id);
    if (seen !== undefined) return isSameFolder(seen, identity);
    if (inode !== undefined && inode !== identity.inode) return false;
    this.seen.set(id, identity);
    return true;
  }

  /** The person chose the folder in its current state. */
  private async remember(id: ProjectId | undefined, folder: string): Promise<Pick<Project, 'inode'>> {
    const identity = await identityOf(folder);
    if (id !== undefined) this.seen.delete(id);
    return identity === null || identity === 'other' ? {} : { inode: identity.inode };
  }

  /** The project if its folder exists, else `folder_gone`. Updates the list either way. */
  async present(id: ProjectId): Promise<Result<Project>> {
    const project = await this.checkFolder(id);
    return !project.ok || !project.value.missing ? project : { ok: false, error: folderGone(project.value) };
  }

  /** Whether the folder is the project's own. That of a project on another computer always is. */
  async isThere({ id, remote }: Project): Promise<boolean> {
    return remote !== undefined || (await this.present(id)).ok;
  }

  /** As `present`, after an attempt to connect to the computer of a remote project. */
  async ready(id: ProjectId): Promise<Result<Project>> {
    const reached = await this.reach(id);
    return reached.ok ? this.present(id) : reached;
  }

  /** Saves the changed project and publishes it. */
  change(project: Project): void {
    this.storage.projects.save(project);
    this.hub.app({ type: 'project.changed', project });
  }

  /** Also removes its private copies from the list. */
  remove(id: ProjectId, at = Date.now()): void {
    for (const copy of this.storage.projects.copiesOf(id)) this.remove(copy.id, at);
    void this.unwatch(id);
    this.storage.projects.remove(id, at);
    this.hub.app({ type: 'project.removed', projectId: id });
  }

  /** Reports changes in a directory that the window shows. Repeated calls are cheap. */
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
          if (found.ok) this.mark(found.value, { missing: true, replaced: false });
        },
        onDegraded: () => this.warn(because('no_file_watches')),
      });
      this.watchers.set(project.id, watcher);
    }
    await watcher.watch(directory);
  }

  private async unwatch(id: ProjectId): Promise<void> {
    const watcher = this.watchers.get(id);
    this.watchers.delete(id);
    await watcher?.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.watchers.values()].map((watcher) => watcher.close()));
    this.watchers.clear();
  }

  private mark(project: Project, state: Pick<Project, 'missing' | 'replaced' | 'inode'>): Project {
    const { missing, replaced = false, inode } = { ...project, ...state };
    if (project.missing === missing && (project.replaced ?? false) === replaced && project.inode === inode)
      return project;
    const changed = { ...project, missing, replaced, ...optional({ inode }) };
    this.storage.projects.save(changed);
    // A newly recorded inode is not reported to the person.
    if (project.missing !== missing || (project.replaced ?? false) !== replaced)
      this.hub.app({ type: 'project.changed', project: changed });
    return changed;
  }
}

interface Identity {
  device: string;
  inode: string;
  /** When it was created, in nanoseconds since 1970. '0' if the file system does not tell. */
  birth: string;
}

/** A disk that was unplugged may come back under another device number. The roots of two disks often have the same inode. */
const isSameFolder = (a: Identity, b: Identity): boolean =>
  a.inode === b.inode && (a.device === b.device || (a.birth !== '0' && a.birth === b.birth));

/** Null: nothing exists there. `other`: a link, or not a folder. */
async function identityOf(folder: string): Promise<Identity | 'other' | null> {
  const found = await lstat(folder, { bigint: true }).catch(() => null);
  if (found === null) return null;
  if (!found.isDirectory()) return 'other';
  return { device: String(found.dev), inode: String(found.ino), birth: String(found.birthtimeNs) };
}

/** The error for a project whose folder is missing or replaced. */
export const folderGone = ({ folder, replaced, remote }: Project): AppError =>
  remote === undefined
    ? appError(
        'folder_gone',
        errorText(replaced === true ? 'project_folder_replaced' : 'project_folder_gone', { folder }),
      )
    : appError('folder_gone', errorText('project_machine_gone', { machine: remote.machine }));

const nameOf = (folder: string) => basename(folder) || folder;

/** In list order: projects without a manual position first, the last opened on top. */
const inOrder = (projects: readonly Project[]): Project[] =>
  [...projects].sort((a, b) => (a.rank ?? -1) - (b.rank ?? -1) || b.openedAt - a.openedAt);

/** The real path of a folder that can become a project. Errors: `not_found`, `invalid`. */
async function realFolder(folder: string): Promise<Result<string>> {
  const real = await realpath(folder).catch(() => null);
  if (real === null) return fail('not_found', 'folder_not_found', { folder });
  if (!(await stat(real)).isDirectory()) return fail('invalid', 'not_a_folder', { path: folder });
  if (textOfPath(real) !== real) return fail('invalid', 'path_with_escape', { folder });
  return parse(real).root === real ? fail('invalid', 'whole_disk') : ok(real);
}
