import { readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { isBelow } from '../../base/is-below';
import type { HiddenPlace } from './hidden';
import type { IsSecret } from './in-folder';
import { recently } from './recent';

/** Below the home folder: programs and their libraries, no settings or personal files. */
const IN_HOME = [
  '.asdf',
  '.bun',
  '.cargo/bin',
  '.deno',
  '.fnm',
  '.juliaup',
  '.local/bin',
  '.local/lib',
  '.local/pipx/venvs',
  '.local/share/fnm',
  '.local/share/mise',
  '.local/share/pipx/venvs',
  '.local/share/pnpm',
  '.local/share/rtx',
  '.local/share/uv',
  '.local/share/virtualenv',
  '.nix-profile',
  '.nvm',
  '.pyenv',
  '.rbenv',
  '.rustup',
  '.rye',
  '.sdkman',
  '.volta',
  'go/bin',
];

/** Variables that tell tools where they are installed. */
const VARIABLES = [
  'GOROOT',
  'HOMEBREW_PREFIX',
  'JAVA_HOME',
  'NVM_DIR',
  'PNPM_HOME',
  'PYENV_ROOT',
  'RUSTUP_HOME',
  'VIRTUAL_ENV',
  'VOLTA_HOME',
];

/** Places that hold other things than programs, or that the sandbox provides itself. */
const NEVER = ['/dev', '/etc', '/proc', '/run', '/sys', '/tmp', '/var/tmp'];

export interface ToolchainOptions {
  home: string;
  /** Hidden places. A folder that contains one, or is inside one, is not a toolchain. */
  hidden: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  isSecret: IsSecret;
}

/** A folder with programs that commands can read. */
export interface Toolchain {
  /** As the person's configuration names it. */
  path: string;
  /** With links resolved. */
  real: string;
  /** Entries with names of secrets, such as `.npmrc` in nvm's own repository. */
  secrets: HiddenPlace[];
}

/**
 * Folders with programs outside the system: those of version managers in the home folder, and those named by PATH and the
 * like. Each exists. A folder named only by a variable may be anything, so it is skipped if it contains a file with the name
 * of a secret.
 */
export async function findToolchains(options: ToolchainOptions): Promise<Toolchain[]> {
  const { home, env } = options;
  const known = IN_HOME.map((name) => join(home, name));
  const named = [...(env.PATH ?? '').split(':'), ...VARIABLES.map((name) => env[name] ?? '')];
  const wanted = new Set([...known, ...named.map(withoutSlash)]);
  const found = await Promise.all([...wanted].filter(isAbsolute).map((path) => toolchainAt(path, options)));
  const kept = found.filter(
    (one) => one !== null && (one.secrets.length === 0 || known.includes(one.path)),
  ) as Toolchain[];
  // A folder inside another is visible with it.
  return kept
    .filter((one) => !kept.some((other) => other.path !== one.path && isBelow(one.path, other.path)))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function toolchainAt(path: string, options: ToolchainOptions): Promise<Toolchain | null> {
  const { home, hidden, isSecret } = options;
  try {
    const real = await realpath(path);
    for (const place of [path, real]) {
      if (isBelow(home, place) || NEVER.some((never) => isBelow(place, never))) return null;
      if (hidden.some((secret) => isBelow(place, secret) || isBelow(secret, place))) return null;
      // A folder directly below the root, or a home folder, contains more than programs.
      if (place.split('/').length < 3 || /^\/home\/[^/]+$/.test(place)) return null;
    }
    const entries = await readdir(real, { withFileTypes: true });
    const secrets = entries.flatMap((entry): HiddenPlace[] => {
      const kind = entry.isDirectory() ? 'folder' : 'file';
      const at = join(path, entry.name);
      // A link is useless if its target is not shown.
      return !entry.isSymbolicLink() && isSecret(at, kind) ? [{ path: at, kind }] : [];
    });
    return { path, real, secrets };
  } catch {
    // Missing, not a folder, or unreadable.
    return null;
  }
}

/** Milliseconds for which found toolchains are cached. Commands of one turn follow each other closely. */
const CACHED_FOR = 10_000;

type Find = () => Promise<Toolchain[]>;
const caches = new WeakMap<IsSecret, (key: string, find: Find) => Promise<Toolchain[]>>();

/** The toolchains found recently by any sandbox with the same rule for secrets. `key`: what else they depend on. */
export function recentToolchains(isSecret: IsSecret, key: string, find: Find): Promise<Toolchain[]> {
  const cache = caches.get(isSecret) ?? recently<Toolchain[], [Find]>(CACHED_FOR, (_, own) => own());
  caches.set(isSecret, cache);
  return cache(key, find);
}

const withoutSlash = (path: string) => (path === '' ? '' : normalize(path).replace(/(?<=.)\/+$/, ''));
