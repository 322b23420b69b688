import { realpath } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import { isBelow } from '../../base/is-below';
import type { SandboxAccess } from '../backends/commands';
import { BRIDGE_PORT, type Bridge } from './bridge';
import type { HiddenPlace } from './hidden';
import type { HostProxy } from './proxy';
import { type Shown, shownPaths } from './shown';
import type { Toolchain } from './toolchains';

/** The limits of one command. Paths are absolute, links resolved. */
export interface Confinement {
  access: SandboxAccess;
  /** The project folder. */
  folder: string;
  /** Working directory of the command. */
  cwd: string;
  /** Null if there is none that can be shown or emptied. */
  home: string | null;
  /** The person's path of the home folder if it is a link. */
  homeLink: string | null;
  /** A folder of this machine that the command sees as /tmp. */
  temporary: string;
  /** Additional writable folders. */
  writable: readonly string[];
  system: readonly Shown[];
  toolchains: readonly Toolchain[];
  /** The folder with git's history, if it is outside the folder. */
  commonFolder: string | null;
  hidden: readonly HiddenPlace[];
  /** Separate mounts below the folder, so that they cannot be moved away. They stay writable. */
  pinned: readonly string[];
  /** Read-only paths below the folder. */
  readOnly: readonly string[];
  /** Commands may create namespaces, because bubblewrap cannot forbid it here. */
  allowsNamespaces: boolean;
  /** A file with the system call filter; null if there is none. */
  filter: string | null;
  /** The proxy's sockets in their own folder; null: no network at all. */
  network: (Pick<HostProxy, 'socketFolder' | 'socketName' | 'local'> & { bridge: Bridge }) | null;
  /** With the access `read-only`: receives the command's writes. */
  layer?: LayerPlaces;
}

/** Folders of a throwaway layer. Mounts exist before bubblewrap starts. */
export interface LayerPlaces {
  /** The folder with the layer on top. */
  merged: string;
  /** The command's home folder. */
  home: string;
  /** The command's `/dev/shm`. */
  shared: string;
  /** Caches below the home folder, each with its own layer. */
  caches: readonly {
    /** Where the command sees it: the path of the cache itself. */
    path: string;
    /** The cache with its layer on top, on this machine. */
    merged: string;
  }[];
  /** The command's user, if the surrounding namespaces use a different id. Absent for root. */
  user?: { uid: number; gid: number };
}

/** Descriptor on which bubblewrap reports the started process, for a layer. */
export const STATUS_FD = '9';

/** Isolation options, independent of the mounts. */
const ISOLATION = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];
/** Descriptor from which bubblewrap reads the filter. */
export const FILTER_FD = '3';
/**
 * For a shell that runs "$@" next: closes the descriptors that this process inherited, because they would lead out of the
 * sandbox. Only bash can close those with two digits; usually there are none.
 */
export const CLOSING_INHERITED = `exec 4<&- 5<&- 6<&- 7<&-
for fd in /proc/self/fd/??*; do
  if [ -h "$fd" ] && [ -x /bin/bash ]; then
    set -- /bin/bash --norc -p -c 'for fd in /proc/self/fd/??*; do [ ! -h "$fd" ] || eval "exec \${fd##*/}<&-"; done; exec "$@"' bash "$@"
    break
  fi
done`;
/**
 * A shell opens the filter because a terminal passes no descriptors on. The shell then becomes bubblewrap in the same
 * process.
 */
const WITH_FILTER = `f=$1; shift
${CLOSING_INHERITED}
exec "$@" ${FILTER_FD}<"$f" 8<&- 9<&-`;

interface Program {
  file: string;
  args: readonly string[];
}

/** The bubblewrap command of `inBubblewrap`, for a shell that opens the filter itself. */
export function withoutFilter({ file, args }: Program): { filter: string | null; inner: Program } {
  const [option, script, , filter, program, ...rest] = args;
  return option === '-c' && script === WITH_FILTER && filter !== undefined && program !== undefined
    ? { filter, inner: { file: program, args: rest } }
    : { filter: null, inner: { file, args } };
}

/**
 * Files and folders in `/proc` with settings of the whole machine. The kernel lets root change them without capabilities:
 * `core_pattern`, for example, names a program that then runs outside.
 */
const OF_KERNEL =
  'acpi asound bus driver fs irq latency_stats mtrr pressure scsi sys sysrq-trigger timer_stats'.split(' ');
/** Those of them that the kernel lets any user write. */
const FOR_ANYBODY = ['pressure'];
const TEMPORARY = ['/tmp', '/var/tmp'];
const NET_FOLDER = '/run/deepdesk-net';
/** Below the emptied home folder: tools that otherwise only read write here. Discarded after the command. */
const CACHES = ['.cache', '.npm', '.local/state'];
/** Variables that lead to the person's desktop or key agents. */
const UNSET = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK'];

/** These would override the language of messages. */
const OWN_LANGUAGE = ['LC_ALL', 'LANGUAGE'];

