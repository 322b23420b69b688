import { dirname } from 'node:path';
import { isBelow } from '../../base/is-below';

/** One place of this machine that a command finds read-only. */
export interface Shown {
  path: string;
  /** A link is made again, so that what it leads to is visible only where that is shown itself. */
  link?: string;
  /** Something else is shown at this path. */
  from?: string;
  /** What that holds, as paths in the sandbox. */
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

/** The paths of the sandbox below which something is shown. */
export const shownPaths = ({ path, shows }: Shown): readonly string[] => shows ?? [path];

/** Whether a command that follows a link finds there what it leads to. */
export const leadsToShown = (real: string, link: string): boolean =>
  SYSTEM.some((place) => isBelow(real, place)) || isBelow(real, dirname(link));
