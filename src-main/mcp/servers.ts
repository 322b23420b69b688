import { join } from 'node:path';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { Project } from '../contract/app';
import type { ProjectId } from '../contract/ids';
import type { McpDraft, McpServer, McpServers as McpServersState, McpState, McpTool } from '../contract/mcp';
import { fail, ok, type Result } from '../contract/result';
import { type Clock, systemClock } from './clock';
import { digestOf, readConfigFile, type ServerConfig, setupOf } from './config';
import { type Configured, ConfiguredServers, type ReadConfiguration } from './configured-servers';
import { KeptTools } from './kept-tools';
import type { KeptValues } from './kept-values';
import { isSecretName } from './masks';
import { type Offer, offersOf } from './offers';
import { type LikelySecrets, openSecrets } from './open-secrets';
import { PersonFile } from './person-file';
import type { ProcessKeeper } from './processes';
import type { ServerPrompt } from './prompts';
import { raced } from './raced';
import { referencesIn, type SecretValues } from './secret-refs';
import { Server } from './server';
import type { SignInOptions } from './sign-in';
import { SignIns } from './sign-ins';
import { SigningIn } from './signing-in';

/** Milliseconds that a turn waits for servers: those that take longer come with the next turn. */
const TURN_WAITS = 5_000;

/** UTF-16 units. */
const SHORTEST_SECRET = 8;

export interface McpOptions {
  /** Folder of the person's `mcp.json`. */
  dataDir: string;
  /** Where the person's own servers are started. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  baseEnv: Readonly<Record<string, string>>;
  version: string;
  processes: ProcessKeeper;
  kept: KeptValues;
  /** Where values are kept that the person types in the settings. */
  values: SecretValues;
  likelySecrets: LikelySecrets;
  /** Shows the person an address in their browser; false: they did not want that. */
  openBrowser: (url: URL) => Promise<boolean>;
  /** What the browser shows when a sign-in is over. */
  signInWords: () => SignInOptions['words'];
  /** A turn begins without the tools of servers that the person must sign in to first. */
  onSignInNeeded: (names: string[]) => void;
  /** Names of tools that are Deepdesk's own. */
  reserved: ReadonlySet<string>;
  onChanged: (projectId: ProjectId | null) => void;
  /** A turn begins in a folder that brings servers nobody has said yes or no to. */
  onWaiting: (project: Project, names: string[]) => void;
  clock?: Clock;
}

/** A tool of a turn, and where it comes from. */
export interface TurnTool {
  tool: StructuredToolInterface;
  server: string;
  scope: McpServer['scope'];
  /** Where the server comes from and how it is configured, as a digest: a rule is about just this server. */
  serverIdentity: string;
  saysReadOnly: boolean;
  saysDestructive: boolean;
  /** The server's configuration and the tool as it describes it, as text: an answer is about just this tool. */
  identity: string;
  /** The server, and the tool as it listed it: other ones, and what was made of them is out of date. */
  from: readonly [server: object, listed: object];
}

/** Every server of the person and of the projects: what is configured, what may run, what runs. */
export class McpServers {
  private readonly running = new Map<string, Server>();
  private readonly person: PersonFile;
  private readonly configured: ConfiguredServers;
  private readonly keptTools: KeptTools;
  private readonly clock: Clock;
  private readonly signIns: SignIns;
  private readonly signing: SigningIn;
  private closed = false;

  constructor(private readonly options: McpOptions) {
    this.person = new PersonFile(join(options.dataDir, 'mcp.json'), options.values);
    this.configured = new ConfiguredServers(this.person.path, options.kept);
    this.keptTools = new KeptTools(options.kept);
    this.signIns = new SignIns(options.values, options.kept);
    this.signing = new SigningIn({ openBrowser: options.openBrowser, words: options.signInWords });
    this.clock = options.clock ?? systemClock;
  }

  /** What is configured and how it stands. Starts what may run and is not up, without waiting for it. */
  async list(project: Project | null): Promise<McpServersState> {
    const { known, problems } = await this.look(project);
    const offered = this.offers(known);
    for (const one of known) void this.running.get(one.key)?.start();
    return { servers: known.map((one) => this.shown(one, offered)), problems };
  }