/**
 * The program and arguments that run a program in bubblewrap. The sandbox starts empty: a command finds only what is mounted
 * here.
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
  for (const { path, link, from, shows } of system)
    if (from !== undefined) args.push(shows === undefined ? '--ro-bind-try' : '--ro-bind', from, path);
    else if (link === undefined) args.push('--ro-bind-try', path, path);
    else args.push('--symlink', link, path);
  args.push('--dev', '/dev', '--proc', '/proc');
  const ofKernel = process.getuid?.() === 0 ? OF_KERNEL : FOR_ANYBODY;
  for (const name of ofKernel) args.push('--ro-bind-try', `/proc/${name}`, `/proc/${name}`);
  // Writes there would use memory that nobody limits.
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
    const pairs = [{ port: BRIDGE_PORT, socketName: network.socketName }, ...network.local].flatMap(
      ({ port, socketName }) => [String(port), posix.join(NET_FOLDER, socketName)],
    );
    const words = [bridge, ...bridgeArgs, ...pairs].map(quoted).join(' ');
    // The bridge exits once a forked copy listens.
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

/** The places of `readOnlyPlaces`, all writable: the writes reach neither the folder nor the home folder. */
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

/** Folders between a home folder and the places shown below it. */
export const waysInHome = (confinement: View, home: string): string[] =>
  waysTo(inView(confinement), [{ path: dirname(home) }]).filter(
    (path) => isBelow(path, home) && path !== home,
  );

/** Places that a command sees besides the system. */
export interface View {
  /** The project folder. */
  folder: string;
  /** Folders with programs, such as a Node version. */
  toolchains: readonly Toolchain[];
  /** The folder with git's history, if it is outside the folder. */
  commonFolder: string | null;
}

const inView = ({ folder, toolchains, commonFolder }: View) => [
  folder,
  ...toolchains.map(({ path }) => path),
  ...(commonFolder === null ? [] : [commonFolder]),
];

/** The unchanged folder, an empty home folder, and in it the toolchains. */
function readOnlyPlaces(confinement: Confinement): string[] {
  const { folder, home, commonFolder, writable } = confinement;
  const isEmptied = home !== null && !isBelow(home, folder);
  const args: string[] = [];
  // Parent folders of visible places can be traversed but not listed: an empty listing would be wrong.
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

/** The writable folder and the read-only home folder. */
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
  // Hidden places above the folder are emptied before the folder is mounted, those inside it after.
  const around = hidden.filter(({ path }) => isBelow(folder, path) && isShown(path, confinement));
  for (const { path } of around) args.push('--perms', '0111', '--tmpfs', path);
  args.push(readOnly.includes(folder) ? '--ro-bind' : '--bind', folder, folder);
  for (const path of writable) args.push('--bind', path, path);
  // A mount covers earlier mounts below it, so the upper ones come first.
  for (const path of pinned.toSorted(byLength))
    if (!readOnly.some((kept) => isBelow(path, kept))) args.push('--bind', path, path);
  const isCovered = (path: string) => readOnly.some((above) => above !== path && isBelow(path, above));
  for (const path of readOnly.toSorted(byLength))
    if (path !== folder && !isCovered(path)) args.push('--ro-bind', path, path);
  args.push(...masks(confinement));
  for (const { path } of around) args.push('--remount-ro', path);
  return args;
}

/** Toolchains outside the system's folders. Each mount costs time because bubblewrap lists them all again. */
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

/** Whether a command sees this machine's content at a path, ignoring masks. */
export function isShown(path: string, confinement: Confinement): boolean {
  const { access, folder, home, system, toolchains, commonFolder, writable } = confinement;
  const places = [folder, ...writable, ...system.flatMap(shownPaths), ...toolchains.map((one) => one.path)];
  if (commonFolder !== null) places.push(commonFolder);
  if (home !== null && access === 'read-write') places.push(home);
  return places.some((place) => isBelow(path, place));
}

/** Parents of `paths` that no other mount provides, the upper ones first. */
function waysTo(paths: readonly string[], given: readonly Shown[]): string[] {
  const ways = new Set<string>();
  for (const path of paths)
    for (let above = dirname(path); above !== '/'; above = dirname(above))
      if (!given.some((one) => isBelow(above, one.path)) && !paths.some((one) => isBelow(above, one)))
        ways.add(above);
  return [...ways].toSorted((a, b) => a.length - b.length);
}

const byLength = (a: string, b: string) => a.length - b.length;

/**
 * A folder that can be traversed but neither listed nor written. Below `/tmp` it stays in the thread's own temporary folder,
 * which `removeTree` removes.
 */
const passable = (path: string) => ['--perms', '0111', '--dir', path];

/** Variables that tools need: a place for their files, and the proxy if there is one. */
function variables({ access, home, network, layer }: Confinement): Record<string, string> {
  // Refusals are detected in program output, which must be in a known language.
  const kept = {
    LC_MESSAGES: 'C',
    LC_CTYPE: 'C.UTF-8',
    TMPDIR: '/tmp',
    // In a layer they stay in their usual place.
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

/** Git writes no index during reads and treats the folder as the person's: files of other users have no owner inside. */
const GIT_IN_READ_ONLY = {
  GIT_OPTIONAL_LOCKS: '0',
  // The person's name and email address are there, even for a git that would look elsewhere.
  GIT_CONFIG_SYSTEM: '/etc/gitconfig',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
};

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The home folder with links resolved, if it can be shown or emptied: it must not contain anything of the system. */
export async function usableHome(home: string): Promise<Pick<Confinement, 'home' | 'homeLink'>> {
  const real = await realpath(home).catch(() => null);
  if (real === null || ['/usr', '/etc', '/tmp'].some((place) => isBelow(place, real)))
    return { home: null, homeLink: null };
  return { home: real, homeLink: real === home ? null : home };
}
