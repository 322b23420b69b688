import { namesOfPath, systemPath } from '../../base/path-names';
import type { Project } from '../../contract/app';
import { fail, ok, type Result } from '../../contract/result';

/** A folder, and where it stands for the tools. */
export type Folder = Pick<Project, 'mount' | 'folder'>;

/** A path of the system, in the folder, as the tools and the window name it. */
export function toMount(project: Folder, path: string): string {
  const inside = path.slice(project.folder.length);
  // On Windows alone a backslash divides folders.
  return `${project.mount}${process.platform === 'win32' ? inside.replaceAll('\\', '/') : inside}`;
}

/** The system's path, as text (`base/path-names.ts`), for one below the mount; null for a path elsewhere. */
export function fromMount(project: Folder, path: string): string | null {
  const inside =
    path === project.mount
      ? ''
      : path.startsWith(`${project.mount}/`)
        ? path.slice(project.mount.length)
        : null;
  return inside === null ? null : `${project.folder}${inside}`;
}

/** The path of a file of the folder for showing it in the system's file manager. Errors: `denied`, `unsupported`. */
export function hostPath(project: Folder, path: string): Result<string> {
  const real = fromMount(project, path);
  if (real === null || namesOfPath(path) === null) return fail('denied', 'project_files_only');
  const host = systemPath(real);
  return Buffer.isBuffer(host) ? fail('unsupported', 'name_not_utf8_shown') : ok(host);
}
