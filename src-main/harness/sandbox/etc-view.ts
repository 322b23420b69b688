import { createHash, randomUUID } from 'node:crypto';
import {
  access,
  lstat,
  mkdir,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRegular } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import { recently } from './recent';
import { leadsToShown, type Shown } from './shown';

/** Files in `/etc` that libraries and language runtimes read. None contains a password or a key. */
const NAMES =
  /^(alternatives|bash\.bashrc|ca-certificates|ca-certificates\.conf|debian_version|fonts|gitattributes|group|host\.conf|hosts|inputrc|java|java-[\w.-]+|ld\.so\.cache|ld\.so\.conf|ld\.so\.conf\.d|ld-musl-[\w.-]+|locale\.alias|locale\.conf|localtime|lsb-release|magic|maven|mime\.types|nsswitch\.conf|os-release|passwd|perl|php|protocols|python[\w.-]*|alpine-release|arch-release|fedora-release|redhat-release|R|services|shells|static|terminfo|texmf|timezone)$/;
const BELOW = [
  'ssl/certs',
  'ssl/openssl.cnf',
  'ssl/cert.pem',
  'pki/tls/certs',
  'pki/ca-trust/extracted',
  'crypto-policies',
];
const GIT_CONFIG = 'gitconfig';
/** Matches no path. */
const NO_PATH = '(?!)';

/** Maximum bytes of one file; a larger one is not a setting. */
const MAX_FILE = 8 * 1024 * 1024;
const MAX_ENTRIES = 20_000;
/** Entries from which on a folder is shown itself: its mount costs less than its copy. */
const MIN_MOUNTED_ENTRIES = 50;
/** Readable by others: a file restricted to some users may contain a secret. */
const READABLE_BY_ALL = 0o004;
/** Milliseconds for which the originals count as unchanged. */
const KEEP_FOR = 10_000;

interface Entry {
  /** Path below `/etc`. */
  path: string;
  kind: 'folder' | 'file' | 'link' | 'left_out';
  /** For a file: the path to read it from. */
  source?: string;
  /** For a link: its target. For a file: a value that changes with its content. */
  state?: string;
}

export interface EtcOptions {
  /** A private folder for the copies, hidden from commands. */
  folder: string;
  /** Git settings for all users; empty: none. */
  gitConfig: string;
  /** Paths below `/etc` that are not copied. */
  leavesOut?: RegExp;
  /** For tests: another folder than `/etc`. */
  from?: string;
}

/**
 * The `/etc` of the read-only sandbox: a copy of the few files that programs need. A single mount replaces one per file,
 * since bubblewrap rereads the whole mount list for each. It is copied once, and again when an original changes. A copy that
 * commands may still use stays until the next start of the program. Large folders that everyone may read are shown themselves,
 * on top of the copy.
 */
export const etcView = ({ folder, gitConfig, leavesOut, from = '/etc' }: EtcOptions): Promise<Shown[]> =>
  prepared([folder, from, gitConfig, leavesOut?.source ?? NO_PATH].join('\0'));

const prepared = recently(KEEP_FOR, async (key): Promise<Shown[]> => {
  const [folder = '', from = '', gitConfig = '', leavesOut = NO_PATH] = key.split('\0');
  await clearOnce(folder);
  const isLeftOut = new RegExp(leavesOut);
  const all = (await namedIn(from)).map((named) => ({
    ...named,
    entries: named.entries.filter(({ path }) => !isLeftOut.test(path)),
  }));
  const tops = all.filter(({ entries }) => entries.some(({ kind }) => kind !== 'left_out'));
  const direct = tops.filter(isShownItself);
  const copied = tops.flatMap((top) =>
    direct.includes(top) ? top.entries.slice(0, 1) : top.entries.filter(({ kind }) => kind !== 'left_out'),
  );
  const copy = await copyOf(copied.slice(0, MAX_ENTRIES), gitConfig, folder);
  const shows = [...tops.map(({ path }) => path), ...(gitConfig === '' ? [] : [GIT_CONFIG])];
  return [
    { path: '/etc', from: copy, shows: shows.map((path) => join('/etc', path)) },
    ...direct.map(({ path, source }) => ({ path: join('/etc', path), from: source })),
  ];
});

