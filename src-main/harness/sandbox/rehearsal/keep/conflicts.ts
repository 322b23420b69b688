import { type BigIntStats, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { readRegular } from '../../../../base/open-regular';
import { textOfLatin1 } from '../../../../base/path-names';
import { isRefused } from '../../../../base/regular-file';
import { yieldToEventLoop } from '../../../../base/yield-to-event-loop';
import type { Recorded } from '../layer/compare';
import { entryAt, hasMark, inParallel, statAgain, statAt } from '../layer/entry';
import { foldersAbove } from '../layer/folders-above';
import { isIndex, isSameIndex } from '../layer/git-index';
import { namesIn } from '../layer/layer';
import type { Conflict, ConflictReason } from '../layer/shapes';

/** `O_WRONLY` and `O_RDWR` in the kernel's flags of a descriptor. */
const FOR_WRITING = 0o3;
const DATABASE = /\.(db|db3|sqlite|sqlite3|s3db)$/i;
/** How SQLite's logs begin, as hexadecimal digits: the write-ahead log, and a rollback journal that is to be played back. */
const LOGS = { '-wal': /^377f068[23]/, '-journal': /^d9d505f920a163d7/ } as const;
const LOG_HEADER = 8;
/** What SQLite puts beside a database. Without each other, they damage it, or lose what only the log holds. */
const OF_DATABASE = /-(wal|shm|journal)$/;

/** The changes that cannot be applied to the folder in its current state, and those that depend on them. */
export const conflictsAmong = (changes: readonly Recorded[], places: Places): Promise<Conflict[]> =>
  conflictsBy(statAt, changes, places);

/** The same, a moment later. */
export const conflictsAgain = (changes: readonly Recorded[], places: Places): Promise<Conflict[]> =>
  conflictsBy(statAgain, changes, places);

interface Places {
  folder: string;
  /** The layer. */
  place: string;
}

type Look = typeof statAt;

async function conflictsBy(
  look: Look,
  changes: readonly Recorded[],
  { folder, place }: Places,
): Promise<Conflict[]> {
  const files = changes
    .filter(({ before }) => before?.type === 'file')
    .map(({ path }) => `${folder}/${path}`);
  const written = files.length === 0 ? new Set<string>() : await openForWriting(new Set(files));
  const links = new Set(changes.flatMap(({ path, before }) => (before?.type === 'link' ? [path] : [])));
  const homeless = await withoutFolder(changes, look, folder);
  const facts = { look, folder, place, written, gone: goneBelow(changes), homeless };
  const reasons = await inParallel(changes, (change) =>
    // What is found there is elsewhere. The link's own conflict spreads.
    foldersAbove(change.path).some((above) => links.has(above))
      ? Promise.resolve(change.conflict ?? null)
      : reasonOf(change, facts),
  );
  const found = new Map<string, ConflictReason>();
  for (const [index, { path }] of changes.entries()) {
    const reason = reasons[index];
    if (reason !== null && reason !== undefined) found.set(path, reason);
  }
  spread(changes, found);
  return [...found].map(([path, reason]) => ({ path, reason }));
}

const isFolderGone = ({ before, after }: Recorded): boolean =>
  before?.type === 'folder' && after?.type !== 'folder';

/** The names that the command removed from each folder that it removed or replaced. */
function goneBelow(changes: readonly Recorded[]): ReadonlyMap<string, ReadonlySet<string>> {
  const gone = new Map(changes.filter(isFolderGone).map(({ path }) => [path, new Set<string>()]));
  for (const { path, before } of changes) {
    const at = path.lastIndexOf('/');
    if (before !== undefined && at > 0) gone.get(path.slice(0, at))?.add(path.slice(at + 1));
  }
  return gone;
}

/** The new entries whose folder, which the command did not create, is gone or no folder by now. */
async function withoutFolder(
  changes: readonly Recorded[],
  look: Look,
  folder: string,
): Promise<ReadonlySet<Recorded>> {
  const made = new Set(changes.flatMap(({ path, after }) => (after?.type === 'folder' ? [path] : [])));
  const created = changes.filter(({ path, was }) => was === null && !made.has(posix.dirname(path)));
  const parents = [...new Set(created.map(({ path }) => posix.dirname(path)))];
  const found = await inParallel(parents, async (path) => {
    const stats = await look(posix.join(folder, path));
    return stats?.isDirectory() === true ? [] : [path];
  });
  const missing = new Set(found.flat());
  return new Set(created.filter(({ path }) => missing.has(posix.dirname(path))));
}

/** Whether a folder has other names too, or can no longer be read. */
const holdsMore = (at: string, names: ReadonlySet<string>): Promise<boolean> =>
  namesIn(at).then(
    (now) => now.some((name) => !names.has(name)),
    () => true,
  );

interface Facts extends Places {
  look: Look;
  written: ReadonlySet<string>;
  gone: ReadonlyMap<string, ReadonlySet<string>>;
  homeless: ReadonlySet<Recorded>;
}

async function reasonOf(
  change: Recorded,
  { look, folder, place, written, gone, homeless }: Facts,
): Promise<ConflictReason | null> {
  const at = `${folder}/${change.path}`;
  if (change.conflict !== undefined) return change.conflict;
  if (homeless.has(change)) return 'changed';
  if (await isAnother(change, await look(at), { folder, place })) return 'changed';
  const names = gone.get(change.path);
  if (names !== undefined && (await holdsMore(at, names))) return 'changed';
  if (written.has(at)) return 'open';
  return change.before?.type === 'file' && (await hasLog(at, look, folder)) ? 'database' : null;
}

/** Whether SQLite would play a log of the folder back into the file: into other content, that damages it. */
async function hasLog(at: string, look: Look, folder: string): Promise<boolean> {
  for (const [ending, header] of Object.entries(LOGS)) {
    const log = await look(`${at}${ending}`);
    if (log === null || log.size === 0n) continue;
    if (ending === '-wal' && DATABASE.test(at)) return true;
    const limits = { root: folder, links: 'none', maxBytes: LOG_HEADER, cut: true } as const;
    const begins = await readRegular(`${at}${ending}`, limits);
    if (!isRefused(begins) && header.test(begins.toString('hex'))) return true;
  }
  return false;
}

/** Whether the folder's content differs from when the command started. A different time alone does not count. */
async function isAnother(
  { path, was, before, saved }: Recorded,
  stats: BigIntStats | null,
  { folder, place }: Places,
): Promise<boolean> {
  if (stats === null || was === null) return (stats === null) !== (was === null);
  if (hasMark(stats, was)) return false;
  const root = before?.sha256 === undefined ? null : folder;
  // An unreadable file, or one behind a new link, is not what the command saw.
  const now = await entryAt(`${folder}/${path}`, stats, root).catch(() => null);
  if (now === null) return true;
  if (now.type !== before?.type || now.mode !== before.mode) return true;
  if (now.type === 'folder') return false;
  if (now.type === 'link') return now.target !== before.target;
  if (before.sha256 === undefined) return true;
  if (now.sha256 === before.sha256) return false;
  // An editor's `git status` while the question waits.
  const isRenewed =
    saved !== undefined &&
    isIndex(path) &&
    (await isSameIndex([`${folder}/${path}`, folder], [`${place}/${saved}`, place]));
  return !isRenewed;
}

/**
 * A `.git` is one unit, and so is a folder that becomes something else. A conflict of a new folder spreads to its content, and
 * a conflict of content to the folder's removal.
 */
function spread(changes: readonly Recorded[], found: Map<string, ConflictReason>): void {
  const units = new Set(
    changes.flatMap(({ git, path }) => (git !== undefined && found.has(path) ? [git] : [])),
  );
  for (const { git, path } of changes)
    if (git !== undefined && units.has(git) && !found.has(path)) found.set(path, 'changed');
  const kinds = new Map(changes.map((change) => [change.path, change]));
  spreadInDatabases(kinds, found);
  for (const { path } of changes) {
    for (const above of foldersAbove(path)) {
      const folder = kinds.get(above);
      if (folder === undefined) continue;
      if (found.has(above) && folder.before?.type !== 'folder' && !found.has(path))
        found.set(path, 'changed');
      if (found.has(path) && folder.after?.type !== 'folder' && !found.has(above))
        found.set(above, 'changed');
    }
  }
  for (const { path } of changes) {
    const isReplaced = (above: string) => found.has(above) && kinds.get(above)?.kind === 'type';
    if (!found.has(path) && foldersAbove(path).some(isReplaced)) found.set(path, 'changed');
  }
}

/** A database and its logs are one unit. */
function spreadInDatabases(kinds: ReadonlyMap<string, Recorded>, found: Map<string, ConflictReason>): void {
  for (const log of kinds.keys()) {
    const database = log.replace(OF_DATABASE, '');
    if (database === log || !kinds.has(database)) continue;
    const unit = [database, ...['-wal', '-shm', '-journal'].map((ending) => `${database}${ending}`)];
    const reason = unit.map((path) => found.get(path)).find((one) => one !== undefined);
    if (reason === undefined) continue;
    for (const path of unit) if (kinds.has(path) && !found.has(path)) found.set(path, reason);
  }
}

/** The files that a program of this user has open for writing. */
async function openForWriting(files: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>();
  for (const pid of numbersIn('/proc')) {
    if (pid === String(process.pid)) continue;
    for (const fd of numbersIn(`/proc/${pid}/fd`)) {
      const path = linkOf(`/proc/${pid}/fd/${fd}`);
      if (path !== null && files.has(path) && isForWriting(pid, fd)) found.add(path);
    }
    await yieldToEventLoop();
  }
  return found;
}

function numbersIn(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => /^\d+$/.test(name));
  } catch {
    // The process has exited, or belongs to another user.
    return [];
  }
}

function linkOf(path: string): string | null {
  try {
    return textOfLatin1(readlinkSync(path, 'latin1'));
  } catch {
    return null;
  }
}

function isForWriting(pid: string, fd: string): boolean {
  try {
    const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & FOR_WRITING) !== 0;
  } catch {
    return false;
  }
}
