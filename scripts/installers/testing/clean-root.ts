// A Debian without anything but its base system, for installing packages into.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { run } from '../../process.mjs';
import { alone, cacheFolder, isRoot } from '../../runtime/cache.mjs';
import { isOnPath } from '../../runtime/system-packages.mjs';

/** The first Debian with AppArmor 4, whose profiles know user namespaces. */
const SUITE = 'trixie';
const USER = 'person';
/** Users of the system end at 999. */
const USER_ID = 1000;

/** Why no clean root can be made here; null if it can. */
export function whyNoCleanRoot(): string | null {
  if (process.platform !== 'linux') return 'a Debian needs Linux';
  if (!isRoot) return 'only root can install packages into a root folder';
  // debootstrap makes the base system, which is kept.
  const needed = ['chroot', 'unshare', ...(existsSync(baseArchive()) ? [] : ['debootstrap'])];
  const missing = needed.filter((program) => !isOnPath(program));
  if (missing.length > 0) return `this system lacks ${missing.join(', ')}`;
  return mirror() === undefined ? 'no Debian mirror is configured' : null;
}

/** The Debian mirror that this system uses. */
function mirror(): string | undefined {
  const folder = '/etc/apt/sources.list.d';
  const files = [
    ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []),
    '/etc/apt/sources.list',
  ].filter((file) => existsSync(file));
  for (const file of files) {
    const found = /^(?:URIs:|deb)\s+(?:\[[^\]]*\]\s+)?(\S+\/debian)\/?(?:\s|$)/m.exec(
      readFileSync(file, 'utf8'),
    );
    if (found) return found[1];
  }
  return undefined;
}

const baseArchive = () => join(cacheFolder(), `${SUITE}-base.tar`);

/** The base system as an archive, made once per machine. */
async function baseSystem(): Promise<string> {
  const archive = baseArchive();
  await alone('clean-root', async () => {
    if (existsSync(archive)) return;
    const folder = `${archive}-${process.pid}`;
    try {
      await must('debootstrap', [
        '--variant=minbase',
        '--include=ca-certificates',
        SUITE,
        folder,
        mirror() ?? '',
      ]);
      await must('tar', ['--create', `--file=${folder}.tar`, `--directory=${folder}`, '.']);
      await must('mv', [`${folder}.tar`, archive]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  return archive;
}

async function must(program: string, args: string[]): Promise<string> {
  const { code, output } = await run(program, args);
  if (code !== 0) throw new Error(`${program} exited with ${code}:\n${output}`);
  return output;
}

export class CleanRoot {
  /** @param folder an absolute path, which is removed by the caller */
  private constructor(readonly folder: string) {}

  static async create(folder: string): Promise<CleanRoot> {
    mkdirSync(folder);
    await must('tar', ['--extract', `--file=${await baseSystem()}`, `--directory=${folder}`]);
    // The system is thrown away, so it need not wait for the disk.
    writeFileSync(join(folder, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n');
    for (const file of ['hosts', 'resolv.conf', 'apt/apt.conf.d'].map((name) => `etc/${name}`))
      if (existsSync(`/${file}`)) await run('cp', ['-rL', `/${file}`, join(folder, file, '..')]);
    const root = new CleanRoot(folder);
    await root.asRoot('apt-get', ['-qq', 'update']);
    await root.asRoot('useradd', ['--create-home', `--uid=${USER_ID}`, USER]);
    return root;
  }

  /** Runs a program in it as root. Throws if it fails. Resolves with both its streams. */
  asRoot(program: string, args: string[]): Promise<string> {
    return must(...this.command(program, args, []));
  }

  /** Runs a program in it as an ordinary user. Throws if it fails. */
  asUser(program: string, args: string[]): Promise<string> {
    return must(...this.command(program, args, [`--userspec=${USER}:${USER}`]));
  }

  /** Copies a package into it, and installs it with what it depends on. */
  async install(packages: string[]): Promise<string> {
    const names = packages.map((name) => {
      if (!name.startsWith('/')) return name;
      const inside = join('/var/tmp', name.split('/').at(-1) ?? '');
      copyFileSync(name, join(this.folder, inside));
      return inside;
    });
    return this.asRoot('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', ...names]);
  }

  /** Starts a program in it as an ordinary user, on a display of this system. */
  start(program: string, args: string[], display: Record<string, string>): ChildProcess {
    const cookie = join('/var/tmp', 'Xauthority');
    const { DISPLAY = '', XAUTHORITY } = display;
    if (XAUTHORITY !== undefined) {
      writeFileSync(join(this.folder, cookie), readFileSync(XAUTHORITY), { mode: 0o644 });
    }
    const [command, words] = this.command(
      'env',
      [`DISPLAY=${DISPLAY}`, `XAUTHORITY=${cookie}`, program, ...args],
      [`--userspec=${USER}:${USER}`],
    );
    return spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** The home folder of the ordinary user, seen from outside. */
  get home(): string {
    return join(this.folder, 'home', USER);
  }

  /** Mounts exist only for the program, so nothing stays behind if the test is killed. */
  private command(program: string, args: string[], options: string[]): [string, string[]] {
    const mounts = [
      'mount -t proc proc "$0/proc"',
      'mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"',
      'mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts"',
      'mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"',
      'root=$0; options=$1; shift',
      `exec chroot $options "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
        HOME=${options.length > 0 ? `/home/${USER}` : '/root'} LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"`,
    ];
    return [
      'unshare',
      [
        '--mount',
        '--propagation=private',
        'sh',
        '-ec',
        mounts.join('\n'),
        this.folder,
        options.join(' '),
        program,
        ...args,
      ],
    ];
  }
}
