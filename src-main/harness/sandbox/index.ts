import { dirname, join, relative } from 'node:path';
import {
  anyObject,
  anyText,
  type Checks,
  checkOptions,
  flag,
  func,
  listOf,
  text,
} from '../../base/check-options';
import { isBelow } from '../../base/is-below';
import { makeFolder } from '../../base/make-folder';
import { optional } from '../../contract/shared/optional';
import type { SandboxedCall } from '../../contract/shared/sandbox';
import type { CommandSandbox, EnteredSandbox, SandboxAccess } from '../backends/commands';
import {
  type Confinement,
  inBubblewrap,
  isShown,
  type LayerPlaces,
  usableHome,
  type View,
} from './bubblewrap';
import { commonFolder } from './common-folder';
import { type DeniedPaths, NOTHING_DENIED, waysToDenied } from './denied';
import type { SandboxFound } from './detect';
import { filterFile } from './filter-file';
import { gitIdentity } from './git-identity';
import { type HiddenPlace, hiddenPlaces } from './hidden';
import type { HostList } from './hosts';
import { changedSince, comparedPaths, type Identities, identitiesOf } from './identity';
import { type FolderFindings, type IsSecret, lookInto, madeMeanwhile, secretsIn } from './in-folder';
import { type HeldPlaceholders, holdPlaceholders } from './placeholders';
import { type HostProxy, openProxy } from './proxy';
import { lacksPermission, leftOut, noteOn, refusalsIn } from './refusals';
import { inSeatbelt } from './seatbelt';
import { systemView } from './system-view';
import { findToolchains, recentToolchains, type Toolchain } from './toolchains';
import { socketPaths } from './unix-sockets';

export { createDenyingSandbox, type DeniedPaths } from './denied';
export { detectSandbox, type SandboxFound, stateOf } from './detect';
export { type GitSetting, isRunning, settingsOf } from './git-config';
export { hiddenPlaces } from './hidden';
export type { HostList } from './hosts';
export { OBEYED } from './in-folder';
export { clearOnce as clearPlaceholders } from './placeholders';

/** Names of folders next to those of `temporary`. */
export const PLACEHOLDER_RECORDS = 'placeholders';
const FILTERS = 'filters';
const ETC = 'etc';
export const OWN_FOLDERS: readonly string[] = [PLACEHOLDER_RECORDS, FILTERS, ETC];

/** What commands in a sandbox may reach. */
export interface SandboxOptions {
  /** What `detectSandbox` found. */
  found: Exclude<SandboxFound, { kind: null }>;
  /** Real path of the project folder. */
  folder: string;
  /** The person's home folder. Its secret files are hidden. */
  home: string;
  /** Private folders of the program that uses the sandbox. Commands cannot see them. */
  own: readonly string[];
  /** The /tmp of commands, created if missing. Related commands share it. */
  temporary: string;
  /** Whether a path in the folder is hidden from commands. */
  isSecret: IsSecret;
  /** Paths that a person's rules keep from commands, read when a command starts. Rejects if they cannot be found. */
  denied?: () => Promise<DeniedPaths>;
  /** Read when a command starts and for each connection. */
  hosts: () => HostList;
  /** Variables that locate the person's toolchains (PATH and the like). Default: none. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * In bubblewrap, for commands with the access `read-only`: creates the layer that receives all their writes. Default:
   * none.
   */
  layer?: (view: LayerView) => Promise<LayerPlaces>;
  /**
   * The notes to the model say that it can ask to run a command outside, with the argument `outside_sandbox`. Set it with `confines`
   * of the backend, which offers that argument. Default: false.
   */
  canAskOutside?: boolean;
  /** A command has started (nothing refused yet) or finished. */
  onCommand?: (callId: string, call: SandboxedCall) => void;
}

const CHECKS: Checks<SandboxOptions> = {
  found: anyObject,
  folder: text,
  home: anyText,
  own: listOf(text, 'paths'),
  temporary: text,
  isSecret: func,
  denied: func,
  hosts: func,
  env: anyObject,
  layer: func,
  canAskOutside: flag,
  onCommand: func,
};
/** Without one of them, a command would be confined less than the caller means, or fail only when it starts. */
const REQUIRED = ['found', 'folder', 'home', 'own', 'temporary', 'isSecret', 'hosts'] as const;

