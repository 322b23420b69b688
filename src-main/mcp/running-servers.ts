import type { Project } from '../contract/app';
import type { ProjectId } from '../contract/ids';
import { type Clock, systemClock } from './clock';
import type { Configured, ConfiguredServers } from './config/configured-servers';
import { EDITOR } from './config/editor-servers';
import type { McpOptions } from './options';
import { Server } from './server';
import type { SignIns } from './sign-in/sign-ins';
import type { KeptTools } from './tools/kept-tools';

interface RunningServersOptions
  extends Pick<
    McpOptions,
    'env' | 'baseEnv' | 'version' | 'processes' | 'home' | 'values' | 'openBrowser' | 'onChanged'
  > {
  keptTools: KeptTools;
  signIns: SignIns;
  clock?: Clock | undefined;
  configured: Pick<ConfiguredServers, 'isAllowed'>;
  /** A server said that its tools have changed. */
  onStale: () => void;
}

/** The servers that exist: exactly the allowed ones, each with its current configuration. */
export class RunningServers {
  private readonly byKey = new Map<string, Server>();
  private closed = false;

  constructor(private readonly options: RunningServersOptions) {}

  get all(): ReadonlyMap<string, Server> {
    return this.byKey;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  get(key: string): Server | undefined {
    return this.byKey.get(key);
  }

  /** Starts allowed servers and stops the others. `project`: the project whose servers `known` contains with the person's. */
  async settle(known: readonly Configured[], project: Project | null): Promise<void> {
    const wanted = new Map(known.filter((one) => one.barred === undefined).map((one) => [one.key, one]));
    const owners = ['person:', ...(project === null ? [] : [`${project.id}:`])];
    const gone: Server[] = [];
    for (const [key, server] of this.byKey) {
      const one = wanted.get(key);
      if (!owners.some((owner) => key.startsWith(owner))) continue;
      if (one?.entry.digest === server.config.digest) continue;
      this.byKey.delete(key);
      gone.push(server);
    }
    for (const one of wanted.values()) if (!this.closed) this.create(one, project);
    await Promise.all(gone.map((server) => server.retire()));
  }

  /** Ends one server for good. */
  async retire(key: string): Promise<void> {
    const server = this.byKey.get(key);
    this.byKey.delete(key);
    await server?.retire();
  }

  /** Stops the servers of a removed project. */
  async release(projectId: ProjectId): Promise<void> {
    const gone = [...this.byKey.keys()].filter((key) => key.startsWith(`${projectId}:`));
    await Promise.all(gone.map((key) => this.retire(key)));
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.byKey.keys()].map((key) => this.retire(key)));
  }

  private create(one: Configured, project: Project | null): void {
    const { key, entry, scope } = one;
    if (!entry.ok || this.byKey.has(key)) return;
    const {
      env,
      baseEnv,
      version,
      processes,
      home,
      values,
      openBrowser,
      onChanged,
      onStale,
      keptTools,
      signIns,
      configured,
    } = this.options;
    this.byKey.set(
      key,
      new Server({
        config: entry.config,
        folder: scope === 'person' || project === null ? home : project.folder,
        env,
        baseEnv,
        values: scope === 'person' ? values : null,
        mayStart: one.source === EDITOR ? undefined : () => configured.isAllowed(one, project),
        signInAt: (address) => signIns.of(key, address),
        version,
        openBrowser,
        processes,
        clock: this.options.clock ?? systemClock,
        remembered: keptTools.of(key, entry.digest),
        onListed: (list) => keptTools.keep(key, entry.digest, list),
        onStale,
        onChanged: () => onChanged(scope === 'person' ? null : (project?.id ?? null)),
      }),
    );
  }
}
