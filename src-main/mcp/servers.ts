import { join } from 'node:path';
import type { Project } from '../contract/app';
import type { ProjectId } from '../contract/ids';
import type { McpDraft, McpServers as McpServersState } from '../contract/mcp';
import { fail, ok, type Result } from '../contract/result';
import type { ResourceFile, ServerResource } from './attachable';
import { type Clock, systemClock } from './clock';
import { digestOf, readConfigFile } from './config/config';
import { type Configured, ConfiguredServers, type ReadConfiguration } from './config/configured-servers';
import { type EditorServer, EditorServers } from './config/editor-servers';
import { PersonFile } from './config/person-file';
import { referencesIn } from './config/secret-refs';
import { failedServers, unusableConfiguration } from './config/unusable';
import type { Connection } from './connection';
import { isSecretName } from './masks';
import type { McpOptions } from './options';
import type { ServerPrompt } from './prompts';
import { raced } from './raced';
import { RunningServers } from './running-servers';
import { shownServer } from './shown-server';
import { SignIns } from './sign-in/sign-ins';
import { SigningIn } from './sign-in/signing-in';
import { KeptTools } from './tools/kept-tools';
import { type Offer, offersOf } from './tools/offers';
import type { CallsOfRun } from './tools/server-tool';
import type { TurnTool } from './tools/turn-tool';

/** Milliseconds that a turn waits for servers. Slower servers join with the next turn. */
const TURN_WAITS = 5_000;

/** UTF-16 units. */
const SHORTEST_SECRET = 8;

/** What one server offers for the person's messages. */
export interface Offered<T> {
  id: string;
  server: string;
  offers: T[];
  /** It is starting, so its offers are missing. */
  isComing: boolean;
}

/** All servers of the person and the projects: configured, allowed, and running. */
export class McpServers {
  private readonly running: RunningServers;
  private readonly person: PersonFile;
  private readonly configured: ConfiguredServers;
  private readonly keptTools: KeptTools;
  private readonly fromEditors = new EditorServers();
  private readonly clock: Clock;
  private readonly signIns: SignIns;
  private readonly signing: SigningIn;
  private changes = 0;

  constructor(private readonly options: McpOptions) {
    this.person = new PersonFile(join(options.dataDir, 'mcp.json'), options.values);
    this.configured = new ConfiguredServers(this.person.path, options.kept, options);
    this.keptTools = new KeptTools(options.kept);
    this.signIns = new SignIns(options.values, options.kept);
    this.signing = new SigningIn({ openBrowser: options.openBrowser, words: options.signInWords });
    this.clock = options.clock ?? systemClock;
    const { configured, keptTools, signIns } = this;
    const count = () => {
      this.changes += 1;
    };
    const onChanged: McpOptions['onChanged'] = (projectId) => {
      count();
      options.onChanged(projectId);
    };
    const own = { configured, keptTools, signIns };
    this.running = new RunningServers({ ...options, onChanged, onStale: count, ...own });
  }

  /** Grows when a server starts, stops, or changes its tools: `toolsFor` may then answer differently. */
  get version(): number {
    return this.changes;
  }

  /** The configured servers with their states. Starts those that may run, without waiting for them. */
  async list(project: Project | null): Promise<McpServersState> {
    const { known, problems } = await this.readConfigured(project);
    const offered = this.offers(known);
    for (const one of known) void this.running.get(one.key)?.start();
    const { values, likelySecrets } = this.options;
    const servers = known.map((one) =>
      shownServer(one, {
        values,
        likelySecrets,
        offer: offered.get(one.key),
        signing: this.signing.stateOf(one.key),
      }),
    );
    return { servers, problems };
  }

  /**
   * The tools of a turn; empty once `signal` aborts. Waits a few seconds for servers that are starting for the first time,
   * and for nothing else.
   */
  async toolsFor(project: Project, signal: AbortSignal, calls?: CallsOfRun): Promise<TurnTool[]> {
    const read = await this.readConfigured(project);
    const { known } = read;
    this.options.onUnusable(unusableConfiguration(read));
    for (const scope of ['project', 'person'] as const) {
      const waiting = known.filter((one) => one.scope === scope && one.barred?.phase === 'consent');
      const names = waiting.map(({ entry }) => entry.name);
      if (names.length > 0) this.options.onWaiting(scope === 'project' ? project : null, names);
    }
    const servers = known.flatMap(({ key }) => this.running.get(key) ?? []);
    if (servers.length === 0) return [];
    const starts = servers.map((server) => server.start());
    if (servers.some((server) => server.isComing)) {
      await this.within(Promise.all(starts), signal);
    }
    await this.within(Promise.all(servers.map((server) => server.refresh(signal))), signal);
    const unknown = servers.filter(({ state }) => state.phase === 'signIn').map(({ config }) => config.name);
    if (unknown.length > 0) this.options.onSignInNeeded(unknown);
    this.options.onUnusable(failedServers(servers));
    if (signal.aborted) return [];
    const { serverTool } = await import('./tools/server-tool');
    return [...this.offers(known).values()].flatMap(({ one, server, names }) =>
      server.tools.tools.flatMap((tool) => {
        const name = names.get(tool.title);
        if (name === undefined) return [];
        const { saysReadOnly, saysDestructive } = tool;
        return [
          {
            tool: serverTool(name, tool, server, calls),
            server: one.entry.name,
            scope: one.scope,
            serverIdentity: digestOf([one.key, one.identity]),
            saysReadOnly,
            saysDestructive,
            identity: JSON.stringify([one.key, one.digest, tool]),
            from: [server, tool],
          },
        ];
      }),
    );
  }