/** What a layer is made for: the visible places, and the hidden ones with links resolved. */
export interface LayerView extends View {
  /** The home folder that the command sees. Null if there is none. */
  home: string | null;
  /** Paths that the command cannot see. */
  hidden: readonly string[];
}

interface Prepared {
  confinement: Confinement;
  /** Null if the command does not write in the folder. */
  guarded: Guarded | null;
  proxy: HostProxy | null;
  /** Hosts allowed when the command starts. */
  hosts: readonly string[];
}

/** What must stay unchanged in the folder, and its state before the command. */
interface Guarded {
  inside: FolderFindings;
  held: HeldPlaceholders;
  before: Identities;
}

/**
 * Confines commands to one project folder. With the access `read-write` they write there and in /tmp, cannot see the
 * person's keys and profiles, and reach only allowed hosts. With `read-only` they change nothing, reach no network, and see
 * only the folder, the system and toolchains. `enter` rejects if the folder cannot be scanned; nothing runs then.
 */
export function createSandbox(options: SandboxOptions): CommandSandbox {
  checkOptions('createSandbox', options, CHECKS, REQUIRED);
  const { home, own, env = {}, isSecret } = options;
  const find = async () => {
    const hidden = (await hiddenPlaces(home, own)).map(({ path }) => path);
    return findToolchains({ home: (await usableHome(home)).home ?? home, hidden, env, isSecret });
  };
  const toolchainsOf = () => recentToolchains(isSecret, JSON.stringify([home, own, env]), find);
  return {
    enter: async ({ cwd, callId, writable = [], access = 'read-write' }) => {
      const prepared = await prepare(options, toolchainsOf, { cwd, writable, access });
      if (callId !== undefined) options.onCommand?.(callId, { refused: [] });
      return entered(options, prepared, callId);
    },
  };
}

async function prepare(
  { found, folder, home, own, temporary, isSecret, denied, hosts, layer, env = {} }: SandboxOptions,
  toolchainsOf: () => Promise<Toolchain[]>,
  { cwd, writable, access }: { cwd: string; writable: readonly string[]; access: SandboxAccess },
): Promise<Prepared> {
  const bridge = found.kind === 'bubblewrap' ? found.bridge : null;
  const allowed = access === 'read-only' ? [] : hosts().allow;
  const hasNetwork = bridge !== null && allowed.length > 0;
  // Seatbelt shows the real files.
  const shown = found.kind === 'bubblewrap' ? access : 'read-write';
  const viewOfSystem = async () => {
    const gitConfig = shown === 'read-only' ? await gitIdentity(home, env) : '';
    return systemView(shown, { folder: join(dirname(temporary), ETC), gitConfig });
  };
  const [places, secrets, kept, guarded, system, shownHome, common, toolchains, proxy] = await Promise.all([
    hiddenPlaces(home, own),
    access === 'read-only' ? secretsIn(folder, isSecret) : null,
    denied?.() ?? NOTHING_DENIED,
    access === 'read-only'
      ? null
      : guard(folder, home, found.kind === 'bubblewrap' ? recordsBeside(temporary) : null, isSecret),
    viewOfSystem(),
    usableHome(home),
    commonFolder(folder),
    toolchainsOf(),
    hasNetwork ? openProxy(hosts) : null,
    makeFolder(temporary, 0o700),
  ]);
  const view = { folder, toolchains, commonFolder: common };
  const layered =
    layer === undefined
      ? undefined
      : await layer({ ...view, home: shownHome.home, hidden: places.map(({ path }) => path) });
  const confinement: Confinement = {
    access,
    ...view,
    ...optional({ layer: layered }),
    cwd,
    ...shownHome,
    temporary,
    writable,
    system,
    hidden: [
      ...places,
      ...kept.hidden,
      ...(secrets ?? guarded?.inside.secrets ?? []),
      ...toolchains.flatMap(({ secrets }) => secrets),
    ],
    allowsNamespaces: found.kind !== 'bubblewrap' || found.lacks?.namespaces !== undefined,
    filter:
      found.kind === 'bubblewrap' && found.lacks?.seccomp === undefined
        ? await filterFile(join(dirname(temporary), FILTERS), layer === undefined ? access : 'read-write')
        : null,
    pinned: [...new Set([...(guarded?.inside.protection.pinned ?? []), ...waysToDenied(kept, folder)])],
    readOnly:
      guarded === null
        ? []
        : [...readOnlyIn(guarded), ...kept.readOnly.filter((path) => isBelow(path, folder))],
    network:
      proxy === null || bridge === null
        ? null
        : { socketFolder: proxy.socketFolder, socketName: proxy.socketName, local: proxy.local, bridge },
  };
  // The kernel lists sockets wherever they are. Those of the folder belong to the command, unless it only reads; through a
  // layer the kernel finds no listener behind them.
  const sockets =
    found.kind === 'bubblewrap'
      ? await socketPaths(
          (path) =>
            isShown(path, confinement) &&
            ((access === 'read-only' && layer === undefined) || !isBelow(path, folder)),
        )
      : [];
  const masked = sockets.map((path): HiddenPlace => ({ path, kind: 'file' }));
  return {
    confinement: { ...confinement, hidden: [...confinement.hidden, ...masked] },
    guarded,
    proxy,
    hosts: allowed,
  };
}

