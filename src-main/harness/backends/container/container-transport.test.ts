import { describe, expect, it } from 'vitest';
import { ContainerTransport } from './container-transport';

const transport = new ContainerTransport({
  engine: 'docker',
  container: 'box',
  env: { PATH: '/usr/bin', DOCKER_HOST: 'tcp://build:2375', ANTHROPIC_API_KEY: 'secret' },
});

describe('the client of a container engine', () => {
  it.each([
    ['Error response from daemon: No such container: box', 'no-container', 'network'],
    ['Error: No such container: box', 'no-container', 'network'],
    ['Error: no container with name or ID "box" found: no such container', 'no-container', 'network'],
    ['Error response from daemon: container 12ab is not running', 'not-running', 'network'],
    [
      'Error: can only create exec sessions on running containers: container state improper',
      'not-running',
      'network',
    ],
    ['Error response from daemon: Container 12ab is paused, unpause it', 'not-running', 'network'],
    ['permission denied while trying to connect to the Docker daemon socket', 'denied', 'denied'],
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', 'unreachable', 'network'],
    ['OCI runtime exec failed: exec failed: "sh": executable file not found', 'unreachable', 'network'],
    ['Error: crun: executable file `sh` not found: OCI runtime error', 'unreachable', 'network'],
  ])('says by %j why nothing ran', async (stderr, problem, kind) => {
    expect(await transport.failure(1, `${stderr}\n`)).toMatchObject({ problem, kind, message: stderr });
  });

  it('leaves the status of a command to the command', async () => {
    expect(await transport.failure(0, 'Error: No such container: box')).toBeNull();
    expect(await transport.failure(1, '')).toBeNull();
    expect(await transport.failure(2, "cat: can't open 'x': No such file")).toBeNull();
  });

  it('takes no option for a container', () => {
    expect(() => new ContainerTransport({ engine: 'podman', container: '--privileged' })).toThrow();
  });

  it('starts nothing after it is closed', async () => {
    const closed = new ContainerTransport({ engine: 'docker', container: 'box', env: { PATH: '/none' } });
    await closed.close();
    const gone = { problem: 'unreachable', kind: 'network' };
    await expect(closed.start('ls')).rejects.toMatchObject(gone);
    await expect(closed.terminal()).rejects.toMatchObject(gone);
  });

  it('opens terminals at the same engine, without the secrets of this program', async () => {
    const { file, args } = (await transport.terminal())('ls');
    expect([file, ...args]).toEqual([
      'env',
      'DOCKER_HOST=tcp://build:2375',
      'docker',
      'exec',
      '-it',
      '-e',
      'TERM=xterm-256color',
      'box',
      'sh',
      '-c',
      'ls',
    ]);
  });
});