  /** The files that configure a project's servers. */
  filesOf(project: Project): string[] {
    return this.configured.filesOf(project);
  }

  /** Whether nothing is configured for the project. Turns then have no server tools until those files change. */
  async hasNone(project: Project): Promise<boolean> {
    const { known } = await this.readConfigured(project);
    return known.length === 0;
  }

  /** The prompts of running servers. The others are started, reported as starting, and asked the next time. */
  prompts(project: Project): Promise<Offered<ServerPrompt>[]> {
    return this.offered(project, (connection, signal) => connection.prompts(signal));
  }

  /** The same for the resources that the person can attach. */
  resources(project: Project): Promise<Offered<ServerResource>[]> {
    return this.offered(project, (connection, signal) => connection.resources(signal));
  }

  /** The text of a server's prompt. Errors: `not_found`, and the server's errors. */
  prompt(
    project: Project,
    { id, prompt, args }: { id: string; prompt: string; args: Record<string, string> },
    signal: AbortSignal,
  ): Promise<Result<string>> {
    return this.taken(project, id, (connection, within) => connection.prompt(prompt, args, within), signal);
  }

  /** The content of a server's resource. Errors: `not_found`, and the server's errors. */
  resource(
    project: Project,
    { id, uri }: { id: string; uri: string },
    signal: AbortSignal,
  ): Promise<Result<ResourceFile>> {
    return this.taken(project, id, (connection, within) => connection.resource(uri, within), signal);
  }

  private async offered<T>(
    project: Project,
    list: (connection: Connection, signal: AbortSignal) => Promise<T[]>,
  ): Promise<Offered<T>[]> {
    const { known } = await this.readConfigured(project);
    return Promise.all(
      known.map(async ({ id, key, entry }) => {
        const running = this.running.get(key);
        void running?.start();
        const isComing = running?.state.phase === 'starting';
        return { id, server: entry.name, offers: (await running?.offered(list)) ?? [], isComing };
      }),
    );
  }

