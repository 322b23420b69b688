import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSING_INHERITED, FILTER_FD, STATUS_FD, withoutFilter } from '../../bubblewrap';
import { CACHES, PARTS, STATUS } from '../layer/layer';

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
  overlay: 'deepdesk-layer: overlay',
  cache: 'deepdesk-layer: cache',
} as const;
/** The helper's exit code when it gives up. */
const GAVE_UP = 125;

const { upper, work, merged } = PARTS;
/** Descriptor of the layer's folder. */
const PLACE_FD = 8;
/**
 * Runs in new namespaces. It enters the folder, so that no link is followed later, and checks that it is the requested one.
 * Mount options name it `.`, and the layer by its descriptor, so that no name from the project or the home folder is in them.
 * `volatile` omits flushing the whole disk when the mount ends; see `isWhole`.
 */
const MOUNTING = `
mount=$1 stat=$2 place=$3 folder=$4 id=$5 filter=$6
shift 6
fail() { echo "deepdesk-layer: $1" >&2; exit ${GAVE_UP}; }
own=/proc/self/fd/${PLACE_FD}
exec ${PLACE_FD}<"$place" || fail place
layered() { "$mount" -cin -t overlay overlay -o "lowerdir=.,upperdir=$own/$1${upper},workdir=$own/$1${work},userxattr,volatile" "$own/$1${merged}"; }
cd -P "$folder" && [ "$("$stat" -c %d:%i .)" = "$id" ] || fail folder
layered '' || fail overlay
n=0
while [ "$1" != -- ]; do cd -P "$1" && layered "${CACHES}/$n/" || fail cache; n=$((n+1)); shift; done
shift
echo 1000 2>/dev/null > /proc/self/oom_score_adj
cd /
${CLOSING_INHERITED}
[ -z "$filter" ] || exec ${FILTER_FD}<"$filter"
exec "$@" ${PLACE_FD}<&- ${STATUS_FD}>"$place/${STATUS}"
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
  const { filter, inner } = withoutFilter(program);
  const own = [tools.mount, tools.stat, place, folder, identity, filter ?? ''];
  return inNamespaces(tools, [MOUNTING, 'sh', ...own, ...caches, '--', inner.file, ...inner.args]);
}

/**
 * Inspects a layer after its command: which of the paths on standard input, NUL-terminated and relative to the folder, exist
 * in the merged view. Prints 1 or 0 per line. The layer stays unchanged: it is the upper of two read-only ones.
 */
const LOOKING = `
mount=$1 stat=$2 place=$3 folder=$4 id=$5
own=/proc/self/fd/${PLACE_FD}
exec ${PLACE_FD}<"$place" || exit ${GAVE_UP}
cd -P "$folder" && [ "$("$stat" -c %d:%i .)" = "$id" ] || exit ${GAVE_UP}
"$mount" -cin -t overlay overlay -o "ro,lowerdir=$own/${upper}:.,userxattr" "$own/${merged}" || exit ${GAVE_UP}
cd "$own/${merged}" || exit ${GAVE_UP}
exec xargs -0 sh -c 'for p do if [ -e "$p" ] || [ -L "$p" ]; then echo 1; else echo 0; fi; done' sh
`;

export const lookingAt = ({ tools, place, folder, identity }: Omit<MountedLayer, 'caches'>) =>
  inNamespaces(tools, [LOOKING, 'sh', tools.mount, tools.stat, place, folder, identity]);

/** Root keeps all ids; anybody else becomes root inside, because only root may mount. */
function inNamespaces({ unshare }: MountTools, script: readonly string[]): { file: string; args: string[] } {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  return { file: unshare, args: [...user, '--mount', '--', '/bin/sh', '-c', ...script] };
}
