import { realpath } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import { isBelow } from '../../base/is-below';
import type { SandboxAccess } from '../backends/protocol';
import { BRIDGE_PORT, type Bridge } from './bridge';
import type { HiddenPlace } from './hidden';
import { type Shown, shownPaths } from './shown';
import type { Toolchain } from './toolchains';

/** What one command is confined to. Paths are absolute, links followed. */
export interface Confinement {
  access: SandboxAccess;
  /** The project folder. */
  folder: string;
  /** Where the command starts. */
  cwd: string;
  /** Null where there is none that could be shown or emptied. */
  home: string | null;
  /** How the person names the home folder, where that is a link to it. */
  homeLink: string | null;
  /** A folder of this machine that the command finds as /tmp. */
  temporary: string;
  /** Folders beside that are written. */
  writable: readonly string[];
  system: readonly Shown[];
  toolchains: readonly Toolchain[];
  /** Where git keeps the history of the folder, when that is elsewhere. */
  commonFolder: string | null;
  hidden: readonly HiddenPlace[];
  /** Kept as mounts of their own below the folder, so that they cannot be put aside. Written as before. */
  pinned: readonly string[];
  /** Below the folder, not to be changed. */
  readOnly: readonly string[];
  /** Commands may make namespaces of their own: where bubblewrap cannot forbid it. */
  allowsNamespaces: boolean;
  /** A file with the filter of system calls; null where there is none. */
  filter: string | null;
  /** The proxy's socket, in a folder of its own; null: no network at all. */
  network: { socketFolder: string; socketName: string; bridge: Bridge } | null;
  /** With the access `read-only`: what takes up what the command writes. */
  layer?: LayerPlaces;
}

/** Folders of a throwaway layer. Those that are mounted are mounted before bubblewrap starts. */
export interface LayerPlaces {
  /** The folder with the layer over it. */
  merged: string;
  /** What the command finds as its home folder. */
  home: string;
  /** What it finds as `/dev/shm`. */
  shared: string;
  /** Caches below the home folder, each with a layer of its own. */
  caches: readonly { path: string; merged: string }[];
  /** Who the command is, where the namespaces around it know another id. */
  user?: { uid: number; gid: number };
}

/** Descriptor on which bubblewrap writes what it started, for a layer. */
export const STATUS_FD = '9';

/** What isolates, whatever is bound where. */
const ISOLATION = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];
/** Descriptor on which bubblewrap reads the filter. */
const FILTER_FD = '3';
/** A shell opens the filter: a terminal hands no descriptor on. Then it is bubblewrap, with the same process. */
const WITH_FILTER = `f=$1; shift; exec "$@" ${FILTER_FD}<"$f"`;
const TEMPORARY = ['/tmp', '/var/tmp'];
const NET_FOLDER = '/run/deepdesk-net';
/** Below the emptied home folder: written by tools that only read otherwise, and thrown away with the command. */
const CACHES = ['.cache', '.npm', '.local/state'];
/** What leads to the person's desktop or their agents of keys. */
const UNSET = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK'];

/** Would win over the language of messages. */
const OWN_LANGUAGE = ['LC_ALL', 'LANGUAGE'];

/**
 * The program and arguments that run a program in bubblewrap. The sandbox begins empty: a command finds what is put into
 * it here, and nothing else of this machine.
 */
export function inBubblewrap(
  bubblewrap: string,
  confinement: Confinement,
  program: { file: string; args: readonly string[] },
): { file: string; args: string[] } {
  const { cwd, system, temporary, network, home, homeLink, layer } = confinement;
  const args = [...ISOLATION];
  if (!confinement.allowsNamespaces) args.push('--unshare-user', '--disable-userns');
  if (layer !== undefined) args.push(...ofLayer(layer));
  if (confinement.filter !== null) args.push('--seccomp', FILTER_FD);
  for (const { path, link, from } of system)
    if (from !== undefined) args.push('--ro-bind', from, path);
    else if (link === undefined) args.push('--ro-bind-try', path, path);
    else args.push('--symlink', link, path);
  args.push('--dev', '/dev', '--proc', '/proc');
  // What is written there would be memory that nobody counts.
  if (layer !== undefined) args.push('--bind', layer.shared, '/dev/shm', '--remount-ro', '/dev');
  for (const place of TEMPORARY) args.push('--bind', temporary, place);
  if (network !== null) args.push('--ro-bind', network.socketFolder, NET_FOLDER);
  args.push(...placesOf(confinement));
  if (home !== null && homeLink !== null) args.push('--symlink', home, homeLink);
  args.push('--remount-ro', '/');
  for (const name of [...UNSET, ...OWN_LANGUAGE]) args.push('--unsetenv', name);
  for (const [name, value] of Object.entries(variables(confinement))) args.push('--setenv', name, value);
  args.push('--chdir', cwd, '--');
  if (network !== null) {
    const { program: bridge, args: bridgeArgs } = network.bridge;
    const socket = posix.join(NET_FOLDER, network.socketName);
    const words = [bridge, ...bridgeArgs, String(BRIDGE_PORT), socket].map(quoted).join(' ');
    // The bridge ends once it listens; a copy of it goes on.
    args.push('/bin/sh', '-c', `${words}\nexec "$@"`, 'sh');
  }
  args.push(program.file, ...program.args);
  if (confinement.filter === null) return { file: bubblewrap, args };
  return { file: '/bin/sh', args: ['-c', WITH_FILTER, 'sh', confinement.filter, bubblewrap, ...args] };
}

