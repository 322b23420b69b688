import { posix } from 'node:path';
import { isBelow } from '../../base/is-below';
import { because, type Reason } from '../../contract/shared/reasons';

/** What the words of a command are measured against. Absolute paths without a final slash. */
export interface ShellPlaces {
  /** The chosen folder. */
  folder: string;
  /** Where the command starts. */
  cwd: string;
  home: string;
  /** Deepdesk's own data: no command reads or writes it. */
  dataDir: string;
}

/** With the programs that the words name, each looked up before. */
export interface KnownPlaces extends ShellPlaces {
  /** Where a program of that name is found in the fixed search path; null where there is none. */
  resolveBinary: (name: string) => string | null;
  /** False where a folder that the agent may write to is searched for that name first. Default: true. */
  isTrusted?: (name: string) => boolean;
}

/** With the disk, on which the programs are. */
export interface PlacesOnDisk extends ShellPlaces {
  /** As `resolveBinary`, looked up at this moment. */
  findProgram: (name: string) => Promise<string | null>;
  /** As `isTrusted`, looked up at this moment. */
  isTrustedSearch?: (name: string) => Promise<boolean>;
}

/**
 * The absolute path that a word names, `~` and `$HOME` put in, as text. Links are not followed, so that `link/..` is not
 * where the kernel would go: see `pathNamed`.
 */
export const absolute = (value: string, places: ShellPlaces): string =>
  posix.normalize(pathNamed(value, places)).replace(/(?<=.)\/$/, '');

/** As `absolute`, with every `..` left in for `realPathOf`, and with a final slash, which makes a link be followed. */
export function pathNamed(value: string, { cwd, home }: Pick<ShellPlaces, 'cwd' | 'home'>): string {
  const named = value.replace(/^(~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home);
  return named.startsWith('/') ? named : `${cwd === '/' ? '' : cwd}/${named}`;
}

/** Where the system and its administrator keep programs. */
const SYSTEM =
  /^\/(bin|sbin|lib|lib64|libexec|usr|opt|nix\/store|snap|run\/current-system|System|Library\/Developer)\//;

export const isSystemProgram = (path: string): boolean =>
  SYSTEM.test(path) && !path.split('/').includes('..');

/** Files of the home folder that decide what runs later, or who may come in. */
const STARTUP =
  /^\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|kshrc|xprofile|xinitrc|gitconfig|inputrc|vimrc|npmrc)$|^\.ssh(\/|$)|^\.gnupg(\/|$)|^\.aws(\/|$)|^\.config\/(autostart|systemd|git|fish)(\/|$)|^Library\/LaunchAgents(\/|$)/;

/** Below Deepdesk's data, but not in the chosen folder, which may be the sample project in there. */
export const isOwnData = (path: string, { dataDir, folder }: ShellPlaces): boolean =>
  isBelow(path, dataDir) && !(isBelow(folder, dataDir) && isBelow(path, folder));

/** Why nothing may be written there; null where it may be, if the person agrees. */
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

/** Why nothing may be read there; null where it may be, if the person agrees. */
export function neverRead(path: string, places: ShellPlaces): Reason | null {
  if (isOwnData(path, places)) return because('reads_own_data');
  if (/^\/proc\/(?!self\/)[^/]+\/(environ|mem|maps|cmdline)$/.test(path))
    return because('reads_other_program');
  return null;
}
