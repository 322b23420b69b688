import { dirname } from 'node:path';
import { isBelow } from '../../base/is-below';

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

/** Programs, libraries and their data. */
export const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/nix/var/nix/profiles',
  '/gnu/store',
  '/snap',
  '/home/linuxbrew/.linuxbrew',
  '/var/cache/fontconfig',
  '/var/lib/texmf',
  '/run/current-system',
  '/run/opengl-driver',
  '/run/booted-system',
];

/** The sandbox paths below which something is shown. */
export const shownPaths = ({ path, shows }: Shown): readonly string[] => shows ?? [path];

/** Whether a command that follows a link finds its target. */
export const leadsToShown = (real: string, link: string): boolean =>
  SYSTEM.some((place) => isBelow(real, place)) || isBelow(real, dirname(link));