  private async taken<T>(
    project: Project,
    id: string,
    take: (connection: Connection, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<Result<T>> {
    const found = await this.find(project, id);
    if (!found.ok) return found;
    const running = this.running.get(found.value.key);
    if (running === undefined) return fail('not_found', 'server_off');
    return running.taken(take, signal);
  }

  /** Saves the person's decision about a server, or about its changed files. `stale` if it has changed since. */
  async consent(
    project: Project | null,
    id: string,
    digest: string,
    allowed: boolean,
  ): Promise<Result<object>> {
    const found = await this.find(project, id);
    if (!found.ok) return found;
    if (found.value.digest !== digest) {
      return fail('stale', 'server_config_changed');
    }
    this.configured.consent(found.value, allowed);
    return this.again(project);
  }

  async setEnabled(project: Project | null, id: string, enabled: boolean): Promise<Result<object>> {
    const found = await this.find(project, id);
    if (!found.ok) return found;
    this.configured.setEnabled(found.value.key, enabled);
    return this.again(project);
  }

  async restart(project: Project | null, id: string): Promise<Result<object>> {
    const found = await this.find(project, id);
    if (!found.ok) return found;
    await this.running.get(found.value.key)?.stop();
    return this.again(project);
  }

  /**
   * Opens the browser for signing in to an HTTP server. Resolves once it shows the page; the server's state reports the
   * outcome. Errors: `unsupported` if it has no sign-in, `cancelled`, `provider`.
   */
  async signIn(project: Project | null, id: string): Promise<Result<object>> {
    const found = await this.find(project, id);
    if (!found.ok) return found;
    const { key } = found.value;
    const server = this.running.get(key);
    await server?.start();
    const place = server?.signInPlace ?? null;
    if (server === undefined || place === null) return fail('unsupported', 'nothing_to_sign_in');
    const told = () => this.options.onChanged(project?.id ?? null);
    const beginning = this.signing.begin(key, place, async () => {
      await server.stop();
      if (!this.running.isClosed) await this.again(project);
    });
    told();
    const started = await beginning;
    told();
    return started;
  }

  /** Cancels a sign-in in progress. */
  async cancelSignIn(project: Project | null, id: string): Promise<Result<object>> {
    const found = await this.find(project, id);
    if (!found.ok) return found;
    this.signing.cancel(found.value.key);
    return this.again(project);
  }

  /** Deletes the sign-in, here immediately, and at the server if it can be reached. */
  async signOut(project: Project | null, id: string): Promise<Result<object>> {
    const found = await this.find(project, id);
    if (!found.ok) return found;
    const { key } = found.value;
    const signedIn = this.running.get(key)?.signedIn ?? null;
    this.signIns.forget(key);
    this.keptTools.remove(key);
    await this.running.retire(key);
    if (signedIn !== null) {
      const { revoke } = await import('./sign-in/sign-in');
      await revoke(signedIn);
    }
    return this.again(project);
  }

  /** The errors of `save` that are known before. */
  check(draft: McpDraft): Promise<Result<object>> {
    return this.person.check(draft);
  }

  /** Adds or changes one of the person's servers. */
  async save(draft: McpDraft): Promise<Result<object>> {
    const saved = await this.person.save(draft);
    if (!saved.ok) return saved;
    if (draft.previous !== null && draft.previous !== draft.name) {
      this.signing.cancel(ownKey(draft.previous));
      this.signIns.rename(ownKey(draft.previous), ownKey(draft.name));
    }
    return this.again(null);
  }

  /** Moves likely plain-text secrets of the person's file to the keychain. Errors: `unsupported` without one. */
  async keepSecrets(name: string): Promise<Result<object>> {
    const { values, likelySecrets } = this.options;
    if (values.kind !== 'keychain') return fail('unsupported', 'no_keychain');
    const moved = await this.person.keepSecrets(name, likelySecrets);
    return moved.ok ? this.again(null) : moved;
  }

  async remove(name: string): Promise<Result<object>> {
    const removed = await this.person.remove(name);
    if (!removed.ok) return removed;
    this.signing.cancel(ownKey(name));
    this.signIns.forget(ownKey(name));
    return this.again(null);
  }

  /**
   * Values that the person typed under a secret's name, and the tokens of their sign-ins, for redaction of saved or sent
   * text. Shorter values could appear anywhere.
   */
  async typedSecrets(): Promise<string[]> {
    const { entries } = await readConfigFile(this.person.path, null);
    const typed = entries.flatMap((entry) => {
      if (!entry.ok) return [];
      const { args, url, secrets } = entry.config;
      const named = Object.entries(secrets).filter(([name]) => isSecretName(name));
      return referencesIn([args, url, named]).flatMap((id) => {
        // A header has a scheme before the token: `Bearer …`.
        const token = this.options.values.get(id)?.trim().split(/\s/u).at(-1) ?? '';
        return token.length >= SHORTEST_SECRET ? [token] : [];
      });
    });
    return [...typed, ...this.signIns.secrets()];
  }

  /** An editor opened a session with these servers. They run until `closeSession`. */
  openSession(sessionId: string, projectId: ProjectId, servers: readonly EditorServer[]): void {
    this.fromEditors.set(sessionId, projectId, servers);
  }

  async closeSession(sessionId: string, project: Project): Promise<void> {
    this.fromEditors.remove(sessionId);
    await this.readConfigured(project);
  }

  /** Stops the servers of a removed project. */
  async release(projectId: ProjectId): Promise<void> {
    this.signIns.forgetAll(`${projectId}:`);
    await this.running.release(projectId);
  }

  async close(): Promise<void> {
    const closing = this.running.close();
    await this.signing.close();
    await closing;
  }

  private async again(project: Project | null): Promise<Result<object>> {
    await this.list(project);
    this.changes += 1;
    this.options.onChanged(project?.id ?? null);
    return ok({});
  }

  private async find(project: Project | null, id: string): Promise<Result<Configured>> {
    const { known } = await this.readConfigured(project);
    const found = known.find((one) => one.id === id);
    return found ? ok(found) : fail('not_found', 'server_not_configured');
  }

  /** Reads the configuration and stops servers that no longer match it. */
  private async readConfigured(project: Project | null): Promise<ReadConfiguration> {
    const { known: configured, problems } = await this.configured.read(project);
    const all = project === null ? configured : [...configured, ...this.fromEditors.of(project.id)];
    const known = this.options.isOff
      ? all.map((one) => ({ ...one, barred: { phase: 'off' as const } }))
      : all;
    await this.running.settle(known, project);
    return { known, problems };
  }

  /** Waits for the work up to the limit of a turn, or until the signal aborts. Never rejects. */
  private async within(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([signal, this.clock.limit(TURN_WAITS)]);
    await raced(work, limit).catch(() => undefined);
  }

  private offers(known: Configured[]): Map<string, Offer> {
    return offersOf(known, this.running.all, this.options.reserved);
  }
}

/** The key of one of the person's servers. */
const ownKey = (name: string) => `person:${name}`;
