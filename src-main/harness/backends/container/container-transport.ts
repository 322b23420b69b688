import { type ChildProcess, spawn } from 'node:child_process';
import { RemoteError, type RemoteTransport } from '../remote/remote-transport';
import { scrubEnv } from '../shell/environment';

/** Programs that run commands in containers and take the same arguments for it. */
export type ContainerEngine = 'docker' | 'podman';

export interface ContainerOptions {
  engine: ContainerEngine;
  /** The name or the id of a running container. */
  container: string;
  /** Default: the process's. Only what the engine's client needs is passed on. */
  env?: NodeJS.ProcessEnv;
}

export type ContainerProblem = 'no-container' | 'not-running' | 'denied' | 'no-program' | 'unreachable';

/** The container was not reached, before any command ran. */
export class ContainerError extends RemoteError {
  override readonly way = 'connection to the container';

  constructor(
    readonly problem: ContainerProblem,
    text: string,
  ) {
    super(text);
  }

  override get kind(): RemoteError['kind'] {
    return this.problem === 'denied' ? 'denied' : 'network';
  }
}

/** Where the engine's client finds its server. */
const ENGINE_VARIABLES = [
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_TLS_VERIFY',
  'DOCKER_CERT_PATH',
  'CONTAINER_HOST',
  'CONTAINER_CONNECTION',
  'CONTAINERS_CONF',
];

/** What the clients themselves write, by what it means. A command's own errors are part of its output. */
const PROBLEMS: readonly [ContainerProblem, RegExp][] = [
  [
    'no-container',
    /^(Error response from daemon: |Error: )?(No such container|no container with name or ID)/im,
  ],
  [
    'not-running',
    /^(Error response from daemon|Error): .*(is not running|is paused|on running containers)/im,
  ],
  ['denied', /^permission denied while trying to connect|^Error: .*dial unix .*permission denied/im],
  [
    'unreachable',
    /^(Cannot connect to the Docker daemon|error during connect|Error: .*(unable|failed) to connect|(Error: )?(Error response from daemon: )?(OCI runtime|crun|runc)[^\n]*(exec|error))/im,
  ],
];

/** Runs commands in a container with `docker exec` or `podman exec`. Every command is a process of its own. */
export class ContainerTransport implements RemoteTransport {
  private readonly env: Record<string, string>;
  private readonly found: Record<string, string>;
  private isClosed = false;

  constructor(private readonly options: ContainerOptions) {
    if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(options.container))
      throw new Error(`'${options.container}' is not a container`);
    const env = options.env ?? process.env;
    this.found = Object.fromEntries(
      ENGINE_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    );
    this.env = { ...scrubEnv(env), ...this.found, LC_ALL: 'C' };
  }

  get id(): string {
    return `${this.options.engine}:${this.options.container}`;
  }

  get name(): string {
    return this.options.container;
  }

  async start(command: string): Promise<ChildProcess> {
    this.throwIfClosed();
    const { engine, container } = this.options;
    return spawn(engine, ['exec', '-i', container, 'sh', '-c', command], {
      env: this.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  async terminal(): Promise<(command: string) => { file: string; args: string[] }> {
    this.throwIfClosed();
    const { engine, container } = this.options;
    // A terminal's environment has no variables but those of a command.
    const set = Object.entries(this.found).map(([name, value]) => `${name}=${value}`);
    const [file, ...before] = set.length === 0 ? [engine] : ['env', ...set, engine];
    const own = ['exec', '-it', '-e', 'TERM=xterm-256color', container];
    return (command) => ({ file, args: [...before, ...own, 'sh', '-c', command] });
  }

  /** The engines limit nothing here. */
  unstarted(): null {
    return null;
  }

  async failure(exitCode: number | null, stderr: string): Promise<ContainerError | null> {
    if (exitCode === 0) return null;
    const [problem] = PROBLEMS.find(([, wrote]) => wrote.test(stderr)) ?? [];
    return problem === undefined ? null : new ContainerError(problem, stderr.trim());
  }

  unable(printed: string): ContainerError {
    return new ContainerError('unreachable', printed);
  }

  missing({ message }: Error): ContainerError {
    return new ContainerError('no-program', message);
  }

  /** There is no connection to end: each command ends with its own. */
  async drop(): Promise<void> {}

  async close(): Promise<void> {
    this.isClosed = true;
  }

  private throwIfClosed(): void {
    if (this.isClosed) throw new ContainerError('unreachable', 'The connection was closed.');
  }
}
