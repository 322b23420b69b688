import { isAbsolute, resolve } from 'node:path';
import {
  type AgentApp,
  type AgentContext,
  agent,
  type ClientCapabilities,
  type InitializeResponse,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
  type PromptResponse,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { editorTools } from './editor-tools';
import {
  type AcpHost,
  AcpRefusal,
  type AcpSession,
  type Editor,
  EditorGone,
  type SessionPlace,
} from './host';
import { promptParts } from './prompt-parts';

/**
 * Creates an agent that editors host over the Agent Client Protocol, version 1 (agentclientprotocol.com). Connect it to a
 * stream: `createAcpAgent(host).connect(ndJsonStream(output, input))`. Invalid ids, unknown methods and prompts at the wrong
 * time get protocol errors and change nothing.
 */
export function createAcpAgent(host: AcpHost): AgentApp {
  const sessions = new Sessions(host);
  return agent({ name: host.info.name })
    .onConnect((connection) => {
      connection.signal.addEventListener('abort', () => sessions.leave(), { once: true });
    })
    .onRequest(methods.agent.initialize, ({ params }) => {
      sessions.capabilities = params.clientCapabilities;
      return initialized(host);
    })
    .onRequest(methods.agent.session.new, ({ params, client }) =>
      asProtocol(async () => {
        const session = await sessions.create(params, client);
        sessions.offerCommands(session, client);
        return { sessionId: session.id, ...choicesOf(session) };
      }),
    )
    .onRequest(methods.agent.session.load, ({ params, client }) =>
      asProtocol(async () => {
        const session = await sessions.load(params.sessionId, params, client);
        for (const update of session.history()) void tell(client, session.id, update);
        sessions.offerCommands(session, client);
        return choicesOf(session);
      }),
    )
    .onRequest(methods.agent.session.resume, ({ params, client }) =>
      asProtocol(async () => {
        const session = await sessions.load(params.sessionId, params, client);
        sessions.offerCommands(session, client);
        return choicesOf(session);
      }),
    )
    .onRequest(methods.agent.session.list, ({ params }) =>
      asProtocol(async () => host.list(folderOf(params.cwd), params.cursor ?? undefined)),
    )
    .onRequest(methods.agent.session.close, ({ params }) =>
      asProtocol(async () => {
        await sessions.close(params.sessionId);
        return {};
      }),
    )
    .onRequest(methods.agent.session.setMode, ({ params }) =>
      asProtocol(async () => {
        await sessions.get(params.sessionId).setMode(params.modeId);
        return {};
      }),
    )
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      asProtocol(async () => {
        const session = sessions.get(params.sessionId);
        await session.setOption(params.configId, String(params.value));
        return { configOptions: session.options() };
      }),
    )
    .onRequest(methods.agent.session.prompt, ({ params, client, signal }) =>
      asProtocol(() => sessions.prompt(params.sessionId, promptParts(params.prompt), client, signal)),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.cancel(params.sessionId));
}

const initialized = ({ info, accepts }: AcpHost): InitializeResponse => {
  const transports = accepts?.mcpServers ?? [];
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: info,
    authMethods: [],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: transports.includes('http'), sse: transports.includes('sse') },
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        ...(accepts?.additionalDirectories === true ? { additionalDirectories: {} } : {}),
      },
    },
  };
};

/** The folder to list, as sessions name theirs. Throws for a relative one, which no session can have. */
function folderOf(cwd: string | null | undefined): string | undefined {
  if (cwd === undefined || cwd === null) return undefined;
  if (isAbsolute(cwd)) return resolve(cwd);
  throw new AcpRefusal('invalid', `cwd must be an absolute path, and is ${JSON.stringify(cwd)}.`);
}

/** What the editor says about a session that it opens. */
interface Opening {
  cwd: string;
  mcpServers?: readonly McpServer[];
  additionalDirectories?: readonly string[];
}

