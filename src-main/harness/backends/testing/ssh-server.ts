import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export interface SshServer {
  /** `ssh://user@127.0.0.1:port` */
  host: string;
  /** A configuration of the client with the key, instead of the person's. */
  config: string;
  knownHosts: string;
  /** The server's `SHA256:…`. */
  fingerprint: string;
  /** A folder of the server's user. */
  home: string;
  /** Ends every connection. New ones are accepted. */
  drop(): void;
  /** Ends every connection and accepts none until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Another key for the same address. */
  changeKey(): Promise<void>;
  stop(): Promise<void>;
}

interface Program {
  sshd: string;
  libraries: string | null;
}

/**
 * The user's name if root starts the server. No computer has such a user: sshd would take whether they may log in from
 * there.
 */
const ONLY_HERE = 'deepdesktester';

const isRoot = process.getuid?.() === 0;
const has = (program: string) => spawnSync('/bin/sh', ['-c', `command -v ${program}`]).status === 0;

/** The system's `sshd`, or one out of the distribution's packages, unpacked into `folder`; otherwise why there is none. */
function findServer(folder: string): Program | string {
  if (process.platform === 'win32') return 'Windows has no sshd of this kind';
  if (!has('ssh') || !has('ssh-keygen')) return 'the OpenSSH client is not installed';
  if (!has('ps')) return 'ps is not installed';
  // sshd asks for a user of its own if root starts it. In a user namespace nobody is root.
  if (isRoot && !has('bwrap')) return 'root needs bubblewrap to start sshd';
  const installed = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(existsSync);
  if (installed !== undefined) return { sshd: installed, libraries: null };
  if (!has('apt-get') || !has('dpkg-deb')) return 'sshd is not installed';
  const got = spawnSync('apt-get', ['download', 'openssh-server', 'libwrap0'], {
    cwd: folder,
    stdio: 'ignore',
    timeout: 60_000,
  });
  const packages = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  if (got.status !== 0 || packages.length < 2) return 'sshd is neither installed nor can it be downloaded';
  for (const name of packages) execFileSync('dpkg-deb', ['-x', name, join(folder, 'root')], { cwd: folder });
  const lib = join(folder, 'root/usr/lib');
  const [triplet = ''] = readdirSync(lib).filter((name) => name.includes('linux'));
  return { sshd: join(folder, 'root/usr/sbin/sshd'), libraries: join(lib, triplet) };
}

/**
 * A real `sshd` on loopback with keys of its own and without passwords; a text says why there can be none. Only root can
 * choose the user's login shell.
 */
