import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path/posix';
import type { Project } from '../../contract/app';
import { fileFailure } from '../../contract/file-failure';
import type { PlaceId, ProjectId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import { type Failure, isFailure } from '../../harness/backends';
import type { RemoteTree } from '../../harness/backends/remote/remote-tree';
import type { Hub } from '../window/hub';
import { untilAborted } from './place-connection';
import { mountOfPlace } from './place-policy';
import type { Places } from './places';

/** Milliseconds for one action. */
const LIMIT = 60_000;
/** Maximum number of deletions that can be undone. */
const UNDOS_KEPT = 100;

interface Trashed {
  placeId: PlaceId;
  /** The paths of the tools, and the names in the trash there. */
  items: { path: string; inner: string; trashed: string }[];
}

/** The person's actions on files of places on other machines, as `FileActions` has them for folders of this one. */
export class PlaceFiles {
  private readonly undos = new Map<string, Trashed>();

  constructor(
    private readonly places: Pick<Places, 'at' | 'treeAt' | 'names'>,
    private readonly hub: Pick<Hub, 'app'>,
  ) {}

  /** Whether a path is in one of the project's places. */
  has(project: Project, path: string): boolean {
    return this.places.at(project, path) !== null;
  }

  create(project: Project, path: string, kind: 'file' | 'directory'): Promise<Result<object>> {
    return this.acting(project, path, [path], (tree, inner) => tree.create(inner, kind));
  }

  /** Errors: `conflict` if the name is taken, `invalid` for a move into itself or to another place. */
  async move(project: Project, from: string, to: string): Promise<Result<object>> {
    if (to === from) return ok({});
    if (to.startsWith(`${from}/`)) return fail('invalid', 'move_into_itself');
    const [source, target] = [this.places.at(project, from), this.places.at(project, to)];
    if (source?.place.id !== target?.place.id) return fail('unsupported', 'place_other');
    return this.acting(project, from, [from, to], (tree, inner) => tree.move(inner, target?.inner ?? '/'));
  }

  /** Moves to the trash of the other machine. What was moved before an error can be restored there. */
  async trash(project: Project, paths: readonly string[]): Promise<Result<{ undo: string | null }>> {
    const items: Trashed['items'] = [];
    for (const path of paths) {
      const done = await this.acting(project, path, [path], async (tree, inner) => {
        const moved = await tree.trash(inner);
        if (isFailure(moved)) return moved;
        items.push({ path, inner, trashed: moved.trashed });
        return null;
      });
      if (!done.ok) return done;
    }
    const placeId = this.places.at(project, paths[0] ?? '')?.place.id;
    if (placeId === undefined) return ok({ undo: null });
    const undo = randomUUID();
    this.undos.set(undo, { placeId, items });
    for (const oldest of this.undos.keys()) {
      if (this.undos.size <= UNDOS_KEPT) break;
      this.undos.delete(oldest);
    }
    return ok({ undo });
  }

  /** Null: `trash` of this class returned no such undo. */
  async untrash(project: Project, undo: string): Promise<Result<object> | null> {
    const known = this.undos.get(undo);
    if (known === undefined) return null;
    while (known.items.length > 0) {
      const item = known.items.at(-1);
      if (item === undefined) break;
      const { path, inner, trashed } = item;
      const done = await this.acting(project, path, [path], (tree) => tree.restore(trashed, inner));
      if (!done.ok) return done;
      known.items.pop();
    }
    this.undos.delete(undo);
    return ok({});
  }

  private async acting(
    project: Project,
    path: string,
    changed: string[],
    work: (tree: RemoteTree, inner: string) => Promise<Failure | null>,
  ): Promise<Result<object>> {
    const at = this.places.at(project, path);
    if (at === null) return fail('denied', 'outside_project', { path });
    if (at.inner === '/' || mountOfPlace(at.place) === path) return fail('invalid', 'project_folder_itself');
    const tree = await this.places.treeAt(at.place.id);
    if (!tree.ok) return tree;
    const limit = AbortSignal.timeout(LIMIT);
    const failed = await untilAborted(work(tree.value, at.inner), limit).catch((error: unknown) => {
      if (!limit.aborted) throw error;
      return 'slow' as const;
    });
    this.tell(project.id, at.place.id, changed);
    if (failed === null) return ok({});
    if (failed === 'slow') return fail('timeout', 'place_too_slow', { count: LIMIT / 1_000 });
    return failed.kind === 'unsupported' ? fail('unsupported', 'place_no_trash') : fileFailure(path, failed);
  }

  /** Places are not watched, so the window learns of the person's own changes here. */
  private tell(projectId: ProjectId, placeId: PlaceId, files: string[]): void {
    this.places.names.changed(placeId);
    const directories = [...new Set(files.map((path) => dirname(path)))];
    this.hub.app({ type: 'files.changed', projectId, directories, files, all: false });
  }
}