function placesOf(confinement: Confinement): string[] {
  if (confinement.layer !== undefined) return layeredPlaces(confinement, confinement.layer);
  return confinement.access === 'read-only' ? readOnlyPlaces(confinement) : readWritePlaces(confinement);
}

function ofLayer({ user }: LayerPlaces): string[] {
  const ids = user === undefined ? [] : ['--uid', String(user.uid), '--gid', String(user.gid)];
  return ['--unshare-user', ...ids, '--json-status-fd', STATUS_FD];
}

/** What `readOnlyPlaces` shows, all of it to be written: nothing of that reaches the folder or the home folder. */
function layeredPlaces(confinement: Confinement, layer: LayerPlaces): string[] {
  const { folder, home, commonFolder, writable } = confinement;
  const isEmptied = home !== null && !isBelow(home, folder);
  const args: string[] = [];
  for (const path of waysTo(
    isEmptied ? [...inView(confinement), home] : inView(confinement),
    confinement.system,
  ))
    if (!isEmptied || !isBelow(path, home)) args.push(...passable(path));
  if (isEmptied) args.push('--bind', layer.home, home);
  for (const { path, real } of besideSystem(confinement)) args.push('--ro-bind-try', real, path);
  for (const { path, merged } of layer.caches) args.push('--bind', merged, path);
  if (commonFolder !== null) args.push('--ro-bind', commonFolder, commonFolder);
  args.push('--bind', layer.merged, folder);
  for (const path of writable) args.push('--bind', path, path);
  args.push(...masks(confinement));
  return args;
}

/** Folders between a home folder and what a command finds below it. */
export const waysInHome = (confinement: View, home: string): string[] =>
  waysTo(inView(confinement), [{ path: dirname(home) }]).filter(
    (path) => isBelow(path, home) && path !== home,
  );

/** Places that a command sees beside the system. */
export type View = Pick<Confinement, 'folder' | 'toolchains' | 'commonFolder'>;

const inView = ({ folder, toolchains, commonFolder }: View) => [
  folder,
  ...toolchains.map(({ path }) => path),
  ...(commonFolder === null ? [] : [commonFolder]),
];

/** The folder as it is, an empty home folder, and in it the toolchains. */
function readOnlyPlaces(confinement: Confinement): string[] {
  const { folder, home, commonFolder, writable } = confinement;
  const isEmptied = home !== null && !isBelow(home, folder);
  const args: string[] = [];
  // A folder on the way to what is shown can be passed, not listed: an empty list would be a lie.
  const shown = inView(confinement);
  if (isEmptied) shown.push(home);
  for (const path of waysTo(shown, confinement.system)) if (path !== home) args.push(...passable(path));
  if (isEmptied) {
    args.push('--perms', '0111', '--tmpfs', home);
    for (const path of waysTo(shown, [{ path: dirname(home) }]))
      if (isBelow(path, home) && path !== home) args.push(...passable(path));
    for (const name of CACHES) args.push('--tmpfs', posix.join(home, name));
  }
  for (const { path, real } of besideSystem(confinement)) args.push('--ro-bind-try', real, path);
  if (commonFolder !== null) args.push('--ro-bind', commonFolder, commonFolder);
  args.push('--ro-bind', folder, folder);
  for (const path of writable) args.push('--bind', path, path);
  args.push(...masks(confinement));
  if (isEmptied) args.push('--remount-ro', home);
  return args;
}

