import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path/posix';
import type { Project } from '../../contract/app';
import type { Output } from '../../contract/commands';
import { fileFailure } from '../../contract/file-failure';
import type { PlaceId, ProjectId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { ErrorKind } from '../../contract/shared/error-kind';
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

/** After such an error, the other files of an action would fail as well, and each would take as long. */
const CUT_OFF: ReadonlySet<ErrorKind> = new Set(['network', 'timeout']);

interface Trashed {
  /** The path of the tools. */
  path: string;
  inner: string;
  /** The name in the trash there. */
  trashed: string;
}

/** The person's actions on files of places on other machines, as `FileActions` has them for folders of this one. */
export class PlaceFiles {
  private readonly undos = new Map<string, Trashed[]>();

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

  /**
   * Moves to the trash of the other machine. Errors: that of the first path if none could be moved. After a failed connection, it
   * does not try the rest.
   */
  async trash(project: Project, paths: readonly string[]): Promise<Result<Output<'files.trash'>>> {
    const items: Trashed[] = [];
    const failed: Output<'files.trash'>['failed'] = [];
    for (const path of paths) {
      const before = failed.at(-1)?.error;
      if (before !== undefined && CUT_OFF.has(before.kind)) {
        failed.push({ path, error: before });
        continue;
      }
      const done = await this.acting(project, path, [path], async (tree, inner) => {
        const moved = await tree.trash(inner);
        if (isFailure(moved)) return moved;
        items.push({ path, inner, trashed: moved.trashed });
        return null;
      });
      if (!done.ok) failed.push({ path, error: done.error });
    }
    const [first] = failed;
    if (first !== undefined && failed.length === paths.length) return { ok: false, error: first.error };
    const undo = randomUUID();
    this.undos.set(undo, items);
    for (const oldest of this.undos.keys()) {
      if (this.undos.size <= UNDOS_KEPT) break;
      this.undos.delete(oldest);
    }
    return ok({ undo, failed });
  }

  /** Null: `trash` of this class returned no such undo. */
  async untrash(project: Project, undo: string): Promise<Result<object> | null> {
    const known = this.undos.get(undo);
    if (known === undefined) return null;
    this.undos.delete(undo);
    const left: Trashed[] = [];
    let failed: Result<never> | undefined;
    for (const item of known.toReversed()) {
      const { path, inner, trashed } = item;
      const isCutOff = failed?.ok === false && CUT_OFF.has(failed.error.kind);
      const done = isCutOff
        ? failed
        : await this.acting(project, path, [path], (tree) => tree.restore(trashed, inner));
      if (done?.ok === true) continue;
      failed ??= done;
      left.unshift(item);
    }
    if (failed === undefined) return ok({});
    // What could not be restored now can be later.
    this.undos.set(undo, left);
    return failed;
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
