import { readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { isBelow } from '../../base/is-below';
import type { HiddenPlace } from './hidden';
import type { IsSecret } from './in-folder';

/** Below the home folder: programs and their libraries, no settings and nothing of the person's own. */
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

/** Variables by which tools are told where they lie. */
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

/** Where other things lie than programs, or where the sandbox puts something of its own. */
const NEVER = ['/dev', '/etc', '/proc', '/run', '/sys', '/tmp', '/var/tmp'];

export interface ToolchainOptions {
  home: string;
  /** Places that no command sees; what holds one, or lies in one, is no toolchain. */
  hidden: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  isSecret: IsSecret;
}

export interface Toolchain {
  path: string;
  /** With links followed. */
  real: string;
  /** What in it has the name of a secret, as `.npmrc` of nvm's own repository. */
  secrets: HiddenPlace[];
}

/**
 * Folders with programs that are not of the system: those that version managers use in the home folder, and what PATH
 * and the like name. Each is really there. What only a variable names may be anything, and is left out where it holds a file
 * with the name of a secret.
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
  // One that lies in another is visible with it.
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
      // A folder right below the root, or of a person, holds more than programs.
      if (place.split('/').length < 3 || /^\/home\/[^/]+$/.test(place)) return null;
    }
    const entries = await readdir(real, { withFileTypes: true });
    const secrets = entries.flatMap((entry): HiddenPlace[] => {
      const kind = entry.isDirectory() ? 'folder' : 'file';
      const at = join(path, entry.name);
      // A link is of no use where its target is not shown.
      return !entry.isSymbolicLink() && isSecret(at, kind) ? [{ path: at, kind }] : [];
    });
    return { path, real, secrets };
  } catch {
    // Not there, no folder, or not to be read.
    return null;
  }
}

const withoutSlash = (path: string) => (path === '' ? '' : normalize(path).replace(/(?<=.)\/+$/, ''));
