import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, cp, lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { moveNew } from '../../../base/move-new';
import { systemPath } from '../../../base/path-names';
import { flushNames } from '../../../base/replace-file';
import type { Project } from '../../../contract/app';
import type { Output } from '../../../contract/commands';
import { fileFailure } from '../../../contract/file-failure';
import { fail, ok, type Result } from '../../../contract/result';
import {
  checkPath,
  type HeldDirectory,
  isFailure,
  RootGuard,
  systemFailure,
} from '../../../harness/backends';
import { newTemporaryName, release, sweep } from '../../../harness/backends/disk/temporaries';
import { fromTrash, type Trashed, toTrash } from '../../../workspace/trash';
import type { DesktopServices } from '../../window/desktop-services';
import type { ChangeLog } from '../changes/change-log';
import type { Files } from './files';

interface Place {
  /** The name within its folder. */
  name: string;
  parent: HeldDirectory;
}

/** Maximum number of names tried for a copy. */
const MAX_COPIES = 1_000;
/** Maximum number of trash undos that are remembered. */
const UNDOS_KEPT = 100;
/** Maximum bytes of a dropped file. */
const MAX_DROPPED = 4 * 1024 ** 3;

/** Milliseconds after the last part of a dropped file. A closed window sends no more. */
const ABANDONED_AFTER = 60_000;

/** A dropped file that is still coming. */
interface Upload {
  temporary: string;
  size: number;
  /** Its folder may have been made for it. */
  intoNew: boolean;
  /** Removes what was received. */
  cancel(): Promise<unknown>;
  abandoned: NodeJS.Timeout | undefined;
}

/**
 * The person's actions on files of a folder. They stay in the folder, follow no link and never overwrite an existing file.
 * Their changes are recorded as the person's.
 */
export class FileActions {
  private readonly undos = new Map<string, Trashed[]>();
  private readonly uploads = new Map<string, Upload>();

  constructor(
    private readonly files: Files,
    private readonly log: ChangeLog,
    private readonly desktop: DesktopServices,
    private readonly platform: NodeJS.Platform,
  ) {}

  /** Creates an empty file or folder with its missing parents. Errors: `conflict`. */
  create(project: Project, path: string, kind: 'file' | 'directory'): Promise<Result<object>> {
    return this.changing(project, [path], () =>
      this.atPlace(project, path, true, async ({ parent, name }) => {
        if (kind === 'directory') await mkdir(parent.child(name));
        else await (await open(parent.child(name), 'wx', 0o644)).close();
        return ok({});
      }),
    );
  }

  /** Renames or moves. Errors: `conflict` if the name is taken, `invalid` for a move into itself. */
  move(project: Project, from: string, to: string): Promise<Result<object>> {
    if (to === from) return Promise.resolve(ok({}));
    if (to.startsWith(`${from}/`)) return Promise.resolve(fail('invalid', 'move_into_itself'));
    return this.changing(project, [from, to], () =>
      this.atPlace(project, from, false, (source) =>
        this.atPlace(project, to, true, async (target) => {
          await moveNew(source.parent.child(source.name), target.parent.child(target.name), to);
          return ok({});
        }),
      ),
    );
  }

  /** Copies under a free name, beside the original or into `into`. Returns the path. */
  async copy(project: Project, path: string, into?: string): Promise<Result<{ path: string }>> {
    const folder = into ?? path.slice(0, path.lastIndexOf('/'));
    if (`${folder}/`.startsWith(`${path}/`)) return fail('invalid', 'copy_into_itself');
    const name = path.slice(path.lastIndexOf('/') + 1);
    return this.atPlace(project, path, false, (source) =>
      this.atPlace(project, `${folder}/${name}`, false, async ({ parent }) => {
        const host = source.parent.child(source.name);
        const isFolder = (await lstat(host)).isDirectory();
        const free = await freeName(parent, name, isFolder);
        const target = parent.child(free);
        const made = `${folder}/${free}`;
        return this.changing(project, [made], async () => {
          if (Buffer.isBuffer(host) || Buffer.isBuffer(target)) {
            if (!(await lstat(host)).isFile()) return fail('unsupported', 'name_not_utf8');
            await copyFile(host, target, constants.COPYFILE_EXCL);
          } else if (isFolder) await copyFolder(host, target);
          else await cp(host, target, COPY);
          return ok({ path: made });
        });
      }),
    );
  }

