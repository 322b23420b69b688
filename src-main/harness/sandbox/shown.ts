import { dirname } from 'node:path';
import { isBelow } from '../../base/is-below';
import { SYSTEM_FOLDERS } from '../../base/system-places';

/** A place of this machine that a command can read. */
export interface Shown {
  path: string;
  /** Recreated as a link, so that its target is visible only if it is shown itself. */
  link?: string;
  /** Other content is shown at this path. */
  from?: string;
  /** Its contents, as paths in the sandbox. */
  shows?: readonly string[];
}

/** The sandbox paths below which something is shown. */
export const shownPaths = ({ path, shows }: Shown): readonly string[] => shows ?? [path];

/** Whether a command that follows a link finds its target. */
export const leadsToShown = (real: string, link: string): boolean =>
  SYSTEM_FOLDERS.some((place) => isBelow(real, place)) || isBelow(real, dirname(link));
