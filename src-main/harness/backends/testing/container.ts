import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface TestContainer {
  engine: 'podman';
  container: string;
  /** A folder of this machine that is `/work` in the container. */
  folder: string;
  pause(): void;
  goOn(): void;
  /** The commands of its processes. */
  processes(): string[];
  /** Starts the engine's service until `stop`, and returns its address. Every user of this machine may use it. */
  serve(): Promise<string>;
  stop(): void;
}

const podman = (...args: string[]) => spawnSync('podman', args, { encoding: 'utf8', timeout: 60_000 });

/** What a machine may need that is itself a container: no limits of its own, and cgroups of the first version. */
const WAYS: readonly (readonly [before: string[], after: string[]])[] = [
  [[], []],
  [
    ['--cgroup-manager=cgroupfs', '--runtime=runc'],
    ['--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024'],
  ],
];

/** A container of Podman with the root of this machine below a layer of its own; a text says why there can be none. */
export function startContainer(): TestContainer | string {
  const version = podman('--version');
  if (version.error !== undefined || version.status !== 0) return 'podman is not installed';
  const folder = mkdtempSync(join(tmpdir(), 'dd-container-'));
  const container = `deepdesk-test-${randomBytes(4).toString('hex')}`;
  let why = '';
  let own: readonly string[] = [];
  for (const [before, after] of WAYS) {
    const shared = ['--name', container, '--network=none', '--init=false', '-v', `${folder}:/work`];
    const program = ['--rootfs', '/:O', '/bin/sh', '-c', 'while :; do sleep 3600; done'];
    const started = podman(...before, 'run', '-d', ...shared, ...after, ...program);
    const ran = started.status === 0 ? podman('exec', container, 'sh', '-c', 'test -d /work') : started;
    own = before;
    if (ran.status === 0) break;
    why = `podman starts no container: ${ran.stderr.trim().split('\n').at(-1)}`;
    podman('rm', '-f', container);
  }
  let service: ChildProcess | undefined;
  const stop = () => {
    service?.kill();
    podman('rm', '-f', '-t', '0', container);
    rmSync(folder, { recursive: true, force: true });
  };
  const isUp = podman('exec', container, 'true').status === 0;
  if (!isUp) {
    stop();
    return why;
  }
  return {
    engine: 'podman',
    container,
    folder,
    pause: () => void podman('pause', container),
    goOn: () => void podman('unpause', container),
    processes: () => {
      const lines = podman('top', container, 'args').stdout.split('\n');
      return lines.map((line) => line.trim()).slice(1);
    },
    serve: async () => {
      const socket = join(folder, '..', `${container}.sock`);
      const address = `unix://${socket}`;
      service = spawn('podman', [...own, 'system', 'service', '--time=0', address], { stdio: 'ignore' });
      while (!existsSync(socket)) {
        if (service.exitCode !== null) throw new Error(`podman serves nothing: status ${service.exitCode}`);
        await wait(50);
      }
      chmodSync(socket, 0o666);
      return address;
    },
    stop,
  };
}