  /** Errors: that of the first path if none could be moved, as `unsupported` if there is no trash. */
  async trash(project: Project, paths: readonly string[]): Promise<Result<Output<'files.trash'>>> {
    const trashed: Trashed[] = [];
    const failed: Output<'files.trash'>['failed'] = [];
    for (const path of paths) {
      const done = await this.changing(project, [path], () =>
        this.atPlace(project, path, false, async ({ parent, name }) => {
          const host = systemPath(join(parent.place, name));
          await lstat(parent.child(name));
          if (Buffer.isBuffer(host)) return fail('unsupported', 'name_not_utf8');
          if (this.platform === 'linux') trashed.push(await toTrash(host));
          else if (this.desktop.trash) await this.desktop.trash(host);
          else return fail('unsupported', 'no_trash');
          return ok({});
        }),
      );
      if (!done.ok) failed.push({ path, error: done.error });
    }
    const [first] = failed;
    if (first !== undefined && failed.length === paths.length) return { ok: false, error: first.error };
    if (trashed.length === 0) return ok({ undo: null, failed });
    const undo = randomUUID();
    this.undos.set(undo, trashed);
    for (const oldest of this.undos.keys()) {
      if (this.undos.size <= UNDOS_KEPT) break;
      this.undos.delete(oldest);
    }
    return ok({ undo, failed });
  }

  async untrash(project: Project, undo: string): Promise<Result<object>> {
    const trashed = this.undos.get(undo);
    if (trashed === undefined) return fail('not_found', 'in_system_trash');
    this.undos.delete(undo);
    const left: Trashed[] = [];
    let failed: Result<never> | undefined;
    for (const one of trashed.toReversed()) {
      const path = `${project.mount}${one.from.slice(project.folder.length)}`;
      const done = await this.changing(project, [path], () =>
        this.atPlace(project, path, true, async ({ parent, name }) =>
          (await fromTrash(one, parent.child(name))) ? ok({}) : fail('conflict', 'not_restored', { path }),
        ),
      );
      if (done.ok) continue;
      failed ??= done;
      left.unshift(one);
    }
    if (failed === undefined) return ok({});
    // What could not be restored now can be later.
    this.undos.set(undo, left);
    return failed;
  }

  /** Replaces a text atomically. Errors: `stale` if it is no longer `version`; null: overwrite any version. */
  save(
    project: Project,
    path: string,
    text: string,
    version: string | null,
  ): Promise<Result<{ version: string }>> {
    const isInPlace = this.files.isInPlace(project, path);
    return this.changing(project, isInPlace ? [] : [path], async () => {
      if (!isInPlace && insideOf(project, path) === null) return fail('denied', 'outside_project', { path });
      const backend = await this.files.backend(project, null);
      const written = await backend.write(path, text, version === null ? {} : { expectedVersion: version });
      if (written.error !== undefined)
        return fileFailure(path, { kind: written.kind ?? 'storage', error: written.error });
      return ok({ version: written.version ?? '' });
    });
  }

  /** Receives a chunk of a dropped file. Returns its path after the last chunk. */
  async put(
    project: Project,
    path: string,
    part: { upload: string; offset: number; bytes: Buffer; last: boolean },
  ): Promise<Result<{ path: string | null }>> {
    const folder = path.slice(0, path.lastIndexOf('/'));
    const name = path.slice(path.lastIndexOf('/') + 1);
    const inside = insideOf(project, folder);
    const intoNew = inside !== null && !(await isThere(join(project.folder, inside)));
    const work = (): Promise<Result<{ path: string | null }>> =>
      this.atPlace<{ path: string | null }>(project, path, true, async ({ parent }) => {
        const known = this.uploads.get(part.upload);
        if (part.offset !== (known?.size ?? 0)) return fail('invalid', 'parts_out_of_order');
        const upload: Upload = known ?? {
          temporary: newTemporaryName(name),
          size: 0,
          intoNew,
          cancel: () => this.cancelPut(project, path, part.upload),
          abandoned: undefined,
        };
        clearTimeout(upload.abandoned);
        const temporary = parent.child(upload.temporary);
        this.uploads.set(part.upload, upload);
        try {
          if (upload.size + part.bytes.length > MAX_DROPPED) {
            this.forget(part.upload);
            await rm(temporary, { force: true });
            return fail('too_large', 'larger_than_4_gb', { name });
          }
          // What a killed app left of earlier drops.
          if (part.offset === 0) await sweep(parent);
          const handle = await open(temporary, part.offset === 0 ? 'wx' : 'a', 0o644);
          try {
            await handle.writeFile(part.bytes);
            // Of all parts.
            if (part.last) await handle.sync();
          } finally {
            await handle.close();
          }
          upload.size += part.bytes.length;
          if (!part.last) {
            upload.abandoned = setTimeout(() => void upload.cancel(), ABANDONED_AFTER).unref();
            return ok({ path: null });
          }
          const free = await freeName(parent, name, false);
          const made = `${folder}/${free}`;
          await this.recording(project, [made], () => moveNew(temporary, parent.child(free), made));
          await flushNames(parent.child('.'));
          if (upload.intoNew) await flushAbove(parent.place, project.folder);
          this.forget(part.upload);
          return ok({ path: made });
        } catch (thrown) {
          this.forget(part.upload);
          await rm(temporary, { force: true });
          throw thrown;
        }
      });
    return this.guarded(path, work);
  }