async function guard(
  folder: string,
  home: string,
  /** Null if names can be forbidden without placeholders. */
  records: string | null,
  isSecret: IsSecret,
): Promise<Guarded> {
  const configs = ['.gitconfig', '.config/git/config'].map((name) => join(home, name));
  const inside = await lookInto(folder, isSecret, configs);
  const { placeholders } = inside.protection;
  const held =
    records === null
      ? { there: placeholders.map(({ path }) => path), release: () => Promise.resolve() }
      : await holdPlaceholders(placeholders, records);
  const before = await identitiesOf([...comparedPaths(inside.protection), ...held.there]);
  return { inside, held, before };
}

const readOnlyIn = ({ inside: { protection }, held }: Guarded): string[] => [
  ...new Set([...protection.readOnly, ...protection.closed, ...held.there]),
];

/** The folder for placeholder records, beside those of threads. */
const recordsBeside = (temporary: string) => join(dirname(temporary), PLACEHOLDER_RECORDS);

function entered(
  { found, folder, env = {}, canAskOutside = false, onCommand }: SandboxOptions,
  { confinement, guarded, proxy, hosts }: Prepared,
  callId: string | undefined,
): EnteredSandbox {
  const { access, cwd, hidden, readOnly } = confinement;
  return {
    wrap: (program) =>
      found.kind === 'bubblewrap'
        ? inBubblewrap(found.program, confinement, program)
        : inSeatbelt(found.program, confinement, program),
    leave: async ({ output, exitCode = null }) => {
      const turnedAway = proxy?.refused() ?? [];
      await proxy?.close();
      const hiddenPaths = hidden.map(({ path }) => path);
      const printed = refusalsIn(output, {
        access,
        exitCode,
        cwd,
        hidden: hiddenPaths,
        readOnly,
        hosts: turnedAway,
      });
      const absent = await leftOut(output, {
        cwd,
        isShown: (path) => isShown(path, confinement),
        searchPath: env.PATH ?? '',
      });
      const refused = [...printed, ...absent.filter(({ name }) => !printed.some((one) => one.name === name))];
      // Its failure is its normal answer if nothing was refused.
      const isDoubtful =
        access === 'read-only' && exitCode !== null && exitCode !== 0 && refused.length === 0;
      if (isDoubtful && (await lacksPermission(output, { cwd, exitCode })))
        refused.push({ what: 'permission', name: '' });
      const { made, changed } = guarded === null ? NOTHING_NEW : await newSince(folder, guarded);
      if (callId !== undefined && refused.length + made.length + changed.length > 0)
        onCommand?.(callId, {
          refused,
          ...(made.length === 0 ? {} : { made }),
          ...(changed.length === 0 ? {} : { changed }),
        });
      const links = [...(guarded?.inside.protection.links ?? [])].map((path) => relative(folder, path));
      const told = { access, folder, hosts, changed, links, canAskOutside };
      return { note: noteOn(refused, made, told), refused };
    },
  };
}

const NOTHING_NEW = { made: [], changed: [] };

/** New or changed files that other programs run or load. Relative to the folder. */
async function newSince(
  folder: string,
  { inside, held, before }: Guarded,
): Promise<{ made: string[]; changed: string[] }> {
  const changed = await changedSince(before);
  await held.release();
  const made = await madeMeanwhile(folder, inside);
  return { made, changed: changed.map((path) => relative(folder, path) || '.').toSorted() };
}
