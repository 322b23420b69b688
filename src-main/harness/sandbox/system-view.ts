import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isBelow } from '../../base/is-below';
import type { SandboxAccess } from '../backends/protocol';
import { recently } from './recent';

/** One place of this machine that a command finds read-only. */
export interface Shown {
  path: string;
  /** A link is made again, so that what it leads to is visible only where that is shown itself. */
  link?: string;
}

/** Programs, libraries and their data. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/nix/var/nix/profiles',
  '/gnu/store',
  '/snap',
  '/home/linuxbrew/.linuxbrew',
  '/var/cache/fontconfig',
  '/var/lib/texmf',
  '/run/current-system',
  '/run/opengl-driver',
  '/run/booted-system',
];

/** Of `/sys`: how many processors there are, and how much memory a container may use. */
const OF_SYS = ['/sys/devices/system/cpu', '/sys/devices/system/node', '/sys/fs/cgroup'];

/** Of `/etc`: what libraries and language runtimes read, none of which holds a password or a key. */
const OF_ETC =
  /^(alternatives|bash\.bashrc|ca-certificates|ca-certificates\.conf|debian_version|fonts|gitattributes|group|host\.conf|hosts|inputrc|java|java-[\w.-]+|ld\.so\.cache|ld\.so\.conf|ld\.so\.conf\.d|ld-musl-[\w.-]+|locale\.alias|locale\.conf|localtime|lsb-release|magic|maven|mime\.types|nsswitch\.conf|os-release|passwd|perl|php|protocols|python[\w.-]*|alpine-release|arch-release|fedora-release|redhat-release|R|services|shells|static|terminfo|texmf|timezone)$/;
const BELOW_ETC = [
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/ssl/cert.pem',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
  '/etc/crypto-policies',
];

/** Milliseconds. Profiles of Nix, drivers and the like come and go while the app runs, but seldom. */
const KEEP_FOR = 10_000;

export const systemView = recently(KEEP_FOR, (access) => readSystem(access as SandboxAccess));

async function readSystem(access: SandboxAccess): Promise<Shown[]> {
  const paths =
    access === 'read-write'
      ? [...SYSTEM, '/etc', '/sys']
      : [...SYSTEM, ...OF_SYS, ...(await ofEtc()), ...BELOW_ETC];
  const shown = await Promise.all(paths.map(shownAt));
  return shown.filter((one) => one !== null);
}

async function ofEtc(): Promise<string[]> {
  const names = await readdir('/etc').catch(() => []);
  return names.filter((name) => OF_ETC.test(name)).map((name) => join('/etc', name));
}

/** Null where there is nothing that a command could read. */
async function shownAt(path: string): Promise<Shown | null> {
  try {
    const stats = await lstat(path);
    if (!stats.isSymbolicLink()) return { path };
    const link = await readlink(path);
    // A link to the same place as it is in the sandbox is made again; one that leads elsewhere shows its target here.
    const real = await realpath(path);
    return SYSTEM.some((place) => isBelow(real, place)) || isBelow(real, dirname(path))
      ? { path, link }
      : { path };
  } catch {
    // Not there, or a link to nowhere.
    return null;
  }
}
