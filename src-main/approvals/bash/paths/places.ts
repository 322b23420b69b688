import { posix } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { because, type Reason } from '../../../contract/shared/reasons';

/** The reference points for a command's words. Absolute paths without a trailing slash. */
export interface ShellPlaces {
  /** The chosen folder. */
  folder: string;
  /** The directory that the command starts in. */
  cwd: string;
  home: string;
  /** Deepdesk's own data, which no command reads or writes. */
  dataDir: string;
}

/** Adds the programs that the words name, all looked up beforehand. */
export interface KnownPlaces extends ShellPlaces {
  /** Path of the program with that name in the fixed search path; null if there is none. */
  resolveBinary: (name: string) => string | null;
  /** False if a folder that the agent may write to comes earlier in the search path. Default: true. */
  isTrusted?: (name: string) => boolean;
}

/** Adds access to the programs on the disk. */
export interface PlacesOnDisk extends ShellPlaces {
  /** Like `resolveBinary`, but looked up at call time. */
  findProgram: (name: string) => Promise<string | null>;
  /** Like `isTrusted`, but looked up at call time. */
  isTrustedSearch?: (name: string) => Promise<boolean>;
}

/**
 * The absolute path that a word names, with `~` and `$HOME` expanded, as text. Links are not followed, so the kernel may
 * resolve `link/..` elsewhere: see `pathNamed`.
 */
export const absolute = (value: string, places: ShellPlaces): string =>
  posix.normalize(pathNamed(value, places)).replace(/(?<=.)\/$/, '');

/**
 * Like `absolute`, but keeps every `..` for `realPathOf`, and keeps a trailing slash, which makes the kernel follow a link.
 */
export function pathNamed(value: string, { cwd, home }: Pick<ShellPlaces, 'cwd' | 'home'>): string {
  const named = value.replace(/^(~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home);
  return named.startsWith('/') ? named : `${cwd === '/' ? '' : cwd}/${named}`;
}

/** Directories that hold the system's and the administrator's programs. */
const SYSTEM =
  /^\/(bin|sbin|lib|lib64|libexec|usr|opt|nix\/store|snap|run\/current-system|System|Library\/Developer)\//;

export const isSystemProgram = (path: string): boolean =>
  SYSTEM.test(path) && !path.split('/').includes('..');

/** Files in the home folder that decide what runs later or who may log in. */
const STARTUP =
  /^\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|kshrc|xprofile|xinitrc|gitconfig|inputrc|vimrc|npmrc)$|^\.ssh(\/|$)|^\.gnupg(\/|$)|^\.aws(\/|$)|^\.config\/(autostart|systemd|git|fish)(\/|$)|^Library\/LaunchAgents(\/|$)/;

/** Below Deepdesk's data, but not in the chosen folder, which may be the sample project there. */
export const isOwnData = (path: string, { dataDir, folder }: ShellPlaces): boolean =>
  isBelow(path, dataDir) && !(isBelow(folder, dataDir) && isBelow(path, folder));

/** Why nothing may be written there; null if the person may allow it. */
export function neverWritten(path: string, places: ShellPlaces): Reason | null {
  if (isOwnData(path, places)) return because('changes_own_data');
  if (isBelow(path, places.folder)) return null;
  if (/^\/dev\/(?!null$|stdout$|stderr$|tty$|fd\/|tcp\/|udp\/)/.test(path)) return because('writes_device');
  if (/^\/(etc|boot|bin|sbin|lib|lib64|usr|sys|proc|System|Library)(\/|$)/.test(path))
    return because('changes_system');
  if (isBelow(path, places.home) && STARTUP.test(posix.relative(places.home, path)))
    return because('changes_login');
  return null;
}

/** Why nothing may be read there; null if the person may allow it. */
export function neverRead(path: string, places: ShellPlaces): Reason | null {
  if (isOwnData(path, places)) return because('reads_own_data');
  if (/^\/proc\/(?!self\/)[^/]+\/(environ|mem|maps|cmdline)$/.test(path))
    return because('reads_other_program');
  return null;
}
