import type { Project } from '@contract/app';

/** Where a project's folder is, in one line. */
export const locationOf = ({ folder, mount, remote }: Project): string =>
  remote === undefined ? folder : `${remote.machine}:${mount}`;
