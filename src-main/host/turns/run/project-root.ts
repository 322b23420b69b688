import { lstat } from 'node:fs/promises';
import { posix } from 'node:path';
import { systemPath } from '../../../base/path-names';
import type { BackendProtocol } from '../../../harness';
import { entryAt } from '../../places/place-states';
import { type Folder, fromMount } from '../../project/mount-paths';
import { ATTACHMENTS, COMMAND_OUTPUT, MEMORIES, SKILLS } from '../../project/mounts';
import type { FindInProject } from '../middleware/root-paths';

/** Paths of the tools that are not in the project folder. */
const OWN = [MEMORIES, SKILLS, COMMAND_OUTPUT, ATTACHMENTS, '/large_tool_results', '/conversation_history'];

/**
 * Finds the file that a model means by a path with the project folder as its root, or by a relative one. A new file counts if the
 * project has its folder; one directly below the root may just as well be a file of the thread. A relative path is one of the
 * project, as in commands.
 */
function findInProject(
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
  /** `memories/a.md` is a memory, unless the project has a folder of that name. */
  const ofProject = async (path: string): Promise<string | null> => {
    const meant = posix.join(project.mount, path).replace(/\/+$/, '');
    if (!isBelow(meant, project.mount)) return null;
    const [first = ''] = posix.relative(project.mount, meant).split('/');
    const isOwn = !isUnrouted(project, places(), cleaned(path));
    return isOwn && !(await exists(posix.join(project.mount, first))) ? null : meant;
  };
  return async (path, operation, files) => {
    if (RELATIVE.test(path)) {
      const meant = await ofProject(path);
      const isOfThread = meant !== null && files.has(cleaned(path)) && !(await exists(meant));
      return isOfThread ? null : meant;
    }
    const clean = cleaned(path);
    if (!isUnrouted(project, places(), clean) || isBelow(project.mount, clean)) return null;
    const meant = `${project.mount}${clean}`;
    if (await exists(meant)) return meant;
    const parent = posix.dirname(clean);
    return operation === 'write' && parent !== '/' && (await exists(`${project.mount}${parent}`))
      ? meant
      : null;
  };
}

/** Not of a root, a home folder, or a drive. */
const RELATIVE = /^(?![/~\\]|[a-z]:)./i;

/** As the file tools read it. */
const cleaned = (path: string): string => posix.normalize(`/${path}`).replace(/\/+$/, '');

const isUnrouted = (project: Folder, places: readonly string[], clean: string): boolean =>
  clean.startsWith('/') &&
  ![project.mount, ...OWN, ...places].some((mount) => isBelow(clean, mount.replace(/\/+$/, '')));

/** Tells whether a path is in neither the project, nor a place, nor memories or skills: a file there is the thread's own. */
const isInScratch =
  (project: Folder, places: () => readonly string[]) =>
  (path: string): boolean =>
    isUnrouted(project, places(), cleaned(path));

/** What the agent knows of paths outside the project folder. */
export const projectPaths = (project: Folder, places: () => readonly string[], backend: BackendProtocol) => ({
  findInProject: findInProject(project, places, backend),
  isInScratch: isInScratch(project, places),
});

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