/** The sessions of one connection, and the running prompt of each. */
class Sessions {
  capabilities: ClientCapabilities | undefined;
  private readonly open = new Map<string, { session: AcpSession; cwd: string }>();
  private readonly loading = new Map<string, Promise<AcpSession>>();
  private readonly closing = new Map<string, Promise<void>>();
  private isGone = false;
  private readonly running = new Map<string, { controller: AbortController; ended: Promise<unknown> }>();

  constructor(private readonly host: AcpHost) {}

  async create(opening: Opening, client: AgentContext): Promise<AcpSession> {
    let id = '';
    const session = await this.host.create(this.placeOf(opening, client, () => id));
    id = session.id;
    return this.keep(session, opening.cwd, client);
  }

  async load(id: string, opening: Opening, client: AgentContext): Promise<AcpSession> {
    const place = this.placeOf(opening, client, () => id);
    const known = this.open.get(id);
    if (known !== undefined && resolve(known.cwd) !== resolve(place.cwd))
      throw new AcpRefusal('invalid', `This session is open in ${known.cwd}. Close it first.`);
    if (known !== undefined) return known.session;
    // An editor may ask twice before the first answer.
    const loading = this.loading.get(id) ?? this.loadNow(id, place, client);
    this.loading.set(id, loading);
    return loading;
  }

  private async loadNow(id: string, place: SessionPlace, client: AgentContext): Promise<AcpSession> {
    try {
      // Closing ends what a session has in its host, such as terminals, by its id.
      await this.closing.get(id)?.catch(() => undefined);
      const session = await this.host.load(id, place);
      if (session === null) throw noSession(id);
      return await this.keep(session, place.cwd, client);
    } finally {
      this.loading.delete(id);
    }
  }

  /** The editor may have disconnected while the session was made. */
  private async keep(session: AcpSession, cwd: string, client: AgentContext): Promise<AcpSession> {
    if (this.isGone) {
      await session.close();
      throw new EditorGone();
    }
    this.open.set(session.id, { session, cwd });
    session.onChange?.((update) => void tell(client, session.id, update));
    return session;
  }

  get(id: string): AcpSession {
    const known = this.open.get(id);
    if (known === undefined) throw noSession(id);
    return known.session;
  }

  async close(id: string): Promise<void> {
    const session = this.get(id);
    this.open.delete(id);
    const closed = this.end(session);
    this.closing.set(id, closed);
    try {
      await closed;
    } finally {
      this.closing.delete(id);
    }
  }

  cancel(id: string): void {
    this.running.get(id)?.controller.abort();
  }

  /** Handles the editor's disconnect. */
  leave(): void {
    this.isGone = true;
    const sessions = [...this.open.values()].map(({ session }) => session);
    this.open.clear();
    // Nobody is left to tell about errors.
    for (const session of sessions) void this.end(session, new EditorGone()).catch(() => undefined);
  }

  /** Closes a session once its prompt is over. */
  private async end(session: AcpSession, reason?: EditorGone): Promise<void> {
    const running = this.running.get(session.id);
    running?.controller.abort(reason);
    await running?.ended;
    await session.close();
  }

  /** Sends the list of commands after the response that names the session. */
  offerCommands(session: AcpSession, client: AgentContext): void {
    const offer = async () => {
      const availableCommands = await session.commands();
      await tell(client, session.id, { sessionUpdate: 'available_commands_update', availableCommands });
    };
    // A session works without its command list, so ignore the error.
    setImmediate(() => void offer().catch(() => undefined));
  }