  /**
   * The tools of a turn; none once `signal` aborts. Waits some seconds for servers that are on their way for the first
   * time, and for nothing else.
   */
  async toolsFor(project: Project, signal: AbortSignal): Promise<TurnTool[]> {
    const { known } = await this.look(project);
    const waiting = known.filter(({ barred }) => barred?.phase === 'consent');
    if (waiting.length > 0)
      this.options.onWaiting(
        project,
        waiting.map(({ entry }) => entry.name),
      );
    const servers = known.flatMap(({ key }) => this.running.get(key) ?? []);
    if (servers.length === 0) return [];
    const starts = servers.map((server) => server.start());
    if (servers.some((server) => server.isComing)) {
      await this.within(Promise.all(starts), signal);
    }
    await this.within(Promise.all(servers.map((server) => server.refresh(signal))), signal);
    const unknown = servers.filter(({ state }) => state.phase === 'signIn').map(({ config }) => config.name);
    if (unknown.length > 0) this.options.onSignInNeeded(unknown);
    if (signal.aborted) return [];
    const { serverTool } = await import('./server-tool');
    return [...this.offers(known).values()].flatMap(({ one, server, names }) =>
      server.tools.tools.flatMap((tool) => {
        const name = names.get(tool.title);
        if (name === undefined) return [];
        const { saysReadOnly, saysDestructive } = tool;
        return [
          {
            tool: serverTool(name, tool, server),
            server: one.entry.name,
            scope: one.scope,
            serverIdentity: digestOf([one.key, one.digest]),
            saysReadOnly,
            saysDestructive,
            identity: JSON.stringify([one.key, one.digest, tool]),
            from: [server, tool],
          },
        ];
      }),
    );
  }

  /** The files that say which servers a project has. */
  filesOf(project: Project): string[] {
    return this.configured.filesOf(project);
  }

  /** Whether nothing is configured for the project: then turns have no tools of servers, until those files change. */
  async hasNone(project: Project): Promise<boolean> {
    const { known } = await this.look(project);
    return known.length === 0;
  }

  /** The prompts of the servers that are up; the others are started, told to be on their way, and asked the next time. */
  async prompts(
    project: Project,
  ): Promise<{ id: string; server: string; prompts: ServerPrompt[]; isComing: boolean }[]> {
    const { known } = await this.look(project);
    return Promise.all(
      known.map(async ({ id, key, entry }) => {
        const running = this.running.get(key);
        void running?.start();
        const isComing = running?.state.phase === 'starting';
        return { id, server: entry.name, prompts: (await running?.prompts()) ?? [], isComing };
      }),
    );
  }

  /** The words of a prompt of a server. Errors: `not_found`, and what the server says. */
  async prompt(
    project: Project,
    wanted: { id: string; prompt: string; args: Record<string, string> },
    signal: AbortSignal,
  ): Promise<Result<string>> {
    const found = await this.find(project, wanted.id);
    if (!found.ok) return found;
    const running = this.running.get(found.value.key);
    if (running === undefined) return fail('not_found', 'server_off');
    return running.prompt(wanted.prompt, wanted.args, signal);
  }

