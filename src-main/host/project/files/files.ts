import type { FileEntry, FilePage, Project } from '../../../contract/app';
import { fileFailure } from '../../../contract/file-failure';
import type { ThreadId } from '../../../contract/ids';
import { ok, type Result } from '../../../contract/result';
import { optional } from '../../../contract/shared/optional';
import type { BackendProtocol, CommandRunner, FileData } from '../../../harness';
import type { Storage } from '../../../storage';
import { listDirectory, MAX_PAGE } from '../../../workspace/listing';
import { openScout } from '../../../workspace/scout-client';
import type { Places } from '../../places/places';
import { fromMount } from '../mount-paths';
import { MEMORIES, SKILLS, type SkillFolders, viewBackend } from '../mounts';
import type { ProjectRegistry } from '../projects';

/** Maximum number of search results. */
const MAX_FOUND = 5_000;

type Listing = { entries: FileEntry[]; total: number; nextOffset: number | null };

/** Folders of this machine, one per thread. */
interface FolderByThread {
  of(threadId: ThreadId): string;
}

/** Files as the window shows them: the folder, memories and a thread's scratch files, by the paths that the tools use. */
export class Files {
  /** Lists large directories without ripgrep and without waiting for name searches. */
  private readonly large = openScout(null);

  constructor(
    private readonly storage: Storage,
    private readonly projects: ProjectRegistry,
    private readonly outputs: FolderByThread,
    private readonly attachments: FolderByThread,
    private readonly places: Pick<Places, 'routesOf' | 'at'>,
    private readonly skills?: SkillFolders,
  ) {}

  /** Lists the entries of a directory and, if it is in the folder, watches it. */
  async list(
    project: Project,
    threadId: ThreadId | null,
    path: string,
    offset: number,
  ): Promise<Result<Listing>> {
    const inFolder = fromMount(project, path.replace(/(.)\/+$/, '$1'));
    if (inFolder !== null) {
      await this.projects.watch(project, inFolder);
      const page = await listDirectory(project.folder, inFolder, { offset }, this.large);
      if (!page.ok || project.mount === project.folder) return page;
      const entries = page.value.entries.map((entry) => ({ ...entry, path: `${path}/${entry.name}` }));
      return ok({ ...page.value, entries });
    }
    const backend = await this.backend(project, threadId);
    const result = await backend.ls(path, { offset, limit: MAX_PAGE });
    if (result.error !== undefined) return fileFailure(path, result);
    // Mounts have their own places in the tree.
    const files = (result.files ?? []).filter(
      ({ path: p }) => path !== '/' || !(isMount(p, project) || this.places.at(project, p) !== null),
    );
    const entries = files.map(({ path: full, is_dir, size, modified_at }): FileEntry => {
      const clean = full.replace(/\/+$/, '');
      const at = Date.parse(modified_at ?? '');
      return {
        path: clean,
        name: clean.slice(clean.lastIndexOf('/') + 1),
        kind: is_dir ? 'directory' : 'file',
        ...(is_dir || size === undefined ? {} : { size }),
        ...(Number.isNaN(at) ? {} : { modifiedAt: at }),
      };
    });
    return ok({ entries, total: result.total ?? entries.length, nextOffset: result.nextOffset ?? null });
  }

  /** Whether a path of the tools is in one of the project's places. */
  isInPlace(project: Project, path: string): boolean {
    return this.places.at(project, path) !== null;
  }

  close(): Promise<void> {
    return this.large.close();
  }

  /** One page of a file. Errors: those of reading. */
  async read(
    project: Project,
    threadId: ThreadId | null,
    path: string,
    page: { offset: number; limit: number; signal: AbortSignal },
  ): Promise<Result<FilePage>> {
    const backend = await this.backend(project, threadId);
    const { offset, limit, signal } = page;
    const result = await backend.read(path, offset, limit, { signal });
    if (result.error !== undefined) return fileFailure(path, result);
    const { content = '', mimeType = 'text/plain' } = result;
    const isText = typeof content === 'string';
    return ok({
      path,
      kind: isText ? 'text' : 'binary',
      mimeType,
      size: result.size ?? (isText ? null : content.length),
      lines: isText && !(content === '' && result.totalLines === 0) ? content.split('\n') : [],
      offset,
      totalLines: isText ? (result.totalLines ?? null) : null,
      nextOffset: result.nextOffset ?? null,
    });
  }

  /** Lines (0-based) that contain `query`, case-insensitively. Errors: those of searching. */
  async search(
    project: Project,
    threadId: ThreadId | null,
    path: string,
    query: string,
    signal: AbortSignal,
  ): Promise<Result<{ lines: number[]; cut: boolean }>> {
    const backend = await this.backend(project, threadId);
    const pattern = `(?i)${query.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&')}`;
    const found = await backend.grep(pattern, path, null, MAX_FOUND, { regex: true, signal });
    if (found.error !== undefined) return fileFailure(path, found);
    const lines = [...new Set((found.matches ?? []).map(({ line }) => line - 1))].sort((a, b) => a - b);
    return ok({ lines, cut: found.truncated === true });
  }

  /** The tools' tree, read-only. */
  async backend(project: Project, threadId: ThreadId | null): Promise<BackendProtocol> {
    const files = threadId === null ? {} : await this.scratch(threadId);
    const outputs = threadId === null ? null : this.outputs.of(threadId);
    const { storage, skills } = this;
    return viewBackend({
      project,
      storage,
      runner: NO_COMMANDS,
      files,
      outputs,
      attachments: threadId === null ? null : this.attachments.of(threadId),
      places: this.places.routesOf(project),
      ...optional({ skills }),
    });
  }

  /** The files in a thread's state after its last step. */
  private async scratch(threadId: ThreadId): Promise<Record<string, FileData>> {
    const saved = await this.storage.checkpointer.getTuple({ configurable: { thread_id: threadId } });
    const files = saved?.checkpoint.channel_values.files;
    return files !== null && typeof files === 'object' ? (files as Record<string, FileData>) : {};
  }
}

/** The viewer only reads. */
const NO_COMMANDS: CommandRunner = {
  run: () => Promise.reject(new Error('The viewer runs no commands.')),
};

/** A parent path of a mount, not a file of the thread. */
function isMount(path: string, project: Project): boolean {
  const clean = path.replace(/\/+$/, '');
  return (
    clean === MEMORIES || clean === SKILLS || project.mount === clean || project.mount.startsWith(`${clean}/`)
  );
}
