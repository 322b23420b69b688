import { lstat } from 'node:fs/promises';
import { posix } from 'node:path';
import { BRIDGE_PORT, type Bridge } from './bridge';
import { ISOLATION } from './detect';
import type { HiddenPlace } from './hidden';

/** What one command is confined to. Paths are absolute, links followed. */
export interface Confinement {
  /** The project folder: written as the person's own. */
  folder: string;
  /** Where the command starts. */
  cwd: string;
  /** A folder of this machine that the command finds as /tmp. */
  temporary: string;
  /** Folders beside that are written. */
  writable: readonly string[];
  hidden: readonly HiddenPlace[];
  /** Kept as mounts of their own below the folder, so that they cannot be put aside. */
  repositories: readonly string[];
  /** Below the folder, not to be changed. */
  readOnly: readonly string[];
  /** The proxy's socket, in a folder of its own; null: no network at all. */
  network: { socketFolder: string; socketName: string; bridge: Bridge } | null;
}

const TEMPORARY = ['/tmp', '/var/tmp'];
/** Where programs meet those of the session and of the system: sockets of containers, keyrings, agents, the desktop. */
const MEETING_PLACES = ['/run', '/var/run'];
/** Parts of those that some systems run programs from. */
const NEEDED_OF_THEM = ['/run/current-system', '/run/opengl-driver', '/run/booted-system'];
const NET_FOLDER = '/run/deepdesk-net';
/** What leads to the person's desktop or their agents of keys. */
const UNSET = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK'];

/** The program and arguments that run a program in bubblewrap. */
export function inBubblewrap(
  bubblewrap: string,
  confinement: Confinement,
  system: SystemFolders,
  program: { file: string; args: readonly string[] },
): { file: string; args: string[] } {
  const { folder, cwd, temporary, writable, hidden, repositories, readOnly, network } = confinement;
  const args = [...ISOLATION, '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  for (const place of system.temporary) args.push('--bind', temporary, place);
  for (const place of system.meeting) args.push('--tmpfs', place);
  for (const place of system.needed) args.push('--ro-bind', place, place);
  if (network !== null) args.push('--ro-bind', network.socketFolder, NET_FOLDER);
  // What holds the folder is emptied before the folder is put into it, what is in the folder after.
  const around = hidden.filter(({ path }) => isBelow(folder, path));
  for (const { path } of around) args.push('--perms', '0111', '--tmpfs', path);
  args.push('--bind', folder, folder);
  for (const path of writable) args.push('--bind', path, path);
  for (const path of repositories) args.push('--bind', path, path);
  for (const path of readOnly) args.push('--ro-bind', path, path);
  for (const { path, kind } of hidden) {
    if (isBelow(folder, path)) continue;
    if (kind === 'file') args.push('--ro-bind', '/dev/null', path);
    else args.push('--perms', '0000', '--tmpfs', path, '--remount-ro', path);
  }
  for (const path of [...system.meeting, ...around.map((place) => place.path)])
    args.push('--remount-ro', path);
  for (const name of UNSET) args.push('--unsetenv', name);
  for (const [name, value] of Object.entries(variables(network !== null))) args.push('--setenv', name, value);
  args.push('--chdir', cwd, '--');
  if (network !== null) {
    const { program: bridge, args: bridgeArgs } = network.bridge;
    const socket = posix.join(NET_FOLDER, network.socketName);
    const words = [bridge, ...bridgeArgs, String(BRIDGE_PORT), socket].map(quoted).join(' ');
    // The bridge ends once it listens; a copy of it goes on.
    args.push('/bin/sh', '-c', `${words}\nexec "$@"`, 'sh');
  }
  args.push(program.file, ...program.args);
  return { file: bubblewrap, args };
}

/** What makes tools find their way: a place for what they keep, and the proxy where there is one. */
function variables(hasNetwork: boolean): Record<string, string> {
  const kept = { TMPDIR: '/tmp', GOCACHE: '/tmp/.cache/go-build', npm_config_cache: '/tmp/.npm' };
  if (!hasNetwork) return kept;
  const proxy = `http://127.0.0.1:${BRIDGE_PORT}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const own = Object.fromEntries(names.map((name) => [name, proxy]));
  const none = 'localhost,127.0.0.1,::1';
  return { ...kept, ...own, NO_PROXY: none, no_proxy: none, NODE_USE_ENV_PROXY: '1' };
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

const isBelow = (path: string, folder: string) =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/** Which of the places that are treated alike in each command this system has. */
export interface SystemFolders {
  temporary: string[];
  meeting: string[];
  needed: string[];
}

/** Looked at for each command: `/run/opengl-driver` and the like come and go while the app runs. */
export async function systemFolders(): Promise<SystemFolders> {
  const [temporary = [], meeting = [], needed = []] = await Promise.all(
    [TEMPORARY, MEETING_PLACES, NEEDED_OF_THEM].map(async (places) => {
      const are = await Promise.all(places.map(isFolder));
      return places.filter((_place, index) => are[index]);
    }),
  );
  return { temporary, meeting, needed };
}

/** A folder itself, no link to one, which would be mounted where it leads. */
const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
