import { readFile, realpath } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { type McpServer, ndJsonStream, type SessionInfo } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { parseJson } from '../../base/limited-json';
import type { AppSnapshot, Project, ThreadSummary } from '../../contract/app';
import type { HostEvent } from '../../contract/events';
import { type ProjectId, ThreadId } from '../../contract/ids';
import { portPair } from '../../contract/port-pair';
import { type Client, connect, type Port } from '../../contract/rpc';
import { optional } from '../../contract/shared/optional';
import {
  type AcpHost,
  AcpRefusal,
  createAcpAgent,
  type SessionPage,
  type SessionPlace,
} from '../../harness/acp';
import type { Host } from '../../host/host';
import type { EditorServer } from '../../mcp/config/editor-servers';
import { expectOk } from './refusal';
import { ThreadSession } from './session';

const PAGE = 50;

/**
 * Serves threads to an editor over the Agent Client Protocol on standard input and output until the editor closes them. It
 * uses the app as a window does: through the port, with the contract's commands. `packageFile`: the file with the version.
 */
export async function serveAcp(host: Host, model: string | undefined, packageFile: string): Promise<void> {
  const [mine, theirs] = portPair();
  host.connect(theirs);
  const app = await AppAsAcpHost.open(host, mine, await versionIn(packageFile), model);
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const stream = ndJsonStream(Writable.toWeb(process.stdout) as WritableStream<Uint8Array>, input);
  const connection = createAcpAgent(app).connect(stream);
  await connection.closed;
  app.close();
}

const PackageFile = z.object({ version: z.string() });

async function versionIn(packageFile: string): Promise<string> {
  const text = await readFile(packageFile, 'utf8');
  const parsed = parseJson(text, { maxBytes: 1_000_000 });
  return PackageFile.parse('value' in parsed ? parsed.value : null).version;
}

/** Exposes the app's projects and threads as ACP sessions. */
class AppAsAcpHost implements AcpHost {
  readonly info: AcpHost['info'];
  readonly accepts = { mcpServers: ['stdio', 'http', 'sse'] } as const;
  private readonly projects: Map<ProjectId, Project>;
  private readonly threads: Map<ThreadId, ThreadSummary>;

  static async open(
    host: Host,
    port: Port,
    version: string,
    model: string | undefined,
  ): Promise<AppAsAcpHost> {
    const client = connect(port);
    return new AppAsAcpHost(host, client, expectOk(await client.call('app.open', {})), version, model);
  }

  private constructor(
    private readonly host: Host,
    private readonly client: Client,
    private readonly app: AppSnapshot,
    version: string,
    private readonly model: string | undefined,
  ) {
    this.info = { name: 'deepdesk', title: 'Deepdesk', version };
    this.projects = new Map(app.projects.map((project) => [project.id, project]));
    this.threads = new Map(app.threads.map((thread) => [thread.id, thread]));
    client.onEvent((event) => this.receive(event));
  }

  async create(place: SessionPlace): Promise<ThreadSession> {
    const project = await this.projectOf(place);
    const created = await this.client.call('thread.create', {
      projectId: project.id,
      ...optional({ model: this.model }),
    });
    return this.sessionOf(expectOk(created).id, project, place);
  }

  async load(sessionId: string, place: SessionPlace): Promise<ThreadSession | null> {
    const id = ThreadId.safeParse(sessionId);
    const thread = id.success ? this.threads.get(id.data) : undefined;
    if (thread === undefined) return null;
    const project = await this.projectOf(place);
    return thread.projectId === project.id ? this.sessionOf(thread.id, project, place) : null;
  }

  async list(cwd: string | undefined, cursor: string | undefined): Promise<SessionPage> {
    const begin = cursor === undefined ? 0 : Number(cursor);
    if (!Number.isSafeInteger(begin) || begin < 0)
      throw new AcpRefusal('invalid', 'This is no cursor of a list.');
    // A project has the real path of its folder.
    const folder = cwd === undefined ? undefined : await realpath(cwd).catch(() => cwd);
    const all = [...this.threads.values()]
      .filter(({ archived }) => archived !== true)
      .flatMap((thread) => this.infoOf(thread))
      .filter((session) => folder === undefined || session.cwd === folder)
      .toSorted((one, other) => (other.updatedAt ?? '').localeCompare(one.updatedAt ?? ''));
    const sessions = all.slice(begin, begin + PAGE);
    const next = begin + PAGE;
    return next < all.length ? { sessions, nextCursor: String(next) } : { sessions };
  }

  close(): void {
    this.client.close();
  }

  private async projectOf({ cwd }: SessionPlace): Promise<Project> {
    const project = expectOk(await this.host.projects.open(cwd));
    this.projects.set(project.id, project);
    return project;
  }

  private async sessionOf(
    threadId: ThreadId,
    { id: projectId }: Project,
    { editor, mcpServers }: SessionPlace,
  ): Promise<ThreadSession> {
    const { editors, mcp } = this.host;
    const project = () =>
      this.projects.get(projectId) ?? refuse('The folder is no longer in the list of projects.');
    const state = expectOk(await this.client.call('thread.open', { threadId }));
    const session = new ThreadSession(
      {
        client: this.client,
        project,
        models: () => this.app.models,
        forget: async () => {
          editors.close(threadId);
          const left = this.projects.get(projectId);
          if (left !== undefined) await mcp.closeSession(threadId, left);
        },
      },
      state,
    );
    editors.open(threadId, { tools: editor, onTerminal: session.terminalOpened });
    mcp.openSession(threadId, projectId, mcpServers.map(editorServer));
    return session;
  }

  private infoOf({ id, projectId, title, updatedAt }: ThreadSummary): SessionInfo[] {
    const project = this.projects.get(projectId);
    if (project === undefined) return [];
    return [{ sessionId: id, cwd: project.folder, title, updatedAt: new Date(updatedAt).toISOString() }];
  }

  private receive(event: HostEvent): void {
    if (event.type === 'project.changed') this.projects.set(event.project.id, event.project);
    else if (event.type === 'project.removed') this.projects.delete(event.projectId);
    else if (event.type === 'summary.changed') this.threads.set(event.summary.id, event.summary);
    else if (event.type === 'thread.removed') this.threads.delete(event.threadId);
    else if (event.type === 'models.changed') this.app.models = event.models;
  }
}

function editorServer(server: McpServer): EditorServer {
  if ('type' in server) {
    const { name, type: transport, url, headers } = server;
    return { name, transport, command: '', args: [], url, secrets: valuesByName(headers) };
  }
  const { name, command, args, env } = server;
  return { name, transport: 'stdio', command, args, url: '', secrets: valuesByName(env) };
}

const valuesByName = (pairs: readonly { name: string; value: string }[]) =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));

function refuse(message: string): never {
  throw new AcpRefusal('not_found', message);
}
