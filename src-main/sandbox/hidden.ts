import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Below the home folder: keys, passwords, what browsers and mail programs keep, and what was typed into shells. */
const IN_HOME = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.oci',
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.config/glab-cli',
  '.config/op',
  '.config/doctl',
  '.config/rclone',
  '.config/sops',
  '.config/containers',
  '.config/git/credentials',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/vivaldi',
  '.config/opera',
  '.config/Signal',
  '.config/Slack',
  '.config/discord',
  '.config/autostart',
  '.mozilla',
  '.thunderbird',
  '.var/app',
  'snap/firefox',
  'snap/chromium',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.local/share/fish/fish_history',
  '.netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.composer/auth.json',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.terraform.d/credentials.tfrc.json',
  '.terraformrc',
  '.vault-token',
  '.bash_history',
  '.zsh_history',
  '.sh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
  '.sqlite_history',
  '.rediscli_history',
  '.lesshst',
  '.viminfo',
  '.Xauthority',
  '.ICEauthority',
  'Library/Keychains',
  'Library/Cookies',
  'Library/Safari',
  'Library/Messages',
  'Library/Mail',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
  'Library/Application Support/BraveSoftware',
  'Library/Application Support/Microsoft Edge',
];

/** Of the system: what only root can read, which a sandbox started by root could too. */
const OF_SYSTEM = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssl/private',
  '/etc/kubernetes',
  '/var/spool/cron',
];

export interface HiddenPlace {
  /** With links followed: a mount over a link would miss what it leads to. */
  path: string;
  kind: 'file' | 'folder';
}

/** Those of the secret places that are there now; links followed, each once. `own`: folders that are hidden beside. */
export async function hiddenPlaces(home: string, own: readonly string[]): Promise<HiddenPlace[]> {
  const wanted = [...IN_HOME.map((name) => join(home, name)), ...OF_SYSTEM, ...own];
  const found = await Promise.all(wanted.map(placeAt));
  const places = new Map<string, HiddenPlace>();
  for (const place of found) if (place !== null) places.set(place.path, place);
  return [...places.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Null where there is nothing, or nothing that this user could come at. */
export async function placeAt(path: string): Promise<HiddenPlace | null> {
  try {
    const real = await realpath(path);
    return { path: real, kind: (await lstat(real)).isDirectory() ? 'folder' : 'file' };
  } catch {
    // Not there, or behind a folder that keeps this user out: a command is kept out as well.
    return null;
  }
}
