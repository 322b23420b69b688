import type { Project } from '../../contract/app';
import { ProjectId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import { checkPath } from '../../harness/backends';
import type { Storage } from '../../storage';
import { MEMORIES, projectMemories, SHARED_MEMORIES, SHARED_NAMESPACE } from '../project/mounts';
import type { Hub } from '../window/hub';

/** The project whose memories `/memories/` means; null: none, so that only those for everywhere are seen. */
export type Viewer = ProjectId | null;

/** Where the store keeps a memory. */
export interface MemoryPlace {
  namespace: string[];
  key: string;
}

/** Errors: `invalid`, `denied` for paths elsewhere, `not_found` for a project's memory without a project. */
export function memoryAt(storage: Storage, path: string, viewer: Viewer): Result<MemoryPlace> {
  const checked = checkPath(path, [MEMORIES]);
  if ('error' in checked)
    return fail(checked.kind ?? 'invalid', 'memory_name_refused', { name: path }, checked.error);
  const isShared = isSharedMemory(checked.path);
  const key = checked.path.slice((isShared ? SHARED_MEMORIES : MEMORIES).length);
  if (key.length <= 1 || checked.path === SHARED_MEMORIES) return fail('invalid', 'memory_needs_name');
  if (isShared) return ok({ namespace: SHARED_NAMESPACE, key });
  const namespace = namespaceOf(storage, viewer);
  return namespace === null ? fail('not_found', 'no_memory', { path }) : ok({ namespace, key });
}

/** The namespace of `/memories/`. A private copy of a project has the memories of that project. */
export function namespaceOf(storage: Storage, viewer: Viewer): string[] | null {
  const project: Pick<Project, 'id' | 'copy'> | null = viewer === null ? null : storage.projects.get(viewer);
  return project === null ? null : projectMemories(project);
}

export const isSharedMemory = (path: string): boolean => path.startsWith(`${SHARED_MEMORIES}/`);

const isSharedNamespace = (namespace: readonly string[]): boolean => namespace[0] === SHARED_NAMESPACE[0];

/** Starts with `/memories/`. */
export const pathOfMemory = ({ namespace, key }: MemoryPlace): string =>
  `${isSharedNamespace(namespace) ? SHARED_MEMORIES : MEMORIES}${key}`;

/** Tells every window. */
export function tellChanged(hub: Hub, changed: readonly MemoryPlace[]): void {
  const [, project] = changed.find(({ namespace }) => !isSharedNamespace(namespace))?.namespace ?? [];
  const paths = changed.map(pathOfMemory);
  const ofProject = project === undefined ? {} : { projectId: ProjectId.parse(project) };
  hub.app({ type: 'memories.changed', paths, ...ofProject });
}