/** What `/etc` has at one of the names, with everything below it. */
interface Named {
  path: string;
  source: string;
  entries: Entry[];
}

async function namedIn(from: string): Promise<Named[]> {
  const names = (await readdir(from).catch(() => [])).filter((name) => NAMES.test(name)).toSorted();
  return Promise.all([...names, ...BELOW].map((path) => namedAt(from, path)));
}

/** A link whose target the command can see stays a link; any other is replaced by a copy of its target. */
async function namedAt(from: string, path: string): Promise<Named> {
  const named = join(from, path);
  const real = await realpath(named).catch(() => null);
  if (real === null) return { path, source: named, entries: [] };
  const stats = await lstat(named);
  const isKept = stats.isSymbolicLink() && leadsToShown(real, named);
  const source = isKept ? named : real;
  return { path, source, entries: await entriesAt(source, path) };
}

/** A large folder without anything that must not be shown. */
const isShownItself = ({ entries }: Named): boolean =>
  entries.length >= MIN_MOUNTED_ENTRIES &&
  entries[0]?.kind === 'folder' &&
  entries.every(({ kind }) => kind !== 'left_out');

async function entriesAt(source: string, path: string): Promise<Entry[]> {
  const stats = await lstat(source, { bigint: true }).catch(() => null);
  if (stats === null) return [];
  if (stats.isSymbolicLink()) return [{ path, kind: 'link', state: await readlink(source) }];
  const isReadable = (Number(stats.mode) & READABLE_BY_ALL) !== 0;
  if (!isReadable) return [{ path, kind: 'left_out' }];
  if (stats.isFile()) {
    const state = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
    return stats.size > MAX_FILE ? [{ path, kind: 'left_out' }] : [{ path, kind: 'file', source, state }];
  }
  if (!stats.isDirectory()) return [{ path, kind: 'left_out' }];
  const names = (await readdir(source).catch(() => [])).toSorted().slice(0, MAX_ENTRIES);
  const inside = await Promise.all(names.map((name) => entriesAt(join(source, name), join(path, name))));
  return [{ path, kind: 'folder' }, ...inside.flat()];
}

/** The folder with the copy. */
async function copyOf(entries: readonly Entry[], gitConfig: string, folder: string): Promise<string> {
  const state = JSON.stringify([gitConfig, entries]);
  const copy = join(folder, createHash('sha256').update(state).digest('hex').slice(0, 32));
  if (!(await isThere(copy))) await copyAll(entries, gitConfig, copy);
  return copy;
}

/** Atomic: a command may be about to start. */
async function copyAll(entries: readonly Entry[], gitConfig: string, copy: string): Promise<void> {
  const part = `${copy}.${randomUUID()}`;
  await mkdir(part, { recursive: true });
  const folders = new Set(entries.map(({ path, kind }) => (kind === 'folder' ? path : dirname(path))));
  for (const path of folders) await mkdir(join(part, path), { recursive: true });
  await Promise.all(entries.map((entry) => copyEntry(entry, join(part, entry.path))));
  if (gitConfig !== '') await writeFile(join(part, GIT_CONFIG), gitConfig);
  // Another process may have made the same copy.
  await rename(part, copy).catch(() => rm(part, { recursive: true, force: true }));
}

async function copyEntry({ kind, source = '', state = '' }: Entry, to: string): Promise<void> {
  if (kind === 'link') await symlink(state, to);
  if (kind !== 'file') return;
  const read = await readRegular(source, { root: dirname(source), maxBytes: MAX_FILE });
  // Removed or closed since it was listed: programs find it missing.
  if (!isRefused(read)) await writeFile(to, read);
}

const cleared = new Map<string, Promise<unknown>>();

/** Removes copies of an earlier process, which may be incomplete. */
const clearOnce = (folder: string): Promise<unknown> => {
  const known =
    cleared.get(folder) ??
    rm(folder, { recursive: true, force: true }).then(() => mkdir(folder, { recursive: true }));
  cleared.set(folder, known);
  return known;
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
