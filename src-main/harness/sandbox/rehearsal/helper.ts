import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { STATUS_FD } from '../bubblewrap';
import { CACHES, PARTS, STATUS } from './layer';

/** Fixed places: what PATH brings may be the folder's own. */
const PLACES = ['/usr/bin', '/bin', '/run/current-system/sw/bin', '/usr/local/bin'];

export interface MountTools {
  unshare: string;
  mount: string;
  stat: string;
  prlimit: string;
}

/** Null where util-linux is not there. */
export function findMountTools(): MountTools | null {
  const [unshare, mount, stat, prlimit] = ['unshare', 'mount', 'stat', 'prlimit'].map((name) =>
    PLACES.map((folder) => join(folder, name)).find((path) => existsSync(path)),
  );
  if (unshare === undefined || mount === undefined || stat === undefined || prlimit === undefined)
    return null;
  return { unshare, mount, stat, prlimit };
}

/** What the helper says before it gives up, in front of what the system said. */
export const FAILURES = {
  folder: 'deepdesk-layer: folder',
  bind: 'deepdesk-layer: bind',
  overlay: 'deepdesk-layer: overlay',
  cache: 'deepdesk-layer: cache',
} as const;
/** Of the helper, where it gives up. */
const GAVE_UP = 125;

const { folder: LOWER, upper, work, merged } = PARTS;
/**
 * Runs in namespaces of its own. The folder is entered, so that it is a folder and no link is followed later, and has to be the
 * one that was asked for; then it is bound to a fixed short name. Only such names stand in options.
 */
const MOUNTING = `
mount=$1 stat=$2 place=$3 folder=$4 id=$5
shift 5
fail() { echo "deepdesk-layer: $1" >&2; exit ${GAVE_UP}; }
cd -P "$folder" && [ "$("$stat" -c %d:%i .)" = "$id" ] || fail folder
"$mount" -c --bind . "$place/${LOWER}" || fail bind
cd -P "$place" || fail place
layered() { "$mount" -t overlay overlay -o "lowerdir=$1,upperdir=$2${upper},workdir=$2${work},userxattr" "$2${merged}"; }
layered ${LOWER} '' || fail overlay
n=0
while [ "$1" != -- ]; do layered "$1" "${CACHES}/$n/" || fail cache; n=$((n+1)); shift; done
shift
echo 1000 2>/dev/null > /proc/self/oom_score_adj
cd /
exec "$@" ${STATUS_FD}>"$place/${STATUS}"
`;

export interface MountedLayer {
  tools: MountTools;
  place: string;
  folder: string;
  /** Device and inode of the folder, as `stat -c %d:%i` writes them. */
  identity: string;
  /** Lower folders of caches, in the order of their numbers. */
  caches: readonly string[];
}

/** The program that mounts a layer and runs another with it. The mounts end with the last process of that. */
export function withLayer(
  { tools, place, folder, identity, caches }: MountedLayer,
  program: { file: string; args: readonly string[] },
): { file: string; args: string[] } {
  return inNamespaces(tools, [
    MOUNTING,
    'sh',
    tools.mount,
    tools.stat,
    place,
    folder,
    identity,
    ...caches,
    '--',
    program.file,
    ...program.args,
  ]);
}

/**
 * Looks at a layer after its command: which of the paths on standard input, each ended by NUL and relative to the folder, are
 * there in both together. One line each, 1 or 0. The layer is not written: it is the upper one of two that are read.
 */
const LOOKING = `
mount=$1 stat=$2 place=$3 folder=$4 id=$5
cd -P "$folder" && [ "$("$stat" -c %d:%i .)" = "$id" ] || exit ${GAVE_UP}
"$mount" -c --bind . "$place/${LOWER}" || exit ${GAVE_UP}
cd -P "$place" || exit ${GAVE_UP}
"$mount" -t overlay overlay -o "ro,lowerdir=${upper}:${LOWER},userxattr" ${merged} || exit ${GAVE_UP}
cd ${merged}
exec xargs -0 sh -c 'for p do if [ -e "$p" ] || [ -L "$p" ]; then echo 1; else echo 0; fi; done' sh
`;

export const lookingAt = ({ tools, place, folder, identity }: Omit<MountedLayer, 'caches'>) =>
  inNamespaces(tools, [LOOKING, 'sh', tools.mount, tools.stat, place, folder, identity]);

/** As root all ids stay as they are; anybody else is root there, who alone may mount. */
function inNamespaces({ unshare }: MountTools, script: readonly string[]): { file: string; args: string[] } {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  return { file: unshare, args: [...user, '--mount', '--', '/bin/sh', '-c', ...script] };
}
