import type { Project } from '@contract/app';

/** Where a project's folder is, in one line. */
export const locationOf = ({ folder, mount, remote }: Project): string =>
  remote === undefined ? folder : `${remote.machine}:${mount}`;

/** Where a changed file is: its path is relative to the project's folder, or absolute in a place. */
export const changedAt = (path: string, mount: string): string =>
  path.startsWith('/') ? path : `${mount}/${path}`;
