import { namesOfPath, systemPath } from '../../base/path-names';
import type { Project } from '../../contract/app';
import { fail, ok, type Result } from '../../contract/result';

/** A folder and its mount path for the tools. */
export type Folder = Pick<Project, 'mount' | 'folder' | 'remote'>;

/** Converts a system path in the folder to the path that the tools and the window use. */
export function toMount(project: Folder, path: string): string {
  const inside = path.slice(project.folder.length);
  // Only Windows uses the backslash as a separator.
  return `${project.mount}${process.platform === 'win32' ? inside.replaceAll('\\', '/') : inside}`;
}

/** Converts a path below the mount to the system's path, as text (`base/path-names.ts`); null for other paths. All paths of a remote project are others. */
export function fromMount(project: Folder, path: string): string | null {
  if (project.remote !== undefined) return null;
  const inside =
    path === project.mount
      ? ''
      : path.startsWith(`${project.mount}/`)
        ? path.slice(project.mount.length)
        : null;
  return inside === null ? null : `${project.folder}${inside}`;
}

/** Errors: `unsupported` for a project on another computer. */
export const onThisComputer = ({ remote }: Pick<Project, 'remote'>): Result<object> =>
  remote === undefined ? ok({}) : fail('unsupported', 'project_is_remote', { machine: remote.machine });

/** The path of a file to reveal in the system's file manager. Errors: `denied`, `unsupported`. */
export function hostPath(project: Folder, path: string): Result<string> {
  const real = fromMount(project, path);
  if (real === null || namesOfPath(path) === null) return fail('denied', 'project_files_only');
  const host = systemPath(real);
  return Buffer.isBuffer(host) ? fail('unsupported', 'name_not_utf8_shown') : ok(host);
}

/** Escapes a path as a glob that matches only it. */
export const literally = (path: string) => path.replace(/[\\*?[\]{}!~]/g, (char) => `\\${char}`);
