import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { STATUS_FD } from '../bubblewrap';
import { CACHES, PARTS, STATUS } from './layer';

/** Fixed places: a program on PATH may come from the folder. */
const PLACES = ['/usr/bin', '/bin', '/run/current-system/sw/bin', '/usr/local/bin'];

export interface MountTools {
  unshare: string;
  mount: string;
  stat: string;
  prlimit: string;
}

/** Null if util-linux is missing. */
export function findMountTools(): MountTools | null {
  const [unshare, mount, stat, prlimit] = ['unshare', 'mount', 'stat', 'prlimit'].map((name) =>
    PLACES.map((folder) => join(folder, name)).find((path) => existsSync(path)),
  );
  if (unshare === undefined || mount === undefined || stat === undefined || prlimit === undefined)
    return null;
  return { unshare, mount, stat, prlimit };
}

/** The helper's own message, printed before the system's when it gives up. */
export const FAILURES = {
  folder: 'deepdesk-layer: folder',
  bind: 'deepdesk-layer: bind',
  overlay: 'deepdesk-layer: overlay',
  cache: 'deepdesk-layer: cache',
} as const;
/** The helper's exit code when it gives up. */
const GAVE_UP = 125;

const { folder: LOWER, upper, work, merged } = PARTS;
/**
 * Runs in new namespaces. It enters the folder, so that no link is followed later, checks that it is the requested one, and
 * binds it to a fixed short name. Mount options contain only such names.
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
  /** Device and inode of the folder, as printed by `stat -c %d:%i`. */
  identity: string;
  /** Lower folders of caches, by number. */
  caches: readonly string[];
}

/**
 * The program that mounts a layer and runs another program with it. The mounts disappear with that program's last process.
 */
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
 * Inspects a layer after its command: which of the paths on standard input, NUL-terminated and relative to the folder, exist
 * in the merged view. Prints 1 or 0 per line. The layer stays unchanged: it is the upper of two read-only ones.
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

/** Root keeps all ids; anybody else becomes root inside, because only root may mount. */
function inNamespaces({ unshare }: MountTools, script: readonly string[]): { file: string; args: string[] } {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  return { file: unshare, args: [...user, '--mount', '--', '/bin/sh', '-c', ...script] };
}