/** The folder to write in, and the home folder to read. */
function readWritePlaces(confinement: Confinement): string[] {
  const { folder, home, commonFolder, writable, hidden, pinned, readOnly } = confinement;
  const args: string[] = [];
  const shown = inView(confinement);
  const given = home === null ? confinement.system : [...confinement.system, { path: home }];
  for (const path of waysTo(home === null ? shown : [...shown, home], given)) args.push(...passable(path));
  if (home !== null) args.push('--ro-bind', home, home);
  for (const { path, real } of besideSystem(confinement))
    if (home === null || !isBelow(path, home)) args.push('--ro-bind-try', real, path);
  if (commonFolder !== null) args.push('--ro-bind', commonFolder, commonFolder);
  // What holds the folder is emptied before the folder is put into it, what is in the folder after.
  const around = hidden.filter(({ path }) => isBelow(folder, path) && isShown(path, confinement));
  for (const { path } of around) args.push('--perms', '0111', '--tmpfs', path);
  args.push(readOnly.includes(folder) ? '--ro-bind' : '--bind', folder, folder);
  for (const path of writable) args.push('--bind', path, path);
  // A mount covers those that were made below it before, so the upper ones come first.
  for (const path of pinned.toSorted(byLength))
    if (!readOnly.some((kept) => isBelow(path, kept))) args.push('--bind', path, path);
  const isCovered = (path: string) => readOnly.some((above) => above !== path && isBelow(path, above));
  for (const path of readOnly.toSorted(byLength))
    if (path !== folder && !isCovered(path)) args.push('--ro-bind', path, path);
  args.push(...masks(confinement));
  for (const { path } of around) args.push('--remount-ro', path);
  return args;
}

/** Toolchains that the folders of the system do not bring along: each mount costs time, since bubblewrap lists them all again. */
const besideSystem = ({ system, toolchains }: Confinement): Toolchain[] =>
  toolchains.filter(
    ({ path, real }) =>
      !system.some((one) =>
        one.link === undefined ? path === real && isBelow(path, one.path) : path === one.path,
      ),
  );

function masks(confinement: Confinement): string[] {
  const { folder, hidden } = confinement;
  const args: string[] = [];
  for (const { path, kind } of hidden) {
    if (isBelow(folder, path) || !isShown(path, confinement)) continue;
    if (kind === 'file') args.push('--ro-bind', '/dev/null', path);
    else args.push('--perms', '0000', '--tmpfs', path, '--remount-ro', path);
  }
  return args;
}

/** Whether a command finds what this machine has at a path, as far as no mask is over it. */
export function isShown(path: string, confinement: Confinement): boolean {
  const { access, folder, home, system, toolchains, commonFolder, writable } = confinement;
  const places = [folder, ...writable, ...system.flatMap(shownPaths), ...toolchains.map((one) => one.path)];
  if (commonFolder !== null) places.push(commonFolder);
  if (home !== null && access === 'read-write') places.push(home);
  return places.some((place) => isBelow(path, place));
}

/** The folders above `paths` that nothing else brings along, the upper ones first. */
function waysTo(paths: readonly string[], given: readonly Shown[]): string[] {
  const ways = new Set<string>();
  for (const path of paths)
    for (let above = dirname(path); above !== '/'; above = dirname(above))
      if (!given.some((one) => isBelow(above, one.path)) && !paths.some((one) => isBelow(above, one)))
        ways.add(above);
  return [...ways].toSorted((a, b) => a.length - b.length);
}

const byLength = (a: string, b: string) => a.length - b.length;

const passable = (path: string) => ['--perms', '0111', '--dir', path];

/** What makes tools find their way: a place for what they keep, and the proxy where there is one. */
function variables({ access, home, network, layer }: Confinement): Record<string, string> {
  // Refusals are read from what programs print, which is known in one language.
  const kept = {
    LC_MESSAGES: 'C',
    LC_CTYPE: 'C.UTF-8',
    TMPDIR: '/tmp',
    // In a layer they are where they always are.
    ...(layer === undefined
      ? { GOCACHE: '/tmp/.cache/go-build', npm_config_cache: '/tmp/.npm' }
      : { GIT_OPTIONAL_LOCKS: '0' }),
  };
  const careful =
    access === 'read-only' ? { ...GIT_IN_READ_ONLY, ...(home === null ? {} : { HOME: home }) } : {};
  if (network === null) return { ...kept, ...careful };
  const proxy = `http://127.0.0.1:${BRIDGE_PORT}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const own = Object.fromEntries(names.map((name) => [name, proxy]));
  const none = 'localhost,127.0.0.1,::1';
  return { ...kept, ...careful, ...own, NO_PROXY: none, no_proxy: none, NODE_USE_ENV_PROXY: '1' };
}

/** Git writes no index on the way, and takes the folder for the person's own: other users' files have no owner inside. */
const GIT_IN_READ_ONLY = {
  GIT_OPTIONAL_LOCKS: '0',
  // The person's name and address are there, for a git that looks elsewhere by itself too.
  GIT_CONFIG_SYSTEM: '/etc/gitconfig',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
};

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The home folder, links followed, where it is one that can be shown or emptied: above nothing of the system. */
export async function usableHome(home: string): Promise<Pick<Confinement, 'home' | 'homeLink'>> {
  const real = await realpath(home).catch(() => null);
  if (real === null || ['/usr', '/etc', '/tmp'].some((place) => isBelow(place, real)))
    return { home: null, homeLink: null };
  return { home: real, homeLink: real === home ? null : home };
}