  /** Removes what was received of a dropped file, if anything. */
  cancelPut(project: Project, path: string, upload: string): Promise<Result<{ path: null }>> {
    const known = this.uploads.get(upload);
    clearTimeout(known?.abandoned);
    this.forget(upload);
    if (known === undefined) return Promise.resolve(ok({ path: null }));
    return this.guarded(path, () =>
      this.atPlace<{ path: null }>(project, path, true, async ({ parent }) => {
        await rm(parent.child(known.temporary), { force: true });
        return ok({ path: null });
      }),
    );
  }

  private forget(upload: string): void {
    const known = this.uploads.get(upload);
    if (known !== undefined) release(known.temporary);
    this.uploads.delete(upload);
  }

  /** Removes what was received of files that never came whole. */
  async close(): Promise<void> {
    await Promise.all([...this.uploads.values()].map((upload) => upload.cancel()));
  }

  /** Checked paths of files on this system, to reveal or drag them. */
  async hosts(project: Project, paths: readonly string[]): Promise<Result<string[]>> {
    const hosts: string[] = [];
    for (const path of paths) {
      const found = await this.atPlace(project, path, false, async ({ parent, name }) => {
        await lstat(parent.child(name));
        const host = systemPath(join(parent.place, name));
        return Buffer.isBuffer(host) ? fail('unsupported', 'name_not_utf8') : ok(host);
      });
      if (!found.ok) return found;
      hosts.push(found.value);
    }
    return ok(hosts);
  }

  private changing<T>(
    project: Project,
    paths: readonly string[],
    work: () => Promise<Result<T>>,
  ): Promise<Result<T>> {
    return this.guarded(paths[0] ?? '', () => this.recording(project, paths, work));
  }

  /** Runs `work` and records changes at the named paths as the person's. Name exactly what changes. */
  private recording<T>(project: Project, paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const named = paths.flatMap((path) => {
      const inside = insideOf(project, path);
      return inside === null || inside === '' ? [] : [inside.slice(1)];
    });
    return this.log.byPerson(project, named, work);
  }

  private async guarded<T>(path: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
    try {
      return await work();
    } catch (thrown) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return fileFailure(name, systemFailure(thrown, name));
    }
  }

  private atPlace<T>(
    project: Project,
    path: string,
    create: boolean,
    work: (place: Place) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    return this.guarded(path, async () => {
      const inside = insideOf(project, path);
      const at = inside === null ? null : checkPath(inside === '' ? '/' : inside);
      if (at === null) return fail('denied', 'outside_project', { path });
      if (isFailure(at)) return fileFailure(path, at);
      const name = at.segments.at(-1);
      if (name === undefined) return fail('invalid', 'project_folder_itself');
      const parent = await new RootGuard(project.folder, true).holdParent(at, create);
      if (isFailure(parent)) return fileFailure(path, parent);
      try {
        return await work({ name, parent });
      } finally {
        await parent.close();
      }
    });
  }
}

/** The part of a path below the folder, with its `/`; null for other paths, and all of a remote project. */
function insideOf(project: Project, path: string): string | null {
  if (project.remote !== undefined) return null;
  if (path === project.mount) return '';
  return path.startsWith(`${project.mount}/`) ? path.slice(project.mount.length) : null;
}

const isThere = (path: string): Promise<boolean> =>
  lstat(systemPath(path)).then(
    () => true,
    () => false,
  );

/** The names of the folders above one, up to the project's. */
async function flushAbove(folder: string, root: string): Promise<void> {
  for (let at = folder; isBelow(at, root) && at !== root; at = dirname(at))
    await flushNames(systemPath(dirname(at)));
}

const COPY = { errorOnExist: true, force: false, verbatimSymlinks: true };

/** All of it or nothing. */
async function copyFolder(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, { ...COPY, recursive: true, mode: constants.COPYFILE_FICLONE });
  } catch (thrown) {
    const isTaken = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_FS_CP_EEXIST';
    if (!isTaken) await rm(to, { recursive: true, force: true });
    throw thrown;
  }
}

/** `a.txt`, `a copy.txt`, `a copy 2.txt`. */
async function freeName(parent: HeldDirectory, name: string, isFolder: boolean): Promise<string> {
  const ending = isFolder ? '' : extname(name);
  const stem = name.slice(0, name.length - ending.length);
  for (let n = 0; n < MAX_COPIES; n += 1) {
    const tried = n === 0 ? name : `${stem} copy${n === 1 ? '' : ` ${n}`}${ending}`;
    const taken = await lstat(parent.child(tried)).catch(() => null);
    if (taken === null) return tried;
  }
  throw Object.assign(new Error(name), { code: 'EEXIST' });
}
