import { lstat } from 'node:fs/promises';
import { posix } from 'node:path';
import { systemPath } from '../../base/path-names';
import type { BackendProtocol } from '../../harness';
import { entryAt } from '../places/place-states';
import { type Folder, fromMount } from '../project/mount-paths';
import { ATTACHMENTS, COMMAND_OUTPUT, MEMORIES, SKILLS } from '../project/mounts';
import type { FindInProject } from './middleware/root-paths';

/** Paths of the tools that are not in the project folder. */
const OWN = [MEMORIES, SKILLS, COMMAND_OUTPUT, ATTACHMENTS, '/large_tool_results', '/conversation_history'];

/**
 * Finds the file that a model means by a path with the project folder as its root. A new file counts if the project has its
 * folder; one directly below the root may just as well be a file of the thread.
 */
export function findInProject(
  project: Folder,
  places: () => readonly string[],
  backend: BackendProtocol,
): FindInProject {
  const exists = async (path: string): Promise<boolean> => {
    if (project.remote !== undefined) return (await entryAt(backend, path)) !== null;
    const real = fromMount(project, path);
    return (
      real !== null &&
      (await lstat(systemPath(real)).then(
        () => true,
        () => false,
      ))
    );
  };
  return async (path, operation) => {
    const clean = posix.normalize(path).replace(/\/+$/, '');
    if (!clean.startsWith('/') || isBelow(clean, project.mount) || isBelow(project.mount, clean)) return null;
    if ([...OWN, ...places()].some((mount) => isBelow(clean, mount.replace(/\/+$/, '')))) return null;
    const meant = `${project.mount}${clean}`;
    if (await exists(meant)) return meant;
    const parent = posix.dirname(clean);
    return operation === 'write' && parent !== '/' && (await exists(`${project.mount}${parent}`))
      ? meant
      : null;
  };
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