  /** The person's word on a server that comes with a folder. `stale` where it is configured differently by now. */
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
    this.configured.consent(digest, allowed);
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
   * Opens the browser where the person signs in to a server over HTTP. Resolves once it shows the page; the server's
   * state tells the rest. Errors: `unsupported` where it takes none, `cancelled`, `provider`.
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
      if (!this.closed) await this.again(project);
    });
    told();
    const started = await beginning;
    told();
    return started;
  }

  /** Gives up a sign-in that is under way. */
  async cancelSignIn(project: Project | null, id: string): Promise<Result<object>> {
    const found = await this.find(project, id);
    if (!found.ok) return found;
    this.signing.cancel(found.value.key);
    return this.again(project);
  }

  /** Forgets the sign-in, here at once and at the server as far as it can be reached. */
  async signOut(project: Project | null, id: string): Promise<Result<object>> {
    const found = await this.find(project, id);
    if (!found.ok) return found;
    const { key } = found.value;
    const server = this.running.get(key);
    const signedIn = server?.signedIn ?? null;
    this.signIns.forget(key);
    this.keptTools.remove(key);
    this.running.delete(key);
    await server?.retire();
    if (signedIn !== null) {
      const { revoke } = await import('./sign-in');
      await revoke(signedIn);
    }
    return this.again(project);
  }

  /** Adds or changes a server of the person's own. */
  async save(draft: McpDraft): Promise<Result<object>> {
    const saved = await this.person.save(draft);
    if (!saved.ok) return saved;
    if (draft.previous !== null && draft.previous !== draft.name) {
      this.signing.cancel(ownKey(draft.previous));
      this.signIns.rename(ownKey(draft.previous), ownKey(draft.name));
    }
    return this.again(null);
  }

  /** Moves what stands readable in the person's file and looks like a secret to the keychain. Errors: `unsupported` without one. */
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
   * What the person typed under a secret's name, and tokens of their sign-ins, for taking them out of whatever is kept or
   * sent. Shorter values could stand anywhere.
   */
  async typedSecrets(): Promise<string[]> {
    const { entries } = await readConfigFile(this.person.path, null);
    const typed = entries.flatMap((entry) => {
      if (!entry.ok) return [];
      const { args, url, secrets } = entry.config;
      const named = Object.entries(secrets).filter(([name]) => isSecretName(name));
      return referencesIn([args, url, named]).flatMap((id) => {
        // A header has its kind before the token: `Bearer …`.
        const token = this.options.values.get(id)?.trim().split(/\s/u).at(-1) ?? '';
        return token.length >= SHORTEST_SECRET ? [token] : [];
      });
    });
    return [...typed, ...this.signIns.secrets()];
  }

  /** Ends the servers of a project that was removed. */
  async release(projectId: ProjectId): Promise<void> {
    const gone = [...this.running].filter(([key]) => key.startsWith(`${projectId}:`));
    for (const [key] of gone) this.running.delete(key);
    this.signIns.forgetAll(`${projectId}:`);
    await Promise.all(gone.map(([, server]) => server.retire()));
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.signing.close();
    const servers = [...this.running.values()];
    this.running.clear();
    await Promise.all(servers.map((server) => server.retire()));
  }

  private async again(project: Project | null): Promise<Result<object>> {
    await this.list(project);
    this.options.onChanged(project?.id ?? null);
    return ok({});
  }

  private async find(project: Project | null, id: string): Promise<Result<Configured>> {
    const { known } = await this.look(project);
    const found = known.find((one) => one.id === id);
    return found ? ok(found) : fail('not_found', 'server_not_configured');
  }

  /** Reads what is configured, and lets go of what runs and is not so configured any more. */
  private async look(project: Project | null): Promise<ReadConfiguration> {
    const read = await this.configured.read(project);
    await this.settle(read.known, project);
    return read;
  }

  /** Makes the running servers those that may run, each as it is configured now. */
  private async settle(known: Configured[], project: Project | null): Promise<void> {
    const wanted = new Map(known.filter((one) => one.barred === undefined).map((one) => [one.key, one]));
    const owners = ['person:', ...(project === null ? [] : [`${project.id}:`])];
    const gone: Server[] = [];
    for (const [key, server] of this.running) {
      const one = wanted.get(key);
      if (!owners.some((owner) => key.startsWith(owner))) continue;
      if (one?.entry.digest === server.config.digest) continue;
      this.running.delete(key);
      gone.push(server);
    }
    for (const [key, { entry, scope }] of wanted) {
      if (this.closed || !entry.ok || this.running.has(key)) continue;
      const { env, baseEnv, version, processes, home, values, onChanged } = this.options;
      this.running.set(
        key,
        new Server({
          config: entry.config,
          folder: scope === 'person' || project === null ? home : project.folder,
          env,
          baseEnv,
          values: scope === 'person' ? values : null,
          signInAt: (address) => this.signIns.of(key, address),
          version,
          processes,
          clock: this.clock,
          remembered: this.keptTools.of(key, entry.digest),
          onListed: (list) => this.keptTools.keep(key, entry.digest, list),
          onChanged: () => onChanged(scope === 'person' ? null : (project?.id ?? null)),
        }),
      );
    }
    await Promise.all(gone.map((server) => server.retire()));
  }

  /** Waits for the work, as long as a turn may, or until the signal aborts. Never rejects. */
  private async within(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([signal, this.clock.limit(TURN_WAITS)]);
    await raced(work, limit).catch(() => undefined);
  }

  private offers(known: Configured[]): Map<string, Offer> {
    return offersOf(known, this.running, this.options.reserved);
  }

  private shown(one: Configured, offered: ReadonlyMap<string, Offer>): McpServer {
    const found = offered.get(one.key);
    const signedIn = found?.server.signedIn ?? null;
    const tools: McpTool[] = (found?.server.tools.tools ?? []).flatMap((tool) => {
      const name = found?.names.get(tool.title);
      const { title, description, saysReadOnly, saysDestructive } = tool;
      return name === undefined ? [] : [{ name, title, description, saysReadOnly, saysDestructive }];
    });
    return {
      id: one.id,
      name: one.entry.name,
      scope: one.scope,
      source: one.source,
      setup: one.entry.ok ? this.setup(one.entry.config, one.scope === 'project') : null,
      digest: one.digest,
      state: one.barred ?? this.standing(one.key, found?.server),
      account: signedIn === null ? null : { at: signedIn.at, as: signedIn.as },
      tools,
      leftOut: found === undefined ? [] : [...found.server.tools.leftOut, ...found.refused],
    };
  }

  private setup(config: ServerConfig, isTheirs: boolean): McpServer['setup'] {
    const { values, likelySecrets } = this.options;
    // Without a keychain the file is where a value lasts, and a file of a project is not the person's to change.
    const canMove = !isTheirs && values.kind === 'keychain';
    const readable = canMove ? openSecrets({ ...config, named: config.secrets }, likelySecrets).length : 0;
    return { ...setupOf(config, isTheirs), readable };
  }

  private standing(key: string, server: Server | undefined): McpState {
    const signing = this.signing.stateOf(key);
    const own = server?.state ?? { phase: 'idle' };
    // What went wrong with signing in counts for as long as that is wanted.
    return signing?.phase === 'signingIn' || (signing !== undefined && own.phase === 'signIn')
      ? signing
      : own;
  }
}

/** Of a server of the person's own. */
const ownKey = (name: string) => `person:${name}`;