  async prompt(
    id: string,
    parts: ReturnType<typeof promptParts>,
    client: AgentContext,
    requested: AbortSignal,
  ): Promise<PromptResponse> {
    const session = this.get(id);
    if (this.running.has(id))
      throw new AcpRefusal(
        'invalid',
        'This session is still working. Cancel it, or wait until it has finished.',
      );
    // Models refuse a message without content, and a thread would keep it.
    if (parts.every((part) => part.type === 'text' && part.text.trim() === ''))
      throw new AcpRefusal('invalid', 'The message is empty.');
    const controller = new AbortController();
    let over = () => {};
    const ended = new Promise<void>((resolve) => {
      over = resolve;
    });
    this.running.set(id, { controller, ended });
    const onRequest = () => controller.abort();
    requested.addEventListener('abort', onRequest, { once: true });
    try {
      return { stopReason: await session.prompt(parts, editorOf(client, id), controller.signal) };
    } finally {
      requested.removeEventListener('abort', onRequest);
      this.running.delete(id);
      over();
    }
  }

  private placeOf(opening: Opening, client: AgentContext, sessionId: () => string): SessionPlace {
    const { cwd, mcpServers = [], additionalDirectories = [] } = opening;
    const { accepts } = this.host;
    if (![cwd, ...additionalDirectories].every((path) => isAbsolute(path)))
      throw new AcpRefusal('invalid', 'The folders of a session must be absolute paths.');
    if (additionalDirectories.length > 0 && accepts?.additionalDirectories !== true)
      throw new AcpRefusal(
        'invalid',
        `This agent works in one folder. Open these in sessions of their own: ${additionalDirectories.join(', ')}`,
      );
    const unusable = mcpServers.filter((one) => !accepts?.mcpServers?.includes(transportOf(one)));
    if (accepts?.mcpServers !== undefined && unusable.length > 0)
      throw new AcpRefusal('invalid', `This agent cannot reach these MCP servers: ${namesOf(unusable)}`);
    const editor = editorTools(client, this.capabilities, sessionId);
    return { cwd: resolve(cwd), mcpServers, additionalDirectories, editor };
  }
}

const transportOf = (server: McpServer) => ('type' in server ? server.type : 'stdio');
const namesOf = (servers: readonly McpServer[]) => servers.map(({ name }) => name).join(', ');

const noSession = (id: string) =>
  new AcpRefusal(
    'not_found',
    `There is no session "${id.slice(0, 100)}" here. List the sessions, or start a new one.`,
  );

const choicesOf = (session: AcpSession) => ({ modes: session.modes(), configOptions: session.options() });

/** Ignores errors when the editor is gone: the session keeps what the notification was about. */
const tell = (client: AgentContext, sessionId: string, update: SessionUpdate) =>
  client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined);

const Answer = z.object({ outcome: z.object({ outcome: z.string(), optionId: z.string().optional() }) });

function editorOf(client: AgentContext, sessionId: string): Editor {
  return {
    update: (update) => void tell(client, sessionId, update),
    ask: async ({ toolCall, options }, signal) => {
      const request: RequestPermissionRequest = { sessionId, toolCall, options };
      const asked = client
        .request(methods.client.session.requestPermission, request, { cancellationSignal: signal })
        .catch((error: unknown) => {
          // The editor's error is about its own request. Passed on, it would seem to be about the prompt.
          if (!(error instanceof RequestError) || signal.aborted) throw error;
          throw new AcpRefusal('failed', `The editor did not ask about the call: ${error.message}`);
        });
      const answer: unknown = await untilAborted(asked, signal);
      const read = Answer.safeParse(answer);
      if (!read.success)
        throw new AcpRefusal('failed', 'The editor answered a permission request without an outcome.');
      const { outcome, optionId } = read.data.outcome;
      if (outcome !== 'selected') return null;
      return options.find((option) => option.optionId === optionId)?.optionId ?? null;
    },
  };
}

/** Rejects when the turn is cancelled: not every editor answers the questions that are open then, although it has to. */
function untilAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Converts refusals to protocol errors with their message. Unexpected errors stay internal errors. */
async function asProtocol<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AcpRefusal)) throw error;
    const code = { invalid: -32602, not_found: -32002, failed: -32603 }[error.kind];
    throw new RequestError(code, error.message);
  }
}
