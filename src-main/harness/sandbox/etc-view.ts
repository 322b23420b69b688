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

/** Of `/etc`: what libraries and language runtimes read, none of which holds a password or a key. */
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

/** Bytes of one file; what is larger is no setting. */
const MAX_FILE = 8 * 1024 * 1024;
const MAX_ENTRIES = 20_000;
/** Others may read it: what only some may read can hold a secret. */
const READABLE_BY_ALL = 0o004;
/** Milliseconds for which the originals are taken to be unchanged. */
const KEEP_FOR = 10_000;

interface Entry {
  /** Below `/etc`. */
  path: string;
  kind: 'folder' | 'file' | 'link';
  /** Of a file: where it is read. */
  source?: string;
  /** Of a link: where it leads. Of a file: what changes when its content does. */
  state?: string;
}

export interface EtcOptions {
  /** A folder of Deepdesk's own for the copies, which no command sees. */
  folder: string;
  /** Settings of git for everybody; empty: none. */
  gitConfig: string;
  /** Paths below `/etc` that are not copied. */
  leavesOut?: RegExp;
  /** For tests: another folder than `/etc`. */
  from?: string;
}

/**
 * What a command in the read-only sandbox finds as `/etc`: a copy of the few files in it that programs need. One mount
 * takes the place of one for each file, since bubblewrap reads the whole list of mounts again for each. It is copied once,
 * and again when an original changes; a copy that commands may still use stays until Deepdesk starts the next time.
 */
export const etcView = ({ folder, gitConfig, leavesOut, from = '/etc' }: EtcOptions): Promise<Shown> =>
  prepared([folder, from, gitConfig, leavesOut?.source ?? NO_PATH].join('\0'));

const prepared = recently(KEEP_FOR, async (key): Promise<Shown> => {
  const [folder = '', from = '', gitConfig = '', leavesOut = NO_PATH] = key.split('\0');
  await clearOnce(folder);
  const isLeftOut = new RegExp(leavesOut);
  const entries = (await entriesOf(from)).filter(({ path }) => !isLeftOut.test(path));
  const state = JSON.stringify([gitConfig, entries]);
  const copy = join(folder, createHash('sha256').update(state).digest('hex').slice(0, 32));
  if (!(await isThere(copy))) await copyAll(entries, gitConfig, copy);
  const tops = entries.filter(({ path }) => !path.includes('/') || BELOW.includes(path));
  const shows = [...tops.map(({ path }) => path), ...(gitConfig === '' ? [] : [GIT_CONFIG])];
  return { path: '/etc', from: copy, shows: shows.map((path) => join('/etc', path)) };
});

async function entriesOf(from: string): Promise<Entry[]> {
  const names = (await readdir(from).catch(() => [])).filter((name) => NAMES.test(name)).toSorted();
  const found = await Promise.all([...names, ...BELOW].map((path) => namedAt(from, path)));
  return found.flat().slice(0, MAX_ENTRIES);
}

/** A link to what a command finds there too stays a link; what another one leads to is copied in its place. */
async function namedAt(from: string, path: string): Promise<Entry[]> {
  const source = join(from, path);
  const real = await realpath(source).catch(() => null);
  if (real === null) return [];
  const stats = await lstat(source);
  const isKept = stats.isSymbolicLink() && leadsToShown(real, source);
  return entriesAt(isKept ? source : real, path);
}

async function entriesAt(source: string, path: string): Promise<Entry[]> {
  const stats = await lstat(source, { bigint: true }).catch(() => null);
  if (stats === null) return [];
  if (stats.isSymbolicLink()) return [{ path, kind: 'link', state: await readlink(source) }];
  const isReadable = (Number(stats.mode) & READABLE_BY_ALL) !== 0;
  if (!isReadable) return [];
  if (stats.isFile()) {
    const state = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
    return stats.size > MAX_FILE ? [] : [{ path, kind: 'file', source, state }];
  }
  if (!stats.isDirectory()) return [];
  const names = (await readdir(source).catch(() => [])).toSorted().slice(0, MAX_ENTRIES);
  const inside = await Promise.all(names.map((name) => entriesAt(join(source, name), join(path, name))));
  return [{ path, kind: 'folder' }, ...inside.flat()];
}

/** Whole or not at all: a command may be about to start. */
async function copyAll(entries: readonly Entry[], gitConfig: string, copy: string): Promise<void> {
  const part = `${copy}.${randomUUID()}`;
  await mkdir(part, { recursive: true });
  const folders = new Set(entries.map(({ path, kind }) => (kind === 'folder' ? path : dirname(path))));
  for (const path of folders) await mkdir(join(part, path), { recursive: true });
  await Promise.all(entries.map((entry) => copyEntry(entry, join(part, entry.path))));
  if (gitConfig !== '') await writeFile(join(part, GIT_CONFIG), gitConfig);
  // Another one may have made the same meanwhile.
  await rename(part, copy).catch(() => rm(part, { recursive: true, force: true }));
}

async function copyEntry({ kind, source = '', state = '' }: Entry, to: string): Promise<void> {
  if (kind === 'link') await symlink(state, to);
  if (kind !== 'file') return;
  const read = await readRegular(source, { root: dirname(source), maxBytes: MAX_FILE });
  // Removed or closed since it was listed: a program finds that it is not there.
  if (!isRefused(read)) await writeFile(to, read);
}

const cleared = new Map<string, Promise<unknown>>();

/** Removes what an earlier process copied, some of which may be half of it. */
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