export async function startSshServer(shell = '/bin/sh', maxSessions = 100): Promise<SshServer | string> {
  const folder = mkdtempSync(join(tmpdir(), 'dd-sshd-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const found = findServer(folder);
  if (typeof found === 'string') {
    remove();
    return found;
  }
  const keygen = (name: string) => {
    rmSync(join(folder, name), { force: true });
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
  };
  keygen('host_key');
  keygen('id');
  const home = join(folder, 'home');
  mkdirSync(home);
  const port = await freePort();
  const user = isRoot ? ONLY_HERE : userInfo().username;
  const lines = (values: Record<string, string | number>) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}\n`)
      .join('');
  writeFileSync(
    join(folder, 'sshd_config'),
    lines({
      Port: port,
      ListenAddress: '127.0.0.1',
      HostKey: join(folder, 'host_key'),
      AuthorizedKeysFile: join(folder, 'id.pub'),
      PidFile: 'none',
      UsePAM: 'no',
      StrictModes: 'no',
      PasswordAuthentication: 'no',
      KbdInteractiveAuthentication: 'no',
      MaxSessions: maxSessions,
      MaxStartups: 100,
    }),
  );
  const config = join(folder, 'ssh_config');
  writeFileSync(
    config,
    lines({ IdentityFile: join(folder, 'id'), IdentitiesOnly: 'yes', IdentityAgent: 'none' }),
  );
  writeFileSync(
    join(folder, 'passwd'),
    `root:x:0:0::/root:/bin/sh\n${ONLY_HERE}:x:1000:1000::${home}:${shell}\n`,
  );
  writeFileSync(join(folder, 'group'), `root:x:0:\n${ONLY_HERE}:x:1000:\n`);
  chmodSync(join(folder, 'id'), 0o600);

  const start = async () => {
    const program = [found.sshd, '-D', '-e', '-f', join(folder, 'sshd_config')];
    const inside = ['--dev-bind', '/', '/', '--unshare-user', '--uid', '1000', '--gid', '1000'];
    for (const name of ['passwd', 'group']) inside.push('--ro-bind', join(folder, name), `/etc/${name}`);
    const line = isRoot ? ['bwrap', '--die-with-parent', ...inside, ...program] : program;
    const [file = '', ...args] = line;
    const child = spawn(file, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      env: {
        PATH: process.env.PATH,
        ...(found.libraries === null ? {} : { LD_LIBRARY_PATH: found.libraries }),
      },
    });
    let log = '';
    child.stderr.on('data', (bytes) => {
      log += String(bytes);
    });
    const gone = once(child, 'exit').then(() => 'gone' as const);
    const isUp = await Promise.race([gone, listening(port)]);
    return { child, gone, problem: isUp === 'gone' ? `sshd did not start: ${log.trim()}` : null };
  };
  let running = await start();
  const end = async () => {
    const { pid } = running.child;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has exited.
    }
    await running.gone;
    // The first process is gone, but the one that listens may still be: the next server needs its port.
    await silent(port);
  };
  // The user may have no shell to log in with.
  const login = [
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
    '-o',
    'BatchMode=yes',
  ];
  const host = `ssh://${user}@127.0.0.1:${port}`;
  const tried =
    running.problem === null
      ? spawnSync('ssh', ['-F', config, ...login, host, 'true'], { encoding: 'utf8', timeout: 30_000 })
      : null;
  if (tried?.status !== 0) {
    await end();
    remove();
    return running.problem ?? `nobody can log in to sshd: ${tried?.stderr.trim().split('\n').at(-1)}`;
  }
  const fingerprint = () =>
    /SHA256:\S+/.exec(
      execFileSync('ssh-keygen', ['-lf', join(folder, 'host_key.pub')], { encoding: 'utf8' }),
    )?.[0] ?? '';
  return {
    host,
    config,
    knownHosts: join(folder, 'known_hosts'),
    get fingerprint() {
      return fingerprint();
    },
    home,
    drop: () => dropConnections(found.sshd, running.child.pid),
    goAway: async () => {
      dropConnections(found.sshd, running.child.pid);
      await end();
    },
    comeBack: async () => {
      running = await start();
    },
    changeKey: async () => {
      await end();
      keygen('host_key');
      running = await start();
    },
    stop: async () => {
      await end();
      remove();
    },
  };
}

/** Kills the server's processes for its connections, which are children of the one that listens. */
function dropConnections(sshd: string, parent: number | undefined): void {
  // Arguments may be long, and there may be many processes.
  const list = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const all = list.split('\n').flatMap((line) => {
    const [, pid, ppid, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), ppid: Number(ppid), args }];
  });
  const below = (pid: number): number[] =>
    all.filter((one) => one.ppid === pid).flatMap((one) => [one.pid, ...below(one.pid)]);
  const ours = new Set(parent === undefined ? [] : below(parent));
  for (const { pid, args } of all)
    if (ours.has(pid) && args.startsWith('sshd:') && !args.includes(sshd)) process.kill(pid, 'SIGKILL');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Resolves when something accepts connections. */
async function listening(port: number): Promise<'up'> {
  while (!(await accepts(port))) await setTimeout(50);
  return 'up';
}

/** Resolves when nothing accepts connections. */
async function silent(port: number): Promise<void> {
  while (await accepts(port)) await setTimeout(20);
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
