import { foldedNames } from './names';

/*
 * The only list of files that hold keys, passwords and tokens. Tools, commands, searches, the sandbox, attachments and
 * mentions all use it, so that none of them prints a file that another one asks about.
 */

/** Folded names of files that hold secrets in any folder. */
const FILES: readonly RegExp[] = [
  // `.env`, `.env.local`, `prod.env`, `.envrc`.
  /^\.env([._-].*)?$/,
  /\.env$/,
  /^\.envrc([._-].*)?$/,
  /^\.dev\.vars([._-].*)?$/,
  // Private keys and key stores.
  /\.(pem|key|p8|p12|pfx|pkcs12|jks|jceks|keystore|kdbx?|ppk|keychain|keychain-db|ovpn|tfstate|kubeconfig)$/,
  /\.tfstate\.backup$/,
  /^id_(rsa|dsa|ecdsa|ed25519|xmss)([._-].*)?$/,
  /^id_[^.]+$/,
  /^ssh_host_[a-z0-9]+_key$/,
  // Logins stored by programs.
  /^[._]netrc$/,
  /^\.(npmrc|pypirc|pgpass|s3cfg|boto|dockercfg|htpasswd|htdigest|git-credentials|vault-token|terraformrc)$/,
  /^\.(my|mylogin)\.cnf$/,
  /^(pgpass\.conf|terraform\.rc|kubeconfig|auth\.json|wallet\.dat|\.xauthority|\.iceauthority)$/,
  /^credentials(\.(json|toml|ya?ml|xml|csv|ini|txt|db|properties|yml\.enc|tfrc\.json))?$/,
  /^\.?secrets?(\.(json|toml|ya?ml|xml|ini|txt|properties))?$/,
  /^(service[-_]?account|client[-_]secret|gha-creds|application_default_credentials)[^/]*\.json$/,
  // Histories of shells and database clients.
  /^\.(bash|zsh|sh|ksh|python|node_repl|psql|mysql|sqlite|rediscli|irb)_history$/,
];

/** What editors and people add to the name of a copy: `.env~`, `#.env#`, `.id_rsa.swp`, `server.key.bak`, `.npmrc.1`. */
const COPIES: readonly RegExp[] = [
  /^#(.+)#$/,
  /^\.#(.+)$/,
  /^\.([^.].*)\.sw[a-p]$/,
  /^(.+?)(?:\.~\d+)?~$/,
  /^(.+)[._-](?:bak|backup|old|orig(?:inal)?|save|copy|tmp)\d*$/,
  /^(.+)\.\d+$/,
  /^(.+) (?:\(\d+\)|copy(?: \d+)?)$/,
];

/** The name of the file that a copy is of; the name itself if it is none. */
function originalOf(name: string): string {
  for (const pattern of COPIES) {
    const [, original] = pattern.exec(name) ?? [];
    if (original !== undefined) return original;
  }
  return name;
}

/** Folders whose files all count as secrets, at any location. */
const FOLDERS = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.password-store']);

/** Files that are secrets only in a folder of that name. */
const IN_FOLDER: readonly (readonly [folder: string, file: string])[] = [
  ['.docker', 'config.json'],
  ['.m2', 'settings.xml'],
  ['.m2', 'settings-security.xml'],
  ['.gradle', 'gradle.properties'],
];

/** Meant to be shared: examples, public keys, certificates. */
const SHARED = [
  /\.(example|sample|template|dist)$/,
  /^(example|sample|template)\.env$/,
  /\.pub$/,
  /\.(crt|cer)$/,
  /^known_hosts$/,
];

/** Below the home folder: keys, passwords, browser and mail data, and shell histories. */
export const SECRETS_OF_HOME: readonly string[] = [
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

/** In the system: files that only root can read, and so could a program started by root. */
export const SECRETS_OF_SYSTEM: readonly string[] = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssl/private',
  '/etc/kubernetes',
  '/var/spool/cron',
];

/**
 * Whether a file's path suggests that it holds keys, passwords or tokens: by its name, by a folder above it, or by a known
 * place in `home` or the system. Also true of such a folder itself. `/` separates names. Links are not followed, so check
 * the target as well. Case does not matter.
 */
export function isSecretPath(path: string, home?: string): boolean {
  const names = foldedNames(path);
  const name = names.at(-1) ?? '';
  const either = [name, originalOf(name)];
  if (SHARED.some((pattern) => either.some((one) => pattern.test(one)))) return false;
  if (FILES.some((pattern) => either.some((one) => pattern.test(one)))) return true;
  if (names.some((one) => FOLDERS.has(one))) return true;
  const folder = names.at(-2);
  if (IN_FOLDER.some(([where, what]) => where === folder && what === name)) return true;
  if (OF_SYSTEM.some((place) => startsWith(names, place))) return path.startsWith('/');
  if (home === undefined) return false;
  const top = foldedNames(home);
  if (names.length <= top.length || !startsWith(names, top)) return false;
  const below = names.slice(top.length);
  return OF_HOME.some((place) => startsWith(below, place));
}

/** Whether everything in a folder counts as secret. */
export const isSecretFolder = (path: string, home?: string): boolean => isSecretPath(`${path}/file`, home);

/** The same for an entry while walking a folder. */
export const isSecretEntry = (path: string, kind: 'file' | 'folder', home?: string): boolean =>
  kind === 'folder' ? isSecretFolder(path, home) : isSecretPath(path, home);

const OF_HOME = SECRETS_OF_HOME.map(foldedNames);
const OF_SYSTEM = SECRETS_OF_SYSTEM.map(foldedNames);

const startsWith = (names: readonly string[], place: readonly string[]) =>
  place.length <= names.length && place.every((name, index) => name === names[index]);
